"""Comparisons with a baseline, made up for tests of what is rendered from them."""

from typing import Any, Final

from holodeck_eval.domain.comparison import (
    BaselineRun,
    CaseChange,
    Comparison,
    Flip,
    MetricComparison,
)
from holodeck_eval.domain.noise import Noise
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import CaseResult
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.verdict import Cause, Status
from tests.fakes.runs import (
    AGENT,
    build_case,
    build_run,
    build_verdict,
)

BASELINE: Final = BaselineRun(
    file="eval-base/results.json",
    status="passed",
    started_at="2026-01-01T02:03:04Z",
    head_sha="89abcdef0123456789abcdef0123456789abcdef",
    rejudgeable=True,
)
NOISE: Final = Noise(sd=0.05, source="metric", degrees=24, flip_rate=0.04)
RELATIVE: Final = Policy(min_pass_rate=None)
"""The policy of a run with a baseline, where no pass rate is written."""


def build_comparison(*metrics: MetricComparison, **settings: Any) -> Comparison:
    """A comparison of these metrics with `BASELINE`."""
    made: dict[str, Any] = {"baseline": BASELINE, "paired": 48, "metrics": metrics}
    return Comparison(**made | settings)


def build_moved(before: float | None = 0.86, now: float | None = 0.86, **settings: Any) -> MetricComparison:
    """`faithfulness`, the same unless `verdict` says otherwise, with an interval of 0.04 to either side."""
    difference = None if before is None or now is None else round(now - before, 6)
    made: dict[str, Any] = {
        "agent": AGENT,
        "name": "faithfulness",
        "pairs": 48,
        "unchanged": 30,
        "baseline": before,
        "now": now,
        "difference": difference,
        "low": None if difference is None else difference - 0.04,
        "high": None if difference is None else difference + 0.04,
        "p_worse": None if difference is None else 0.5,
        "p_better": None if difference is None else 0.5,
        "smallest_drop": 0.06,
        "noise": NOISE,
        "verdict": "same",
    }
    return MetricComparison(**made | settings)


def build_flip(case: str = "refund-window", **settings: Any) -> Flip:
    """A case whose faithfulness fell from 0.9 to 0.33, proven by six more judgements on both sides."""
    made: dict[str, Any] = {
        "agent": AGENT,
        "case": case,
        "metric": "faithfulness",
        "turn": 0,
        "before": 0.9,
        "now": 0.33,
        "threshold": 0.7,
        "before_reason": "The answer says 30 days, as the context does.",
        "now_reason": "The context says 30 days, the answer 60.",
        "before_replies": (0.9, 0.85, 0.95, 0.9, 0.9, 0.9, 0.9),
        "now_replies": (0.3, 0.4, 0.3, 0.35, 0.3, 0.35, 0.3),
        "proven": True,
        "why": "judged 7 times on both sides, the means lie 0.57 apart",
    }
    return Flip(**made | settings)


def build_change(case: str, before: str | None = None, now: str | None = None) -> CaseChange:
    """A line about a case."""
    return CaseChange(agent=AGENT, case=case, before=before, now=now)  # type: ignore[arg-type]


def cause(code: str, message: str, *cases: str, status: str = "failed") -> Cause:
    """A cause of these cases."""
    return Cause(status=status, code=code, message=message, cases=cases)  # type: ignore[arg-type]


def compared_run(
    comparison: Comparison, *causes: Cause, cases: tuple[CaseResult, ...] = (), **settings: Any
) -> Run:
    """A run with this comparison, whose status follows from the causes."""
    worst = [
        status for status in ("failed", "inconclusive") if any(cause.status == status for cause in causes)
    ]
    status: Status = worst[0] if worst else "passed"  # type: ignore[assignment]
    made = {"verdict": build_verdict(status, *causes), "policy": RELATIVE, "comparison": comparison}
    return build_run(*(cases or (build_case(), build_case("greeting"))), **made | settings)
