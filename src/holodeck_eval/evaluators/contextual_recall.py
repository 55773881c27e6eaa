"""Contextual recall: does what was retrieved hold all that the expected answer says?"""

from collections.abc import Sequence
from typing import Protocol, cast

from holodeck_eval.domain.agent import MetricSpec
from holodeck_eval.evaluators.base import EvaluationResult
from holodeck_eval.evaluators.judged import JudgedMetric
from holodeck_eval.evaluators.ports import DeepEvalMetric
from holodeck_eval.evaluators.rag import RagEvaluator, Verdict, rag_metric, reasons, says
from holodeck_eval.evaluators.toolbox import Toolbox


class _Measured(DeepEvalMetric, Protocol):
    verdicts: Sequence[Verdict]


class ContextualRecallEvaluator(RagEvaluator):
    """The share of the expected answer's sentences that can be traced to what was retrieved.

    Needs `input`, `actual_output`, `expected_output` and a `retrieval_context` that holds some text.
    `metadata` holds `expected_facts`, `retrieved_facts` and `missing_facts`. The last are the judge's
    reasons: it does not say which sentence it speaks of.
    """

    metric_name = "ContextualRecall"
    deepeval_name = "ContextualRecallMetric"
    needs = ("input", "actual_output", "expected_output", "retrieval_context")
    judged = ("input", "expected_output", "retrieval_context")

    def _extract_result(self, metric: DeepEvalMetric) -> EvaluationResult:
        verdicts = cast("_Measured", metric).verdicts
        if not verdicts:
            raise self._unusable("the judge gave no verdict on the expected output")
        retrieved = sum(says(verdict, "yes") for verdict in verdicts)
        metadata: dict[str, object] = {
            "expected_facts": len(verdicts),
            "retrieved_facts": retrieved,
            "missing_facts": reasons(verdicts, "no"),
        }
        summary = f"{retrieved} of {len(verdicts)} expected facts were retrieved."
        return self._result(metric, metadata=metadata, summary=summary)


def build(spec: MetricSpec, toolbox: Toolbox) -> JudgedMetric:
    """The evaluator of a `contextual_recall` metric."""
    return rag_metric(ContextualRecallEvaluator, spec, toolbox)
