"""Runs an image on the example as GitHub runs a container action, before anything points at it."""

import json
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from tools.release.rules import Refusal, Version, shown

INPUTS: Final = {
    "agent": "support-agent/agent.yaml",
    "transcripts": "support-agent/transcripts.jsonl",
    "policy": "support-agent/policy.yaml",
    "verdicts": "support-agent/verdicts.jsonl",
    "offline": "true",
    "trust_checkout": "true",
}
_WORKSPACE: Final = "/github/workspace"
_FAILED: Final = 1
_MINUTES: Final = 5


def smoke(image: str, version: Version, example: Path) -> None:
    """Judge the example in a container without a network.

    Args:
        image: anything that `docker run` takes.
        version: what the image must say that it is.
        example: the folder examples/support-agent, whose recorded verdicts end in `failed`.

    Raises:
        Refusal: when the container ends otherwise, with what it said.
    """
    with tempfile.TemporaryDirectory() as scratch:
        workspace = Path(scratch)
        shutil.copytree(example, workspace / "support-agent")
        done = subprocess.run(  # noqa: S603 - docker, and an image that the release built
            command(image, workspace), capture_output=True, text=True, check=False, timeout=_MINUTES * 60
        )
        results = workspace / "eval-report" / "results.json"
        if done.returncode != _FAILED or not results.is_file():
            raise Refusal(
                f"the image ended with {done.returncode}, where 1 is right; it said:\n{_quoted(done)}"
            )
        said = json.loads(results.read_text(encoding="utf-8"))
    got = f"{said['tool_version']} {said['verdict']['status']}"
    if got != f"{version} failed":
        raise Refusal(f"the image says {shown(got)}, where {version} failed is right")


def command(image: str, workspace: Path) -> list[str]:
    """The arguments that start the container: a runner's, as far as they matter here."""
    variables = {"GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": _WORKSPACE, "HOME": "/tmp"}  # noqa: S108 - inside
    variables |= {f"INPUT_{name.upper()}": value for name, value in INPUTS.items()}
    given = [part for name, value in variables.items() for part in ("--env", f"{name}={value}")]
    mounted = ["--volume", f"{workspace}:{_WORKSPACE}", "--workdir", _WORKSPACE]
    return ["/usr/bin/env", "docker", "run", "--rm", "--network", "none", *mounted, *given, image]


def _quoted(done: subprocess.CompletedProcess[str]) -> str:
    """What a container said, in lines that a runner takes for no commands."""
    return "\n".join(f"| {line}" for line in (done.stdout + done.stderr).splitlines())
