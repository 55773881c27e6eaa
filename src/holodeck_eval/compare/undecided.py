"""Cases that fail now by a metric that the baseline measured by and has no score of."""

from collections.abc import Iterator

from holodeck_eval.aggregate.metrics import status_of
from holodeck_eval.domain.comparison import CaseChange
from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.result import CaseResult, CaseStatus, MetricResult
from holodeck_eval.domain.run import Run


def undecided(baseline: Run, head: Run) -> tuple[CaseChange, ...]:
    """The cases on both sides that did not fail before, and do now by a metric without a score then.

    That score may have errored, have been skipped, or be made of other parts. Then the metric's failing is no
    flip, and to call the case unharmed would be a guess. A metric that the baseline did not have is new, and
    no reason.

    Args:
        baseline: the earlier run.
        head: this run.
    """
    current = {(case.agent, case.id): case for case in head.cases}
    pairs = [(case, current.get((case.agent, case.id))) for case in baseline.cases]
    return tuple(
        CaseChange(agent=now.agent, case=now.id, before=_status(before), now=_status(now))
        for before, now in pairs
        if now is not None and before.digest == now.digest and _is_undecided(before, now)
    )


def _is_undecided(before: CaseResult, now: CaseResult) -> bool:
    return _status(before) != "failed" and any(not _is_compared(*look) for look in _failing(before, now))


def _status(case: CaseResult) -> CaseStatus:
    """A case's status, failed too where a metric does: one may have been judged again since."""
    fails = any(metric.passed is False for turn in case.turns for metric in turn.metrics)
    return "failed" if fails else case.status


def _failing(before: CaseResult, now: CaseResult) -> Iterator[tuple[MetricResult, MetricResult]]:
    """The metrics on both sides that fail now, as they were and as they are."""
    earlier = {(turn.index, metric.name): metric for turn in before.turns for metric in turn.metrics}
    for turn in now.turns:
        for metric in turn.metrics:
            then = earlier.get((turn.index, metric.name))
            if metric.passed is False and then is not None:
                yield then, metric


def _is_compared(before: MetricResult, now: MetricResult) -> bool:
    """Whether both have a score, made of the same parts."""
    return _measure(before) is not None and _measure(before) == _measure(now)


def _measure(result: MetricResult) -> tuple[str, ...] | None:
    """The parts a score is made of; None where there is no whole score."""
    outcome = result.outcome
    if not isinstance(outcome, Scored) or status_of(outcome) != "scored":
        return None
    return tuple(part.name for part in outcome.parts if part.status == "scored")
