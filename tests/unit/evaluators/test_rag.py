"""The metadata of the five RAG evaluators, and when there is nothing to judge."""

from typing import Any

import pytest

from holodeck_eval.errors import DeepEvalError
from holodeck_eval.evaluators import (
    AnswerRelevancyEvaluator,
    ContextualPrecisionEvaluator,
    ContextualRecallEvaluator,
    ContextualRelevancyEvaluator,
    FaithfulnessEvaluator,
    NothingToJudgeError,
)
from tests.fakes.evaluation import judge_config
from tests.fakes.judge_answers import sensible
from tests.fakes.judge_double import JudgeDouble
from tests.fakes.judge_wire import Asked

INPUTS: dict[str, Any] = {
    "input": "What does it cost?",
    "actual_output": "It costs ten a month and comes with a dog.",
    "expected_output": "Ten a month. Support is included.",
    "retrieval_context": ["Basic costs 10.", "Founded in 2020."],
}


def verdicts(*words: str, **more: Any) -> dict[str, Any]:
    return {"verdicts": [{"verdict": word, "reason": f"said {word}", **more} for word in words]}


def by_schema(**answers: dict[str, Any]) -> Any:
    return lambda asked: answers.get(asked.schema_name or "", sensible(asked))


async def test_faithfulness_counts_claims_and_names_the_unsupported(judge_double: JudgeDouble) -> None:
    claims = {"claims": ["costs ten", "comes with a dog", "might be good", "is monthly"]}
    judge_double.answer(by_schema(Claims=claims, Verdicts=verdicts("yes", "no", "borderline", "yes")))
    result = await FaithfulnessEvaluator(judge_config(judge_double), threshold=0.8).evaluate(**INPUTS)
    assert (result["score"], result["passed"]) == (0.75, False)
    assert result["metadata"] == {
        "claims_count": 4,
        "supported_claims": 3,
        "unsupported_claims": ["comes with a dog"],
    }


@pytest.mark.parametrize(
    ("answers", "lacking"),
    [
        ({"Claims": {"claims": []}}, "claim in the answer"),
        ({"Truths": {"truths": []}}, "fact in the retrieval context"),
    ],
)
async def test_faithfulness_has_nothing_to_judge_without_claims_or_facts(
    judge_double: JudgeDouble, answers: dict[str, Any], lacking: str
) -> None:
    judge_double.answer(by_schema(**answers))
    with pytest.raises(
        NothingToJudgeError, match=f"Nothing to judge: the judge found no {lacking}"
    ) as caught:
        await FaithfulnessEvaluator(judge_config(judge_double)).evaluate(**INPUTS)
    assert caught.value.details["claims_count"] == (0 if "Claims" in answers else 2)


async def test_answer_relevancy_names_the_irrelevant_statements(judge_double: JudgeDouble) -> None:
    judge_double.answer(
        by_schema(Statements={"statements": ["ten", "a dog"]}, Verdicts=verdicts("yes", "no"))
    )
    result = await AnswerRelevancyEvaluator(judge_config(judge_double)).evaluate(**INPUTS)
    assert (result["score"], result["passed"]) == (0.5, True)
    assert result["metadata"] == {
        "statements_count": 2,
        "relevant_statements": 1,
        "irrelevant_statements": ["a dog"],
    }


async def test_answer_relevancy_has_nothing_to_judge_without_statements(judge_double: JudgeDouble) -> None:
    judge_double.answer(by_schema(Statements={"statements": []}))
    with pytest.raises(NothingToJudgeError, match="no statement in the answer"):
        await AnswerRelevancyEvaluator(judge_config(judge_double)).evaluate(**INPUTS)


async def test_contextual_relevancy_scores_statements_and_counts_chunks(judge_double: JudgeDouble) -> None:
    def answer(asked: Asked) -> dict[str, Any]:
        if "Basic costs 10." in asked.prompt and asked.schema_name == "ContextualRelevancyVerdicts":
            return verdicts("yes", "no", "yes", statement="s")
        return verdicts("no", statement="s") if "Founded" in asked.prompt else sensible(asked)

    judge_double.answer(answer)
    result = await ContextualRelevancyEvaluator(judge_config(judge_double)).evaluate(**INPUTS)
    assert result["score"] == 0.5
    assert result["metadata"] == {"relevant_chunks": 1, "total_chunks": 2, "irrelevant_chunk_indices": [1]}


async def test_contextual_relevancy_has_nothing_to_judge_where_no_chunk_says_anything(
    judge_double: JudgeDouble,
) -> None:
    judge_double.answer(by_schema(ContextualRelevancyVerdicts={"verdicts": []}))
    with pytest.raises(NothingToJudgeError, match="no statement in the retrieval context"):
        await ContextualRelevancyEvaluator(judge_config(judge_double)).evaluate(**INPUTS)


async def test_contextual_precision_gives_the_precision_at_each_rank(judge_double: JudgeDouble) -> None:
    judge_double.answer(by_schema(Verdicts=verdicts("no", "yes", "yes")))
    three = INPUTS | {"retrieval_context": ["a", "b", "c"]}
    result = await ContextualPrecisionEvaluator(judge_config(judge_double)).evaluate(**three)
    assert result["metadata"] == {"precision_at_k": {1: 0.0, 2: 0.5, 3: 0.666667}}
    assert result["score"] == 0.583333


async def test_contextual_precision_needs_a_verdict_on_every_chunk(judge_double: JudgeDouble) -> None:
    judge_double.answer(by_schema(Verdicts=verdicts("yes", "yes", "yes")))
    with pytest.raises(DeepEvalError, match="3 verdicts on 2 chunks") as caught:
        await ContextualPrecisionEvaluator(judge_config(judge_double)).evaluate(**INPUTS)
    assert caught.value.kind == "invalid_reply"
    assert len(judge_double.requests) == 6


async def test_contextual_recall_counts_facts_and_gives_the_reasons_of_the_missing(
    judge_double: JudgeDouble,
) -> None:
    judge_double.answer(by_schema(Verdicts=verdicts("yes", "no", "yes")))
    result = await ContextualRecallEvaluator(judge_config(judge_double)).evaluate(**INPUTS)
    assert result["score"] == 0.666667
    assert result["metadata"] == {"expected_facts": 3, "retrieved_facts": 2, "missing_facts": ["said no"]}


async def test_contextual_recall_without_any_verdict_is_an_invalid_reply(judge_double: JudgeDouble) -> None:
    judge_double.answer(by_schema(Verdicts={"verdicts": []}))
    with pytest.raises(DeepEvalError, match="no verdict on the expected output") as caught:
        await ContextualRecallEvaluator(judge_config(judge_double)).evaluate(**INPUTS)
    assert caught.value.kind == "invalid_reply"


async def test_a_threshold_is_met_by_a_score_that_rounds_to_it(judge_double: JudgeDouble) -> None:
    judge_double.answer(by_schema(Verdicts=verdicts("yes", "no", "yes")))
    evaluator = ContextualRecallEvaluator(judge_config(judge_double), threshold=0.666667)
    assert (await evaluator.evaluate(**INPUTS))["passed"] is True
