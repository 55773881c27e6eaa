"""Numbers drawn with characters: signed differences, an interval on a line, a judge's replies as bars."""

import math
from collections.abc import Iterable, Sequence
from typing import Final

from holodeck_eval.reports._markdown import MISSING

_MINUS: Final = "\u2212"  # as wide as a plus sign, and no list's mark
_MOST_DIGITS: Final = 4
_BARS: Final = "▁▂▃▄▅▆▇█"
_MOST_BARS: Final = 16
_LEAST_CHANCE: Final = 0.001
_HALF: Final = 8
_REACHES: Final = (0.05, 0.1, 0.2, 0.5, 1.0)


def signed(value: float | None) -> str:
    """A difference with its sign and two digits, with more where it would look like none; else `n/a`."""
    if value is None or not math.isfinite(value):
        return str(MISSING)
    digits = 2
    while value and digits < _MOST_DIGITS and not float(f"{value:.{digits}f}"):
        digits += 1
    text = f"{abs(value):.{digits}f}"
    sign = "" if not float(text) else _MINUS if value < 0 else "+"
    return sign + text


def interval(low: float | None, high: float | None) -> str:
    """The ends of an interval, with their signs."""
    return f"{signed(low)} to {signed(high)}"


def scale(end: float) -> str:
    """What stands above lines drawn by `plot`: the ends of their scale."""
    return f"{signed(-end)} … {signed(end)}"


def chance(p: float | None) -> str:
    """A p value with three digits; None is `n/a`."""
    if p is None or not math.isfinite(p):
        return str(MISSING)
    return f"{p:.3f}" if p >= _LEAST_CHANCE else f"< {_LEAST_CHANCE}"


def move(before: float | None, now: float | None, needed: float | None = None) -> str:
    """`0.86 → 0.74`, with as many digits, up to four, as tell `now` from `before` and from what it needs."""
    digits = 2
    while digits < _MOST_DIGITS and any(_look_equal(now, other, digits) for other in (before, needed)):
        digits += 1
    return " → ".join(_fixed(value, digits) for value in (before, now))


def spark(replies: Sequence[float]) -> str:
    """A bar for each of the first 16 replies, from `▁` for 0 to `█` for 1; a mark for those left out."""
    bars = "".join(_bar(reply) for reply in replies[:_MOST_BARS])
    return bars + ("…" if len(replies) > _MOST_BARS else "")


def reach(numbers: Iterable[float | None]) -> float:
    """The end of a scale that holds all of these differences, a round number from 0.05 to 1."""
    most = max((abs(number) for number in numbers if number is not None), default=0.0)
    return next((end for end in _REACHES if most <= end), _REACHES[-1])


def plot(difference: float | None, low: float | None, high: float | None, end: float) -> str:
    """A line from -`end` to `end`: `│` is no difference, `●` the difference, `─` its interval.

    "" where there is no difference to draw.
    """
    if difference is None or not math.isfinite(difference):
        return ""
    cells = ["·"] * (2 * _HALF + 1)
    if low is not None and high is not None and math.isfinite(low + high):
        first, last = _cell(low, end), _cell(high, end)
        cells[first : last + 1] = ["─"] * (last + 1 - first)
    cells[_HALF] = "│"
    cells[_cell(difference, end)] = "●"
    return "".join(cells)


def _fixed(value: float | None, digits: int) -> str:
    return str(MISSING) if value is None or not math.isfinite(value) else f"{value:.{digits}f}"


def _look_equal(one: float | None, other: float | None, digits: int) -> bool:
    if one is None or other is None or one == other:
        return False
    return f"{one:.{digits}f}" == f"{other:.{digits}f}"


def _bar(reply: float) -> str:
    if not math.isfinite(reply):
        return "?"
    return _BARS[min(len(_BARS) - 1, int(max(0.0, min(1.0, reply)) * len(_BARS)))]


def _cell(value: float, end: float) -> int:
    return _HALF + round(max(-1.0, min(1.0, value / end)) * _HALF)
