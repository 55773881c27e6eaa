"""Paired statistics on whole millionths: permutation tests, Holm's correction, intervals, power."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from math import ceil, floor, inf
from typing import Final

FEWEST, MOST = 5_000, 100_000
"""How many arrangements of signs are drawn, the observed one among them."""

HITS: Final = 25
"""Arrangements that may reach the observed mean before it misses the strictest level."""

_BATCH: Final = 2_000_000

FUZZ: Final = 1 + 1e-9
"""By what factor a product of fractions may miss: 6 times 0.005 is to be no more than 0.03."""


@dataclass(frozen=True, slots=True)
class Tails:
    """One-sided p values of a mean difference: of its being as low, and as high."""

    low: float
    high: float


def arrangements(level: float) -> int:
    """How many arrangements it takes to tell whether a p value is under a level."""
    return int(min(max(ceil(HITS / max(level, 1e-9)), FEWEST), MOST))


def attainable(level: float, changes: int, draws: int) -> float:
    """The largest p value up to a level that so many pairs which differ can give; 0 for none."""
    ways = 2**changes if _is_exact(changes, draws) else draws
    return floor(level * ways * FUZZ) / ways


def _is_exact(changes: int, draws: int) -> bool:
    """Whether all arrangements of so many signs are no more than are drawn."""
    return changes < draws.bit_length()


def sign_flip(columns: Sequence[Sequence[int]], draws: int, seed: int) -> list[Tails]:
    """One-sided paired permutation tests: under no change, each pair's difference has either sign.

    All arrangements of signs are tried where they are no more than `draws`, else so many are drawn, the
    observed one counted as one of them. A pair has the same sign in all columns. Since sums of
    millionths are exact, ties are ties, and the negated columns give the mirrored p values.

    Args:
        columns: differences of the same pairs in the same order, one column a metric; 0 where a pair
            lacks one.
        draws: how many arrangements are tried at most.
        seed: which ones.
    """
    changes = [[value for value in column if value] for column in columns]
    many = [not _is_exact(len(values), draws) for values in changes]
    drawn = iter(_drawn(list(compress(columns, many)), draws, seed) if any(many) else ())
    return [next(drawn) if is_many else _exact(values) for values, is_many in zip(changes, many, strict=True)]


def _exact(values: Sequence[int]) -> Tails:
    """The p values over all arrangements of a few differences."""
    import numpy as np  # noqa: PLC0415 - slow to import, and a run without a baseline needs none

    flipped = np.zeros(1)
    for value in values:
        flipped = np.concatenate((flipped, flipped + value))
    low, high = np.count_nonzero(flipped >= 0), np.count_nonzero(flipped <= 0)
    return Tails(float(low) / len(flipped), float(high) / len(flipped))


def _drawn(columns: Sequence[Sequence[int]], draws: int, seed: int) -> list[Tails]:
    """The p values over drawn arrangements, in batches that bound the memory."""
    import numpy as np  # noqa: PLC0415 - slow to import, and a run without a baseline needs none

    differences = np.array(columns, dtype=np.float64).T
    differences = differences[differences.any(axis=1)]
    width = len(differences)
    generator = np.random.default_rng(seed)
    low = np.ones(len(columns))
    high = np.ones(len(columns))
    left = draws - 1
    while left:
        size = min(left, max(_BATCH // width, 1))
        bits = np.frombuffer(generator.bytes((size * width + 7) // 8), dtype=np.uint8)
        flips = np.unpackbits(bits, count=size * width).reshape(size, width)
        flipped = flips.astype(np.float64) @ differences
        low += np.count_nonzero(flipped >= 0, axis=0)
        high += np.count_nonzero(flipped <= 0, axis=0)
        left -= size
    return [Tails(float(a) / draws, float(b) / draws) for a, b in zip(low, high, strict=True)]


def holm(values: Sequence[float], weights: Sequence[int]) -> list[float]:
    """P values adjusted for being many, each of which is then held against the family's alpha.

    By Holm (1979), with his weights: a hypothesis has its weight's share of alpha among those still open.
    """
    adjusted = [1.0] * len(values)
    least, left = 0.0, sum(weights)
    for index in sorted(range(len(values)), key=lambda index: values[index] / weights[index]):
        least = max(least, min(1.0, values[index] * (left / weights[index])))
        adjusted[index] = least
        left -= weights[index]
    return adjusted


def upper_quantile(probability: float, degrees: float) -> float:
    """What Student's t exceeds with a probability; the normal variable for infinite degrees of freedom."""
    from scipy.special import ndtri, stdtrit  # noqa: PLC0415 - slow to import, as numpy

    return -float(ndtri(probability) if degrees == inf else stdtrit(degrees, probability))


def variance(values: Sequence[float]) -> float | None:
    """The variance about the mean, over one fewer than there are; None for fewer than two."""
    if len(values) < 2:  # noqa: PLR2004 - one value has no spread
        return None
    centre = sum(values) / len(values)
    return sum([(value - centre) ** 2 for value in values]) / (len(values) - 1)
