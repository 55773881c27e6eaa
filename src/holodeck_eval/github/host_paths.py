"""Paths of the runner's machine, as inputs hold them, to where the action's container has those files.

The runner maps an input only when the whole of it is, or begins with, such a path: not the second line of one
with several, and not what follows `NAME=`.
"""

import glob
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

from holodeck_eval.domain.wording import quoted
from holodeck_eval.errors import Problem

MOUNTS: Final = "/github"
"""The folder under which a container action has all it shares with the runner."""

TEMP: Final = "_temp"
"""What `runner.temp` is called in the runner's work folder."""

_WORK: Final = frozenset({"work", "_work", "__w"})
"""What runners call their work folder: hosted ones, one's own, and both seen from a job's container."""

_WINDOWS: Final = re.compile(r"[A-Za-z]:[\\/]|\\\\")


def to_container(text: str, environ: Mapping[str, str]) -> str:
    """One item of an input, a path or glob or `NAME=` before one, with the path as the container has it.

    A path that is relative, that the container has already, or that leads to neither the checkout nor
    `runner.temp` stays as it is. What follows the folder is not looked at: `..` stays `..`.

    Args:
        text: the item.
        environ: GITHUB_WORKSPACE and RUNNER_TEMP, as the container has them; RUNNER_WORKSPACE, the folder
            above the checkout on the runner's machine; and GITHUB_REPOSITORY.
    """
    name, sign, path = _split(text)
    return f"{name}{sign}{_mapped(path, environ)}"


def out_of_sight(text: str, environ: Mapping[str, str]) -> Problem | None:
    """Why the path of an item, mapped already, names a file the container does not have; else None.

    Only in a container action is anything out of sight, and only where there really is nothing.
    """
    path = _split(text)[2]
    elsewhere = _WINDOWS.match(path) or (path.startswith("/") and not _is_visible(path, environ))
    in_container = environ.get("GITHUB_WORKSPACE", "").startswith(f"{MOUNTS}/")
    if not in_container or not elsewhere or any(glob.iglob(path)):  # noqa: PTH207 - takes absolute patterns
        return None
    return Problem(
        message=f"{quoted(path, 200)} is a path of the runner's machine, which the action's container does "
        "not see: it sees the checkout, where paths are relative, and ${{ runner.temp }}"
    )


def _split(text: str) -> tuple[str, str, str]:
    """An item as (NAME, sign, path); the first two are "" for a path alone."""
    if text.startswith("/") or "=" not in text:
        return "", "", text
    return text.partition("=")


def _mapped(path: str, environ: Mapping[str, str]) -> str:
    if not path.startswith("/") or _is_visible(path, environ):
        return path
    workspace, temp = (_folder(environ, name) for name in ("GITHUB_WORKSPACE", "RUNNER_TEMP"))
    names = _repository_names(environ)
    for first, *rest in _below_work(path, environ):
        if first == TEMP and temp:
            return "/".join((temp, *rest))
        if workspace and rest and _is_checkout(first, rest[0], names):
            return "/".join((workspace, *rest[1:]))
    return path


def _is_visible(path: str, environ: Mapping[str, str]) -> bool:
    """Whether a path is written as one of the container."""
    folders = (_folder(environ, "GITHUB_WORKSPACE"), _folder(environ, "RUNNER_TEMP"), MOUNTS)
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders if folder)


def _below_work(path: str, environ: Mapping[str, str]) -> Iterator[list[str]]:
    """The parts of a path below the runner's work folder: the one it names, else what is called like one."""
    above = _folder(environ, "RUNNER_WORKSPACE")
    known = f"{PurePosixPath(above).parent}/" if above else ""
    if len(known) > 1 and path.startswith(known):
        yield path.removeprefix(known).split("/")
    parts = path.split("/")
    yield from (parts[at + 1 :] for at, part in enumerate(parts[:-1]) if part in _WORK)


def _is_checkout(first: str, second: str, names: frozenset[str]) -> bool:
    """Whether two folders, one in the other, are those in which a runner keeps the checkout."""
    return first in names and second in names if names else first == second


def _repository_names(environ: Mapping[str, str]) -> frozenset[str]:
    """What the repository is called, now and when the runner first saw it."""
    above, full = _folder(environ, "RUNNER_WORKSPACE"), environ.get("GITHUB_REPOSITORY", "")
    return frozenset({PurePosixPath(above).name, full.rpartition("/")[2]} - {""})


def _folder(environ: Mapping[str, str], name: str) -> str:
    """A variable's absolute path without a slash at its end; "" for anything else."""
    given = environ.get(name, "").rstrip("/")
    return given if given.startswith("/") else ""
