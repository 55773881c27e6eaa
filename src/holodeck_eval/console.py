"""What people see while a command runs: notes on stderr, the verdict on stdout, nothing hostile on either.

In the action a runner reads both, and keeps no order between them: there everything goes to stdout.
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass, field
from typing import TextIO

from holodeck_eval.domain.redaction import redact
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.text import log_line
from holodeck_eval.errors import Problem
from holodeck_eval.github.commands import Fence
from holodeck_eval.reports import plain_comparison
from holodeck_eval.reports.headline import headline

MOST_CASES = 10
"""Failed cases that are named on the terminal; the reports name all."""

EVERY_S = 10.0
"""Seconds between progress lines where there is no terminal."""

_SAID = frozenset({"passed", "failed", "inconclusive", "could not run"})
"""Words of a headline that tell no more than the status."""


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
    _fenced: bool = field(default=False, init=False)
    _waiting: list[str] = field(default_factory=list, init=False)

    @classmethod
    def of_process(cls, secrets: frozenset[str]) -> "Console":
        """The process's own streams, on which these secrets are never shown."""
        return cls(out=sys.stdout, err=sys.stderr, secrets=secrets)

    @contextmanager
    def fenced(self, fence: Fence, before: Iterable[str] = ()) -> Iterator[None]:
        """While this lasts, the runner takes nothing that is printed for a command, whoever prints it.

        All of it goes to stdout, stderr's share too: the runner reads the two side by side, so that a line on
        the one could overtake the fence on the other. However this ends, the fence is closed.

        Args:
            fence: what stands around it.
            before: commands that the runner is to obey before, as masks.
        """
        self.command(*before, fence.opening)
        err, self.err, self._fenced = self.err, self.out, True
        try:
            with redirect_stderr(self.out):
                yield
        finally:
            self.err, self._fenced = err, False
            waiting, self._waiting = self._waiting, []
            self.command("", fence.closing, *waiting)  # the empty line ends one that somebody left unended

    def command(self, *lines: str) -> None:
        """Workflow commands, on stdout; those given within a fence wait until it is closed."""
        if self._fenced:
            self._waiting.extend(lines)
            return
        self.err.flush()
        self.out.writelines(f"{line}\n" for line in lines)
        self.out.flush()

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
        print(log_line(redact(line, self.secrets)), file=stream, flush=stream is self.err)

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

    def verdict(self, run: Run, folder: str | None, exit_code: int | None = None) -> None:
        """What a run came to, on stderr, and its verdict as the last line on stdout.

        Args:
            run: its warnings, failed cases, comparison and causes are told.
            folder: where its reports are; None where none were written.
            exit_code: the process's, where it is not the run's own, as for the report of another run.
        """
        for warning in run.warnings:
            self.note(f"warning: {warning}")
        failed = [case for case in run.cases if case.status == "failed"]
        for case in failed[:MOST_CASES]:
            self.note(f"failed: {case.id}: {case.reasons[0] if case.reasons else 'no reason is known'}")
        if len(failed) > MOST_CASES:
            self.note(f"failed: and {len(failed) - MOST_CASES} more cases")
        for line in plain_comparison.lines(run):
            self.note(f"compared: {line}")
        for cause in run.verdict.causes:
            where = f"{cause.place}: " if cause.place else ""
            self._print(f"{cause.status}: {where}{cause.message}", self.err)
        if folder is not None:
            self.note(f"the reports are in {folder}")
        self.say(verdict_line(run, exit_code))


def verdict_line(run: Run, exit_code: int | None = None) -> str:
    """The verdict in one line, with the reports' own numbers, and the exit code of the process."""
    head = headline(run)
    ends = run.verdict.exit_code if exit_code is None else exit_code
    waived = ", let through by on_inconclusive: pass" if run.verdict.waived else ""
    facts = "; ".join((head.fact, *head.numbers))
    word = head.word.lower().removeprefix(f"{run.verdict.status}, ")
    said = "" if word in _SAID else f"{word}: "
    return f"holodeck-eval: {run.verdict.status}{waived}: {said}{facts} (exit {ends})"
