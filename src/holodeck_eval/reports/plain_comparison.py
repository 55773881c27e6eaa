"""The comparison with a baseline for a terminal: a line a metric."""

from collections.abc import Iterator

from holodeck_eval.domain.run import Run
from holodeck_eval.reports._against import metric_name
from holodeck_eval.reports._signs import interval, move, signed

MOST = 30
"""Metrics that are told of; results.json has all."""


def lines(run: Run) -> Iterator[str]:
    """What became of each metric since the baseline; nothing where none was compared."""
    comparison = run.comparison
    metrics = comparison.metrics if comparison and comparison.problem is None else ()
    for metric in metrics[:MOST]:
        span = f" ({interval(metric.low, metric.high)})" if metric.low is not None else ""
        yield (
            f"{metric_name(metric, run)}: {move(metric.baseline, metric.now)}, "
            f"{signed(metric.difference)}{span} over {metric.pairs} cases: {metric.verdict.replace('_', ' ')}"
        )
    if len(metrics) > MOST:
        yield f"and {len(metrics) - MOST} more metrics"
