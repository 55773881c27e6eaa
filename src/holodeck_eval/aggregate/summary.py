"""What the cases of a run add up to."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from holodeck_eval.aggregate.metrics import status_of
from holodeck_eval.aggregate.noise import Name, noise_of
from holodeck_eval.aggregate.numbers import mean, share
from holodeck_eval.domain.noise import Noise
from holodeck_eval.domain.outcome import Scored, Skipped
from holodeck_eval.domain.rating import worst
from holodeck_eval.domain.result import CaseResult, MetricResult, MetricSummary, Summary


def summarize(cases: Sequence[CaseResult]) -> Summary:
    """A run's numbers.

    Args:
        cases: all results of the run; waived cases are none.
    """
    counts = Counter(case.status for case in cases)
    metrics = [metric for case in cases for turn in case.turns for metric in turn.metrics]
    scored = [metric.outcome for metric in metrics if isinstance(metric.outcome, Scored)]
    skipped = [metric.outcome for metric in metrics if isinstance(metric.outcome, Skipped)]
    statuses = Counter(status_of(metric.outcome) for metric in metrics)
    return Summary(
        cases=len(cases),
        passed=counts["passed"],
        failed=counts["failed"],
        inconclusive=counts["inconclusive"],
        pass_rate=share(counts["passed"], counts["passed"] + counts["failed"]),
        error_rate=share(statuses["errored"], statuses["errored"] + statuses["scored"]),
        score=mean(case.score for case in cases),
        binary_score=mean(case.binary_score for case in cases),
        avg_score=mean(case.avg_score for case in cases),
        rating=worst([case.rating for case in cases if case.rating]),
        evaluations_scored=statuses["scored"],
        evaluations_skipped=statuses["skipped"],
        evaluations_errored=statuses["errored"],
        evaluations_recorded=sum(
            outcome.recorded > 0 and status_of(outcome) == "scored" for outcome in scored
        ),
        verdicts_from_checkout=sum(outcome.from_checkout for outcome in scored)
        + sum(outcome.from_checkout for outcome in skipped),
        skipped_by_cause=_skipped_by_cause(scored, skipped),
        metrics=_metric_summaries(cases, noise_of(cases) if any(map(_is_repeated, scored)) else {}),
    )


def _skipped_by_cause(scored: Iterable[Scored], skipped: Iterable[Skipped]) -> dict[str, int]:
    """How many evaluations were skipped, by cause; parts of a scored one as `generation.CAUSE`."""
    counts = Counter[str](outcome.cause for outcome in skipped)
    parts = (part for outcome in scored for part in outcome.parts if part.status == "skipped")
    counts.update(f"generation.{part.cause}" for part in parts)
    return dict(sorted(counts.items()))


def _is_repeated(outcome: Scored) -> bool:
    return len(outcome.replies) > 1 and not outcome.by_person


def _metric_summaries(cases: Sequence[CaseResult], noise: Mapping[Name, Noise]) -> tuple[MetricSummary, ...]:
    groups: dict[tuple[str, str], list[MetricResult]] = {}
    for case in cases:
        for turn in case.turns:
            for metric in turn.metrics:
                groups.setdefault((case.agent, metric.name), []).append(metric)
    agents = list(dict.fromkeys(agent for agent, _ in groups))
    keys = sorted(groups, key=lambda key: agents.index(key[0]))
    return tuple(_metric_summary(key, groups[key], noise.get(key)) for key in keys)


def _metric_summary(key: Name, results: Sequence[MetricResult], noise: Noise | None) -> MetricSummary:
    """One metric's numbers; its threshold is None where cases have different ones."""
    outcomes = Counter(status_of(result.outcome) for result in results)
    thresholds = {result.threshold for result in results}
    return MetricSummary(
        agent=key[0],
        name=key[1],
        type=results[0].type,
        threshold=results[0].threshold if len(thresholds) == 1 else None,
        mean=mean(_whole_score(result) for result in results),
        scored=outcomes["scored"],
        passed=sum(result.passed is True for result in results),
        failed=sum(result.passed is False for result in results),
        skipped=outcomes["skipped"],
        errored=outcomes["errored"],
        noise=noise,
    )


def _whole_score(result: MetricResult) -> float | None:
    outcome = result.outcome
    return outcome.score if isinstance(outcome, Scored) and status_of(outcome) == "scored" else None
