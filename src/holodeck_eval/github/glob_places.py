"""Where a path or glob may find files, as far as those may lie in different checkouts."""

import os
import os.path
import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

MAX_ENTRIES: Final = 200_000
"""How many files and folders are looked at below the first folder of a glob."""

_MAGIC: Final = re.compile(r"[*?[]")


def places(pattern: str, limit: int = MAX_ENTRIES) -> Iterator[str | None]:
    """A path that is there; of a glob its first folder, and below it the folders with a `.git` and the links.

    Nothing where nothing can be found; None where not everything can be looked at, so that more may be.

    Args:
        pattern: a path, or a glob in which `**` stands for any folders.
        limit: entries of folders that are looked at.
    """
    parts = pattern.split("/")
    at = next((at for at, part in enumerate(parts) if _MAGIC.search(part)), None)
    if at is None:
        if os.path.lexists(pattern):
            yield pattern
        return
    top, rest = "/".join((*parts[:at], "")) or ".", parts[at:]
    if not os.path.isdir(top):  # noqa: PTH112 - of text that may be anything
        return
    yield top
    if ".." in rest:
        yield None
    yield from _below(top, None if "**" in rest else len(rest) - 1, limit)


def _below(top: str, depth: int | None, limit: int) -> Iterator[str | None]:
    """Folders at most so deep below one that hold a `.git`, and links; None at the limit."""
    waiting = [(top, 0)]
    while waiting:
        folder, deep = waiting.pop()
        entries = _entries(folder, limit + 1)
        limit -= len(entries)
        if limit < 0:
            yield None
            return
        if folder != top and any(entry.name == ".git" for entry in entries):
            yield folder
        yield from (entry.path for entry in entries if entry.is_symlink())
        if depth is None or deep < depth:
            waiting.extend((entry.path, deep + 1) for entry in entries if _is_walked(entry))


def _entries(folder: str, limit: int) -> list[os.DirEntry[str]]:
    """The first so many entries of a folder; none of one that may not be read, as for a glob."""
    try:
        with os.scandir(folder) as entries:
            return list(islice(entries, limit))
    except OSError:
        return []


def _is_walked(entry: os.DirEntry[str]) -> bool:
    return entry.name != ".git" and entry.is_dir(follow_symlinks=False)
