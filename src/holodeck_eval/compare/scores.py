"""What a metric's result says as numbers, of which NaN is none."""

from typing import Final

from holodeck_eval.aggregate.metrics import status_of
from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.result import MetricResult

MICRO: Final = 1_000_000
"""Scores are compared in whole millionths, the places they are rounded to: sums of them are exact."""


def scored(result: MetricResult) -> Scored | None:
    """The result's score, where it is whole and a number; None for anything else, NaN among it."""
    outcome = result.outcome
    if not isinstance(outcome, Scored) or (outcome.parts and status_of(outcome) != "scored"):
        return None
    return outcome if is_number(outcome) else None


def is_number(outcome: Scored) -> bool:
    """Whether the score and every reply are numbers from 0 to 1."""
    return 0.0 <= outcome.score <= 1.0 and all(0.0 <= reply <= 1.0 for reply in outcome.replies)


def is_judged(outcome: Scored) -> bool:
    """Whether a language model judged, whose scores differ from one time to the next."""
    return not outcome.by_person and (outcome.judge is not None or bool(outcome.replies))


def replies_of(outcome: Scored) -> tuple[float, ...]:
    """Every reply; the score where none was kept."""
    return outcome.replies or (outcome.score,)


def planned(outcome: Scored, repeats: int) -> int:
    """The score on the replies that were planned, in millionths.

    Those beyond them were asked for because the result was in doubt. A mean over these too would be drawn
    towards what the baseline was, for just the cases that looked worse.
    """
    if not outcome.replies or outcome.by_person:
        return to_micro(outcome.score)
    first = outcome.replies[: max(repeats, 1)]
    return to_micro(sum(first) / len(first))


def to_micro(score: float) -> int:
    """A score in millionths."""
    return round(score * MICRO)
