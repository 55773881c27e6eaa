"""What the five RAG evaluators share: `include_reason`, and how verdicts become a result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol

from holodeck_eval import judges
from holodeck_eval.domain.agent import MetricSpec, RagOptions
from holodeck_eval.evaluators.base import EvaluationResult
from holodeck_eval.evaluators.deepeval_base import DeepEvalBaseEvaluator
from holodeck_eval.evaluators.inputs import Inputs
from holodeck_eval.evaluators.judged import JudgedMetric, judge_of
from holodeck_eval.evaluators.ports import DeepEvalMetric, Judges
from holodeck_eval.evaluators.toolbox import Toolbox, retry_of
from holodeck_eval.judges._deepeval import load


class Verdict(Protocol):
    """A verdict of DeepEval: `yes`, `no` or `borderline`, and why."""

    verdict: str
    reason: str | None


class RagEvaluator(DeepEvalBaseEvaluator):
    """Base of the five; a subclass names DeepEval's metric and reads its verdicts.

    Attributes:
        judged: the inputs its scores depend on, which is what a recorded verdict is kept under.
    """

    deepeval_name: ClassVar[str]
    judged: ClassVar[tuple[str, ...]]

    def __init__(
        self,
        model_config: judges.DeepEvalModelConfig | None = None,
        threshold: float = 0.5,
        include_reason: bool = True,  # noqa: FBT001, FBT002 - the seeds' signature
        timeout: float | None = 60.0,
        retry_config: judges.RetryConfig | None = None,
        *,
        pool: Judges | None = None,
    ) -> None:
        super().__init__(model_config, threshold, timeout, retry_config, pool=pool)
        self.include_reason = include_reason

    def _create_metric(self) -> DeepEvalMetric:
        metric: DeepEvalMetric = getattr(load(), self.deepeval_name)(
            model=self._judge(), include_reason=self.include_reason, eval_mode="llm"
        )
        return metric


def rag_metric(evaluator: type[RagEvaluator], spec: MetricSpec, toolbox: Toolbox) -> JudgedMetric:
    """The gate's metric on one of the five evaluators."""
    include_reason = spec.options.include_reason if isinstance(spec.options, RagOptions) else True

    async def ask(inputs: Inputs, pool: Judges) -> EvaluationResult:
        asked = evaluator(
            judges.DeepEvalModelConfig.from_spec(judge_of(spec)),
            include_reason=include_reason,
            timeout=None,  # each call has its own
            retry_config=retry_of(spec),
            pool=pool,
        )
        return await asked.evaluate(**inputs.arguments())

    return JudgedMetric(
        spec=spec,
        toolbox=toolbox,
        needs=evaluator.needs,
        judged=evaluator.judged,
        configuration={"include_reason": include_reason},
        ask=ask,
    )


def says(verdict: Verdict, word: str) -> bool:
    """Whether a verdict is this word."""
    return str(verdict.verdict) == word


def reasons(verdicts: Sequence[Verdict], word: str) -> list[str]:
    """The reasons of the verdicts that are this word."""
    return [verdict.reason or "(no reason given)" for verdict in verdicts if says(verdict, word)]
