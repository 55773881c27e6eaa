"""Runs this repository's workflows with act, on this machine and without Docker, in a repository of their own."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.action import stand_ins
from tests.fakes.docker_double import DockerDouble

ROOT = Path(__file__).resolve().parents[2]
TOOLS = Path(sys.executable).parent
LABELS = ("ubuntu-latest", "ubuntu-24.04", "ubuntu-24.04-arm")
SECONDS = 120
TOKEN = "the-jobs-token"
_USED = re.compile(r"uses: (actions/[\w.-]+@[0-9a-f]{40})")
# gh knows no release yet, and whatever is made is green; both keep what they were asked.
_PROGRAMS = {"gh": 'test "$1 $2" != "release view"', "make": "true"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """What act said of a run.

    Attributes:
        code: act's exit code.
        log: its whole log.
        jobs: each job that ran, by its name, and whether it succeeded.
    """

    code: int
    log: str
    jobs: Mapping[str, bool]


class Scratch:
    """A repository with this one's files as its first commit, a remote to push to, and the stand-ins.

    Attributes:
        folder: the repository.
        remote: a bare repository, its origin.
        kept: where the stand-ins keep artifacts, and what they were asked.
        docker: the docker that the workflows find.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.remote, self.kept = folder / "repository", folder / "remote.git", folder / "kept"
        self.docker = DockerDouble(folder / "bin")
        self._stand_ins = folder / "stand-ins"
        self._copy()
        self._action = yaml.safe_load(self.text("action.yml"))
        self._own = stand_ins.gate(self._action, self._stand_ins / "own")
        self._write_programs()
        self._first_commit()

    def text(self, name: str) -> str:
        """A file of the repository."""
        return (self.folder / name).read_text(encoding="utf-8")

    def write(self, name: str, text: str) -> None:
        """Change a file, commit that, and push it."""
        (self.folder / name).write_text(text, encoding="utf-8")
        self._commit(f"Change {name}")

    def only_keep_what_is_published(self) -> None:
        """From now on this action judges nothing and posts nothing."""
        self._own = stand_ins.publisher(self._action, self._stand_ins / "own", self.kept)

    def git(self, *arguments: str, folder: Path | None = None) -> str:
        """What git says."""
        who = ("-c", "user.name=A", "-c", "user.email=a@b.example")
        return _said(["/usr/bin/git", "-C", str(folder or self.folder), *who, *arguments])

    def asked(self, words: str = "") -> list[str]:
        """What gh, make and the stand-ins were asked that holds some words, oldest first."""
        log = self.kept / "asked.txt"
        return (
            [line for line in log.read_text(encoding="utf-8").splitlines() if words in line]
            if log.exists()
            else []
        )

    def act(self, event: str, workflow: str, *more: str, payload: Mapping[str, Any] | None = None) -> Ended:
        """Run a workflow for an event, with its payload where that matters."""
        if payload is not None:
            path = self.kept / "event.json"
            path.write_text(json.dumps(payload), encoding="utf-8")
            more = (*more, "--eventpath", str(path))
        done = subprocess.run(  # noqa: S603 - act, on what this file wrote
            [*self._command(), event, "--workflows", f".github/workflows/{workflow}", *more],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )
        return _ended(done.returncode, done.stdout + done.stderr)

    def _command(self) -> list[str]:
        """act, with nothing of this machine's environment."""
        path = f"PATH={self.docker.folder}:{TOOLS}:/usr/bin:/bin"
        texts = [file.read_text(encoding="utf-8") for file in self._workflows()]
        used = iter(sorted(set(_USED.findall("\n".join(texts)))))
        replaced = [self._own, *stand_ins.fetched(used, self._stand_ins, self.kept)]
        return [
            *("/usr/bin/env", "-i", path, f"HOME={self.folder.parent}", str(TOOLS / "act"), "--json"),
            *("--remote-name", "github", "--defaultbranch", "main", "--secret", f"GITHUB_TOKEN={TOKEN}"),
            *("--no-cache-server", "--concurrent-jobs", "1"),
            *(part for label in LABELS for part in ("--platform", f"{label}=-self-hosted")),
            *(part for pair in replaced for part in ("--local-repository", pair)),
        ]

    def _workflows(self) -> list[Path]:
        return sorted((self.folder / ".github" / "workflows").iterdir())

    def _copy(self) -> None:
        """The files that git knows or would add, as they are now, in words that act knows."""
        names = _said(["/usr/bin/git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard", "-z"])
        for name in filter(None, names.split("\0")):
            source, target = ROOT / name, self.folder / name
            if source.is_symlink() or source.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target, follow_symlinks=False)
        for workflow in self._workflows():
            text = workflow.read_text(encoding="utf-8").replace("uses: $/.", "uses: ./.")
            workflow.write_text(text.replace("uses: $/\n", f"uses: {stand_ins.OWN}\n"), encoding="utf-8")

    def _first_commit(self) -> None:
        bare = ("init", "--quiet", "--bare", "--initial-branch=main", str(self.remote))
        self.git(*bare, folder=self.folder.parent)
        self.git("init", "--quiet", "--initial-branch=main")
        self.git("remote", "add", "origin", str(self.remote))
        self.git("remote", "add", "github", "https://github.com/Octo/Gate.git")
        self._commit("Everything")

    def _commit(self, message: str) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", f"--message={message}")
        self.git("push", "--quiet", "origin", "main")

    def _write_programs(self) -> None:
        self.kept.mkdir()
        for name, rest in _PROGRAMS.items():
            program = self.docker.folder / name
            program.write_text(
                f"#!/bin/sh\necho \"{name} $*\" >> '{self.kept}/asked.txt'\n{rest}\n", encoding="utf-8"
            )
            program.chmod(0o755)


def _ended(code: int, log: str) -> Ended:
    lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    ends = [(line["job"].partition("/")[2], line["jobResult"]) for line in lines if "jobResult" in line]
    jobs = {name: result == "success" for name, result in ends}
    return Ended(code=code, log="\n".join(line.get("msg", "").strip("\n") for line in lines), jobs=jobs)


def _said(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - git, from this file
    return done.stdout.strip()
