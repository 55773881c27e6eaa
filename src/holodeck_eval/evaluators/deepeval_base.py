"""What the evaluators on DeepEval share: its test case, a fresh metric a measurement, its errors."""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import Any, ClassVar, Self

from holodeck_eval import judges
from holodeck_eval.errors import DeepEvalError, JudgeError
from holodeck_eval.evaluators.base import BaseEvaluator, EvaluationResult
from holodeck_eval.evaluators.inputs import TEXTS, Inputs, how_to_record
from holodeck_eval.evaluators.markers import sendable
from holodeck_eval.evaluators.ports import DeepEvalMetric, Judges
from holodeck_eval.evaluators.replies import fault_of_number, fault_of_texts
from holodeck_eval.judges._deepeval import load

HEAD = 100
"""Characters kept of each judged text in an error."""

_MISREAD = (ValueError, KeyError, TypeError, AttributeError)
"""What DeepEval raises when a reply is not what it expects."""


class UnusableReplyError(DeepEvalError):
    """The judge's replies were well formed one by one, but do not add up to a score."""


class DeepEvalBaseEvaluator(BaseEvaluator):
    """Base of the evaluators on DeepEval's metrics.

    A subclass names its metric and its needed inputs, and implements `_create_metric` and `_extract_result`.

    Args:
        model_config: the judge; None is Ollama's `gpt-oss:20b` on this machine.
        threshold: lowest passing score, 0.0 to 1.0.
        timeout: seconds one `evaluate` may take, retries included; None for no bound.
        retry_config: how calls, and evaluations whose replies do not add up, are repeated.
        pool: judges to share with other evaluators; None opens one for each `evaluate` and closes it.
    """

    metric_name: str
    needs: tuple[str, ...]

    weighted: ClassVar[bool] = True
    """Whether token probabilities may weight GEval's score."""

    _numbers: tuple[float, float, bool] = (0, 10, False)
    """The lowest and the highest number the judge may say, and whether whole ones alone."""

    _said: float | None = None  # the latest number the judge said; set on the copy an evaluation works with

    def __init__(
        self,
        model_config: judges.DeepEvalModelConfig | None = None,
        threshold: float = 0.5,
        timeout: float | None = 60.0,
        retry_config: judges.RetryConfig | None = None,
        *,
        pool: Judges | None = None,
    ) -> None:
        super().__init__(timeout=timeout, retry_config=retry_config)
        if not 0.0 <= threshold <= 1.0:
            raise ValueError(f"threshold must be from 0.0 to 1.0, not {threshold}")
        self.model_config = model_config or judges.DeepEvalModelConfig()
        self.threshold = threshold
        self._pool = pool
        self._call_retry = retry_config

    @abstractmethod
    def _create_metric(self) -> Any:  # noqa: ANN401 - DeepEval's metrics have no common type of use
        """A fresh DeepEval metric on `self._judge()`."""
        ...

    @abstractmethod
    def _extract_result(self, metric: Any) -> EvaluationResult:  # noqa: ANN401 - as above
        """The result out of a measured metric."""
        ...

    def _build_test_case(self, **kwargs: object) -> Any:  # noqa: ANN401 - DeepEval's LLMTestCase
        """DeepEval's test case, with its file markers defused.

        Args:
            kwargs: `input`/`query`, `actual_output`/`response`, `expected_output`/`ground_truth`, `context`
                and `retrieval_context` (a text or a list of texts).

        Raises:
            ValueError: where a needed input is missing or of the wrong type.
        """
        return self._test_case(self._inputs(kwargs))

    async def _evaluate_impl(self, **kwargs: object) -> EvaluationResult:
        """Evaluate, again where the judge's replies do not add up.

        Raises:
            DeepEvalError: where no score could be had.
            ValueError: where a needed input is missing or of the wrong type.
        """
        inputs = self._inputs(kwargs)
        async with self._at_work() as worker:
            for _ in range(self.retry_config.attempts - 1):
                try:
                    return await worker._measure(inputs)  # noqa: SLF001 - a copy of itself
                except UnusableReplyError:
                    continue
            return await worker._measure(inputs)  # noqa: SLF001 - as above

    def _inputs(self, given: Mapping[str, object]) -> Inputs:
        inputs = Inputs.of(given)
        missing = inputs.missing(self.needs)
        if missing:
            raise ValueError(f"{type(self).__name__}: {how_to_record(missing)}")
        if self._needs_context() and inputs.nothing_retrieved():
            raise ValueError(
                f"{type(self).__name__}: nothing was retrieved, `retrieval_context` holds no text."
            )
        return inputs

    def _needs_context(self) -> bool:
        """Whether a retrieval context without any text is as good as missing."""
        return "retrieval_context" in self.needs

    def _test_case(self, inputs: Inputs) -> object:
        def texts(chunks: tuple[str, ...] | None) -> list[str] | None:
            return None if chunks is None else [sendable(chunk) for chunk in chunks]

        def text(value: str | None) -> str | None:
            return None if value is None else sendable(value)

        case: object = load().LLMTestCase(
            input=sendable(inputs.input or ""),
            actual_output=text(inputs.actual_output),
            expected_output=text(inputs.expected_output),
            context=texts(inputs.context),
            retrieval_context=texts(inputs.retrieval_context),
        )
        return case

    @asynccontextmanager
    async def _at_work(self) -> AsyncIterator[Self]:
        """A copy of this evaluator that has a judge."""
        pool = self._pool or judges.JudgePool(retry=self.retry_config, timeout=None)
        worker = copy.copy(self)
        worker._pool = pool  # noqa: SLF001 - a copy of itself
        try:
            yield worker
        finally:
            if self._pool is None:
                await pool.aclose()

    def _judge(self) -> object:
        """The judge as DeepEval takes it."""
        if self._pool is None:
            raise AssertionError("a metric is created during an evaluation only")
        model: object = self._pool.model(
            self.model_config,
            metric=self.metric_name,
            retry=self._call_retry,
            check=self._check_reply,
            logprobs=self.weighted,
        )
        return model

    async def _measure(self, inputs: Inputs) -> EvaluationResult:
        case = self._test_case(inputs)
        with self._failures(inputs.shown(TEXTS)):
            metric = self._create_metric()
            await metric.a_measure(case, _show_indicator=False)
        self._check_measured(metric, inputs)
        return self._extract_result(metric)

    def _check_reply(self, reply: object) -> str | None:
        """What is wrong with one well-formed reply, as a clause; None where nothing is."""
        fields = dict(reply) if isinstance(reply, Iterable) else {}
        fault = fault_of_texts(fields)
        if fault or "score" not in fields:
            return fault
        self._said = fields["score"]
        low, high, whole = self._numbers
        return fault_of_number(self._said, low, high, whole=whole)

    def _check_measured(self, metric: Any, inputs: Inputs) -> None:  # noqa: ANN401 - as above
        """Hold what was measured against what was given.

        Raises:
            UnusableReplyError: where they do not fit.
        """

    def _expect_verdicts(self, asked: int, given: int, what: str) -> None:
        if asked != given:
            raise self._unusable(f"the judge gave {given} verdicts on {asked} {what}")

    def _result(
        self,
        metric: DeepEvalMetric,
        *,
        metadata: dict[str, object],
        score: float | None = None,
        raw_score: float | None = None,
        summary: str = "The judge gave no reason.",
    ) -> EvaluationResult:
        """The result of a metric; `summary` is the reasoning where the judge gave none."""
        score = round(float(metric.score if score is None else score), 6)
        fault = fault_of_number(score, 0, 1)
        if fault:
            raise self._unusable(f"the whole {fault}")
        return EvaluationResult(
            score=score,
            passed=score >= self.threshold,
            reasoning=(metric.reason or "").strip() or summary,
            metric_name=self.metric_name,
            threshold=self.threshold,
            raw_score=raw_score,
            evaluation_steps=None,
            metadata=metadata,
        )

    @contextmanager
    def _failures(self, judged: Mapping[str, object]) -> Iterator[None]:
        """Turn what the judge and DeepEval raise into DeepEvalError."""
        try:
            yield
        except JudgeError as error:
            began = f"; it began: {error.reply_head!r}" if error.reply_head else ""
            raise DeepEvalError(
                f"{error.message}{began}",
                self.metric_name,
                error,
                {name: str(value)[:HEAD] for name, value in judged.items() if value is not None},
                kind=error.kind,
            ) from error
        except (*_MISREAD, load().DeepEvalError) as error:
            raise self._unusable(f"DeepEval could not read it: {type(error).__name__}", error) from error

    def _unusable(self, fault: str, error: Exception | None = None) -> UnusableReplyError:
        message = f"{self.metric_name}: the judge's replies give no score: {fault}"
        return UnusableReplyError(message, self.metric_name, error, kind="invalid_reply")

    def _timed_out(self, error: TimeoutError) -> DeepEvalError:
        message = f"{self.metric_name} took longer than {self.timeout:g} s"
        return DeepEvalError(message, self.metric_name, error, kind="timeout")
