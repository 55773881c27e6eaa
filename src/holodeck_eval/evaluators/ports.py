"""What the evaluators on DeepEval use of its metrics and of the judges, as protocols."""

from __future__ import annotations

from typing import Any, Protocol

from holodeck_eval import judges


class DeepEvalMetric(Protocol):
    """What is used of a metric of DeepEval."""

    score: float
    reason: str | None

    async def a_measure(self, test_case: object, *, _show_indicator: bool) -> float:
        """Measure a test case; the results are left on the metric."""
        ...


class Judges(Protocol):
    """Where an evaluator gets its judge: a JudgePool, or a view of one."""

    def model(
        self,
        config: judges.DeepEvalModelConfig,
        *,
        metric: str,
        timeout: float | None = None,
        retry: judges.RetryConfig | None = None,
        check: judges.Check | None = None,
        logprobs: bool = True,
    ) -> Any:  # noqa: ANN401 - an instance of one of DeepEval's untyped classes
        """A DeepEval model of a judge; see JudgePool.model."""
        ...

    async def aclose(self) -> None:
        """Close all connections."""
        ...
