"""Cases that fail now by a metric that the baseline measured by and has no score of."""

from collections.abc import Sequence

from holodeck_eval.aggregate.metrics import status_of as outcome_status
from holodeck_eval.compare.looks import on_both, parts_of
from holodeck_eval.compare.pairs import Pair, status_of
from holodeck_eval.domain.comparison import CaseChange
from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.result import MetricResult


def undecided(pairs: Sequence[Pair]) -> tuple[CaseChange, ...]:
    """The pairs that did not fail before, and do now by a metric without a score then.

    That score may have errored, have been skipped, or be made of other parts. Then the metric's failing is no
    flip, and to call the case unharmed would be a guess. A metric that the baseline did not have is new, and
    no reason.
    """
    return tuple(
        CaseChange(
            agent=pair.now.agent, case=pair.now.id, before=status_of(pair.before), now=status_of(pair.now)
        )
        for pair in pairs
        if status_of(pair.before) != "failed" and _fails_by_another_measure(pair)
    )


def _fails_by_another_measure(pair: Pair) -> bool:
    return any(now.passed is False and not _is_compared(before, now) for _, before, now in on_both(pair))


def _is_compared(before: MetricResult, now: MetricResult) -> bool:
    """Whether both have a score, made of the same parts."""
    return _measure(before) is not None and _measure(before) == _measure(now)


def _measure(result: MetricResult) -> tuple[str, ...] | None:
    """The parts a score is made of; None where there is no whole score."""
    outcome = result.outcome
    if not isinstance(outcome, Scored) or outcome_status(outcome) != "scored":
        return None
    return parts_of(outcome)
