"""Gives files that a container wrote, as root, to the owner of the folder they lie in.

Steps after this one run as that user, and could neither change nor remove them.
"""

import os
import os.path
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from holodeck_eval.domain.wording import quoted

_OPEN: Final = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


def give_back(paths: Iterable[Path], workspace: Path) -> str | None:
    """Give these files and folders, and root's folders above them, to the workspace's owner.

    Only root does anything, and only with what is root's. No link is followed out of the workspace, and a
    file that has a second name is left alone: it may be one of the system's, put here to be given away.

    Args:
        paths: what was written; a folder's content is not meant by its name. What is not there, or lies
            outside the workspace, is left out.
        workspace: the folder whose owner gets them.

    Returns:
        A sentence that says what could not be given; None where all was.
    """
    try:
        owner = workspace.stat()
    except OSError as error:
        return _sentence([(workspace, error)])
    if _user() != 0 or owner.st_uid == 0:
        return None
    failures: list[tuple[Path, OSError]] = []
    done: set[tuple[str, ...]] = set()
    for path in paths:
        for parts in _chain(path, workspace):
            if parts not in done:
                done.add(parts)
                failures.extend((path, error) for error in _give(workspace, parts, owner))
    return _sentence(failures) if failures else None


def _user() -> int | None:
    """The user this process runs as; None on systems that number none."""
    asked = getattr(os, "geteuid", None)
    return asked() if asked else None


def _chain(path: Path, workspace: Path) -> Iterator[tuple[str, ...]]:
    """A path's parts below the workspace, and those of each folder between, the outermost first."""
    real = Path(os.path.realpath(path.parent)) / path.name
    root = Path(os.path.realpath(workspace))
    parts = real.relative_to(root).parts if real.is_relative_to(root) else ()
    if ".." not in parts:
        yield from (parts[:length] for length in range(1, len(parts) + 1))


def _give(workspace: Path, parts: tuple[str, ...], owner: os.stat_result) -> Iterator[OSError]:
    """Give one file or folder; the error that kept it from being given."""
    try:
        with _opened(workspace, parts) as descriptor:
            found = os.fstat(descriptor)
            if _is_ours(found):
                os.fchown(descriptor, owner.st_uid, owner.st_gid)
    except FileNotFoundError:
        return
    except OSError as error:
        yield error


def _is_ours(found: os.stat_result) -> bool:
    """Whether it is root's folder, or root's file of that one name."""
    is_file = stat.S_ISREG(found.st_mode) and found.st_nlink == 1
    return found.st_uid == 0 and (is_file or stat.S_ISDIR(found.st_mode))


@contextmanager
def _opened(workspace: Path, parts: tuple[str, ...]) -> Iterator[int]:
    """A descriptor of what these parts name, from folder to folder, no link among them."""
    descriptor = os.open(workspace, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for at, part in enumerate(parts, start=1):
            flags = _OPEN if at == len(parts) else _OPEN | os.O_DIRECTORY
            inner = os.open(part, flags, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        yield descriptor
    finally:
        os.close(descriptor)


def _sentence(failures: list[tuple[Path, OSError]]) -> str:
    path, error = failures[0]
    more = f", and {len(failures) - 1} more" if len(failures) > 1 else ""
    return (
        f"{quoted(str(path), 200)} stays root's, so that later steps may be unable to change it"
        f" ({error.strerror or error}){more}"
    )
