"""Reads what was judged in an earlier run, as far as it belongs to its results."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final

from holodeck_eval.assemble.report_files import MAX_BYTES, opened, unreadable
from holodeck_eval.domain.case import Turn
from holodeck_eval.domain.result import CaseResult
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.text import log_line
from holodeck_eval.domain.wording import quoted
from holodeck_eval.reports.kept import BadCaseError, KeptCase, fits, parse_case
from holodeck_eval.reports.reading import UnreadableError

LONGEST_LINE: Final = 16 * 1024 * 1024
"""How long a line of cases.jsonl may be, in bytes."""

MOST_WARNINGS: Final = 5
"""Bad lines that are named; the others are counted."""

TurnKey = tuple[str, str, int]
"""An agent's name, a case's id, and a turn's index."""


def read_turns(path: Path, run: Run) -> tuple[dict[TurnKey, Turn], tuple[str, ...]]:
    """What was judged in a run, from its cases.jsonl, and warnings about what is left out of it.

    Args:
        path: the file; where there is none, nothing was kept.
        run: the run it must belong to. A case that is not what the run's results show of it is left out.
    """
    turns = _Turns(str(path), {(case.agent, case.id): case for case in run.cases})
    try:
        with opened(path) as file:
            turns.take_all(_lines(file))
    except (FileNotFoundError, NotADirectoryError):
        return {}, ()
    except OSError as error:
        turns.warn(unreadable(error).clause)
    except UnreadableError as error:
        turns.warn(error.clause)
    return turns.found, turns.warnings()


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers; of one that is too long, the beginning.

    Raises:
        UnreadableError: when the file is too large, after what is not.
    """
    size = number = 0
    while raw := file.readline(LONGEST_LINE + 1):
        number += 1
        size += len(raw)
        if size > MAX_BYTES:
            raise UnreadableError(f"is larger than {MAX_BYTES // 1024**2} MiB; the rest is left out")
        if raw.strip():
            yield number, raw
        while len(raw) > LONGEST_LINE and not raw.endswith(b"\n"):
            raw = file.readline(LONGEST_LINE + 1)
            size += len(raw)


@dataclass(slots=True)
class _Turns:
    """Gathers the turns of a file, and what is wrong with it."""

    shown: str
    cases: Mapping[tuple[str, str], CaseResult]
    found: dict[TurnKey, Turn] = field(default_factory=dict)
    _seen: set[tuple[str, str]] = field(default_factory=set)
    _warnings: list[str] = field(default_factory=list)
    _unnamed: int = 0
    _shortened: int = 0

    def take_all(self, lines: Iterable[tuple[int, bytes]]) -> None:
        for number, raw in lines:
            try:
                self._take(parse_case(_line(raw)))
            except BadCaseError as error:
                self._leave_out(number, str(error))

    def warn(self, clause: str) -> None:
        self._warnings.append(log_line(f"{self.shown} {clause}"))

    def warnings(self) -> tuple[str, ...]:
        more = f"{self.shown}: {self._unnamed} more lines are left out" if self._unnamed else ""
        short = (
            f"{self.shown}: {self._shortened} turns are longer than what is kept, and cannot be judged again"
            if self._shortened
            else ""
        )
        return (*self._warnings, *(log_line(text) for text in (more, short) if text))

    def _take(self, kept: KeptCase) -> None:
        key = kept.agent, kept.id
        case = self.cases.get(key)
        if case is None:
            raise BadCaseError(f"case {quoted(kept.id)} is not in the results")
        if key in self._seen:
            for turn in case.turns:
                self.found.pop((*key, turn.index), None)
            raise BadCaseError(f"case {quoted(kept.id)} is given twice, and neither is believed")
        self._seen.add(key)
        if not fits(kept, case):
            raise BadCaseError(f"case {quoted(kept.id)} is not what the results show of it")
        self._shortened += kept.shortened
        self.found.update({(*key, turn.index): turn for turn in kept.turns})

    def _leave_out(self, number: int, why: str) -> None:
        if len(self._warnings) < MOST_WARNINGS:
            self._warnings.append(log_line(f"{self.shown}:{number}: this line is left out: {why}"))
        else:
            self._unnamed += 1


def _line(raw: bytes) -> str:
    if len(raw) > LONGEST_LINE:
        raise BadCaseError(f"it is longer than {LONGEST_LINE // 1024**2} MiB")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadCaseError("it is not UTF-8") from None
