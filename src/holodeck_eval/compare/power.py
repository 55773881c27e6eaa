"""How small a drop a comparison could have seen."""

from dataclasses import dataclass
from math import ceil, log2, sqrt
from typing import Final

from holodeck_eval.compare.statistics import attainable, upper_quantile

POWER: Final = 0.8
"""How often the smallest drop would have been seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What a metric's comparison rests on.

    Attributes:
        pairs: how many pairs there are.
        changed: those of them that could differ; the others differ by exactly 0.
        spread: standard deviation of the changed pairs' differences.
        level: the p value that is needed.
        draws: how many arrangements of signs are tried.
        max_drop: a smaller drop does not count.
    """

    pairs: int
    changed: int
    spread: float
    level: float
    draws: int
    max_drop: float


def smallest_drop(sight: Sight) -> float | None:
    """The smallest drop of the mean over all pairs that is seen with a probability of `POWER`.

    By the t test's two quantiles, which the permutation test comes near. Where nothing spreads, enough
    cases must fall, each by all of its score.
    None where even a fall of all changed pairs would not be significant.
    """
    level = attainable(sight.level, sight.changed, sight.draws)
    if not level:
        return None
    if sight.spread == 0:
        drop = max(ceil(-log2(level)) / sight.pairs, sight.max_drop)
    else:
        degrees = max(sight.changed - 1, 1)
        error = sight.spread * sqrt(sight.changed) / sight.pairs
        margin = upper_quantile(1 - POWER, degrees) * error
        drop = max(upper_quantile(level, degrees) * error, sight.max_drop) + margin
    return round(drop, 6) if drop <= sight.changed / sight.pairs else None
