"""What passed in the baseline and fails now, and whether that is more than the judge's noise explains."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from holodeck_eval.compare.doubt import Doubt
from holodeck_eval.compare.looks import RowKey, Rows, Sides
from holodeck_eval.domain.comparison import Flip

ENOUGH: Final = 5
"""Replies on each side that make a flip the mean's, not that of the one reply it was noticed by."""


@dataclass(frozen=True, slots=True)
class _Held:
    """What a flip is held to be; see `Flip`."""

    why: str
    proven: bool = False
    too_coarse: bool = False


def metric_flips(rows: Rows, doubts: Mapping[RowKey, Doubt], why_not: Mapping[RowKey, str]) -> Iterator[Flip]:
    """The looks that flip.

    Args:
        rows: all looks.
        doubts: the noise of the metrics that have any.
        why_not: for the metrics that cannot be compared, the reason.
    """
    for key, row in rows.items():
        for sides in row:
            if sides.flips:
                yield _flip(sides, _held(sides, doubts.get(key), why_not.get(key, "")))


def _flip(sides: Sides, held: _Held) -> Flip:
    before, now = sides.replies
    return Flip(
        agent=sides.agent,
        case=sides.case,
        turn=sides.turn,
        metric=sides.now.name,
        proven=held.proven,
        why=held.why,
        too_coarse=held.too_coarse,
        before=sides.old.score,
        now=sides.new.score,
        threshold=sides.now.threshold,
        before_reason=sides.old.reason,
        now_reason=sides.new.reason,
        before_replies=before,
        now_replies=now,
    )


def _held(sides: Sides, doubt: Doubt | None, why_not: str) -> _Held:
    """Whether a flip is proven, and the clause that says by what, or why it is not."""
    if why_not:
        return _Held(f"it cannot be compared: {why_not}")
    if sides.unchanged:
        return _Held("what was judged did not change, only what the judge said of it")
    if sides.old.score <= sides.new.score:
        return _Held("its score did not fall")
    if doubt is None or not sides.judged:
        by = "a person" if sides.new.by_person else "a rule"
        return _Held(f"it is measured by {by}, without a judge's noise", proven=True)
    return _against_noise(sides, doubt)


def _against_noise(sides: Sides, doubt: Doubt) -> _Held:
    before, now = (len(replies) for replies in sides.replies)
    drop = sides.old.score - sides.new.score
    limit = doubt.limit(before, now)
    fell = f"{sides.old.score:.2f} to {sides.new.score:.2f} over {before} and {now} judgements"
    if drop <= limit:
        return _Held(f"{fell} is {_times(drop / limit)} what noise explains")
    if doubt.few_levels and min(before, now) < ENOUGH:
        return _Held(f"{fell} is too few of a judge that gives only a few different scores", too_coarse=True)
    if not limit:
        return _Held(f"{fell}, and no noise was seen", proven=True)
    return _Held(f"{fell} is {_times(drop / limit)} what noise explains", proven=True)


def _times(ratio: float) -> str:
    """How many times, with as many digits as tell on which side of 1 it is."""
    text = f"{ratio:.1f} times"
    if text != "1.0 times":
        return text
    return f"just {'over' if ratio > 1 else 'under'}"
