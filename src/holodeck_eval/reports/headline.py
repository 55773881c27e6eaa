"""The first line of the Markdown reports: the verdict in words, with its numbers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from holodeck_eval.domain.run import Run
from holodeck_eval.domain.verdict import Status
from holodeck_eval.reports._against import NOTHING_SEEN, no_worse
from holodeck_eval.reports._blame import blame, doubt, praise, title, title_of
from holodeck_eval.reports._facts import compared, loosenings, numbers, rate
from holodeck_eval.reports._words import cases


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """An icon, a word, and what happened; `numbers` are further facts, most telling first."""

    icon: str
    word: str
    fact: str
    numbers: tuple[str, ...] = ()


def headline(run: Run) -> Headline:
    """What a reviewer must see first. A gate that lets more through than before is named with the verdict."""
    made = _HEADLINES[run.verdict.status](run)
    named = made.word == title_of("gate_loosened") or run.verdict.status in {"error", "bug"}
    return made if named or not loosenings(run) else replace(made, word=f"{made.word}, gate loosened")


def _passed(run: Run) -> Headline:
    comparison = compared(run)
    weak = comparison is not None and no_worse(comparison) == NOTHING_SEEN
    told = praise(run, comparison) if comparison else (_all_passed(run),)
    return _headline(run, "✅", "Passed, underpowered" if weak else "Passed", told)


def _failed(run: Run) -> Headline:
    return _headline(run, "❌", title(run), blame(run))


def _inconclusive(run: Run) -> Headline:
    return _headline(run, "⚠️", "Inconclusive", doubt(run))


def _headline(run: Run, icon: str, word: str, told: tuple[str, ...]) -> Headline:
    return Headline(icon=icon, word=word, fact="; ".join(told), numbers=numbers(run, told))


def _all_passed(run: Run) -> str:
    summary = run.summary
    every = "the one case" if summary.cases == 1 else f"all {cases(summary.cases)}"
    some = f"{summary.passed:,} of {cases(summary.cases)}"
    return f"{every if summary.passed == summary.cases else some} passed, {rate(run)}"


def _error(run: Run) -> Headline:
    number = len(run.verdict.causes)
    fact = "1 problem in what it was given" if number == 1 else f"{number:,} problems in what it was given"
    return Headline(icon="⛔", word="Could not run", fact=fact)


def _bug(run: Run) -> Headline:  # noqa: ARG001 - one signature for the table
    return Headline(icon="💥", word="Could not run", fact="a fault in holodeck-eval itself")


_HEADLINES: Final[Mapping[Status, Callable[[Run], Headline]]] = {
    "passed": _passed,
    "failed": _failed,
    "inconclusive": _inconclusive,
    "error": _error,
    "bug": _bug,
}
