"""A `docker` for machines without one: it keeps what it was asked, and runs this project's program as the container.

Write it into a folder that is first on PATH. `docker run` starts `holodeck-eval action` in the mounted workspace,
with the variables given by `--env` alone; `docker buildx build` writes a digest of its platform into the metadata
file; everything else succeeds in silence.
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

INDEX = "sha256:" + "1d" * 32
AMD64 = "sha256:" + "a4" * 32
ARM64 = "sha256:" + "a8" * 32

_SCRIPT = """#!{python}
import json, os, subprocess, sys

asked = sys.argv[1:]
stdin = sys.stdin.read() if "--password-stdin" in asked else None
with open({log!r}, "a", encoding="utf-8") as log:
    log.write(json.dumps({{"asked": asked, "stdin": stdin}}) + "\\n")


def values(flag):
    return [value for option, value in zip(asked, asked[1:]) if option == flag]


if asked[:1] == ["run"]:
    host, _, inside = values("--volume")[0].partition(":")
    pairs = [pair.partition("=") for pair in values("--env")]
    given = {{name: host if value == inside else value for name, _, value in pairs}}
    environ = {{"PATH": os.environ["PATH"], **given}}
    sys.exit(subprocess.run([{python!r}, "-m", "holodeck_eval", "action"], cwd=host, env=environ).returncode)
if asked[:2] == ["buildx", "build"] and values("--metadata-file"):
    digest = {{"linux/amd64": {amd64!r}, "linux/arm64": {arm64!r}}}[values("--platform")[0]]
    with open(values("--metadata-file")[0], "w", encoding="utf-8") as metadata:
        json.dump({{"containerimage.digest": digest}}, metadata)
if asked[:3] == ["buildx", "imagetools", "inspect"]:
    print(json.dumps({{"digest": {index!r}}}))
"""


@dataclass(frozen=True, slots=True)
class Call:
    """One call: its arguments, and what was written to it where that was a password."""

    asked: list[str]
    stdin: str | None


class DockerDouble:
    """The program, and what it was asked so far.

    Attributes:
        folder: what to put first on PATH.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._log = folder / "asked.jsonl"
        folder.mkdir(parents=True)
        program = folder / "docker"
        text = _SCRIPT.format(
            python=sys.executable, log=str(self._log), amd64=AMD64, arm64=ARM64, index=INDEX
        )
        program.write_text(text, encoding="utf-8")
        program.chmod(0o755)

    def asked(self, *first: str) -> list[list[str]]:
        """The arguments of each call that began with some words, oldest first."""
        return [call.asked for call in self._calls() if call.asked[: len(first)] == list(first)]

    def passwords(self) -> list[str]:
        """What was written to logins."""
        return [call.stdin for call in self._calls() if call.stdin is not None]

    def _calls(self) -> list[Call]:
        lines = self._log.read_text(encoding="utf-8").splitlines() if self._log.exists() else []
        return [Call(**json.loads(line)) for line in lines]
