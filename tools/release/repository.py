"""The release's commit and tags, in git."""

import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tools.release.rules import Refusal, Version

WORKFLOWS: Final = ".github/workflows"
# Who the commit is by: the account that GitHub gives its own workflows.
_NAME: Final = "github-actions[bot]"
_EMAIL: Final = "41898282+github-actions[bot]@users.noreply.github.com"
# The token stays in the environment: git asks this for it, so that it is in no argument and in no file.
_ASKS_ENVIRONMENT: Final = '!f() { echo username=x-access-token; echo "password=$GH_TOKEN"; }; f'


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """A clone with all its tags.

    Attributes:
        folder: where it lies.
        remote: what is pushed to.
    """

    folder: Path
    remote: str = "origin"

    def clean(self) -> bool:
        """Whether nothing differs from the commit, files that git does not know among it."""
        return not self._git("status", "--porcelain")

    def tags(self) -> Mapping[str, str]:
        """Each tag and the commit it stands on."""
        lines = self._git(
            "for-each-ref",
            "refs/tags",
            "--format=%(refname:strip=2) %(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end)",
        )
        return dict(line.split(" ", 1) for line in lines.splitlines())

    def commit(self, version: Version, action: str) -> str:
        """Make the release's commit on top of HEAD, and return it. No branch, tag or file is changed.

        It says what HEAD says, but for action.yml, and without the workflows: a workflow's own token may not
        push those (they need a right that it cannot have), and the Marketplace lists no action that has any.
        The same release always makes the same commit, so that a run can be repeated.
        """
        with tempfile.TemporaryDirectory() as scratch:
            index = {"GIT_INDEX_FILE": f"{scratch}/index"}
            self._git("read-tree", "HEAD", **index)
            self._git("rm", "--cached", "-r", "--quiet", "--ignore-unmatch", "--", WORKFLOWS, **index)
            blob = self._git("hash-object", "-w", "--stdin", stdin=action).strip()
            self._git("update-index", "--cacheinfo", f"100644,{blob},action.yml", **index)
            tree = self._git("write-tree", **index).strip()
        return self._commit_of(tree, f"Release {version}")

    def changes(self, commit: str) -> str:
        """What a release's commit changes, for people."""
        summary = self._git("diff", "--stat", "HEAD", commit)
        return summary + self._git("diff", "HEAD", commit, "--", "action.yml")

    def push(self, version: Version, commit: str) -> None:
        """Set both tags on a commit in the remote, or neither.

        A tag of this version elsewhere is refused by the remote; the moving tag must still stand where this
        clone saw it.

        Raises:
            Refusal: with what git said, when the remote did not take them.
        """
        moving = f"refs/tags/{version.moving}"
        seen = self._git("for-each-ref", moving, "--format=%(objectname)").strip()
        credentials = ("-c", "credential.helper=", "-c", f"credential.helper={_ASKS_ENVIRONMENT}")
        both = (f"{commit}:refs/tags/{version.tag}", f"{commit}:{moving}")
        try:
            self._git(
                *credentials, "push", "--atomic", f"--force-with-lease={moving}:{seen}", self.remote, *both
            )
        except Refusal as error:
            raise Refusal(f"the tags were not taken; they are set together or not at all: {error}") from error

    def _commit_of(self, tree: str, message: str) -> str:
        date = self._git("show", "--no-patch", "--format=%cI", "HEAD").strip()
        dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        who = ("-c", f"user.name={_NAME}", "-c", f"user.email={_EMAIL}", "-c", "commit.gpgSign=false")
        return self._git(*who, "commit-tree", tree, "-p", "HEAD", "-m", message, **dates).strip()

    def _git(self, *arguments: str, stdin: str | None = None, **variables: str) -> str:
        settings = [f"{name}={value}" for name, value in {"GIT_TERMINAL_PROMPT": "0", **variables}.items()]
        done = subprocess.run(  # noqa: S603 - a fixed program, and arguments of this module alone
            ["/usr/bin/env", *settings, "git", "-C", str(self.folder), *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise Refusal(f"git ended with {done.returncode} and said:\n{done.stderr.strip()}")
        return done.stdout
