"""Reads a verdict file, line by line, and reports everything that is wrong with it at once."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from holodeck_eval.errors import Place, Problem, VerdictFileError
from holodeck_eval.verdicts.lines import BadLineError, Line, Recorded, Steps, TornMark, parse

MAX_BYTES = 256 * 1024 * 1024
MOST_PROBLEMS = 100

End = Literal["whole", "open", "torn"]
"""How a file ends: with a line end, with a whole line that lacks one, or within a line."""


@dataclass(slots=True, kw_only=True)
class Contents:
    """What a file holds. `warnings` are sentences with their place; `unnamed` counts further problems."""

    lines: list[Recorded | Steps] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    end: End = "whole"
    unnamed: int = 0


def read(path: Path, shown_as: str, *, from_checkout: bool) -> Contents:
    """The contents of a verdict file; of one that does not exist, none but a warning.

    Raises:
        VerdictFileError: when it cannot be read, is over a limit, or holds bad lines; all of them are named.
    """
    if not path.exists():
        return Contents(warnings=[f"{shown_as}: there is no such file, so no verdict is recorded"])
    contents = Contents()
    try:
        _check(path, shown_as)
        with path.open("rb") as file:
            _read_lines(file, contents, shown_as, from_checkout=from_checkout)
    except OSError as error:
        raise VerdictFileError(_unreadable(shown_as, error)) from None
    if contents.problems:
        raise VerdictFileError(*contents.problems, *_unnamed(contents.unnamed, shown_as))
    return contents


def _check(path: Path, shown_as: str) -> None:
    if not path.is_file():
        message = "the verdicts must be in a file, and this is none; check the path"
        raise VerdictFileError(Problem(message=message, place=Place(file=shown_as)))
    if path.stat().st_size > MAX_BYTES:
        limit = MAX_BYTES // (1024 * 1024)
        message = f"the verdict file is larger than {limit} MiB; split it by case or drop old lines"
        raise VerdictFileError(Problem(message=message, place=Place(file=shown_as)))


def _read_lines(file: Iterator[bytes], contents: Contents, shown_as: str, *, from_checkout: bool) -> None:
    """Sort the lines. A bad one is held back: the next may say that it was torn."""
    bad: Problem | None = None
    for number, raw in enumerate(file, 1):
        if not raw.strip():
            continue
        contents.end = "whole" if raw.endswith(b"\n") else "open"
        line = _line(raw, Place(file=shown_as, line=number), from_checkout=from_checkout)
        _settle(bad, contents, torn=isinstance(line, TornMark))
        bad = line if isinstance(line, Problem) else None
        if not isinstance(line, Problem | TornMark):
            contents.lines.append(line)
    torn = contents.end == "open"
    contents.end = "torn" if bad and torn else contents.end
    _settle(bad, contents, torn=torn)


def _settle(bad: Problem | None, contents: Contents, *, torn: bool) -> None:
    if bad and torn:
        contents.warnings.append(f"{bad.place}: skipped, because the line was cut off when a run was killed")
    elif bad and len(contents.problems) < MOST_PROBLEMS:
        contents.problems.append(bad)
    elif bad:
        contents.unnamed += 1


def _line(raw: bytes, place: Place, *, from_checkout: bool) -> Line | Problem:
    try:
        return parse(raw, place.line or 0, from_checkout=from_checkout)
    except BadLineError as error:
        return Problem(message=f"this recorded verdict cannot be used: {error}", place=place)


def _unreadable(shown_as: str, error: OSError) -> Problem:
    return Problem(
        message=f"the verdict file cannot be read: {error.strerror or type(error).__name__}",
        place=Place(file=shown_as),
    )


def _unnamed(count: int, shown_as: str) -> list[Problem]:
    message = f"{count} more lines cannot be used either"
    return [Problem(message=message, place=Place(file=shown_as))] if count else []
