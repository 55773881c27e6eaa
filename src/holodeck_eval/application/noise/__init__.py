"""What a run that judged everything several times tells of the judges' noise, in lines for people."""

from collections.abc import Sequence
from typing import Final

from holodeck_eval.application.noise.metrics import Metric, counted, metrics_of
from holodeck_eval.application.noise.warnings import noise_warnings
from holodeck_eval.domain.outcome import Errored, Scored, Skipped
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.run import Run

__all__ = ["noise_report", "noise_warnings"]

_HEAD: Final = ("metric", "cases", "sd", "flips", "measured on")


def noise_report(run: Run, policy: Policy) -> list[str]:
    """A table, a line a metric, and warnings where the gate is tighter than the noise.

    Standard deviations are those of one reply about the mean of its case, on the scale from 0 to 1; "flips"
    is the share of pairs of replies to one case of which one passes and the other fails.

    Args:
        run: one in which everything was judged at least twice.
        policy: what later runs are held against.
    """
    metrics = metrics_of(run)
    if not metrics:
        return ["no metric was measured, so there is no noise to speak of"]
    times = "once" if run.repeats == 1 else f"{run.repeats} times"
    return [
        f"{counted(len(run.cases))}, everything judged {times}",
        *_aligned([_HEAD, *(_row(metric) for metric in metrics)]),
        *(f"warning: {warning}" for warning in noise_warnings(run, policy)),
    ]


def _row(metric: Metric) -> tuple[str, ...]:
    noise = metric.noise
    if noise is None:
        return (metric.label, str(metric.cases), "-", "-", _why_none(metric))
    flips = "-" if noise.flip_rate is None else f"{noise.flip_rate:.1%}"
    whose = "of its own" if noise.source == "metric" else "to all metrics; its own are too few"
    source = f"{noise.degrees} repeated replies {whose}"
    return (metric.label, str(metric.cases), f"{noise.sd:.3f}", flips, source)


def _why_none(metric: Metric) -> str:
    """Why no noise of a metric is known."""
    if not metric.scored:
        return f"nothing: it scored no case ({_causes(metric)})"
    if all(outcome.judge is None for outcome in metric.scored):
        return "nothing: it has no judge, and no noise"
    if all(outcome.judge is None or outcome.by_person for outcome in metric.scored):
        return "nothing: a person judges it, and is not asked again"
    if all(len(outcome.replies) < 2 for outcome in metric.scored):  # noqa: PLR2004 - twice is the least that tells
        return "nothing: it was judged once"
    return "nothing: too few cases were judged twice"


def _causes(metric: Metric) -> str:
    found = [outcome for outcomes in metric.outcomes.values() for outcome in outcomes]
    causes = [_cause(outcome) for outcome in found if not isinstance(outcome, Scored)]
    return ", ".join(dict.fromkeys(causes)) or "no case has it"


def _cause(outcome: Skipped | Errored) -> str:
    return outcome.cause if isinstance(outcome, Skipped) else outcome.kind


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
