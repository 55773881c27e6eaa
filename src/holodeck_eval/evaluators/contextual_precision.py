"""Contextual precision: do the useful chunks stand before the useless ones?"""

from collections.abc import Sequence
from itertools import accumulate
from typing import Protocol, cast

from holodeck_eval.domain.agent import MetricSpec
from holodeck_eval.evaluators.base import EvaluationResult
from holodeck_eval.evaluators.inputs import Inputs
from holodeck_eval.evaluators.judged import JudgedMetric
from holodeck_eval.evaluators.ports import DeepEvalMetric
from holodeck_eval.evaluators.rag import RagEvaluator, Verdict, rag_metric, says
from holodeck_eval.evaluators.toolbox import Toolbox


class _Measured(DeepEvalMetric, Protocol):
    verdicts: Sequence[Verdict]


class ContextualPrecisionEvaluator(RagEvaluator):
    """The mean, over the useful chunks, of the precision at each one's rank.

    Needs `input`, `actual_output`, `expected_output` and a `retrieval_context` in rank order that holds some
    text. `metadata` holds `precision_at_k`: for each rank k from 1, the share of useful chunks up to it.
    """

    metric_name = "ContextualPrecision"
    deepeval_name = "ContextualPrecisionMetric"
    needs = ("input", "actual_output", "expected_output", "retrieval_context")
    judged = ("input", "expected_output", "retrieval_context")

    def _extract_result(self, metric: DeepEvalMetric) -> EvaluationResult:
        useful = [says(verdict, "yes") for verdict in cast("_Measured", metric).verdicts]
        found = list(accumulate(map(int, useful)))
        precision = {k: round(count / k, 6) for k, count in enumerate(found, 1)}
        summary = f"{sum(useful)} of {len(useful)} chunks were useful for the expected answer."
        return self._result(metric, metadata={"precision_at_k": precision}, summary=summary)

    def _check_measured(self, metric: DeepEvalMetric, inputs: Inputs) -> None:
        chunks = inputs.retrieval_context or ()
        self._expect_verdicts(len(chunks), len(cast("_Measured", metric).verdicts), "chunks")


def build(spec: MetricSpec, toolbox: Toolbox) -> JudgedMetric:
    """The evaluator of a `contextual_precision` metric."""
    return rag_metric(ContextualPrecisionEvaluator, spec, toolbox)
