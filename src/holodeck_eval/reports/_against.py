"""What came of the comparison with a baseline, in clauses for a first line."""

from collections.abc import Sequence
from typing import Final

from holodeck_eval.domain.comparison import AVERAGE, Comparison, MetricComparison
from holodeck_eval.domain.run import Run
from holodeck_eval.reports._signs import move, signed
from holodeck_eval.reports._text import cut
from holodeck_eval.reports._words import cases, plainly, some

NOTHING_SEEN: Final = "no drop was seen"

_SEEN: Final = frozenset({"better", "same", "worse"})
_WHY: Final = 150


def metric_name(metric: MetricComparison, run: Run) -> str:
    """What a metric is called; with its agent where there are several."""
    name = "the average score" if metric.name == AVERAGE else plainly(metric.name)
    several = len({case.agent for case in run.cases}) > 1
    return f"{name} of {plainly(metric.agent)}" if several else name


def worse(run: Run, comparison: Comparison) -> str:
    """Which metrics fell, the deepest first, and by how much; "" where none is worse."""
    fallen = _of(comparison, "worse")
    fallen.sort(key=lambda metric: metric.difference if metric.difference is not None else 0.0)
    return _moved(run, fallen, "fell")


def better(run: Run, comparison: Comparison) -> str:
    """Which metrics rose, the highest first, and by how much; "" where none is better."""
    risen = _of(comparison, "better")
    risen.sort(key=lambda metric: -(metric.difference or 0.0))
    return _moved(run, risen, "rose")


def incomparable(run: Run, comparison: Comparison) -> str:
    """Which metrics cannot be compared, and why the first cannot; "" where all can."""
    apart = [metric for metric in _of(comparison, "not_comparable") if metric.name != AVERAGE]
    apart += [metric for metric in comparison.metrics if not metric.pairs and metric not in apart]
    if not apart:
        return ""
    names = some([metric_name(metric, run) for metric in apart])
    why = cut(apart[0].why, _WHY) or ("" if apart[0].pairs else "no case was scored by it on both sides")
    return f"{names} cannot be compared with the baseline" + (f": {why}" if why else "")


def undecided(comparison: Comparison) -> str:
    """How many cases fail by a metric that the baseline has no score of; "" for none."""
    number = len(comparison.undecided)
    return f"{cases(number)} {_s('fail', number)} where the baseline has no score" if number else ""


def no_worse(comparison: Comparison) -> str:
    """How much can be said of a run in which no metric is worse; "" where one is, or none was compared.

    Where what is expected of cases was edited, over how few the metrics are compared: the edit took the
    others out.
    """
    verdicts = {metric.verdict for metric in comparison.metrics}
    if "worse" in verdicts or not verdicts & (_SEEN | {"underpowered"}):
        return ""
    if not verdicts & _SEEN:
        return NOTHING_SEEN
    which = "that could be compared " if "not_comparable" in verdicts else ""
    over = f" over the {cases(comparison.paired)} that can be compared" if comparison.changed else ""
    return f"no metric {which}is worse{over}"


def blind(run: Run, comparison: Comparison) -> str:
    """The smallest drop that underpowered metrics could have shown, the blindest first; "" for none."""
    weak = _of(comparison, "underpowered")
    weak.sort(key=lambda metric: -(metric.smallest_drop or 0.0))
    blinder = [metric for metric in weak if metric.smallest_drop is None]
    told = [f"{metric_name(metric, run)} ({cases(metric.pairs)})" for metric in blinder]
    seen = [
        f"{metric.smallest_drop:.2f} in {metric_name(metric, run)} ({cases(metric.pairs)})"
        for metric in weak
        if metric.smallest_drop is not None
    ]
    clauses = (
        f"no drop at all could have been seen in {some(told)}" if told else "",
        f"the smallest drop this run could have seen is {some(seen)}" if seen else "",
    )
    return "; ".join(filter(None, clauses))


def newly(comparison: Comparison, *, proven: bool) -> int:
    """How many cases newly fail; of those not proven, the ones that have no proven flip either."""
    sure = {(flip.agent, flip.case) for flip in comparison.flips if flip.proven}
    return len(sure) if proven else len({(flip.agent, flip.case) for flip in comparison.flips} - sure)


def counts(comparison: Comparison) -> tuple[str, ...]:
    """The cases worth a count, the most telling first."""
    unproven, still = newly(comparison, proven=False), len(comparison.still_failing)
    told = (
        f"{cases(unproven)} newly {_s('fail', unproven)}, not proven" if unproven else "",
        undecided(comparison),
        f"{cases(still)} {_s('fail', still)} as before" if still else "",
        f"{len(comparison.new):,} new" if comparison.new else "",
        f"{len(comparison.vanished):,} vanished" if comparison.vanished else "",
        f"{len(comparison.changed):,} changed" if comparison.changed else "",
    )
    return tuple(filter(None, told))


def newly_passing(comparison: Comparison) -> str:
    """How many cases failed and pass now; "" for none."""
    number = len(comparison.newly_passing)
    return f"{cases(number)} newly {_s('pass', number)}" if number else ""


def newly_failing(comparison: Comparison) -> str:
    """How many cases are proven to newly fail; "" for none."""
    number = newly(comparison, proven=True)
    return f"{cases(number)} newly {_s('fail', number)}" if number else ""


def _of(comparison: Comparison, verdict: str) -> list[MetricComparison]:
    """The metrics of a verdict; an average stands behind what it is the average of."""
    found = [metric for metric in comparison.metrics if metric.verdict == verdict]
    return [metric for metric in found if metric.name != AVERAGE] or found


def _moved(run: Run, metrics: Sequence[MetricComparison], verb: str) -> str:
    return some([f"{metric_name(metric, run)} {verb} {_numbers(metric)}" for metric in metrics])


def _numbers(metric: MetricComparison) -> str:
    return f"{move(metric.baseline, metric.now)} ({signed(metric.difference)})"


def _s(verb: str, number: int) -> str:
    """A verb for one or several: `fails`, `fail`; `passes`, `pass`."""
    if number != 1:
        return verb
    return f"{verb}es" if verb.endswith("s") else f"{verb}s"
