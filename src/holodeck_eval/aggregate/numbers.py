"""Means and shares. Of nothing they are None, never 0."""

from collections.abc import Iterable
from typing import Final

PLACES: Final = 6
"""Decimal places of every number in a report, and of a score before it is held against a threshold."""


def mean(values: Iterable[float | None]) -> float | None:
    """The mean of those values that are known, rounded."""
    known = [value for value in values if value is not None]
    return round(sum(known) / len(known), PLACES) if known else None


def share(part: int, whole: int) -> float | None:
    """A part of a whole, rounded; None of an empty whole."""
    return round(part / whole, PLACES) if whole else None
