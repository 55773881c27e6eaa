"""The base of all evaluators: timeouts interrupt, what may pass is retried."""

import asyncio

import pytest

from holodeck_eval.errors import EvaluationError
from holodeck_eval.evaluators import BaseEvaluator, EvaluationResult, RetryConfig

AT_ONCE = RetryConfig(max_retries=3, base_delay=0.0)
RESULT = EvaluationResult(
    score=1.0,
    passed=True,
    reasoning="fine",
    metric_name="Flaky",
    threshold=0.5,
    raw_score=None,
    evaluation_steps=None,
    metadata={},
)


class Flaky(BaseEvaluator):
    """Fails some times, then succeeds."""

    def __init__(
        self, failures: list[Exception], *, hangs: bool = False, timeout: float | None = 60.0
    ) -> None:
        super().__init__(timeout=timeout, retry_config=AT_ONCE)
        self.failures = failures
        self.hangs = hangs
        self.asked: list[object] = []
        self.interrupted = False

    async def _evaluate_impl(self, **kwargs: object) -> EvaluationResult:
        self.asked.append(kwargs)
        if self.hangs:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.interrupted = True
                raise
        if self.failures:
            raise self.failures.pop(0)
        return RESULT


async def test_the_inputs_reach_the_evaluation_and_its_result_comes_back() -> None:
    evaluator = Flaky([])
    assert await evaluator.evaluate(input="q") == RESULT
    assert evaluator.asked == [{"input": "q"}]


async def test_a_failure_that_may_pass_is_retried() -> None:
    evaluator = Flaky([ConnectionError("refused"), TimeoutError("slow")])
    assert await evaluator.evaluate() == RESULT
    assert len(evaluator.asked) == 3


async def test_after_the_last_attempt_the_failure_is_an_evaluation_error() -> None:
    evaluator = Flaky([ConnectionError("refused")] * 3)
    with pytest.raises(EvaluationError, match="Flaky failed after 3 attempts: refused") as caught:
        await evaluator.evaluate()
    assert isinstance(caught.value.__cause__, ConnectionError)


async def test_a_failure_that_cannot_pass_is_not_retried() -> None:
    evaluator = Flaky([ValueError("no such input")])
    with pytest.raises(ValueError, match="no such input"):
        await evaluator.evaluate()
    assert len(evaluator.asked) == 1


async def test_a_timeout_interrupts_the_evaluation() -> None:
    evaluator = Flaky([], hangs=True, timeout=0.01)
    with pytest.raises(EvaluationError, match=r"Flaky took longer than 0\.01 s"):
        await evaluator.evaluate()
    assert evaluator.interrupted


def test_the_defaults_are_those_of_the_contract() -> None:
    class Plain(BaseEvaluator):
        async def _evaluate_impl(self, **kwargs: object) -> EvaluationResult:
            raise NotImplementedError

    assert (Plain().timeout, Plain().retry_config) == (60.0, RetryConfig())
