"""The file of recorded verdicts, as the evaluators see it."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Final

from holodeck_eval.domain.judgement import Judgement, JudgementRequest
from holodeck_eval.errors import Place, Problem, VerdictFileError
from holodeck_eval.verdicts import misses
from holodeck_eval.verdicts.lines import Recorded, Steps, is_on_scale
from holodeck_eval.verdicts.reading import Contents, End, read
from holodeck_eval.verdicts.writing import TORN_MARK, judgement_line, steps_line, unscored_line

_IN_MEMORY = "(in memory)"


_OF_THIS_RUN: Final = 0
"""The line number of what was judged in this run; those of the file count from 1."""


class VerdictFile:
    """Judgements by what determines them, read from a JSONL file and appended to it.

    Implements `domain.judgement.VerdictStore`. What is recorded is with the operating system when
    `record` returns: a killed run loses nothing that was paid for.
    """

    def __init__(
        self,
        contents: Contents,
        *,
        path: Path | None,
        append: bool,
        shown_as: str,
        now: Callable[[], str],
        secrets: Collection[str] = (),
    ) -> None:
        self._secrets = frozenset(secrets)
        self._path = path
        self._append = append
        self._shown_as = shown_as
        self._now = now
        self._end: End = contents.end
        self._warnings = list(contents.warnings)
        self._recorded: defaultdict[str, list[Recorded]] = defaultdict(list)
        self._near: defaultdict[tuple[str, str, str], list[Recorded]] = defaultdict(list)
        self._steps: dict[str, tuple[str, ...]] = {}
        self._generated: list[tuple[str, ...]] = []
        self._misses: dict[str, JudgementRequest] = {}
        self._refused: set[int] = set()
        for line in contents.lines:
            self._keep(line)

    @classmethod
    def open(
        cls,
        path: Path | None,
        *,
        append: bool = True,
        from_checkout: bool = False,
        now: Callable[[], str],
        shown_as: str | None = None,
        secrets: Collection[str] = (),
    ) -> "VerdictFile":
        """Read a verdict file, and make sure that it can be appended to.

        Args:
            path: the file; None keeps everything in memory alone.
            append: whether new judgements are written to it. Then a file or folder that does not
                exist is created; else it is read as empty, with a warning.
            from_checkout: whether it lies in the checkout under test; marks all that is recalled.
            now: gives the date a line carries, as ISO 8601.
            shown_as: what messages call the file.
            secrets: texts that are starred out of what is written to it.

        Raises:
            VerdictFileError: naming everything that is wrong with the file.
        """
        if path is None:
            return cls(Contents(), path=None, append=False, shown_as=_IN_MEMORY, now=now)
        shown_as = shown_as or str(path)
        is_new = not path.exists()
        if append:
            _make_writable(path, shown_as)
        contents = read(path, shown_as, from_checkout=from_checkout)
        if is_new and append:
            contents.warnings.append(
                f"{shown_as}: there was no such file; it is begun, with no verdict in it"
            )
        return cls(contents, path=path, append=append, shown_as=shown_as, now=now, secrets=secrets)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences about lines that were left out, each with its place."""
        return tuple(self._warnings)

    @property
    def misses(self) -> tuple[JudgementRequest, ...]:
        """What was asked for, was not recorded, and has not been recorded since; each key once."""
        return tuple(self._misses.values())

    def recall(self, request: JudgementRequest) -> tuple[Judgement, ...]:
        """All judgements recorded for this request, in file order; () when there are none.

        A score that is not on the request's scale is left out with a warning: it is never a score.
        """
        key = request.key()
        lines = self._recorded.get(key, ())
        found = tuple(judgement for line in lines if (judgement := self._judgement(line, request)))
        if not found:
            self._misses.setdefault(key, request)
        return found

    def record(self, request: JudgementRequest, judgement: Judgement) -> None:
        """Keep a judgement; with the operating system when this returns, where there is a file.

        Raises:
            VerdictFileError: when it cannot be written. It is kept in memory all the same.
        """
        key = request.key()
        self._misses.pop(key, None)
        self._recorded[key].append(_recorded(request, judgement, key))
        if self._append:
            self._write(judgement_line(request, judgement, self._now(), self._secrets))

    def recall_steps(self, request: JudgementRequest) -> tuple[str, ...] | None:
        """The GEval steps recorded first for this criteria, params and judge, or None."""
        return self._steps.get(request.key())

    def record_steps(self, request: JudgementRequest, steps: tuple[str, ...]) -> None:
        """Keep generated GEval steps.

        Raises:
            VerdictFileError: when they cannot be written. They are kept in memory all the same.
        """
        self._steps.setdefault(request.key(), steps)
        self._generated.append(steps)
        if self._append:
            self._write(steps_line(request, steps, self._now(), self._secrets))

    def offer_steps(self, request: JudgementRequest, steps: tuple[str, ...]) -> None:
        """Let these steps be recalled where none are recorded; they are not written to the file."""
        self._steps.setdefault(request.key(), steps)

    @property
    def generated_steps(self) -> tuple[tuple[str, ...], ...]:
        """The steps that were recorded in this run, which a judge has just written."""
        return tuple(self._generated)

    def explain_miss(self, request: JudgementRequest) -> str:
        """A sentence for the log: the nearest recorded line, and what about it differs."""
        near = self._near.get((request.case_id, request.metric, request.metric_type), ())
        return misses.explain(request, near, self._shown_as)

    def unscored_lines(self, requests: Iterable[JudgementRequest], now: str) -> list[str]:
        """Lines for a person to put a score in, without line ends; none for what the file holds already.

        Args:
            requests: what is still to be judged.
            now: the date on the lines, ISO 8601.
        """
        asked = {request.key(): request for request in requests}
        missing = [request for key, request in asked.items() if key not in self._recorded]
        lines = (unscored_line(request, now, self._secrets) for request in missing)
        return [line.decode("utf-8").rstrip("\n") for line in lines]

    def append_unscored(self, requests: Iterable[JudgementRequest], now: str) -> int:
        """Write the lines of `unscored_lines` to the file, even one opened for reading; how many they were.

        Raises:
            VerdictFileError: when they cannot be written.
        """
        lines = self.unscored_lines(requests, now)
        if lines:
            self._write("".join(f"{line}\n" for line in lines).encode("utf-8"))
        return len(lines)

    def _keep(self, line: Recorded | Steps) -> None:
        if isinstance(line, Recorded):
            self._recorded[line.key].append(line)
            self._near[line.case, line.metric, line.metric_type].append(line)
        else:
            self._steps.setdefault(line.key, line.steps)

    def _judgement(self, line: Recorded, request: JudgementRequest) -> Judgement | None:
        """What a line says; None where nobody has scored it, or where its score is not on the scale."""
        if line.score is None:
            return None
        if not is_on_scale(line.score, request.low, request.high, whole=request.whole):
            self._refuse(line, request)
            return None
        return Judgement(
            score=line.score,
            reason=line.reason,
            raw_score=line.raw_score,
            details=line.details,
            from_checkout=line.from_checkout,
            fresh=line.line == _OF_THIS_RUN,
            judge_version=line.judge_version,
        )

    def _refuse(self, line: Recorded, request: JudgementRequest) -> None:
        if line.line in self._refused:
            return
        self._refused.add(line.line)
        place = Place(file=self._shown_as, line=line.line)
        numbers = "a whole number" if request.whole else "a number"
        self._warnings.append(
            f"{place}: left out, because the score is {line.score:g}, but must be {numbers}"
            f" from {request.low:g} to {request.high:g}"
        )

    def _write(self, data: bytes) -> None:
        """Append lines. After a torn one a mark is put first, so that a reader skips what was torn."""
        if self._path is None:
            return
        before = {"whole": b"", "open": b"\n", "torn": b"\n" + TORN_MARK}[self._end]
        try:
            _append(self._path, before + data)
        except OSError as error:
            self._end = "torn"
            raise VerdictFileError(_unwritable(self._shown_as, error)) from None
        self._end = "whole"


def _recorded(request: JudgementRequest, judgement: Judgement, key: str) -> Recorded:
    return Recorded(
        line=_OF_THIS_RUN,
        key=key,
        score=judgement.score,
        reason=judgement.reason,
        raw_score=judgement.raw_score,
        details=judgement.details,
        case=request.case_id,
        metric=request.metric,
        metric_type=request.metric_type,
        judge_version=judgement.judge_version,
    )


def _make_writable(path: Path, shown_as: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.is_file():
            path.open("ab").close()
    except OSError as error:
        raise VerdictFileError(_unwritable(shown_as, error)) from None


def _append(path: Path, data: bytes) -> None:
    with path.open("ab", buffering=0) as file:
        while data:
            data = data[file.write(data) :]


def _unwritable(shown_as: str, error: OSError) -> Problem:
    reason = error.strerror or type(error).__name__
    message = f"the verdict file cannot be written: {reason}; give a path that can be written, or run offline"
    return Problem(message=message, place=Place(file=shown_as))
