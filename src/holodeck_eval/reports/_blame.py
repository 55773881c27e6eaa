"""What the first line says of a verdict: what it is blamed on, what is to be praised, what is in doubt."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from holodeck_eval.domain.comparison import Comparison
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.verdict import Cause
from holodeck_eval.reports._against import (
    better,
    blind,
    incomparable,
    newly_failing,
    newly_passing,
    no_worse,
    undecided,
    worse,
)
from holodeck_eval.reports._facts import blames_baseline, compared, loosenings, rate, unusable
from holodeck_eval.reports._words import cases, some

_TITLES: Final[Mapping[frozenset[str], str]] = {
    frozenset({"gate_loosened"}): "Gate loosened",
    frozenset({"removed_cases"}): "Cases removed",
    frozenset({"stale_transcripts"}): "Stale transcripts",
    frozenset({"missing_transcripts"}): "Transcripts missing",
}
"""What a run is called that failed for one such reason alone: it says nothing about the agent."""

_REGRESSIONS: Final = frozenset({"regression", "case_regression"})


def title(run: Run) -> str:
    """What a failed run is called."""
    codes = frozenset(cause.code for cause in run.verdict.causes if cause.status == "failed")
    if codes & _REGRESSIONS:
        return "Worse than the baseline"
    return _TITLES.get(codes, "Failed")


def title_of(code: str) -> str:
    """What a run is called that failed for this reason alone."""
    return _TITLES.get(frozenset({code}), "Failed")


def blame(run: Run) -> tuple[str, ...]:
    """Why a run failed: a clause for each kind of cause that has one, and for the others the failed cases.

    A looser gate has one where it is all there is: else what the run is called says it.
    """
    by_code: dict[str, list[Cause]] = {}
    for cause in run.verdict.causes:
        if cause.status == "failed":
            by_code.setdefault(cause.code, []).append(cause)
    if len(by_code) > 1:
        by_code.pop("gate_loosened", None)
    clauses = [clause for code in sorted(by_code, key=_rank) if (clause := _clause(run, code, by_code[code]))]
    if len(clauses) < len(by_code) or not by_code:
        clauses += _failed(run)
    return tuple(clauses)


def praise(run: Run, comparison: Comparison) -> tuple[str, ...]:
    """What the comparison says of a run that passed."""
    risen = better(run, comparison)
    seen = f"better than the baseline, {risen}" if risen else no_worse(comparison) or worse(run, comparison)
    clauses = (
        seen or "nothing could be compared",
        blind(run, comparison),
        newly_passing(comparison),
    )
    return tuple(filter(None, clauses))


def doubt(run: Run) -> tuple[str, ...]:
    """Why a run is inconclusive, as far as one line can tell."""
    comparison = compared(run)
    clauses = (
        unusable(run) if blames_baseline(run) else "",
        _uncompared(run, comparison) if comparison else "",
        undecided(comparison) if comparison else "",
        _unjudged(run),
    )
    return tuple(filter(None, clauses)) or ("the numbers cannot be trusted",)


def _unjudged(run: Run) -> str:
    """How many cases could not be judged, and why; "" where all were and nothing is known against it."""
    number, every = run.summary.inconclusive, run.summary.cases
    why = some(
        [
            REASONS[code]
            for code in dict.fromkeys(cause.code for cause in run.verdict.causes)
            if code in REASONS
        ]
    )
    if not number:
        return why
    if number == every:
        told = "the one case could not be judged" if every == 1 else f"none of {cases(every)} could be judged"
    else:
        told = f"{number:,} of {cases(every)} could not be judged"
    return f"{told}: {why}" if why else told


def _uncompared(run: Run, comparison: Comparison) -> str:
    blamed = any(cause.code == "not_comparable" for cause in run.verdict.causes)
    return incomparable(run, comparison) or ("not all of it could be compared" if blamed else "")


def _rank(code: str) -> int:
    return _ORDER.index(code) if code in _ORDER else len(_ORDER)


def _clause(run: Run, code: str, causes: Sequence[Cause]) -> str:
    if run.comparison and code in _COMPARED:
        return _COMPARED[code](run, run.comparison)
    number = len({case for cause in causes for case in cause.cases})
    singular, plural = _COUNTED.get(code, ("", ""))
    return "" if not number or not plural else f"1 {singular}" if number == 1 else f"{number:,} {plural}"


def _failed(run: Run) -> tuple[str, ...]:
    failed = f"{run.summary.failed:,} of {cases(run.summary.cases)} failed"
    return (failed, rate(run)) if compared(run) else (f"{failed}, {rate(run)}",)


def _loosened(run: Run, _: Comparison) -> str:
    number = loosenings(run)
    changes = "1 change lets" if number == 1 else f"{number:,} changes let"
    return f"{changes} more through than the baseline's gate"


_COMPARED: Final[Mapping[str, Callable[[Run, Comparison], str]]] = {
    "regression": worse,
    "case_regression": lambda _, comparison: newly_failing(comparison),
    "gate_loosened": _loosened,
}
_COUNTED: Final[Mapping[str, tuple[str, str]]] = {
    "guardrail": ("case fails a guardrail", "cases fail a guardrail"),
    "removed_cases": ("case that passed is gone", "cases that passed are gone"),
    "changed_case_fails": (
        "case that passed was changed and fails",
        "cases that passed were changed and fail",
    ),
    "missing_transcripts": ("test case has no transcript", "test cases have no transcript"),
    "stale_transcripts": (
        "transcript was recorded with another version of the agent",
        "transcripts were recorded with another version of the agent",
    ),
}
REASONS: Final[Mapping[str, str]] = {
    "judge_unavailable": "the judge could not be reached",
    "rate_limited": "the judge refused for too many requests",
    "timeout": "the judge did not answer in time",
    "auth": "the judge refused the key",
    "no_key": "there is no key for the judge",
    "invalid_reply": "the judge's replies could not be used",
    "context_too_long": "the texts are too long for the judge",
    "refused_request": "the judge refused the request",
    "internal": "the evaluation broke",
    "missing_input": "an input was not recorded",
    "offline": "no verdict is recorded, and offline forbids asking",
    "unlabelled": "the person who judges has not yet",
    "deadline": "the deadline was reached",
    "budget": "the budget is used up",
    "nothing_scored": "nothing was scored",
    "agent_without_cases": "an agent has no case",
    "metric_without_score": "a metric scored no case",
    "error_rate": "too many evaluations failed",
}
"""Why a run is inconclusive, by the code of the cause."""

_ORDER: Final = (*_COMPARED, *_COUNTED)
"""Codes that have a clause, in the order in which they are told."""
