"""A comparison with a baseline, laid out for the Markdown reports."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from holodeck_eval.domain.comparison import CaseChange, Comparison, Flip, MetricComparison
from holodeck_eval.domain.findings import blamed
from holodeck_eval.domain.result import CaseResult
from holodeck_eval.domain.run import Run
from holodeck_eval.reports._facts import compared
from holodeck_eval.reports._signs import reach

_Key = tuple[str, str]

GROUPS: Final = ("newly_passing", "new", "vanished", "changed")
"""The lists of cases of a comparison that are told as lists, in their order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewlyFailing:
    """A case with what passed in the baseline and fails now, the proven first.

    `place` says where to look, `several` whether the case has several turns.
    """

    agent: str
    case: str
    flips: tuple[Flip, ...]
    place: str = ""
    several: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A case in one of the lists of `GROUPS`."""

    group: str
    change: CaseChange


@dataclass(frozen=True, slots=True, kw_only=True)
class Versus:
    """A run against its baseline.

    Attributes:
        comparison: the whole of it.
        proven, unproven: cases that newly fail.
        also: other failed cases that matter: new, changed or not compared, or blamed by an absolute rule.
        still: the rest, which fail as before.
        before: agents and ids of those of `also` that failed before too.
        listed: the cases of all lists, list by list.
        noisy: metrics whose judge's noise is known or assumed.
        reach: the end of the scale that all differences and their intervals are drawn on.
    """

    comparison: Comparison
    proven: tuple[NewlyFailing, ...]
    unproven: tuple[NewlyFailing, ...]
    also: tuple[CaseResult, ...]
    still: tuple[CaseResult, ...]
    before: frozenset[_Key]
    listed: tuple[Listed, ...]
    noisy: tuple[MetricComparison, ...]
    reach: float


def place(case: CaseResult) -> str:
    """Where to look: the recorded conversation, else the test case; "" where neither is known."""
    return str(case.transcript or case.test_case or "")


def against(run: Run, failed: Sequence[CaseResult]) -> Versus | None:
    """The run against its baseline; None where there is no comparison.

    Args:
        run: the run.
        failed: its failed cases, the worst first.
    """
    comparison = compared(run)
    if comparison is None:
        return None
    newly = _newly(comparison, {(case.agent, case.id): case for case in failed})
    flipped = {(case.agent, case.case) for case in newly}
    others = [case for case in failed if (case.agent, case.id) not in flipped]
    before = frozenset((change.agent, change.case) for change in comparison.still_failing)
    held_against = blamed(run)
    still = {key for key in before if key[1] not in held_against}
    return Versus(
        comparison=comparison,
        proven=tuple(case for case in newly if case.flips[0].proven),
        unproven=tuple(case for case in newly if not case.flips[0].proven),
        also=tuple(case for case in others if (case.agent, case.id) not in still),
        still=tuple(case for case in others if (case.agent, case.id) in still),
        before=before - still,
        listed=tuple(
            Listed(group=group, change=change) for group in GROUPS for change in getattr(comparison, group)
        ),
        noisy=tuple(metric for metric in comparison.metrics if metric.noise),
        reach=reach(
            number for metric in comparison.metrics for number in (metric.difference, metric.low, metric.high)
        ),
    )


def _newly(comparison: Comparison, failed: Mapping[_Key, CaseResult]) -> list[NewlyFailing]:
    by_case: dict[_Key, list[Flip]] = {}
    for flip in sorted(comparison.flips, key=lambda flip: not flip.proven):
        by_case.setdefault((flip.agent, flip.case), []).append(flip)
    return [_newly_failing(flips, failed.get(key)) for key, flips in by_case.items()]


def _newly_failing(flips: Sequence[Flip], case: CaseResult | None) -> NewlyFailing:
    made = NewlyFailing(agent=flips[0].agent, case=flips[0].case, flips=tuple(flips))
    return replace(made, place=place(case), several=len(case.turns) > 1) if case else made
