"""Small composite actions that stand in for those act would fetch, and for this one, which needs Docker."""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import yaml

OWN: Final = "octo/gate@" + "0" * 40
"""What the reference `$/` is in a scratch repository: act does not know that one."""

_READ: Final = ("name", "path", "subject-name", "subject-digest")
_UPLOAD: Final = 'mkdir -p "$KEPT/artifacts" && cp -r "$PATH_IN" "$KEPT/artifacts/$NAME"'
_DOWNLOAD: Final = 'mkdir -p "$PATH_IN" && cp -r "$KEPT/artifacts/$NAME/." "$PATH_IN"'
_ATTEST: Final = 'echo "attest $SUBJECT" >> "$KEPT/asked.txt"'
_KEEP: Final = 'echo "publish $(ls "$PUBLISH")" >> "$KEPT/asked.txt"'
_FETCHED: Final[Mapping[str, str]] = {
    "actions/attest": _ATTEST,
    "actions/checkout": "true",
    "actions/download-artifact": _DOWNLOAD,
    "actions/setup-python": "true",
    "actions/upload-artifact": _UPLOAD,
}


def fetched(references: Iterator[str], folder: Path, kept: Path) -> Iterator[str]:
    """Write a stand-in for each OWNER/NAME@SHA into a folder, and name it as act's --local-repository does.

    Args:
        references: what is fetched.
        folder: where the stand-ins go.
        kept: where they keep artifacts, and in asked.txt what they were asked.
    """
    env = {
        "KEPT": str(kept),
        "NAME": "${{ inputs.name }}",
        "PATH_IN": "${{ inputs.path }}",
        "SUBJECT": "${{ inputs.subject-name }}@${{ inputs.subject-digest }}",
    }
    for reference in references:
        name = reference.partition("@")[0]
        step = {"shell": "bash", "run": _FETCHED[name], "env": env}
        _write(folder / name, {key: {"description": key} for key in _READ}, {}, step)
        yield f"{reference}={folder / name}"


def gate(action: Mapping[str, Any], folder: Path) -> str:
    """Write this action's stand-in that runs the image's program, with the same inputs and outputs."""
    env = {f"INPUT_{name.upper()}": f"${{{{ inputs.{name} }}}}" for name in action["inputs"]}
    step = {"id": "run", "shell": "bash", "run": f"'{sys.executable}' -P -m holodeck_eval action", "env": env}
    outputs = {
        name: {**entry, "value": f"${{{{ steps.run.outputs.{name} }}}}"}
        for name, entry in action["outputs"].items()
    }
    _write(folder, action["inputs"], outputs, step)
    return f"{OWN}={folder}"


def publisher(action: Mapping[str, Any], folder: Path, kept: Path) -> str:
    """Write this action's stand-in that only keeps which files it was told to publish."""
    env = {"KEPT": str(kept), "PUBLISH": "${{ inputs.publish }}"}
    _write(folder, action["inputs"], {}, {"shell": "bash", "run": _KEEP, "env": env})
    return f"{OWN}={folder}"


def _write(
    folder: Path, inputs: Mapping[str, Any], outputs: Mapping[str, Any], step: Mapping[str, Any]
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    runs = {"using": "composite", "steps": [step]}
    action = {
        "name": folder.name,
        "description": "stands in",
        "inputs": inputs,
        "outputs": outputs,
        "runs": runs,
    }
    (folder / "action.yml").write_text(yaml.safe_dump(action), encoding="utf-8")
