"""What a comparison with a baseline blocks for."""

from collections.abc import Iterator, Sequence
from typing import Final

from holodeck_eval.domain.comparison import (
    AVERAGE,
    CaseChange,
    Comparison,
    Flip,
    GateChange,
    MetricComparison,
)
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.text import log_line
from holodeck_eval.domain.verdict import Cause
from holodeck_eval.domain.wording import cases_named, counted, quoted
from holodeck_eval.gate.open_cases import EXAMPLE

_TOLD: Final = 3
"""Changes of the gate that a cause tells; the comparison has them all."""

_LEAST_P: Final = 0.0001


def regressions(comparison: Comparison, policy: Policy, *, partial: bool) -> Iterator[Cause]:
    """A cause for each thing that got worse, worst first.

    An "underpowered" row is no cause, nor is a flip that is not proven: the other rules decide.

    Args:
        comparison: what came of comparing. Where it has a problem, its lists of cases count all the same.
        policy: what is let through.
        partial: whether this is a part of a run. The means, the cases that are gone and the changes of the
            gate are left to the merging then.
    """
    yield from _newly_failing(comparison.flips)
    if not partial:
        yield from (_worse(row, policy) for row in comparison.metrics if row.verdict == "worse")
    if not policy.allow_removed_cases:
        yield from _changed(comparison.changed)
        if not partial:
            yield from _removed(comparison.vanished)
    if not partial:
        yield from _loosened(comparison.gate_changes, policy)


def _newly_failing(flips: Sequence[Flip]) -> Iterator[Cause]:
    """One cause for all cases that newly fail for sure."""
    proven = [flip for flip in flips if flip.proven]
    if proven:
        ids = tuple(case for _, case in dict.fromkeys((flip.agent, flip.case) for flip in proven))
        message = (
            f"newly failing, by more than a judge's noise explains: {cases_named(ids)} "
            f"(first: {log_line(_told(proven[0]), EXAMPLE)})"
        )
        yield Cause(status="failed", code="case_regression", message=message, cases=ids)


def _told(flip: Flip) -> str:
    """What happened to a case: the numbers where there are some, and the reason."""
    reason = f": {flip.now_reason}" if flip.now_reason.strip() else ""
    if not flip.metric:
        return f"there is no answer any more{reason}"
    if flip.before is None or flip.now is None:
        return f"{quoted(flip.metric)} fails{reason}"
    needed = f", where {flip.threshold:.10g} is required" if flip.threshold is not None else ""
    return f"{quoted(flip.metric)} fell from {flip.before:.2f} to {flip.now:.2f}{needed}{reason}"


def _worse(row: MetricComparison, policy: Policy) -> Cause:
    what = "the average score" if row.name == AVERAGE else f"the mean of {quoted(row.name)}"
    message = (
        f"{what} of the agent {quoted(row.agent)} fell from {_score(row.baseline)} in the baseline to "
        f"{_score(row.now)} over {counted(row.pairs)}: {_drop(row)}, where {policy.max_drop:.10g} is allowed"
        f"{_chance(row.p_worse)}"
    )
    return Cause(status="failed", code="regression", message=message)


def _drop(row: MetricComparison) -> str:
    drop = "by an unknown number" if row.difference is None else f"by {-row.difference:.3f}"
    if row.low is None or row.high is None:
        return drop
    return f"{drop} (95% interval {-row.high:.3f} to {-row.low:.3f})"


def _score(score: float | None) -> str:
    return "unknown" if score is None else f"{score:.3f}"


def _chance(p: float | None) -> str:
    if p is None:
        return ""
    shown = f"p < {_LEAST_P:g}" if p < _LEAST_P else f"p = {p:.2g}"
    return f"; chance does not explain it ({shown})"


def _changed(changed: Sequence[CaseChange]) -> Iterator[Cause]:
    """A case that was changed leaves the comparison, so that it may not fail where it passed."""
    ids = tuple(case.case for case in changed if case.before == "passed" and case.now == "failed")
    if ids:
        message = (
            "failing now, and passed in the baseline, where something else was asked or expected: "
            f"{cases_named(ids)}; keep the old form beside the new one, or set allow_removed_cases: true"
        )
        yield Cause(status="failed", code="changed_case_fails", message=message, cases=ids)


def _removed(vanished: Sequence[CaseChange]) -> Iterator[Cause]:
    ids = tuple(case.case for case in vanished if case.before == "passed")
    if ids:
        named = cases_named(ids)
        message = f"gone, and passed in the baseline: {named}; bring back, or set allow_removed_cases: true"
        yield Cause(status="failed", code="removed_cases", message=message, cases=ids)


def _loosened(changes: Sequence[GateChange], policy: Policy) -> Iterator[Cause]:
    """One cause for all that lets more through than before; cases and test cases may be let go by a rule."""
    if policy.on_gate_change == "report":
        return
    allowed = {"case_removed", "case_changed"} if policy.allow_removed_cases else set()
    loosening = [change for change in changes if change.loosens and change.code not in allowed]
    if loosening:
        told = "; ".join(log_line(change.message, EXAMPLE) for change in loosening[:_TOLD])
        more = f"; and {len(loosening) - _TOLD} more" if len(loosening) > _TOLD else ""
        message = (
            f"the gate is looser than the baseline's ({told}{more}); on_gate_change: report lets it through"
        )
        cases = tuple(dict.fromkeys(case for change in loosening for case in change.cases))
        yield Cause(status="failed", code="gate_loosened", message=message, cases=cases)
