"""Finds the files that were asked for, and says which of them the pull request's author controls."""

import glob
import os.path
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from holodeck_eval.errors import Place, Problem


@dataclass(frozen=True, slots=True)
class Checkout:
    """The folder of the checkout under test; `folder` None on a command line, where a person vouches."""

    folder: Path | None

    def holds(self, path: Path) -> bool:
        """Whether a path lies in the checkout, by its name or by where its links lead."""
        if self.folder is None:
            return False
        root = self.folder.resolve()
        return path.resolve().is_relative_to(root) or self._named(path).is_relative_to(root)

    def lets_out(self, path: Path) -> bool:
        """Whether a path is named in the checkout, but a link leads out of it."""
        if self.folder is None:
            return False
        root = self.folder.resolve()
        return self._named(path).is_relative_to(root) and not path.resolve().is_relative_to(root)

    @staticmethod
    def _named(path: Path) -> Path:
        """The path as named, links unresolved below the real working directory."""
        return Path(os.path.normpath(Path.cwd() / path))


def find(patterns: Sequence[str], *, what: str, checkout: Checkout) -> tuple[list[str], list[Problem]]:
    """The files that some paths or globs name, each once, in order; and what is wrong with them.

    Args:
        patterns: paths, or globs in which `**` stands for any folders.
        what: what they are, for the sentences ("agent", "transcript").
        checkout: files named in it must not lead out of it.
    """
    found: dict[str, None] = {}
    problems: list[Problem] = []
    for pattern in patterns:
        names = _expand(pattern)
        if not names:
            problems.append(Problem(message=f"no {what} file is found at {pattern!r}"))
        for name in names:
            if checkout.lets_out(Path(name)):
                problems.append(_leads_out(name))
            else:
                found[name] = None
    return list(found), problems


def split_assignments(items: Sequence[str], names: Sequence[str]) -> Iterator[tuple[str | None, str]]:
    """`NAME=GLOB` items as (agent, glob), others as (None, glob); NAME must be an agent's name."""
    for item in items:
        name, sign, pattern = item.partition("=")
        yield (name, pattern) if sign and name in names else (None, item)


def _expand(pattern: str) -> list[str]:
    if not glob.has_magic(pattern) or Path(pattern).exists():
        return [pattern] if os.path.lexists(pattern) else []
    names = glob.glob(pattern, recursive=True)  # noqa: PTH207 - Path.glob takes no absolute pattern
    return sorted(name for name in names if not Path(name).is_dir())


def _leads_out(name: str) -> Problem:
    return Problem(
        message="this is a link that leads out of the checkout; it is not followed", place=Place(file=name)
    )
