"""Answer relevancy: does what the answer says bear on the question?"""

from collections.abc import Sequence
from typing import Protocol, cast

from holodeck_eval.domain.agent import MetricSpec
from holodeck_eval.evaluators.base import EvaluationResult, NothingToJudgeError
from holodeck_eval.evaluators.judged import JudgedMetric
from holodeck_eval.evaluators.ports import DeepEvalMetric
from holodeck_eval.evaluators.rag import RagEvaluator, Verdict, rag_metric, says
from holodeck_eval.evaluators.toolbox import Toolbox


class _Measured(DeepEvalMetric, Protocol):
    statements: Sequence[str]
    verdicts: Sequence[Verdict]


class AnswerRelevancyEvaluator(RagEvaluator):
    """The share of the answer's statements that bear on the question.

    Needs `input` and `actual_output`. `metadata` holds `statements_count`, `relevant_statements` and
    `irrelevant_statements` (their texts).
    """

    metric_name = "AnswerRelevancy"
    deepeval_name = "AnswerRelevancyMetric"
    needs = ("input", "actual_output")
    judged = needs

    def _extract_result(self, metric: DeepEvalMetric) -> EvaluationResult:
        measured = cast("_Measured", metric)
        statements, verdicts = list(measured.statements), measured.verdicts
        self._expect_verdicts(len(statements), len(verdicts), "statements")
        irrelevant = [text for text, verdict in zip(statements, verdicts, strict=True) if says(verdict, "no")]
        relevant = len(statements) - len(irrelevant)
        metadata: dict[str, object] = {
            "statements_count": len(statements),
            "relevant_statements": relevant,
            "irrelevant_statements": irrelevant,
        }
        if not statements:
            raise NothingToJudgeError(
                "Nothing to judge: the judge found no statement in the answer.", metadata
            )
        summary = f"{relevant} of {len(statements)} statements bear on the question."
        return self._result(metric, metadata=metadata, summary=summary)


def build(spec: MetricSpec, toolbox: Toolbox) -> JudgedMetric:
    """The evaluator of a `answer_relevancy` metric."""
    return rag_metric(AnswerRelevancyEvaluator, spec, toolbox)
