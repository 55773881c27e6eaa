"""How much a judge's scores differ when it judges the same texts again."""

from dataclasses import dataclass
from typing import Final, Literal

NoiseSource = Literal["metric", "run", "default"]

DEFAULT_NOISE: Final = 0.08
"""The standard deviation that is assumed of a judge whose noise was never measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """A metric's noise.

    Attributes:
        sd: standard deviation of one reply about the mean of its case, pooled over cases (scores 0.0 to 1.0).
        source: `metric`: measured on this metric's own repeated judgements; `run`: pooled over all
            metrics of the run, since this one was not judged twice; `default`: nothing was judged twice.
        degrees: how many replies it rests on beyond the first of each case; 0 for `default`.
        flip_rate: share of pairs of replies, the mean over cases, of which one reaches the threshold and
            the other does not; None where nothing was judged twice or there is no threshold.
    """

    sd: float
    source: NoiseSource
    degrees: int = 0
    flip_rate: float | None = None
