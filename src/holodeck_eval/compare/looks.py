"""Looks: one metric of one turn of a pair of cases, on both sides."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from holodeck_eval.compare.pairs import CaseKey, Pair
from holodeck_eval.compare.scores import is_judged, planned, replies_of, scored
from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.result import MetricResult
from holodeck_eval.domain.run import Run

RowKey = tuple[str, str]
"""An agent's name and the name of one of its metrics."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """Names a look: a metric of a turn of a case of an agent."""

    agent: str
    case: str
    turn: int
    metric: str


@dataclass(frozen=True, slots=True)
class Sides:
    """A look that was scored on both sides.

    Attributes:
        agent, case, turn: where it is.
        before, now: both results.
        old, new: their scores.
        difference: of the planned scores, in millionths; of an unchanged one 0.
        planned: the planned score before, in millionths.
        unchanged: both sides rest on the same texts, judge and prompts: what differs is the judge's noise.
        judged: a language model judged it, so that the scores carry noise.
    """

    agent: str
    case: str
    turn: int
    before: MetricResult
    now: MetricResult
    old: Scored
    new: Scored
    planned: int
    difference: int
    unchanged: bool
    judged: bool

    @property
    def look(self) -> Look:
        """Which look it is."""
        return Look(agent=self.agent, case=self.case, turn=self.turn, metric=self.now.name)

    @property
    def key(self) -> CaseKey:
        """Whose look it is."""
        return self.agent, self.case

    @property
    def flips(self) -> bool:
        """Whether it passed and fails now, each by the mean of all its replies."""
        return self.before.passed is True and self.now.passed is False

    @property
    def is_open(self) -> bool:
        """Whether noise could explain that the sides differ, and judging again could tell."""
        return self.judged and not self.unchanged

    @property
    def replies(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Every reply, before and now."""
        return replies_of(self.old), replies_of(self.new)


Rows = Mapping[RowKey, Sequence[Sides]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats:
    """How often everything was judged, before and now, apart from what was judged again."""

    before: int
    now: int

    @classmethod
    def of(cls, baseline: Run, head: Run) -> "Repeats":
        """Those of two runs."""
        return cls(before=max(baseline.repeats, 1), now=max(head.repeats, 1))

    @property
    def root(self) -> float:
        """The standard deviation of a planned difference, in those of one reply."""
        return sqrt(1 / self.before + 1 / self.now)


def looks_of(pairs: Sequence[Pair], repeats: Repeats) -> dict[RowKey, list[Sides]]:
    """The looks of some pairs by agent and metric, in the pairs' order.

    A score that lacks a part which the other has is another measure, and no look.
    """
    rows: dict[RowKey, list[Sides]] = {}
    for pair in pairs:
        for turn, before, now in on_both(pair):
            old, new = scored(before), scored(now)
            if old is not None and new is not None and parts_of(old) == parts_of(new):
                sides = _sides(pair, turn, (before, now), (old, new), repeats)
                rows.setdefault((sides.agent, now.name), []).append(sides)
    return rows


def on_both(pair: Pair) -> Iterator[tuple[int, MetricResult, MetricResult]]:
    """The metrics that both sides have, scored or not: the turn's index, and the two results."""
    turns = {turn.index: turn for turn in pair.before.turns}
    for turn in pair.now.turns:
        if turn.index in turns:
            earlier = {metric.name: metric for metric in turns[turn.index].metrics}
            for metric in turn.metrics:
                if metric.name in earlier:
                    yield turn.index, earlier[metric.name], metric


def parts_of(outcome: Scored) -> tuple[str, ...]:
    """The parts a score is made of."""
    return tuple([part.name for part in outcome.parts if part.status == "scored"]) if outcome.parts else ()


def _sides(
    pair: Pair,
    turn: int,
    results: tuple[MetricResult, MetricResult],
    scores: tuple[Scored, Scored],
    repeats: Repeats,
) -> Sides:
    old, new = scores
    unchanged = old.key is not None and old.key == new.key
    before = planned(old, repeats.before)
    difference = 0 if unchanged else planned(new, repeats.now) - before
    judged = is_judged(old) or is_judged(new)
    return Sides(pair.now.agent, pair.now.id, turn, *results, old, new, before, difference, unchanged, judged)
