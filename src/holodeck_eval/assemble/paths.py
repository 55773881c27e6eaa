"""Finds the files that were asked for, and says which of them the pull request's author controls."""

import glob
import os.path
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from holodeck_eval.domain.options import Environment
from holodeck_eval.errors import Place, Problem


@dataclass(frozen=True, slots=True)
class Checkout:
    """The folder of the checkout under test; `folder` None on a command line, where a person vouches."""

    folder: Path | None

    @classmethod
    def of(cls, environment: Environment) -> "Checkout":
        """The checkout of a workflow; none on a person's own command line."""
        return cls(Path(environment.workspace) if environment.workspace else None)

    def holds(self, path: Path) -> bool:
        """Whether a path lies in the checkout, by its name or by where its links lead."""
        if self.folder is None:
            return False
        return _real(path).is_relative_to(_real(self.folder)) or self._names(self.folder, path)

    def lets_out(self, path: Path) -> bool:
        """Whether a path is named in the checkout, but a link leads out of it."""
        if self.folder is None:
            return False
        return self._names(self.folder, path) and not _real(path).is_relative_to(_real(self.folder))

    @staticmethod
    def _names(folder: Path, path: Path) -> bool:
        """Whether a path, links unresolved, is written as one below the folder."""
        named = os.path.normpath(Path.cwd() / path)
        return any(Path(named).is_relative_to(root) for root in (_real(folder), os.path.normpath(folder)))


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
        names = sorted({name for name in _expand(pattern, checkout) if _is_meant(pattern, name, checkout)})
        if not names:
            hint = "; NAME=GLOB begins with an agent's name" if "=" in pattern else ""
            problems.append(Problem(message=f"no {what} file is found at {pattern!r}{hint}"))
        for name in names:
            if checkout.lets_out(Path(name)):
                problems.append(leads_out(name))
            else:
                found[name] = None
    return list(found), problems


def leads_out(name: str) -> Problem:
    """The problem of a path that `Checkout.lets_out`."""
    return Problem(
        message="this is a link that leads out of the checkout; it is not followed", place=Place(file=name)
    )


def split_assignments(items: Sequence[str], names: Sequence[str]) -> Iterator[tuple[str | None, str]]:
    """`NAME=GLOB` items as (agent, glob), others as (None, glob); NAME must be an agent's name."""
    for item in items:
        name, sign, pattern = item.partition("=")
        yield (name, pattern) if sign and name in names else (None, item)


def _expand(pattern: str, checkout: Checkout) -> Iterator[str]:
    """The file a pattern names, and those it matches; a file that is called like the pattern hides none.

    `**` follows no links: a few that lead back would be walked for ever, one to the root through everything.
    """
    if os.path.lexists(pattern):
        yield pattern
    parts = pattern.split("/")
    if "**" not in parts:
        yield from glob.glob(pattern) if glob.has_magic(pattern) else ()  # noqa: PTH207 - Path.glob takes no absolute pattern
        return
    at = parts.index("**")
    below = "/".join(parts[at + 1 :]) or "*"
    for top in glob.glob("/".join((*parts[:at], ""))) if at else [""]:  # noqa: PTH207 - as above
        if checkout.lets_out(Path(top)):
            yield top.rstrip("/")
            continue
        for folder in _folders(top):
            yield from _expand(f"{glob.escape(folder)}{below}", checkout)


def _folders(top: str) -> Iterator[str]:
    """A folder and all below it that are neither hidden nor links, as prefixes of names."""
    yield top
    with os.scandir(top or ".") as entries:
        names = sorted(
            entry.name
            for entry in entries
            if entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".")
        )
    for name in names:
        yield from _folders(f"{top}{name}/")


def _is_meant(pattern: str, name: str, checkout: Checkout) -> bool:
    """Whether a name is no folder that a glob happens to match."""
    return name == pattern or not Path(name).is_dir() or checkout.lets_out(Path(name))


def _real(path: Path) -> Path:
    """Where a path leads. Unlike Path.resolve, a loop of links leads nowhere and is no error."""
    return Path(os.path.realpath(path))
