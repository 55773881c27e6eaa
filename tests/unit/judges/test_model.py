"""DeepEval's own metrics, asking through a pool over each provider's real SDK."""

import json

import pytest

from holodeck_eval.errors import JudgeError
from holodeck_eval.judges import JudgePool, ProviderEnum
from holodeck_eval.judges._deepeval import load
from tests.fakes.judge_double import JudgeDouble
from tests.fakes.judge_wire import Reply
from tests.unit.judges.support import PROVIDERS, QUICK, config

STEPS = ["Read the answer.", "Score it."]
SPREAD = {"8": 0.7, "9": 0.2, "7": 0.1}
EIGHT = '{"reason": "It names 8 things.", "score": 8}'


async def geval(
    double: JudgeDouble, provider: str, name: str | None = None, **options: bool
) -> tuple[object, object]:
    """Measure with GEval: the metric afterwards, and the model it asked."""
    pool = JudgePool(retry=QUICK)
    judge = config(double, provider, **({"model_name": name} if name else {}))
    model = pool.model(judge, metric="g", **options)
    door = load()
    metric = door.GEval(
        name="g", evaluation_steps=STEPS, evaluation_params=[door.SingleTurnParams.ACTUAL_OUTPUT], model=model
    )
    try:
        await metric.a_measure(door.LLMTestCase(input="q", actual_output="a"), _show_indicator=False)
    finally:
        await pool.aclose()
    return metric, model


@pytest.mark.parametrize("provider", ["openai", "azure_openai"])
async def test_geval_weights_its_score_by_the_probabilities(judge_double: JudgeDouble, provider: str) -> None:
    judge_double.answer(Reply(text=EIGHT, logprobs=SPREAD))
    metric, model = await geval(judge_double, provider)
    assert metric.score == pytest.approx(0.81)
    assert metric.reason == "It names 8 things."
    assert model.score_source == "logprobs"
    assert judge_double.last.body["top_logprobs"] == 20
    assert "response_format" not in judge_double.last.body
    assert metric.using_native_model
    assert metric.evaluation_cost == pytest.approx(100 * 2.5e-6 + 20 * 1e-5)
    assert (metric.input_tokens, metric.output_tokens) == (100, 20)


@pytest.mark.parametrize("provider", ["openai", "azure_openai"])
async def test_geval_keeps_the_score_as_replied_where_it_is_told_to(
    judge_double: JudgeDouble, provider: str
) -> None:
    judge_double.answer(Reply(text=EIGHT, logprobs=SPREAD))
    metric, model = await geval(judge_double, provider, logprobs=False)
    assert metric.score == 0.8
    assert model.score_source == "reply"
    assert judge_double.last.schema_name == "ReasonScore"


@pytest.mark.parametrize(
    ("provider", "name"),
    [("openai", "gpt-5-mini"), ("openai", "somebodys-model"), ("anthropic", None), ("ollama", None)],
)
async def test_judges_without_probabilities_score_as_replied(
    judge_double: JudgeDouble, provider: str, name: str | None
) -> None:
    judge_double.answer(Reply(text=EIGHT, logprobs=SPREAD))
    metric, model = await geval(judge_double, provider, name)
    assert metric.score == 0.8
    assert model.score_source == "reply"
    assert "logprobs" not in judge_double.last.body


async def test_a_fenced_score_is_weighted_like_a_plain_one(judge_double: JudgeDouble) -> None:
    judge_double.answer(Reply(text=f"```json\n{EIGHT[:-1]},}}\n```", logprobs=SPREAD))
    metric, model = await geval(judge_double, "openai")
    assert metric.score == pytest.approx(0.81)
    assert model.score_source == "logprobs"


@pytest.mark.parametrize("spread", [{"8": 0.009}, {"eight": 0.9}])
async def test_a_score_without_usable_alternatives_is_as_replied(
    judge_double: JudgeDouble, spread: dict[str, float]
) -> None:
    judge_double.answer(Reply(text=EIGHT, logprobs=spread))
    metric, model = await geval(judge_double, "openai")
    assert metric.score == 0.8
    assert model.score_source == "reply"


async def test_a_score_that_is_no_single_token_is_as_replied(judge_double: JudgeDouble) -> None:
    judge_double.answer(Reply(text='{"reason": "Between.", "score": 7.5}', logprobs=SPREAD))
    metric, model = await geval(judge_double, "openai")
    assert metric.score == 0.75
    assert model.score_source == "reply"


@pytest.mark.parametrize(
    "text", ["Prose.", '{"reason": "cut', '{"reason": "x"}', '{"score": "high", "reason": "x"}', ""]
)
@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_malformed_score_is_asked_for_again_and_then_an_error(
    judge_double: JudgeDouble, provider: str, text: str
) -> None:
    judge_double.answer(text)
    with pytest.raises(JudgeError) as caught:
        await geval(judge_double, provider)
    assert caught.value.kind == "invalid_reply"
    assert len(judge_double.requests) == 3


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_one_failure_is_one_call_and_no_second_one_without_the_form(
    judge_double: JudgeDouble, provider: str
) -> None:
    judge_double.answer(Reply(status=400))
    with pytest.raises(JudgeError):
        await geval(judge_double, provider)
    assert len(judge_double.requests) == 1


async def test_one_bad_reply_among_many_calls_repeats_that_call_alone(judge_double: JudgeDouble) -> None:
    door = load()
    pool = JudgePool(retry=QUICK)
    judge_double.answer_next({"statements": ["One.", "Two."]}, "nonsense")
    metric = door.AnswerRelevancyMetric(model=pool.model(config(judge_double), metric="m"))
    await metric.a_measure(door.LLMTestCase(input="q", actual_output="a"), _show_indicator=False)
    await pool.aclose()
    assert [asked.schema_name for asked in judge_double.requests] == [
        "Statements",
        "Verdicts",
        "Verdicts",
        "AnswerRelevancyScoreReason",
    ]
    assert metric.score == 1.0


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_every_rag_metric_is_measured(judge_double: JudgeDouble, provider: str) -> None:
    door = load()
    pool = JudgePool()
    case = door.LLMTestCase(
        input="q", actual_output="a", expected_output="One. Two.", retrieval_context=["k1", "k2", "k3"]
    )
    calls = {}
    for kind in (
        door.AnswerRelevancyMetric,
        door.FaithfulnessMetric,
        door.ContextualRelevancyMetric,
        door.ContextualPrecisionMetric,
        door.ContextualRecallMetric,
    ):
        metric = kind(model=pool.model(config(judge_double, provider), metric=kind.__name__))
        await metric.a_measure(case, _show_indicator=False)
        assert metric.score == 1.0
    calls = {one.metric: one.usage.calls for one in pool.usage()[1]}
    await pool.aclose()
    assert list(calls.values()) == [3, 4, 4, 2, 2]


@pytest.mark.parametrize("provider", list(ProviderEnum))
async def test_markers_of_deepeval_read_no_file(judge_double: JudgeDouble, provider: ProviderEnum) -> None:
    pool = JudgePool()
    model = pool.model(config(judge_double, provider), metric="m")
    await model.a_generate("See [DEEPEVAL:IMAGE:/etc/hostname] and [DEEPEVAL:PDF:/etc/passwd].")
    await pool.aclose()
    assert judge_double.last.prompt == "See [DEEPEVAL:IMAGE:/etc/hostname] and [DEEPEVAL:PDF:/etc/passwd]."
    assert json.dumps(judge_double.last.body).count("base64") == 0
