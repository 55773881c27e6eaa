"""The seeds' contract, pinned: every public name, signature and default, the documented example, the rating rule."""

import csv
import inspect
import itertools
import typing
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

import holodeck_eval.evaluators as room
from holodeck_eval.domain.outcome import Part
from holodeck_eval.domain.rating import rate
from holodeck_eval.errors import DeepEvalError, EvaluationError, ProviderNotSupportedError
from holodeck_eval.evaluators import (
    AnswerRelevancyEvaluator,
    BaseEvaluator,
    ContextualPrecisionEvaluator,
    ContextualRecallEvaluator,
    ContextualRelevancyEvaluator,
    DeepEvalBaseEvaluator,
    DeepEvalModelConfig,
    EvaluationResult,
    FaithfulnessEvaluator,
    GEvalEvaluator,
    GEvalGenerationEvaluator,
    ProviderEnum,
    RAGData,
    RetryConfig,
)
from holodeck_eval.evaluators.generation_prompts import PROMPTS
from tests.fakes.evaluation import judge_config
from tests.fakes.judge_double import JudgeDouble

REQUIRED = inspect.Parameter.empty
RAG = [
    AnswerRelevancyEvaluator,
    FaithfulnessEvaluator,
    ContextualRelevancyEvaluator,
    ContextualPrecisionEvaluator,
    ContextualRecallEvaluator,
]


def positional(function: Any) -> list[tuple[str, Any]]:
    """Names and defaults of what can be given by position."""
    parameters = inspect.signature(function).parameters.values()
    return [(each.name, each.default) for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]


@pytest.mark.parametrize(
    "name",
    [
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
        "ProviderEnum",
        "ProviderNotSupportedError",
        "RAGData",
        "RetryConfig",
    ],
)
def test_every_name_of_the_contract_is_there(name: str) -> None:
    assert name in room.__all__
    assert inspect.isclass(getattr(room, name))


def test_the_base_evaluator_takes_what_the_contract_says() -> None:
    assert positional(DeepEvalBaseEvaluator) == [
        ("model_config", None),
        ("threshold", 0.5),
        ("timeout", 60.0),
        ("retry_config", None),
    ]
    assert issubclass(DeepEvalBaseEvaluator, BaseEvaluator)


def test_the_hooks_of_the_base_evaluator_are_those_of_the_contract() -> None:
    assert DeepEvalBaseEvaluator.__abstractmethods__ == {"_create_metric", "_extract_result"}
    assert positional(DeepEvalBaseEvaluator._create_metric) == [("self", REQUIRED)]
    assert positional(DeepEvalBaseEvaluator._extract_result) == [("self", REQUIRED), ("metric", REQUIRED)]
    for hook in (DeepEvalBaseEvaluator._build_test_case, DeepEvalBaseEvaluator._evaluate_impl):
        assert list(inspect.signature(hook).parameters) == ["self", "kwargs"]
    assert inspect.iscoroutinefunction(DeepEvalBaseEvaluator.evaluate)


def test_geval_takes_what_the_contract_says() -> None:
    assert positional(GEvalEvaluator) == [
        ("name", REQUIRED),
        ("criteria", REQUIRED),
        ("evaluation_params", None),
        ("evaluation_steps", None),
        ("model_config", None),
        ("threshold", 0.5),
        ("strict_mode", False),
        ("timeout", 60.0),
        ("retry_config", None),
    ]
    assert GEvalEvaluator("n", "c").needs == ("actual_output",)


@pytest.mark.parametrize("evaluator", RAG)
def test_the_rag_evaluators_take_what_the_contract_says(evaluator: Any) -> None:
    assert positional(evaluator) == [
        ("model_config", None),
        ("threshold", 0.5),
        ("include_reason", True),
        ("timeout", 60.0),
        ("retry_config", None),
    ]
    assert issubclass(evaluator, DeepEvalBaseEvaluator)


@pytest.mark.parametrize(
    ("evaluator", "needs"),
    [
        (AnswerRelevancyEvaluator, ("input", "actual_output")),
        (FaithfulnessEvaluator, ("input", "actual_output", "retrieval_context")),
        (ContextualRelevancyEvaluator, ("input", "actual_output", "retrieval_context")),
        (ContextualPrecisionEvaluator, ("input", "actual_output", "expected_output", "retrieval_context")),
        (ContextualRecallEvaluator, ("input", "actual_output", "expected_output", "retrieval_context")),
    ],
)
def test_the_rag_evaluators_need_the_inputs_of_the_contract(evaluator: Any, needs: tuple[str, ...]) -> None:
    assert evaluator.needs == needs


def test_the_judges_configuration_has_the_fields_and_defaults_of_the_contract() -> None:
    fields = {name: field.default for name, field in DeepEvalModelConfig.model_fields.items()}
    assert fields == {
        "provider": ProviderEnum.OLLAMA,
        "model_name": "gpt-oss:20b",
        "api_key": None,
        "endpoint": None,
        "api_version": "2024-02-15-preview",
        "deployment_name": None,
        "temperature": 0.0,
    }
    assert callable(DeepEvalModelConfig.to_deepeval_model)
    assert callable(DeepEvalModelConfig.validate_provider_requirements)


def test_the_providers_are_texts() -> None:
    assert issubclass(ProviderEnum, str)
    assert issubclass(ProviderEnum, Enum)
    assert {each.name: each.value for each in ProviderEnum} == {
        "OPENAI": "openai",
        "AZURE_OPENAI": "azure_openai",
        "ANTHROPIC": "anthropic",
        "OLLAMA": "ollama",
    }


@pytest.mark.parametrize("temperature", [-0.1, 2.1])
def test_a_temperature_lies_from_0_to_2(temperature: float) -> None:
    with pytest.raises(ValueError, match="temperature"):
        DeepEvalModelConfig(temperature=temperature)


@pytest.mark.parametrize("missing", ["endpoint", "deployment_name", "api_key"])
def test_azure_needs_an_endpoint_a_deployment_and_a_key(missing: str) -> None:
    given = {"endpoint": "https://x.openai.azure.com", "deployment_name": "d", "api_key": "k"}
    with pytest.raises(ValueError, match=missing):
        DeepEvalModelConfig.model_validate({"provider": "azure_openai", **given, missing: None})


def test_retries_are_configured_as_in_the_contract() -> None:
    retry = RetryConfig()
    values = (retry.max_retries, retry.base_delay, retry.max_delay, retry.exponential_base)
    assert values == (3, 2.0, 60.0, 2.0)


def test_the_errors_carry_what_the_contract_says() -> None:
    assert positional(ProviderNotSupportedError) == [
        ("message", REQUIRED),
        ("evaluator_type", REQUIRED),
        ("configured_provider", REQUIRED),
        ("supported_providers", REQUIRED),
    ]
    assert positional(DeepEvalError) == [
        ("message", REQUIRED),
        ("metric_name", REQUIRED),
        ("original_error", None),
        ("test_case_summary", None),
    ]
    assert issubclass(ProviderNotSupportedError, EvaluationError)
    assert issubclass(DeepEvalError, EvaluationError)
    provider = ProviderNotSupportedError("m", "E", "p", ["q"])
    assert (provider.evaluator_type, provider.configured_provider, provider.supported_providers) == (
        "E",
        "p",
        ["q"],
    )
    cause = KeyError("x")
    failed = DeepEvalError("m", "Metric", cause, {"input": "i"})
    assert (failed.metric_name, failed.original_error, failed.test_case_summary) == (
        "Metric",
        cause,
        {"input": "i"},
    )


def test_a_result_has_the_eight_fields_of_the_contract() -> None:
    hints = typing.get_type_hints(EvaluationResult)
    assert hints == {
        "score": float,
        "passed": bool,
        "reasoning": str,
        "metric_name": str,
        "threshold": float,
        "raw_score": float | None,
        "evaluation_steps": list[str] | None,
        "metadata": dict[str, object],
    }


async def test_the_aliases_of_the_contract_are_the_same_inputs(judge_double: JudgeDouble) -> None:
    context = ["X is the definition."]
    evaluator = ContextualPrecisionEvaluator(judge_config(judge_double))
    plain = await evaluator.evaluate(
        input="What is X?", actual_output="X is…", expected_output="X is it.", retrieval_context=context
    )
    sent = [asked.body for asked in judge_double.requests]
    aliased = await evaluator.evaluate(
        query="What is X?", response="X is…", ground_truth="X is it.", retrieval_context=context
    )
    assert aliased == plain
    assert [asked.body for asked in judge_double.requests[len(sent) :]] == sent


@pytest.mark.parametrize(
    ("evaluator", "keys"),
    [
        (FaithfulnessEvaluator, ["claims_count", "supported_claims", "unsupported_claims"]),
        (ContextualRelevancyEvaluator, ["relevant_chunks", "total_chunks", "irrelevant_chunk_indices"]),
        (ContextualPrecisionEvaluator, ["precision_at_k"]),
        (ContextualRecallEvaluator, ["expected_facts", "retrieved_facts", "missing_facts"]),
    ],
)
async def test_the_metadata_has_the_keys_of_the_contract(
    judge_double: JudgeDouble, evaluator: Any, keys: list[str]
) -> None:
    result = await evaluator(judge_config(judge_double)).evaluate(
        input="q", actual_output="a", expected_output="e", retrieval_context=["c"]
    )
    assert list(result["metadata"]) == keys


async def test_gevals_metadata_has_the_keys_of_the_contract(judge_double: JudgeDouble) -> None:
    result = await GEvalEvaluator("n", "c", model_config=judge_config(judge_double)).evaluate(
        actual_output="a"
    )
    assert {"criteria", "auto_generated_steps", "strict_mode"} < set(result["metadata"])


CAPITAL = RAGData(
    query="What is the capital of France?",
    expected_response="Paris",
    generated_response="New York",
    retrieved_context="Paris is the capital of France.",
)
SAID = {
    "completeness": (1, "New York is named where Paris was expected."),
    "groundedness": (1, "The context names Paris, not New York."),
    "redundancy": (1, "One short answer, said once."),
    "language_consistency": (1, "Question and answer are both in English."),
    "refusal_alignment": (1, "Neither the expected nor the actual answer is a refusal."),
}


async def test_the_documented_example_gives_the_documented_result(judge_double: JudgeDouble) -> None:
    def answer(asked: Any) -> dict[str, Any]:
        name = next(name for name, prompt in PROMPTS.items() if prompt.rubric[-1][1] in asked.prompt)
        score, reason = SAID[name]
        return {"score": score, "reason": reason}

    judge_double.answer(answer)
    result = await GEvalGenerationEvaluator(model_config=judge_config(judge_double)).evaluate(CAPITAL)
    expected = {
        "generation": {
            "global_explanation": "The following metrics failed to meet expectations:\n"
            "1. Completeness is 1 (should be 3)\n"
            "2. Groundedness is 1 (should be 3)",
            "relevancy_rating": "bad",
            "score": 0.0,
            "possible_issues": ["Retrieval Issue", "Generation Issue"],
            "binary_score": 0,
            "avg_score": 0.6,
            "completeness": {"score": 1, "explanation": SAID["completeness"][1], "normalized_score": 0.0},
            "groundedness": {"score": 1, "explanation": SAID["groundedness"][1], "normalized_score": 0.0},
            "redundancy": {"score": 1, "explanation": SAID["redundancy"][1], "normalized_score": 1.0},
            "language_consistency": {
                "score": 1,
                "explanation": SAID["language_consistency"][1],
                "success": True,
                "normalized_score": 1.0,
            },
            "refusal_alignment": {
                "score": 1,
                "explanation": SAID["refusal_alignment"][1],
                "success": True,
                "normalized_score": 1.0,
            },
        }
    }
    assert repr(result) == repr(expected)  # the order of the keys and the types of the numbers too


FIVE = ("completeness", "groundedness", "redundancy", "language_consistency", "refusal_alignment")
ROWS = list(itertools.product((1, 2, 3), (1, 2, 3), (1, 2, 3), (0, 1), (0, 1)))


TABLE = list(
    csv.DictReader(
        (Path(__file__).parent / "rating_truth_table.csv").read_text(encoding="utf-8").splitlines()
    )
)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: ",".join(row[name] for name in FIVE))
def test_every_row_of_the_truth_table_is_rated_as_it_says(row: dict[str, str]) -> None:
    parts = [Part(name=name, status="scored", explanation="", score=int(row[name])) for name in FIVE]
    rated = rate(parts)
    assert (rated.relevancy_rating, rated.score) == (row["relevancy_rating"], float(row["score"]))
    assert (rated.binary_score, rated.avg_score) == (int(row["binary_score"]), float(row["avg_score"]))
    assert list(rated.possible_issues) == [issue for issue in row["possible_issues"].split(";") if issue]


def test_the_truth_table_holds_every_combination_once() -> None:
    rows = [tuple(int(row[name]) for name in FIVE) for row in TABLE]
    assert sorted(rows) == sorted(ROWS)
