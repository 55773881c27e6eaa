"""GEvalGenerationEvaluator as a library: what is asked, what comes back."""

import json
from typing import Any

import pytest

from holodeck_eval.errors import LimitReachedError
from holodeck_eval.evaluators import GEvalGenerationEvaluator, RAGData, RetryConfig
from holodeck_eval.evaluators.generation_prompts import PROMPTS
from holodeck_eval.judges import JudgePool
from tests.fakes.evaluation import PROVIDERS, judge_config
from tests.fakes.judge_double import JudgeDouble
from tests.fakes.judge_wire import Asked, Reply

NAMES = list(PROMPTS)
GOOD = {
    "completeness": 3,
    "groundedness": 3,
    "redundancy": 1,
    "language_consistency": 1,
    "refusal_alignment": 1,
}
DATA = RAGData(
    query="What does it cost?",
    generated_response="Ten a month.",
    expected_response="10 per month.",
    retrieved_context=["Basic costs ten dollars.", "Pro: 25 per month."],
)
ONCE = RetryConfig(max_retries=1)


def part_of(asked: Asked) -> str:
    """Which of the five a request is."""
    return next(name for name, prompt in PROMPTS.items() if prompt.rubric[-1][1] in asked.prompt)


def scores(**changes: Any) -> Any:
    said = GOOD | changes
    return lambda asked: {"score": said[part_of(asked)], "reason": f"on {part_of(asked)}"}


def without(**changes: Any) -> RAGData:
    fields = ("query", "generated_response", "expected_response", "retrieved_context", "is_refusal")
    return RAGData(**({name: getattr(DATA, name) for name in fields} | changes))


async def rated(double: JudgeDouble, data: RAGData = DATA, **options: Any) -> dict[str, Any]:
    evaluator = GEvalGenerationEvaluator(judge_config(double), **({"retry_config": ONCE} | options))
    return (await evaluator.evaluate(data))["generation"]


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_each_metric_is_one_call_by_schema_and_a_good_answer_is_good(
    judge_double: JudgeDouble, provider: str
) -> None:
    judge_double.answer(scores())
    result = await GEvalGenerationEvaluator(judge_config(judge_double, provider)).evaluate(DATA)
    assert list(result) == ["generation"]
    assert result["generation"]["relevancy_rating"] == "good"
    assert sorted(map(part_of, judge_double.requests)) == sorted(NAMES)
    assert not any(asked.body.get("logprobs") for asked in judge_double.requests)
    if provider in ("openai", "azure_openai", "ollama"):
        assert {asked.schema_name for asked in judge_double.requests} == {"ReasonScore"}


async def test_each_metric_is_shown_its_inputs_its_steps_and_its_rubric(judge_double: JudgeDouble) -> None:
    judge_double.answer(scores())
    await rated(judge_double)
    texts = {
        "input": "What does it cost?",
        "actual_output": "Ten a month.",
        "expected_output": "10 per month.",
        "retrieval_context": "Pro: 25 per month.",
    }
    for asked in judge_double.requests:
        prompt = PROMPTS[part_of(asked)]
        for field, text in texts.items():
            shown = text in asked.prompt.partition("Test Case:")[2]
            assert shown is (field in prompt.needs)
        for score, meaning in prompt.rubric:
            assert f"{score}: {meaning}" in asked.prompt
        for number, step in enumerate(prompt.steps, 1):
            assert f"{number}. {step}" in asked.prompt


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("completeness", 0),
        ("completeness", 4),
        ("completeness", 2.6),
        ("redundancy", "high"),
        ("language_consistency", 2),
        ("language_consistency", 0.5),
        ("refusal_alignment", -1),
        ("groundedness", True),
        ("groundedness", None),
    ],
)
async def test_a_number_off_the_rubric_is_an_error_and_leaves_no_rating(
    judge_double: JudgeDouble, name: str, said: object
) -> None:
    judge_double.answer(scores(**{name: said}))
    result = await rated(judge_double, retry_config=RetryConfig(max_retries=2))
    assert result[name] is None
    assert list(result["errors"]) == [name]
    assert (result["relevancy_rating"], result["score"], result["binary_score"]) == (None, None, None)
    assert result["avg_score"] == 1.0
    assert f"1. {name.replace('_', ' ').title()} could not be judged" in result["global_explanation"]
    assert [part_of(asked) for asked in judge_double.requests].count(name) == 2


async def test_a_second_number_that_fits_is_taken(judge_double: JudgeDouble) -> None:
    judge_double.answer_next({"score": 2.6, "reason": "between"}, {"score": 2, "reason": "half"})
    result = await rated(judge_double, metrics=["completeness"], retry_config=RetryConfig(max_retries=2))
    assert result["completeness"] == {"score": 2, "explanation": "half", "normalized_score": 0.5}
    assert type(result["completeness"]["score"]) is int


async def test_without_an_expected_response_two_metrics_are_skipped_with_the_reason(
    judge_double: JudgeDouble,
) -> None:
    judge_double.answer(scores())
    result = await rated(judge_double, without(expected_response=None))
    assert result["skipped"] == {
        "completeness": "`expected_response` not given",
        "refusal_alignment": "`expected_response` not given",
    }
    assert (result["completeness"], result["refusal_alignment"]) == (None, None)
    assert (result["relevancy_rating"], result["avg_score"]) == ("good", 1.0)


async def test_without_a_context_groundedness_is_skipped(judge_double: JudgeDouble) -> None:
    judge_double.answer(scores())
    result = await rated(judge_double, without(retrieved_context=None))
    assert list(result["skipped"]) == ["groundedness"]
    assert "errors" not in result


@pytest.mark.parametrize(("context", "shown"), [([], "[]"), ("", "['']")])
async def test_an_empty_context_is_judged_and_the_rubric_says_how(
    judge_double: JudgeDouble, context: object, shown: str
) -> None:
    judge_double.answer(scores(groundedness=1))
    result = await rated(judge_double, without(retrieved_context=context), metrics=["groundedness"])
    assert result["groundedness"]["score"] == 1
    assert f"Retrieval Context:\n{shown}" in judge_double.last.prompt
    assert "nothing was retrieved and no statement is supported" in judge_double.last.prompt


@pytest.mark.parametrize(
    ("is_refusal", "told"), [(True, "a refusal is expected"), (False, "an answer, not a refusal is expected")]
)
async def test_a_known_refusal_status_is_told_and_needs_no_expected_response(
    judge_double: JudgeDouble, *, is_refusal: bool, told: str
) -> None:
    judge_double.answer(scores())
    data = without(expected_response=None, is_refusal=is_refusal)
    result = await rated(judge_double, data, metrics=["refusal_alignment"])
    assert result["refusal_alignment"]["success"] is True
    assert told in judge_double.last.prompt
    assert "Decide whether the Expected Output is a refusal" not in judge_double.last.prompt


async def test_a_known_refusal_status_comes_beside_an_expected_response(judge_double: JudgeDouble) -> None:
    judge_double.answer(scores())
    await rated(judge_double, without(is_refusal=True), metrics=["refusal_alignment"])
    assert "a refusal is expected" in judge_double.last.prompt
    assert "10 per month." in judge_double.last.prompt


async def test_some_metrics_can_be_chosen_and_keep_their_order(judge_double: JudgeDouble) -> None:
    judge_double.answer(scores(redundancy=2))
    result = await rated(judge_double, metrics=["redundancy", "completeness"])
    assert list(result)[6:] == ["completeness", "redundancy"]
    assert (result["avg_score"], result["relevancy_rating"]) == (0.75, "incomplete")
    assert len(judge_double.requests) == 2


async def test_markers_are_defused(judge_double: JudgeDouble) -> None:
    judge_double.answer(scores())
    marker = "[DEEPEVAL:PDF:/etc/hostname]"
    result = await rated(
        judge_double, RAGData(query=marker, generated_response=marker, expected_response=marker)
    )
    assert result["relevancy_rating"] == "good"
    assert not any("[DEEPEVAL" in asked.prompt for asked in judge_double.requests)


async def test_a_judge_that_is_down_leaves_every_metric_an_error(judge_double: JudgeDouble) -> None:
    judge_double.answer(Reply(status=500))
    result = await rated(judge_double)
    assert list(result["errors"]) == NAMES
    assert result["avg_score"] is None
    assert result["possible_issues"] == []


async def test_a_used_up_budget_ends_the_evaluation(judge_double: JudgeDouble) -> None:
    judge_double.answer(scores())
    pool = JudgePool(max_tokens=1, max_concurrency=1)
    with pytest.raises(LimitReachedError):
        await rated(judge_double, pool=pool)
    await pool.aclose()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"query": None}, "RAGData needs `query`"),
        ({"generated_response": " "}, "RAGData needs `generated_response`"),
        ({"query": 3}, "`input` must be a text"),
        ({"retrieved_context": [1]}, "`retrieval_context` must be a text or a list of texts"),
    ],
)
async def test_data_that_cannot_be_judged_is_refused(
    judge_double: JudgeDouble, changes: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        await rated(judge_double, without(**changes))
    assert judge_double.requests == []


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"metrics": ["complete"]}, "metrics must be some of completeness, .*, not complete"),
        ({"metrics": []}, "not none"),
        ({"threshold": 1.5}, "threshold must be from"),
        ({"min_rating": "fine"}, "min_rating must be one of bad, incomplete, good"),
    ],
)
def test_a_configuration_that_makes_no_sense_is_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        GEvalGenerationEvaluator(**options)


@pytest.mark.parametrize(
    ("options", "average", "rating", "passes"),
    [
        ({}, 1.0, "good", True),
        ({}, 0.9, "incomplete", False),
        ({"min_rating": "incomplete"}, 0.9, "incomplete", True),
        ({"min_rating": "incomplete"}, 0.6, "bad", False),
        ({"min_rating": "bad"}, 0.6, "bad", True),
        ({}, 1.0, None, None),
        ({"threshold": 0.6}, 0.6, "bad", True),
        ({"threshold": 0.61}, 0.6, "good", False),
        ({"threshold": 0.5}, None, None, None),
    ],
)
def test_an_answer_passes_by_its_threshold_or_its_rating(
    options: dict[str, Any], average: float | None, rating: str | None, *, passes: bool | None
) -> None:
    result: dict[str, dict[str, object]] = {"generation": {"avg_score": average, "relevancy_rating": rating}}
    assert GEvalGenerationEvaluator(**options).passes(result) is passes


async def test_the_result_is_json(judge_double: JudgeDouble) -> None:
    judge_double.answer(scores(completeness=1))
    result = await rated(judge_double, without(retrieved_context=None))
    assert json.loads(json.dumps(result)) == result


async def test_a_shared_pool_stays_open(judge_double: JudgeDouble) -> None:
    judge_double.answer(scores())
    pool = JudgePool(max_concurrency=1)
    for _ in range(2):
        await rated(judge_double, pool=pool)
    assert judge_double.connections == 1
    await pool.aclose()
