"""Evaluators: the seeds' public classes, and METRICS, the one table of what an agent can be measured by."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from holodeck_eval import judges
from holodeck_eval.domain.agent import MetricSpec
from holodeck_eval.domain.outcome import Evaluator
from holodeck_eval.errors import DeepEvalError, EvaluationError, ProviderNotSupportedError
from holodeck_eval.evaluators import (
    answer_relevancy,
    contextual_precision,
    contextual_recall,
    contextual_relevancy,
    equality,
    expected_tools,
    faithfulness,
    generation_metric,
    geval_metric,
    numeric,
)
from holodeck_eval.evaluators.answer_relevancy import AnswerRelevancyEvaluator
from holodeck_eval.evaluators.base import BaseEvaluator, EvaluationResult, NothingToJudgeError
from holodeck_eval.evaluators.contextual_precision import ContextualPrecisionEvaluator
from holodeck_eval.evaluators.contextual_recall import ContextualRecallEvaluator
from holodeck_eval.evaluators.contextual_relevancy import ContextualRelevancyEvaluator
from holodeck_eval.evaluators.deepeval_base import DeepEvalBaseEvaluator
from holodeck_eval.evaluators.faithfulness import FaithfulnessEvaluator
from holodeck_eval.evaluators.generation import GEvalGenerationEvaluator, RAGData
from holodeck_eval.evaluators.geval import GEvalEvaluator
from holodeck_eval.evaluators.toolbox import Toolbox

if TYPE_CHECKING:
    from holodeck_eval.judges import DeepEvalModelConfig, ProviderEnum, RetryConfig

METRICS: Final[Mapping[str, Callable[[MetricSpec, Toolbox], Evaluator]]] = {
    "geval": geval_metric.build,
    "faithfulness": faithfulness.build,
    "answer_relevancy": answer_relevancy.build,
    "contextual_relevancy": contextual_relevancy.build,
    "contextual_precision": contextual_precision.build,
    "contextual_recall": contextual_recall.build,
    "generation": generation_metric.build,
    "equality": equality.build,
    "numeric": numeric.build,
    "expected_tools": expected_tools.build,
}
"""What makes the evaluator of a configured metric, by the metric's type."""

__all__ = [
    "METRICS",
    "AnswerRelevancyEvaluator",
    "BaseEvaluator",
    "ContextualPrecisionEvaluator",
    "ContextualRecallEvaluator",
    "ContextualRelevancyEvaluator",
    "DeepEvalBaseEvaluator",
    "DeepEvalError",
    "DeepEvalModelConfig",
    "EvaluationError",
    "EvaluationResult",
    "FaithfulnessEvaluator",
    "GEvalEvaluator",
    "GEvalGenerationEvaluator",
    "NothingToJudgeError",
    "ProviderEnum",
    "ProviderNotSupportedError",
    "RAGData",
    "RetryConfig",
    "Toolbox",
]

_OF_JUDGES: Final = ("DeepEvalModelConfig", "ProviderEnum", "RetryConfig")


def __getattr__(name: str) -> object:
    """The seeds' names that live with the judges, which are loaded only where a judge is needed."""
    if name in _OF_JUDGES:
        return getattr(judges, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
