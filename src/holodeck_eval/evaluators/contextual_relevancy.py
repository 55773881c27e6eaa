"""Contextual relevancy: is what was retrieved about the question?"""

from collections.abc import Sequence
from typing import Protocol, cast

from holodeck_eval.domain.agent import MetricSpec
from holodeck_eval.evaluators.base import EvaluationResult, NothingToJudgeError
from holodeck_eval.evaluators.judged import JudgedMetric
from holodeck_eval.evaluators.ports import DeepEvalMetric
from holodeck_eval.evaluators.rag import RagEvaluator, Verdict, rag_metric, says
from holodeck_eval.evaluators.toolbox import Toolbox


class _Chunk(Protocol):
    verdicts: Sequence[Verdict]


class _Measured(DeepEvalMetric, Protocol):
    verdicts_list: Sequence[_Chunk]


class ContextualRelevancyEvaluator(RagEvaluator):
    """The share of the statements in the retrieved chunks that bear on the question.

    Needs `input`, `actual_output` and a `retrieval_context` that holds some text. The score counts
    statements; `metadata` counts chunks: `relevant_chunks` (with at least one statement that bears on the
    question), `total_chunks` and `irrelevant_chunk_indices` (from 0).
    """

    metric_name = "ContextualRelevancy"
    deepeval_name = "ContextualRelevancyMetric"
    needs = ("input", "actual_output", "retrieval_context")
    judged = ("input", "retrieval_context")

    def _extract_result(self, metric: DeepEvalMetric) -> EvaluationResult:
        chunks = [chunk.verdicts for chunk in cast("_Measured", metric).verdicts_list]
        irrelevant = [
            index
            for index, verdicts in enumerate(chunks)
            if not any(says(verdict, "yes") for verdict in verdicts)
        ]
        metadata: dict[str, object] = {
            "relevant_chunks": len(chunks) - len(irrelevant),
            "total_chunks": len(chunks),
            "irrelevant_chunk_indices": irrelevant,
        }
        if not any(chunks):
            raise NothingToJudgeError(
                "Nothing to judge: the judge found no statement in the retrieval context.", metadata
            )
        summary = f"{len(chunks) - len(irrelevant)} of {len(chunks)} chunks bear on the question."
        return self._result(metric, metadata=metadata, summary=summary)


def build(spec: MetricSpec, toolbox: Toolbox) -> JudgedMetric:
    """The evaluator of a `contextual_relevancy` metric."""
    return rag_metric(ContextualRelevancyEvaluator, spec, toolbox)
