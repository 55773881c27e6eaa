"""Evaluators: METRICS, the one table of what an agent can be measured by, and the seeds' public classes.

A metric's module, and a class of the contract, is loaded when it is first used: a run loads what its agents
are measured by, and DeepEval's surroundings only where a judge is asked.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Final

from holodeck_eval import judges
from holodeck_eval.domain.agent import MetricSpec
from holodeck_eval.domain.outcome import Evaluator
from holodeck_eval.errors import DeepEvalError, EvaluationError, ProviderNotSupportedError
from holodeck_eval.evaluators.toolbox import Toolbox

if TYPE_CHECKING:
    from holodeck_eval.evaluators.answer_relevancy import AnswerRelevancyEvaluator
    from holodeck_eval.evaluators.base import BaseEvaluator, EvaluationResult, NothingToJudgeError
    from holodeck_eval.evaluators.contextual_precision import ContextualPrecisionEvaluator
    from holodeck_eval.evaluators.contextual_recall import ContextualRecallEvaluator
    from holodeck_eval.evaluators.contextual_relevancy import ContextualRelevancyEvaluator
    from holodeck_eval.evaluators.deepeval_base import DeepEvalBaseEvaluator
    from holodeck_eval.evaluators.faithfulness import FaithfulnessEvaluator
    from holodeck_eval.evaluators.generation import GEvalGenerationEvaluator, RAGData
    from holodeck_eval.evaluators.geval import GEvalEvaluator
    from holodeck_eval.judges import DeepEvalModelConfig, ProviderEnum, RetryConfig

Build = Callable[[MetricSpec, Toolbox], Evaluator]


def _built_in(module: str) -> Build:
    """What a module of this room builds, the module loaded when it first does."""

    def build(spec: MetricSpec, toolbox: Toolbox) -> Evaluator:
        evaluator: Evaluator = import_module(f"{__name__}.{module}").build(spec, toolbox)
        return evaluator

    return build


METRICS: Final[Mapping[str, Build]] = {
    "geval": _built_in("geval_metric"),
    "faithfulness": _built_in("faithfulness"),
    "answer_relevancy": _built_in("answer_relevancy"),
    "contextual_relevancy": _built_in("contextual_relevancy"),
    "contextual_precision": _built_in("contextual_precision"),
    "contextual_recall": _built_in("contextual_recall"),
    "generation": _built_in("generation_metric"),
    "equality": _built_in("equality"),
    "numeric": _built_in("numeric"),
    "expected_tools": _built_in("expected_tools"),
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

_HOMES: Final = {
    "AnswerRelevancyEvaluator": "answer_relevancy",
    "BaseEvaluator": "base",
    "ContextualPrecisionEvaluator": "contextual_precision",
    "ContextualRecallEvaluator": "contextual_recall",
    "ContextualRelevancyEvaluator": "contextual_relevancy",
    "DeepEvalBaseEvaluator": "deepeval_base",
    "EvaluationResult": "base",
    "FaithfulnessEvaluator": "faithfulness",
    "GEvalEvaluator": "geval",
    "GEvalGenerationEvaluator": "generation",
    "NothingToJudgeError": "base",
    "RAGData": "generation",
}
_OF_JUDGES: Final = ("DeepEvalModelConfig", "ProviderEnum", "RetryConfig")


def __getattr__(name: str) -> object:
    if name in _OF_JUDGES:
        return getattr(judges, name)
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
