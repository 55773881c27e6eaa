"""Finds and opens the files of an earlier run, which may be anything."""

import os.path
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from holodeck_eval.domain.run import Run
from holodeck_eval.reports.reading import UnreadableError, load

MAX_BYTES: Final = 256 * 1024 * 1024
"""How large results.json and cases.jsonl may be, each."""


@dataclass(frozen=True, slots=True)
class ReportFiles:
    """The files of an earlier run."""

    results: Path
    cases: Path

    @classmethod
    def of(cls, path: Path) -> "ReportFiles":
        """Those of a report folder, or of a results file and what lies beside it."""
        if os.path.isdir(path):  # noqa: PTH112 - Path.is_dir raises where a folder may not be entered
            return cls(path / "results.json", path / "cases.jsonl")
        return cls(path, path.with_name("cases.jsonl"))


def read_results(path: Path) -> Run:
    """The run of a results file.

    Raises:
        FileNotFoundError: when there is none.
        UnreadableError: when it cannot be used, with the clause that says why.
    """
    return load(read_text(path))


def read_text(path: Path, limit: int | None = None) -> str:
    """The text of a file of a run.

    Args:
        path: the file.
        limit: bytes it may have; None means `MAX_BYTES`.

    Raises:
        FileNotFoundError: when there is none.
        UnreadableError: when it cannot be read, with the clause that says why.
    """
    limit = MAX_BYTES if limit is None else limit
    try:
        with opened(path) as file:
            raw = file.read(limit + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise FileNotFoundError(str(path)) from None
    except OSError as error:
        raise unreadable(error) from None
    if len(raw) > limit:
        raise UnreadableError(f"is larger than {limit // 1024**2} MiB")
    return _decoded(raw)


def opened(path: Path) -> BinaryIO:
    """A regular file, opened.

    Raises:
        OSError: when it cannot be opened.
        UnreadableError: when it is something else, which might never end.
    """
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise UnreadableError("is a folder, not a file")
    if not stat.S_ISREG(mode):
        raise UnreadableError("is a pipe or a device, not a file")
    return path.open("rb")


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableError("is not UTF-8") from None


def unreadable(error: OSError) -> UnreadableError:
    """What the system says of a file that cannot be read."""
    return UnreadableError(f"cannot be read: {error.strerror or type(error).__name__}")
