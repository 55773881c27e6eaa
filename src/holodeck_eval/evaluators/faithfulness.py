"""Faithfulness: does the answer stay with what was retrieved?"""

from collections.abc import Sequence
from typing import Protocol, cast

from holodeck_eval.domain.agent import MetricSpec
from holodeck_eval.evaluators.base import EvaluationResult, NothingToJudgeError
from holodeck_eval.evaluators.judged import JudgedMetric
from holodeck_eval.evaluators.ports import DeepEvalMetric
from holodeck_eval.evaluators.rag import RagEvaluator, Verdict, rag_metric, says
from holodeck_eval.evaluators.toolbox import Toolbox


class _Measured(DeepEvalMetric, Protocol):
    claims: Sequence[str]
    truths: Sequence[str]
    verdicts: Sequence[Verdict]


class FaithfulnessEvaluator(RagEvaluator):
    """The share of the answer's claims that what was retrieved does not contradict.

    Needs `input`, `actual_output` and a `retrieval_context` that holds some text. An answer without
    claims, or a context without facts, is NothingToJudgeError, where DeepEval would say 1.0. `metadata`
    holds `claims_count`, `supported_claims` and `unsupported_claims` (their texts); a claim the judge calls
    borderline counts as supported, as in DeepEval.
    """

    metric_name = "Faithfulness"
    deepeval_name = "FaithfulnessMetric"
    needs = ("input", "actual_output", "retrieval_context")
    judged = needs

    def _extract_result(self, metric: DeepEvalMetric) -> EvaluationResult:
        measured = cast("_Measured", metric)
        claims, verdicts = list(measured.claims), measured.verdicts
        self._expect_verdicts(len(claims), len(verdicts), "claims")
        unsupported = [claim for claim, verdict in zip(claims, verdicts, strict=True) if says(verdict, "no")]
        supported = len(claims) - len(unsupported)
        metadata: dict[str, object] = {
            "claims_count": len(claims),
            "supported_claims": supported,
            "unsupported_claims": unsupported,
        }
        if not claims or not measured.truths:
            lacking = "claim in the answer" if not claims else "fact in the retrieval context"
            raise NothingToJudgeError(f"Nothing to judge: the judge found no {lacking}.", metadata)
        summary = f"{supported} of {len(claims)} claims are not contradicted by what was retrieved."
        return self._result(metric, metadata=metadata, summary=summary)


def build(spec: MetricSpec, toolbox: Toolbox) -> JudgedMetric:
    """The evaluator of a `faithfulness` metric."""
    return rag_metric(FaithfulnessEvaluator, spec, toolbox)
