"""What passed in the baseline and fails now, and whether that is more than the judge's noise explains."""

from collections.abc import Iterator, Mapping
from typing import Final

from holodeck_eval.compare.doubt import Doubt
from holodeck_eval.compare.looks import RowKey, Rows, Sides
from holodeck_eval.domain.comparison import Flip

ENOUGH: Final = 5
"""Replies on each side that make a flip the mean's, not that of the one reply it was noticed by."""


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
                yield _flip(sides, *_held(sides, doubts.get(key), why_not.get(key, "")))


def _flip(sides: Sides, proven: bool, why: str) -> Flip:  # noqa: FBT001 - the pair that `_held` gives
    before, now = sides.replies
    return Flip(
        agent=sides.agent,
        case=sides.case,
        turn=sides.turn,
        metric=sides.now.name,
        proven=proven,
        why=why,
        before=sides.old.score,
        now=sides.new.score,
        threshold=sides.now.threshold,
        before_reason=sides.old.reason,
        now_reason=sides.new.reason,
        before_replies=before,
        now_replies=now,
    )


def _held(sides: Sides, doubt: Doubt | None, why_not: str) -> tuple[bool, str]:
    """Whether a flip is proven, and the clause that says by what, or why it is not."""
    if why_not:
        return False, f"it cannot be compared: {why_not}"
    if sides.unchanged:
        return False, "what was judged did not change, only what the judge said of it"
    if sides.old.score <= sides.new.score:
        return False, "its score did not fall"
    if doubt is None or not sides.judged:
        by = "a person" if sides.new.by_person else "a rule"
        return True, f"it is measured by {by}, without a judge's noise"
    return _against_noise(sides, doubt)


def _against_noise(sides: Sides, doubt: Doubt) -> tuple[bool, str]:
    before, now = (len(replies) for replies in sides.replies)
    drop = sides.old.score - sides.new.score
    limit = doubt.limit(before, now)
    fell = f"{sides.old.score:.2f} to {sides.new.score:.2f} over {before} and {now} judgements"
    if drop <= limit:
        return False, f"{fell} is {_times(drop / limit)} what noise explains"
    if doubt.few_levels and min(before, now) < ENOUGH:
        return False, f"{fell} is too few of a judge that gives only a few different scores"
    if not limit:
        return True, f"{fell}, and no noise was seen"
    return True, f"{fell} is {_times(drop / limit)} what noise explains"


def _times(ratio: float) -> str:
    """How many times, with as many digits as tell on which side of 1 it is."""
    text = f"{ratio:.1f} times"
    if text != "1.0 times":
        return text
    return f"just {'over' if ratio > 1 else 'under'}"
