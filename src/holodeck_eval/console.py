"""What people see while a command runs: notes on stderr, the verdict on stdout, nothing hostile on either."""

import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TextIO

from holodeck_eval.domain.redaction import redact
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.text import one_line
from holodeck_eval.errors import Problem

EVERY_S = 10.0
"""Seconds between progress lines where there is no terminal."""


@dataclass(slots=True)
class Console:
    """Prints lines that a CI runner cannot take for commands.

    `quiet` leaves only problems and the verdict; `verbose` adds what is only of use in a search for a fault.
    """

    out: TextIO
    err: TextIO
    quiet: bool = False
    verbose: bool = False
    secrets: frozenset[str] = frozenset()
    clock: Callable[[], float] = time.monotonic
    _last: float | None = field(default=None, init=False)

    @classmethod
    def of_process(cls, secrets: frozenset[str]) -> "Console":
        """The process's own streams, on which these secrets are never shown."""
        return cls(out=sys.stdout, err=sys.stderr, secrets=secrets)

    def say(self, line: str) -> None:
        """A line of the result, on stdout."""
        self._print(line, self.out)

    def raw(self, text: str) -> None:
        """A document that was asked for, on stdout, as it is."""
        self.out.write(text)

    def note(self, line: str) -> None:
        """A line about how it goes, on stderr."""
        if not self.quiet:
            self._print(line, self.err)

    def problem(self, line: str) -> None:
        """What is wrong, on stderr."""
        self._print(f"error: {line}", self.err)

    def problems(self, problems: Iterable[Problem]) -> None:
        """All that is wrong, a line each, on stderr."""
        for problem in problems:
            self.problem(str(problem))

    def _print(self, line: str, stream: TextIO) -> None:
        print(one_line(redact(line, self.secrets)), file=stream)

    def progress(self, done: int, total: int) -> None:
        """How far it is: a bar that stays in its line on a terminal, a line every 10 s elsewhere."""
        if self.quiet:
            return
        if self.err.isatty():
            filled = 30 * done // total
            self.err.write(f"\r{'█' * filled}{'░' * (30 - filled)} {done}/{total} cases")
            self.err.write("\n" if done == total else "")
            self.err.flush()
        elif self._is_due():
            self.note(f"{done} of {total} cases are judged")

    def _is_due(self) -> bool:
        """Whether ten seconds have gone since the last progress line, or since the first was asked for."""
        now = self.clock()
        due = self._last is not None and now - self._last >= EVERY_S
        self._last = now if due or self._last is None else self._last
        return due

    def verdict(self, run: Run) -> None:
        """The run's warnings and causes on stderr, and its verdict as the last line on stdout."""
        for warning in run.warnings:
            self.note(f"warning: {warning}")
        for cause in run.verdict.causes:
            where = f"{cause.place}: " if cause.place else ""
            self._print(f"{cause.status}: {where}{cause.message}", self.err)
        self.say(headline(run))


def headline(run: Run) -> str:
    """The verdict in one line, with its numbers."""
    verdict, summary = run.verdict, run.summary
    waived = ", let through by on_inconclusive: pass" if verdict.waived else ""
    if verdict.status in {"error", "bug"}:
        return f"holodeck-eval: {verdict.status}: could not run (exit {verdict.exit_code})"
    rate = "no pass rate" if summary.pass_rate is None else f"pass rate {summary.pass_rate:.1%}"
    counts = f"{summary.passed} passed, {summary.failed} failed, {summary.inconclusive} inconclusive"
    return f"holodeck-eval: {verdict.status}{waived}: {counts}, {rate} (exit {verdict.exit_code})"
