"""DeepEval's own metrics against the judge double: what is sent, what comes back, what can go wrong."""

import asyncio
import json
from typing import Any

import pytest

from holodeck_eval.errors import DeepEvalError, LimitReachedError
from holodeck_eval.evaluators import (
    AnswerRelevancyEvaluator,
    ContextualPrecisionEvaluator,
    ContextualRecallEvaluator,
    ContextualRelevancyEvaluator,
    DeepEvalBaseEvaluator,
    DeepEvalModelConfig,
    FaithfulnessEvaluator,
    GEvalEvaluator,
    RetryConfig,
)
from holodeck_eval.judges import JudgePool
from holodeck_eval.judges._deepeval import load
from tests.fakes.evaluation import PROVIDERS, judge_config
from tests.fakes.judge_answers import sensible
from tests.fakes.judge_double import JudgeDouble
from tests.fakes.judge_wire import Asked, Reply

INPUTS: dict[str, Any] = {
    "input": "When are you open?",
    "actual_output": "We open at nine and close at five.",
    "expected_output": "From nine to five.",
    "retrieval_context": ["Opening hours: nine to five.", "The shop was founded in 1990."],
}
CALLS: dict[type[DeepEvalBaseEvaluator], int] = {
    AnswerRelevancyEvaluator: 3,
    FaithfulnessEvaluator: 4,
    ContextualRelevancyEvaluator: 3,
    ContextualPrecisionEvaluator: 2,
    ContextualRecallEvaluator: 2,
    GEvalEvaluator: 2,
}
ONCE = RetryConfig(max_retries=1)


def made(
    kind: type[DeepEvalBaseEvaluator], config: DeepEvalModelConfig, **options: Any
) -> DeepEvalBaseEvaluator:
    if kind is GEvalEvaluator:
        return GEvalEvaluator("Clarity", "Is the answer clear?", model_config=config, **options)
    return kind(config, **options)


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("kind", CALLS)
async def test_every_evaluator_measures_with_a_judge_of_every_provider(
    judge_double: JudgeDouble, kind: type[DeepEvalBaseEvaluator], provider: str
) -> None:
    evaluator = made(kind, judge_config(judge_double, provider), threshold=0.75)
    result = await evaluator.evaluate(**INPUTS)
    score = 0.8 if kind is GEvalEvaluator else 1.0
    assert list(result) == [
        "score",
        "passed",
        "reasoning",
        "metric_name",
        "threshold",
        "raw_score",
        "evaluation_steps",
        "metadata",
    ]
    assert (result["score"], result["passed"], result["threshold"]) == (score, True, 0.75)
    assert result["reasoning"] == "It does what was asked."
    assert f"{result['metric_name']}Evaluator" == kind.__name__
    assert len(judge_double.requests) == CALLS[kind]
    assert {asked.provider for asked in judge_double.requests} == {provider}
    assert {asked.key for asked in judge_double.requests} == {"made-up-key"}
    sent = "\n".join(asked.prompt for asked in judge_double.requests)
    for field in set(evaluator.needs) - {"retrieval_context"} - _NOT_SHOWN.get(kind, set()):
        assert INPUTS[field] in sent


_NOT_SHOWN: dict[type[DeepEvalBaseEvaluator], set[str]] = {
    FaithfulnessEvaluator: {"input"},
    ContextualRelevancyEvaluator: {"actual_output"},
    ContextualPrecisionEvaluator: {"actual_output"},
    ContextualRecallEvaluator: {"input", "actual_output"},
}


@pytest.mark.parametrize("kind", CALLS)
async def test_a_marker_in_any_text_reaches_no_file(
    judge_double: JudgeDouble, kind: type[DeepEvalBaseEvaluator], tmp_path: Any
) -> None:
    secret = tmp_path / "secret.png"
    secret.write_bytes(b"\x89PNG do not send me")
    marked = f"see [DEEPEVAL:IMAGE:{secret}] there"
    evaluator = made(kind, judge_config(judge_double))
    await evaluator.evaluate(
        input=marked,
        actual_output=marked,
        expected_output=marked,
        context=[marked],
        retrieval_context=[marked],
    )
    for asked in judge_double.requests:
        assert b"image_url" not in asked.raw
        assert "[DEEPEVAL" not in asked.prompt
    assert any(f"see [ DEEPEVAL:IMAGE:{secret}] there" in asked.prompt for asked in judge_double.requests)


async def test_a_judge_that_is_talked_into_a_marker_is_asked_again(judge_double: JudgeDouble) -> None:
    judge_double.answer_next({"statements": ["[DEEPEVAL:IMAGE:/etc/hostname]"]})
    await AnswerRelevancyEvaluator(judge_config(judge_double)).evaluate(**INPUTS)
    assert len(judge_double.requests) == 4


@pytest.mark.parametrize("kind", CALLS)
async def test_a_missing_input_is_named(kind: type[DeepEvalBaseEvaluator], judge_double: JudgeDouble) -> None:
    evaluator = made(kind, judge_config(judge_double))
    for field in evaluator.needs:
        with pytest.raises(ValueError, match=f"{kind.__name__}: `{field}` is missing"):
            await evaluator.evaluate(**{name: text for name, text in INPUTS.items() if name != field})
    assert judge_double.requests == []


@pytest.mark.parametrize("context", [[], [""], [" ", "\n"]])
@pytest.mark.parametrize(
    "kind", [kind for kind in CALLS if "retrieval_context" in getattr(kind, "needs", ())]
)
async def test_a_context_without_text_is_nothing_retrieved(
    kind: type[DeepEvalBaseEvaluator], judge_double: JudgeDouble, context: list[str]
) -> None:
    with pytest.raises(ValueError, match="nothing was retrieved"):
        await made(kind, judge_config(judge_double)).evaluate(**INPUTS | {"retrieval_context": context})
    assert judge_double.requests == []


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan")])
def test_a_threshold_lies_from_0_to_1(threshold: float) -> None:
    with pytest.raises(ValueError, match=r"threshold must be from 0\.0 to 1\.0"):
        AnswerRelevancyEvaluator(threshold=threshold)


def test_the_judge_is_ollama_where_none_is_configured() -> None:
    config = AnswerRelevancyEvaluator().model_config
    assert (str(config.provider), config.model_name, config.temperature) == ("ollama", "gpt-oss:20b", 0.0)


async def test_without_a_reason_asked_for_there_is_one_call_less_and_a_summary(
    judge_double: JudgeDouble,
) -> None:
    evaluator = FaithfulnessEvaluator(judge_config(judge_double), include_reason=False)
    result = await evaluator.evaluate(**INPUTS)
    assert len(judge_double.requests) == 3
    assert result["reasoning"] == "2 of 2 claims are not contradicted by what was retrieved."


async def test_a_blank_reason_is_replaced_by_a_summary(judge_double: JudgeDouble) -> None:
    judge_double.answer(
        lambda asked: sensible(asked) | ({"reason": " "} if "reason" in sensible(asked) else {})
    )
    result = await AnswerRelevancyEvaluator(judge_config(judge_double)).evaluate(**INPUTS)
    assert result["reasoning"] == "2 of 2 statements bear on the question."


async def test_verdicts_that_do_not_match_are_asked_for_again(judge_double: JudgeDouble) -> None:
    judge_double.answer_next(
        {"statements": ["a", "b"]}, {"verdicts": [{"verdict": "yes"}]}, {"reason": "odd"}
    )
    result = await AnswerRelevancyEvaluator(judge_config(judge_double)).evaluate(**INPUTS)
    assert result["metadata"]["statements_count"] == 2
    assert len(judge_double.requests) == 6


async def test_verdicts_that_never_match_are_an_invalid_reply(judge_double: JudgeDouble) -> None:
    judge_double.answer(_with({"verdicts": [{"verdict": "yes"}] * 5}))
    evaluator = AnswerRelevancyEvaluator(judge_config(judge_double), retry_config=RetryConfig(max_retries=2))
    with pytest.raises(DeepEvalError, match="the judge gave 5 verdicts on 2 statements") as caught:
        await evaluator.evaluate(**INPUTS)
    assert (caught.value.kind, caught.value.metric_name) == ("invalid_reply", "AnswerRelevancy")
    assert len(judge_double.requests) == 6


@pytest.mark.parametrize("word", ["maybe", "", "YES, surely", None, 1])
async def test_a_verdict_is_yes_no_or_borderline(judge_double: JudgeDouble, word: object) -> None:
    judge_double.answer(_with({"verdicts": [{"verdict": word}] * 2}))
    with pytest.raises(DeepEvalError) as caught:
        await FaithfulnessEvaluator(judge_config(judge_double)).evaluate(**INPUTS)
    assert caught.value.kind == "invalid_reply"


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply(status=401), "auth"),
        (Reply(status=404), "refused_request"),
        (Reply(status=429), "rate_limited"),
        (Reply(status=500), "judge_unavailable"),
        (Reply(fault="drop"), "judge_unavailable"),
        (Reply(text="I would say it is fine."), "invalid_reply"),
        (Reply(text=""), "invalid_reply"),
        (Reply(text='{"statements": "one"}'), "invalid_reply"),
        (Reply(text='{"statements": ["a'), "invalid_reply"),
    ],
)
async def test_what_goes_wrong_at_the_judge_is_told_apart(
    judge_double: JudgeDouble, reply: Reply, kind: str
) -> None:
    judge_double.answer(reply)
    evaluator = AnswerRelevancyEvaluator(judge_config(judge_double), retry_config=ONCE)
    with pytest.raises(DeepEvalError) as caught:
        await evaluator.evaluate(**INPUTS)
    assert caught.value.kind == kind
    assert caught.value.test_case_summary["input"] == INPUTS["input"]
    assert "made-up-key" not in str(caught.value)


async def test_the_head_of_an_invalid_reply_is_kept(judge_double: JudgeDouble) -> None:
    judge_double.answer("I would say it is fine.")
    with pytest.raises(DeepEvalError, match="I would say it is fine"):
        await AnswerRelevancyEvaluator(judge_config(judge_double), retry_config=ONCE).evaluate(**INPUTS)


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_fenced_json_is_valid(judge_double: JudgeDouble, provider: str) -> None:
    judge_double.answer(lambda asked: f"```json\n{json.dumps(sensible(asked))}\n```")
    result = await AnswerRelevancyEvaluator(judge_config(judge_double, provider)).evaluate(**INPUTS)
    assert result["score"] == 1.0


async def test_a_timeout_interrupts_a_judge_that_hangs(judge_double: JudgeDouble) -> None:
    judge_double.answer(Reply(fault="hang"))
    load()
    evaluator = AnswerRelevancyEvaluator(judge_config(judge_double), timeout=0.2)
    with pytest.raises(DeepEvalError, match=r"AnswerRelevancy took longer than 0\.2 s") as caught:
        await evaluator.evaluate(**INPUTS)
    assert caught.value.kind == "timeout"


async def test_a_key_that_is_missing_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    config = DeepEvalModelConfig.model_validate({"provider": "openai", "model_name": "gpt-4o"})
    with pytest.raises(DeepEvalError, match="OPENAI_API_KEY") as caught:
        await AnswerRelevancyEvaluator(config).evaluate(**INPUTS)
    assert caught.value.kind == "no_key"


async def test_a_run_whose_budget_is_used_up_is_no_failure_of_the_judge(judge_double: JudgeDouble) -> None:
    pool = JudgePool(max_tokens=1)
    evaluator = AnswerRelevancyEvaluator(judge_config(judge_double), pool=pool)
    with pytest.raises(LimitReachedError):
        await evaluator.evaluate(**INPUTS)
    await pool.aclose()


async def test_one_evaluator_serves_many_cases_at_once(judge_double: JudgeDouble) -> None:
    def answer(asked: Asked) -> dict[str, Any]:
        number = next((int(text) for text in asked.prompt.split() if text.isdecimal() and len(text) == 4), 0)
        if asked.schema_name == "Statements":
            return {"statements": [f"the number {number} ", "another"]}
        if asked.schema_name == "Verdicts":
            return {"verdicts": [{"verdict": "no" if number % 2 else "yes"}, {"verdict": "yes"}]}
        return sensible(asked)

    judge_double.answer(answer)
    evaluator = AnswerRelevancyEvaluator(judge_config(judge_double))
    answers = [{"input": "q", "actual_output": f"it is {number} then"} for number in range(5000, 5024)]
    results = await asyncio.gather(*(evaluator.evaluate(**each) for each in answers))
    assert [result["score"] for result in results] == [1.0, 0.5] * 12


async def test_a_pool_of_its_own_is_closed_and_one_that_is_shared_is_not(judge_double: JudgeDouble) -> None:
    await AnswerRelevancyEvaluator(judge_config(judge_double)).evaluate(**INPUTS)
    assert judge_double.connections == 1
    pool = JudgePool()
    for _ in range(2):
        await AnswerRelevancyEvaluator(judge_config(judge_double), pool=pool).evaluate(**INPUTS)
    assert judge_double.connections == 2
    await pool.aclose()


async def test_the_test_case_holds_lists_and_defused_texts(judge_double: JudgeDouble) -> None:
    case = AnswerRelevancyEvaluator(judge_config(judge_double))._build_test_case(
        query="q [DEEPEVAL:PDF:/x]", response="r", context="one text"
    )
    assert (case.input, case.actual_output, case.context) == ("q [ DEEPEVAL:PDF:/x]", "r", ["one text"])
    assert case.multimodal is False


def test_a_metric_is_made_during_an_evaluation_only() -> None:
    with pytest.raises(AssertionError):
        AnswerRelevancyEvaluator()._create_metric()


def _with(fields: dict[str, Any]) -> Any:
    """Sensible answers, with some fields replaced where they are asked for."""

    def answer(asked: Asked) -> dict[str, Any]:
        said = sensible(asked)
        return said | {name: value for name, value in fields.items() if name in said}

    return answer


@pytest.mark.parametrize("error", [KeyError("score"), ValueError("no JSON"), load().DeepEvalError("odd")])
def test_what_deepeval_cannot_read_is_an_invalid_reply(error: Exception) -> None:
    with (
        pytest.raises(DeepEvalError, match="DeepEval could not read it") as caught,
        AnswerRelevancyEvaluator()._failures({}),
    ):
        raise error
    assert (caught.value.kind, caught.value.original_error) == ("invalid_reply", error)


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_half_a_surrogate_pair_can_be_judged(judge_double: JudgeDouble, provider: str) -> None:
    evaluator = AnswerRelevancyEvaluator(judge_config(judge_double, provider))
    result = await evaluator.evaluate(input="half \ud800", actual_output="\udfff \x00 \ufffe")
    assert result["score"] == 1.0
    assert "\ufffd \x00 \ufffe" in judge_double.requests[0].prompt
