"""Finds what contradicts itself in results that were edited by hand, and computes it again."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from holodeck_eval.aggregate import summarize
from holodeck_eval.compare.recomputing.cases import computed_case
from holodeck_eval.domain.result import CaseResult, Summary
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.wording import cases_named, quoted

__all__ = ["recomputed"]

_TOLD: Final = 10
"""Cases that get a sentence of their own."""

_NUMBERS: Final = (
    "cases",
    "passed",
    "failed",
    "inconclusive",
    "pass_rate",
    "error_rate",
    "score",
    "binary_score",
    "avg_score",
)
"""What of a summary rules are held against."""


def recomputed(run: Run) -> tuple[Run, tuple[str, ...]]:
    """The run without contradictions, and sentences on those that it had.

    A score is believed less than its replies, whether a metric passed less than its score, and a status less
    than what it is made of. A metric that is rated is believed as far as its rating allows. A run without
    contradictions is given back as it is.

    Args:
        run: a run as it was read.
    """
    computed = [computed_case(case, run.policy) for case in run.cases]
    wrong = [(case, clauses) for case, clauses in computed if clauses]
    cases = tuple(case for case, _ in computed) if wrong else run.cases
    summary = summarize(cases)
    if not wrong and _agree(summary, run.summary):
        return run, ()
    sentences = tuple(_sentences(wrong)) or (
        "the summary contradicts the cases it is made of; it was computed again",
    )
    return replace(run, cases=cases, summary=summary), sentences


def _agree(summary: Summary, other: Summary) -> bool:
    return all(getattr(summary, name) == getattr(other, name) for name in _NUMBERS)


def _sentences(wrong: Sequence[tuple[CaseResult, Sequence[str]]]) -> Iterator[str]:
    for case, clauses in wrong[:_TOLD]:
        more = f" (and {len(clauses) - 1} more)" if len(clauses) > 1 else ""
        yield f"case {quoted(case.id)} contradicts itself: {clauses[0]}{more}; it was computed again"
    rest = [case.id for case, _ in wrong[_TOLD:]]
    if rest:
        verb = "contradicts itself" if len(rest) == 1 else "contradict themselves"
        yield f"{cases_named(rest)} more {verb}; what follows from scores was computed again"
