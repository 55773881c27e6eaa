"""Which cases of two runs are held against one another, and which have no counterpart."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from holodeck_eval.domain.comparison import CaseChange
from holodeck_eval.domain.result import CaseResult, CaseStatus
from holodeck_eval.domain.run import Run

CaseKey = tuple[str, str]
"""An agent's name and the id of one of its cases."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One case as both runs found it."""

    before: CaseResult
    now: CaseResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """The cases of two runs, each of the four sorted by agent and case id.

    A case pairs with the one of the same agent and id, where what was asked and expected is the same too.
    """

    pairs: tuple[Pair, ...]
    new: tuple[CaseChange, ...]
    vanished: tuple[CaseChange, ...]
    changed: tuple[CaseChange, ...]


def paired(baseline: Run, head: Run) -> Pairing:
    """The pairs of two runs in which no case is there twice; a waived case is not there."""
    before, now = by_key(baseline), by_key(head)
    both = sorted(before.keys() & now.keys())
    same = {key: before[key].digest == now[key].digest for key in both}
    return Pairing(
        pairs=tuple(Pair(before=before[key], now=now[key]) for key in both if same[key]),
        new=tuple(_change(key, None, now[key]) for key in sorted(now.keys() - before.keys())),
        vanished=tuple(_change(key, before[key], None) for key in sorted(before.keys() - now.keys())),
        changed=tuple(_change(key, before[key], now[key]) for key in both if not same[key]),
    )


def case_key(case: CaseResult) -> CaseKey:
    """What a case pairs by."""
    return case.agent, case.id


def by_key(run: Run) -> dict[CaseKey, CaseResult]:
    """A run's cases by agent and id."""
    return {case_key(case): case for case in run.cases}


def duplicates(cases: Sequence[CaseResult]) -> tuple[CaseKey, ...]:
    """The agents and ids that more than one case carries."""
    counts = Counter(map(case_key, cases))
    return tuple(sorted(key for key, count in counts.items() if count > 1))


def status_of(case: CaseResult) -> CaseStatus:
    """A case's status as its metrics have it now: some may have been judged again since it was given."""
    metrics = [metric for turn in case.turns for metric in turn.metrics]
    if any(metric.passed is False for metric in metrics):
        return "failed"
    if case.status != "failed" or not case.turns or any(turn.no_answer is not None for turn in case.turns):
        return case.status
    return "inconclusive" if any(metric.blocks for metric in metrics) else "passed"


def _change(key: CaseKey, before: CaseResult | None, now: CaseResult | None) -> CaseChange:
    return CaseChange(
        agent=key[0],
        case=key[1],
        before=status_of(before) if before else None,
        now=status_of(now) if now else None,
    )
