"""Which looks judging again on both sides could settle."""

from math import sqrt
from typing import Final

from holodeck_eval.compare.evidence import evidence_of
from holodeck_eval.compare.looks import Look, Sides
from holodeck_eval.compare.problems import unusable
from holodeck_eval.domain.run import Run

_CHANCE: Final = 3.0
"""Standard deviations within which a reply may have missed the threshold by bad luck."""


def doubtful(baseline: Run, head: Run) -> tuple[Look, ...]:
    """The looks that judging again on both sides could make a flip of, or could clear of being one.

    These are what passed and fails now, and what fell as far from a failing that may have been bad luck: a
    baseline that was unlucky must not hide that a case collapsed.

    Args:
        baseline: the earlier run.
        head: this run.

    Returns:
        Those that a judge measured, of other texts than before, by metrics that can be compared; none where
        the runs cannot be compared at all.
    """
    if unusable(baseline, head):
        return ()
    evidence = evidence_of(baseline, head)
    return tuple(
        sides.look
        for key, row in evidence.comparable.items()
        for sides in row
        if sides.is_open and (sides.flips or _may_hide_one(sides, evidence.noises[key].sd))
    )


def _may_hide_one(sides: Sides, sd: float) -> bool:
    """Whether a look that failed before, if only just, fell further than two replies differ by chance."""
    threshold = sides.now.threshold
    if threshold is None or sides.before.passed is not False or sides.now.passed is not False:
        return False
    before, now = sides.replies
    missed, fell = threshold - sides.old.score, sides.old.score - sides.new.score
    near, far = sd / sqrt(len(before)), sd * sqrt(1 / len(before) + 1 / len(now))
    return missed < _CHANCE * near and fell > _CHANCE * far
