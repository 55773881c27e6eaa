"""The commit a checkout is at, read from its `.git` by hand: the image holds no git.

The folder may be anybody's, so whatever is not plainly there leaves the commit unknown.
"""

import os
import re
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from holodeck_eval.domain.wording import quoted
from holodeck_eval.github.payload import sha

REF_LIMIT: Final = 4096
"""Bytes of a ref's file."""

PACKED_LIMIT: Final = 16 * 1024 * 1024
"""Bytes of packed-refs: two hundred thousand refs."""

DEPTH: Final = 5
"""How many refs may name one another, as in git."""

_UNDER_WAY: Final = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")
"""What git keeps while files of another commit are mixed in, and HEAD is still where it was."""

_REF: Final = re.compile(r"refs(?:/(?!\.)[^\s/\\\x00-\x1f\x7f]{1,255})+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """A commit, in small letters; or None, and a clause that says why it is not known."""

    commit: str | None = None
    why: str = ""


def read_head(git: Path) -> Head:
    """The commit that HEAD of a `.git` folder is at, through branches and packed refs."""
    if not _is_folder(git):
        return Head(why="its .git is a link or a file, as a submodule's or a worktree's is")
    if any(os.path.lexists(git / name) for name in _UNDER_WAY):
        return Head(why="a merge or a rebase is under way in it")
    name = "HEAD"
    for _ in range(DEPTH):
        content = _loose(git, name) if os.path.lexists(git / name) else _packed(git, name)
        if content is None:
            return Head(why=f"its .git holds no {quoted(name)} that can be read")
        if commit := sha(content):
            return Head(commit=commit)
        sign, _, name = content.partition(":")
        name = name.strip()
        if sign != "ref" or not _REF.fullmatch(name):
            return Head(why="its HEAD is neither a commit nor a branch")
    return Head(why="its branches name one another")


def _is_folder(path: Path) -> bool:
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except (OSError, ValueError):
        return False


def _loose(git: Path, name: str) -> str | None:
    """What a ref's own file says; None where it cannot be read, or where a link leads to it."""
    data = _read(git / name, REF_LIMIT)
    if data is None or os.path.realpath(git / name) != os.path.join(os.path.realpath(git), name):  # noqa: PTH118 - as realpath gives them
        return None
    return os.fsdecode(data).strip() or None


def _packed(git: Path, name: str) -> str | None:
    """What packed-refs says of a ref: lines of a commit, a space and the ref's name."""
    data = _read(git / "packed-refs", PACKED_LIMIT)
    return None if data is None else _named(data.splitlines(), os.fsencode(name))


def _named(lines: Iterable[bytes], name: bytes) -> str | None:
    for line in lines:
        commit, _, ref = line.partition(b" ")
        if ref == name:
            return os.fsdecode(commit)
    return None


def _read(path: Path, limit: int) -> bytes | None:
    """The bytes of a regular file; None where it is none, or has more than `limit` of them."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        with os.fdopen(os.open(path, flags), "rb") as file:
            data = file.read(limit + 1) if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else None
    except (OSError, ValueError):
        return None
    return data if data is not None and len(data) <= limit else None
