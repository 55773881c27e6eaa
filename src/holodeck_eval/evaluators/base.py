"""What every evaluator shares: one async `evaluate` with a timeout and retries, and its result."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from typing import TypedDict

from holodeck_eval import judges
from holodeck_eval.errors import EvaluationError


class EvaluationResult(TypedDict):
    """What every evaluator returns.

    Attributes:
        score: 0.0 to 1.0, rounded to 6 places.
        passed: whether `score` reaches `threshold`.
        reasoning: the judge's explanation; never empty.
        metric_name: the metric, as `GEval` or `AnswerRelevancy`.
        threshold: lowest passing score.
        raw_score: the number the judge said, where that is another one.
        evaluation_steps: the steps the judge followed (GEval alone).
        metadata: what is particular to the metric.
    """

    score: float
    passed: bool
    reasoning: str
    metric_name: str
    threshold: float
    raw_score: float | None
    evaluation_steps: list[str] | None
    metadata: dict[str, object]


class NothingToJudgeError(EvaluationError):
    """The answer, or the context, holds nothing that this metric could judge.

    Args:
        message: the sentence shown to people.
        details: the metric's metadata, for the record.
    """

    def __init__(self, message: str, details: dict[str, object]) -> None:
        super().__init__(message)
        self.details = details


class BaseEvaluator(ABC):
    """An evaluator. It holds configuration and no state: one instance may serve many calls at once.

    Args:
        timeout: seconds one `evaluate` may take, retries included; None for no bound.
        retry_config: how failures that may pass are retried.
    """

    def __init__(self, timeout: float | None = 60.0, retry_config: judges.RetryConfig | None = None) -> None:
        self.timeout = timeout
        self.retry_config = retry_config or judges.RetryConfig()

    async def evaluate(self, **kwargs: object) -> EvaluationResult:
        """Evaluate some inputs.

        Raises:
            ValueError: where a needed input is missing or of the wrong type.
            EvaluationError: where no score could be had, a timeout included.
        """
        limit = asyncio.timeout(self.timeout)
        try:
            async with limit:
                return await self._with_retries(kwargs)
        except TimeoutError as error:
            raise self._timed_out(error) from error

    @abstractmethod
    async def _evaluate_impl(self, **kwargs: object) -> EvaluationResult:
        """Evaluate once. A ConnectionError, TimeoutError or other OSError is retried."""
        ...

    def _timed_out(self, error: TimeoutError) -> EvaluationError:
        del error
        return EvaluationError(f"{type(self).__name__} took longer than {self.timeout:g} s")

    async def _with_retries(self, given: dict[str, object]) -> EvaluationResult:
        attempts = self.retry_config.attempts
        for attempt in range(1, attempts):
            try:
                return await self._evaluate_impl(**given)
            except OSError:
                await asyncio.sleep(self.retry_config.delay(attempt, jitter=0.0))
        try:
            return await self._evaluate_impl(**given)
        except OSError as error:
            raise EvaluationError(
                f"{type(self).__name__} failed after {attempts} attempts: {error}"
            ) from error
