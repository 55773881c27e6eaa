"""Metrics that are judged more than once: what is asked for, what is kept, and what it adds up to."""

import json
from dataclasses import replace

import pytest

from holodeck_eval.domain.agent import GenerationOptions
from holodeck_eval.domain.judgement import Judgement, sha256_of
from holodeck_eval.domain.outcome import Scored
from holodeck_eval.evaluators import METRICS
from tests.fakes.evaluation import PROVIDERS, metric_spec, toolbox, turn
from tests.fakes.judge_answers import sensible
from tests.fakes.judge_double import JudgeDouble
from tests.fakes.judge_wire import Asked, Reply
from tests.unit.evaluators.test_metrics import GEVAL, Gate, generation_answers


@pytest.fixture
def gate(judge_double: JudgeDouble) -> Gate:
    return Gate(judge_double)


async def test_a_metric_is_judged_as_often_as_asked_and_read_back_the_same(
    gate: Gate, judge_double: JudgeDouble
) -> None:
    judge_double.answer_next(*({"score": score, "reason": f"says {score}"} for score in (8, 6, 10)))
    options = replace(GEVAL, evaluation_steps=("Read.",))
    first = await gate.measure("geval", options=options)
    live = await gate.measure("geval", options=options, replies=3)
    again = await gate.measure("geval", options=options)
    assert isinstance(first, Scored)
    assert isinstance(live, Scored)
    assert (first.replies, live.replies, len(judge_double.requests)) == ((0.8,), (0.8, 0.6, 1.0), 3)
    assert (round(live.score, 9), live.recorded) == (0.8, 0)
    assert live.reason == "says 8 (one of 3 verdicts; the score is their mean)"
    assert first.key == live.key == gate.store.asked[0].key()
    assert again == replace(live, recorded=3)


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("kind", ["faithfulness", "geval", "generation"])
async def test_what_the_replies_call_the_judge_is_told_and_read_back(
    gate: Gate, judge_double: JudgeDouble, kind: str, provider: str
) -> None:
    def answer(asked: Asked) -> Reply:
        said = generation_answers()(asked) if kind == "generation" else sensible(asked)
        return Reply(text=json.dumps(said), model="judge-of-may")

    judge_double.answer(answer)
    live = await gate.measure(kind, provider=provider)
    again = await gate.measure(kind, provider=provider)
    assert isinstance(live, Scored)
    assert isinstance(again, Scored)
    assert (live.judge_version, again.judge_version) == ("judge-of-may", "judge-of-may")
    assert all("judge-of-may" not in json.dumps(request.parts()) for request in gate.store.asked)


async def test_the_replies_of_generation_are_the_means_of_its_parts() -> None:
    names = ("completeness", "redundancy")
    options = GenerationOptions(metrics=names)
    offline = Gate(None, offline=True)
    await offline.measure("generation", options=options)
    for request, scores in zip(offline.store.asked, [(3, 2, 3), (1, 1)], strict=True):
        for score in scores:
            offline.store.record(request, Judgement(score=score, reason="r"))
    outcome = await offline.measure("generation", options=options)
    assert isinstance(outcome, Scored)
    assert outcome.replies == (1.0, 0.75)
    assert [part.replies for part in outcome.parts] == [(3, 2, 3), (1, 1)]
    assert outcome.score == round((5 / 6 + 1) / 2, 6)
    assert outcome.rating == "good"
    keys = {name: request.key() for name, request in zip(names, offline.store.asked, strict=False)}
    assert outcome.key == sha256_of(keys)
    assert outcome.recorded == 5


async def test_each_part_of_generation_is_asked_only_for_what_it_lacks(
    gate: Gate, judge_double: JudgeDouble
) -> None:
    judge_double.answer(generation_answers())
    await gate.measure("generation", options=GenerationOptions(metrics=("redundancy",)), replies=2)
    outcome = await gate.measure("generation", replies=2)
    assert isinstance(outcome, Scored)
    assert len(judge_double.requests) == 2 + 4 * 2
    assert outcome.replies == (1.0, 1.0)


async def test_a_binary_part_succeeds_by_the_nearer_level() -> None:
    options = GenerationOptions(metrics=("language_consistency",))
    offline = Gate(None, offline=True)
    await offline.measure("generation", options=options)
    for score in (1, 1, 0):
        offline.store.record(offline.store.asked[0], Judgement(score=score, reason="r"))
    outcome = await offline.measure("generation", options=options)
    assert isinstance(outcome, Scored)
    assert (outcome.parts[0].success, outcome.rating) == (True, "good")


async def test_a_part_that_cannot_be_judged_again_is_an_error_beside_those_that_were(
    gate: Gate, judge_double: JudgeDouble
) -> None:
    judge_double.answer(generation_answers())
    await gate.measure("generation")
    judge_double.answer(generation_answers(**{"complete:": 7}))
    outcome = await gate.measure("generation", replies=2)
    assert isinstance(outcome, Scored)
    assert [part.status for part in outcome.parts] == ["errored", *["scored"] * 4]


@pytest.mark.parametrize("kind", ["equality", "numeric", "expected_tools"])
async def test_what_is_measured_without_a_judge_is_measured_once(kind: str) -> None:
    spec = metric_spec(kind, judge=None, options=None)
    this = turn(actual_output="5", expected_output="5", tool_calls=(), expected_tools=())
    outcome = await METRICS[kind](spec, toolbox()).measure(this, replies=3)
    assert isinstance(outcome, Scored)
    assert (outcome.replies, outcome.key, outcome.judge_version) == ((), None, None)
