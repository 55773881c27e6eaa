"""GEval: criteria, steps, probabilities, strictness, and numbers that are none."""

import asyncio
from typing import Any

import pytest

from holodeck_eval.errors import DeepEvalError
from holodeck_eval.evaluators import GEvalEvaluator, RetryConfig
from tests.fakes.evaluation import PROVIDERS, judge_config
from tests.fakes.judge_double import JudgeDouble
from tests.fakes.judge_wire import Reply

INPUTS: dict[str, Any] = {"input": "Write to my boss.", "actual_output": "Yo boss, what is up."}
STEPS = ["Look at the tone.", "Score it."]
ONCE = RetryConfig(max_retries=1)


def geval(
    double: JudgeDouble, provider: str = "openai", model: str | None = None, **options: Any
) -> GEvalEvaluator:
    given: dict[str, Any] = {"name": "Tone", "criteria": "Is it polite?", "evaluation_steps": STEPS}
    return GEvalEvaluator(model_config=judge_config(double, provider, model), **(given | options))


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_given_steps_cost_one_call_and_are_sent(judge_double: JudgeDouble, provider: str) -> None:
    judge_double.answer({"score": 7, "reason": "a bit loose"})
    result = await geval(judge_double, provider).evaluate(**INPUTS)
    assert len(judge_double.requests) == 1
    assert "1. Look at the tone." in judge_double.last.prompt
    assert result["evaluation_steps"] == STEPS
    assert (result["score"], result["raw_score"], result["reasoning"]) == (0.7, 7.0, "a bit loose")
    assert result["metadata"] == {
        "criteria": "Is it polite?",
        "auto_generated_steps": False,
        "strict_mode": False,
        "score_source": "logprobs" if "openai" in provider else "judge",
    }


async def test_probabilities_weight_the_score_where_the_judge_gives_them(judge_double: JudgeDouble) -> None:
    text = '{"reason": "fine", "score": 8}'
    judge_double.answer(Reply(text=text, logprobs={"8": 0.7, "7": 0.2, "9": 0.1}))
    result = await geval(judge_double).evaluate(**INPUTS)
    assert (result["score"], result["raw_score"]) == (0.79, 8.0)
    assert result["metadata"]["score_source"] == "logprobs"


async def test_a_model_without_probabilities_scores_as_it_says(judge_double: JudgeDouble) -> None:
    judge_double.answer({"score": 8, "reason": "fine"})
    result = await geval(judge_double, model="gpt-5-mini").evaluate(**INPUTS)
    assert (result["score"], result["metadata"]["score_source"]) == (0.8, "judge")
    assert judge_double.last.schema_name == "ReasonScore"


async def test_probabilities_that_cannot_be_used_leave_the_score_as_said(judge_double: JudgeDouble) -> None:
    judge_double.answer(Reply(text='{"reason": "fine", "score": 7.5}'))
    result = await geval(judge_double).evaluate(**INPUTS)
    assert (result["score"], result["metadata"]["score_source"]) == (0.75, "judge")


async def test_steps_that_are_not_given_are_generated(judge_double: JudgeDouble) -> None:
    judge_double.answer_next({"steps": ["Look.", "Think."]}, {"score": 4, "reason": "meh"})
    result = await geval(judge_double, evaluation_steps=None).evaluate(**INPUTS)
    assert result["evaluation_steps"] == ["Look.", "Think."]
    assert result["metadata"]["auto_generated_steps"] is True
    assert len(judge_double.requests) == 2


async def test_steps_can_be_generated_alone(judge_double: JudgeDouble) -> None:
    judge_double.answer_next({"steps": ["Look.", "Think."]})
    assert await geval(judge_double, evaluation_steps=None).generate_steps() == ["Look.", "Think."]
    assert len(judge_double.requests) == 1


@pytest.mark.parametrize("steps", [[], ["", " "]])
async def test_a_judge_without_steps_gives_an_invalid_reply(
    judge_double: JudgeDouble, steps: list[str]
) -> None:
    judge_double.answer({"steps": steps})
    with pytest.raises(DeepEvalError, match="holds no steps") as caught:
        await geval(judge_double, evaluation_steps=None, retry_config=ONCE).generate_steps()
    assert caught.value.kind == "invalid_reply"


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    "text",
    [
        '{"reason": "r", "score": 15}',
        '{"reason": "r", "score": -3}',
        '{"reason": "r", "score": NaN}',
        '{"reason": "r", "score": 1e999}',
        '{"reason": "r", "score": "high"}',
        '{"reason": "r", "score": true}',
        '{"reason": "r"}',
        '{"reason": "r", "score": ',
    ],
)
async def test_a_score_that_is_none_is_asked_again_and_never_clamped(
    judge_double: JudgeDouble, provider: str, text: str
) -> None:
    judge_double.answer(text)
    with pytest.raises(DeepEvalError) as caught:
        await geval(judge_double, provider, retry_config=RetryConfig(max_retries=2)).evaluate(**INPUTS)
    assert caught.value.kind == "invalid_reply"
    assert len(judge_double.requests) == 2


async def test_a_second_answer_that_fits_is_taken(judge_double: JudgeDouble) -> None:
    judge_double.answer_next({"score": 15, "reason": "!"}, {"score": 6, "reason": "ok"})
    assert (await geval(judge_double).evaluate(**INPUTS))["score"] == 0.6


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(("said", "passed"), [(1, True), (0, False)])
async def test_strict_is_all_or_nothing(
    judge_double: JudgeDouble, provider: str, said: int, *, passed: bool
) -> None:
    judge_double.answer({"score": said, "reason": "so"})
    result = await geval(judge_double, provider, strict_mode=True).evaluate(**INPUTS)
    assert (result["score"], result["passed"]) == (float(said), passed)
    assert result["metadata"]["strict_mode"] is True


@pytest.mark.parametrize("said", [8, 10, 0.5, 0.99])
async def test_strict_takes_no_other_number_than_0_and_1(judge_double: JudgeDouble, said: float) -> None:
    judge_double.answer({"score": said, "reason": "so"})
    with pytest.raises(DeepEvalError, match=f"has a score of {said:g}") as caught:
        await geval(judge_double, strict_mode=True, retry_config=ONCE).evaluate(**INPUTS)
    assert caught.value.kind == "invalid_reply"


@pytest.mark.parametrize("odd", [{"9": 0.6, "100": 0.4}, {"9": 0.01, "0": 900.0}])
async def test_numbers_that_are_no_probabilities_of_scores_weight_nothing(
    judge_double: JudgeDouble, odd: dict[str, float]
) -> None:
    judge_double.answer(Reply(text='{"reason": "r", "score": 9}', logprobs=odd))
    result = await geval(judge_double, retry_config=ONCE).evaluate(**INPUTS)
    assert (result["score"], result["metadata"]["score_source"]) == (0.9, "judge")


async def test_a_number_in_the_reason_does_not_weight_the_score(judge_double: JudgeDouble) -> None:
    text = '{"score": 1, "reason": "It keeps 1 of 10 promises."}'
    judge_double.answer(Reply(text=text, logprobs={"1": 0.8, "0": 0.2}))
    result = await geval(judge_double).evaluate(**INPUTS)
    assert (result["score"], result["metadata"]["score_source"]) == (0.08, "logprobs")


async def test_only_the_chosen_inputs_are_shown(judge_double: JudgeDouble) -> None:
    given = INPUTS | {"expected_output": "Dear boss.", "context": ["ctx"], "retrieval_context": []}
    await geval(judge_double, evaluation_params=["expected_output", "retrieval_context"]).evaluate(**given)
    prompt = judge_double.last.prompt
    assert "Dear boss." in prompt
    assert "Retrieval Context:\n[]" in prompt
    assert "Yo boss" not in prompt


async def test_no_question_is_needed_to_judge_an_answer(judge_double: JudgeDouble) -> None:
    assert (await geval(judge_double).evaluate(actual_output="Dear boss."))["score"] == 0.8


@pytest.mark.parametrize("params", [[], ["tools_called"], ["actual_output", "nonsense"]])
def test_the_inputs_shown_are_known_ones(params: list[str]) -> None:
    with pytest.raises(ValueError, match="evaluation_params must be one or more of input, actual_output"):
        GEvalEvaluator("n", "c", evaluation_params=params)


def test_criteria_are_not_blank() -> None:
    with pytest.raises(ValueError, match="criteria must not be blank"):
        GEvalEvaluator("n", " \n")


def test_an_input_named_twice_is_shown_once() -> None:
    assert GEvalEvaluator("n", "c", evaluation_params=["input", "input"]).needs == ("input",)


async def test_markers_in_criteria_and_steps_are_defused(judge_double: JudgeDouble) -> None:
    marker = "[DEEPEVAL:IMAGE:/etc/hostname]"
    evaluator = geval(judge_double, name=marker, criteria=marker, evaluation_steps=[marker])
    await evaluator.evaluate(**INPUTS)
    await geval(judge_double, criteria=marker, evaluation_steps=None).evaluate(**INPUTS)
    for asked in judge_double.requests:
        assert "[DEEPEVAL" not in asked.prompt


async def test_one_evaluator_keeps_concurrent_scores_apart(judge_double: JudgeDouble) -> None:
    judge_double.answer(lambda asked: {"score": 9 if "even" in asked.prompt else 2, "reason": "r"})
    evaluator = geval(judge_double)
    answers = ["even" if number % 2 else "odd" for number in range(20)]
    results = await asyncio.gather(*(evaluator.evaluate(actual_output=answer) for answer in answers))
    assert [result["raw_score"] for result in results] == [2.0, 9.0] * 10
