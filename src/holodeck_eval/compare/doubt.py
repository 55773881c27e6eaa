"""How far two scores of one text can be apart by the judge's noise alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import Final

from holodeck_eval.compare.looks import Repeats, RowKey, Rows, Sides
from holodeck_eval.compare.scores import MICRO
from holodeck_eval.compare.statistics import upper_quantile, variance
from holodeck_eval.domain.noise import Noise

FEW_LEVELS: Final = 5
"""A judge that gives no more different scores is on a scale of few levels: its noise jumps by whole ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """The noise of one metric.

    Attributes:
        sd: standard deviation of one reply.
        quantile: how many standard deviations of a difference noise explains.
        few_levels: whether the judge gives only a few different scores.
    """

    sd: float
    quantile: float
    few_levels: bool

    def limit(self, before: int, now: int) -> float:
        """The largest difference that noise explains between the means of so many replies."""
        return self.quantile * self.sd * sqrt(1 / before + 1 / now) if self.sd else 0.0


def doubts_of(
    rows: Rows, noises: Mapping[RowKey, Noise], repeats: Repeats, alpha: float
) -> dict[RowKey, Doubt]:
    """The noise of each metric that has any, for looks that may differ.

    Args:
        rows: looks that can be compared.
        noises: what is known of the metrics' noise.
        repeats: how often everything was judged.
        alpha: family-wise error over all looks, shared among them equally.
    """
    is_open = {key: [sides for sides in row if sides.is_open] for key, row in rows.items()}
    looks = sum(len(row) for row in is_open.values())
    return {key: _doubt(row, noises[key], repeats, alpha / looks) for key, row in is_open.items() if row}


def _doubt(row: Sequence[Sides], noise: Noise, repeats: Repeats, alpha: float) -> Doubt:
    """One metric's noise.

    A reply's variance is the larger of two estimates: that of replies about the mean of their text, and a
    reply's share in the variance of the differences between the runs. Neither is robust, on purpose: scores
    that are clipped and rounded make most cases quieter than those near a threshold, and a robust estimate
    would be that of the quiet ones.
    """
    spread = sqrt(variance([sides.difference for sides in row]) or 0.0) / MICRO / repeats.root
    return Doubt(
        sd=max(noise.sd, spread), quantile=upper_quantile(alpha, inf), few_levels=_has_few_levels(row)
    )


def _has_few_levels(row: Sequence[Sides]) -> bool:
    levels: set[float] = set()
    for sides in row:
        for replies in sides.replies:
            levels.update(replies)
        if len(levels) > FEW_LEVELS:
            return False
    return True
