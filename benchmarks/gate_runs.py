"""What the gate decides in a made-up world: one pull request after another, and a count of those blocked."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import reduce
from typing import Final

import numpy as np

from benchmarks.gate_world import (
    METRICS,
    THRESHOLD,
    Numbers,
    Side,
    World,
    case_id,
    case_result,
    judged,
    qualities,
    run_of,
)
from holodeck_eval.compare import compare, doubtful
from holodeck_eval.domain.comparison import Comparison
from holodeck_eval.domain.policy import ComparisonPolicy
from holodeck_eval.domain.run import Run

REJUDGE: Final = 6
"""How many more replies each side gets where a metric of a case is in doubt, as `--max-rejudge` has it."""

POLICY: Final = ComparisonPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Counts over runs.

    Attributes:
        runs: how many pull requests were decided.
        blocked: those blocked: a metric is worse, or a flip is proven.
        by_metrics, by_cases: those with the one and with the other.
        seen: those with a proven flip in the first case.
        any_case, pass_rate: those that the naive rules block: "any case that passed fails now", and
            "the pass rate fell".
        rejudged: metrics of cases that were judged again on both sides, over all runs.
    """

    runs: int = 0
    blocked: int = 0
    by_metrics: int = 0
    by_cases: int = 0
    seen: int = 0
    any_case: int = 0
    pass_rate: int = 0
    rejudged: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        """The counts of both."""
        return Tally(**{name: getattr(self, name) + getattr(other, name) for name in _COUNTS})


_COUNTS: Final = tuple(field.name for field in fields(Tally))


def total(tallies: Iterable[Tally]) -> Tally:
    """All counts added up."""
    return reduce(Tally.__add__, tallies, Tally())


def simulate(world: World, runs: int, seed: Sequence[int]) -> Tally:
    """Decide on so many pull requests of a world. The same seed gives the same counts.

    Args:
        world: what is true.
        runs: how many.
        seed: what the random numbers start from.
    """
    return total(tally for _, _, tally in decisions(world, runs, seed))


def decisions(world: World, runs: int, seed: Sequence[int]) -> Iterator[tuple[Run, Comparison, Tally]]:
    """The head, its comparison and what was found of each pull request; the arguments are `simulate`'s."""
    rng = np.random.default_rng(list(seed))
    before, after = qualities(world, runs, rng)
    then, now = judged(world, before, rng), judged(world, after, rng)
    for run in range(runs):
        yield _decided(
            _Side("baseline", before[run], then[run]), _Side("head", after[run], now[run]), world, rng
        )


class _Side:
    """One side of a comparison in the making: what is true of it, and all replies so far."""

    def __init__(self, side: Side, quality: Numbers, first: Numbers) -> None:
        self.passed = (first >= THRESHOLD).all(axis=1)
        self._side, self._quality = side, quality
        self._replies = [[(reply,) for reply in case] for case in first.tolist()]
        self._cases = [case_result(side, number, replies) for number, replies in enumerate(self._replies)]

    @property
    def run(self) -> Run:
        """The run as it stands."""
        return run_of(self._cases)

    def judge_again(self, case: int, metric: int, world: World, rng: np.random.Generator) -> None:
        """Judge a metric of a case again, as a transcript that is in doubt is."""
        more = judged(world, np.repeat(self._quality[case, metric], REJUDGE), rng)
        self._replies[case][metric] += tuple(more.tolist())
        self._cases[case] = case_result(self._side, case, self._replies[case])


def _decided(
    baseline: _Side, head: _Side, world: World, rng: np.random.Generator
) -> tuple[Run, Comparison, Tally]:
    """One pull request decided, the way a run with `--baseline` decides it."""
    numbers = {case_id(number): number for number in range(world.cases)}
    looks = [(numbers[look.case], METRICS.index(look.metric)) for look in doubtful(baseline.run, head.run)]
    for case, metric in looks:
        baseline.judge_again(case, metric, world, rng)
        head.judge_again(case, metric, world, rng)
    comparison = compare(baseline.run, head.run, POLICY)
    tally = replace(
        _found(comparison),
        any_case=int((baseline.passed & ~head.passed).any()),
        pass_rate=int(head.passed.sum() < baseline.passed.sum()),
        rejudged=len(looks),
    )
    return head.run, comparison, tally


def _found(comparison: Comparison) -> Tally:
    """What a comparison says, as counts of one."""
    worse = any(metric.verdict == "worse" for metric in comparison.metrics)
    proven = {flip.case for flip in comparison.flips if flip.proven}
    return Tally(
        runs=1,
        blocked=int(worse or bool(proven)),
        by_metrics=int(worse),
        by_cases=int(bool(proven)),
        seen=int(case_id(0) in proven),
    )
