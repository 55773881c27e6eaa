"""Recorded verdicts come first, and what was judged is recorded."""

import asyncio
from dataclasses import replace
from statistics import fmean
from typing import Any

import pytest

from holodeck_eval.domain.judgement import JudgeIdentity, Judgement, JudgementRequest
from holodeck_eval.domain.outcome import Errored, Skipped
from holodeck_eval.errors import (
    DeepEvalError,
    EvaluationError,
    JudgeError,
    LimitReachedError,
    ProviderNotSupportedError,
)
from holodeck_eval.evaluators import NothingToJudgeError, Toolbox
from holodeck_eval.evaluators.recorded import Reading, read
from holodeck_eval.judges import JudgePool
from tests.fakes.evaluation import toolbox

REQUEST = JudgementRequest(
    metric="faithfulness",
    metric_type="faithfulness",
    configuration={"include_reason": True},
    judge=JudgeIdentity(provider="openai", name="gpt-4o"),
    prompt_version="v",
    judged={"input": "q"},
    case_id="one",
)
BY_ADA = JudgementRequest(
    metric="faithfulness",
    metric_type="faithfulness",
    configuration={},
    judge=JudgeIdentity(provider="human", name="Ada"),
    prompt_version="",
    judged={"input": "q"},
    case_id="one",
)


class Asked:
    """Asks, and counts how often."""

    def __init__(self, *answers: Judgement | Exception) -> None:
        self.answers = list(answers)
        self.times = 0

    async def __call__(self) -> Judgement:
        self.times += 1
        await asyncio.sleep(0)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def judgement(score: float, **more: Any) -> Judgement:
    return Judgement(score=score, reason=f"about {score}", **more)


def reading(*replies: float, request: JudgementRequest = REQUEST, **more: Any) -> Reading:
    """What these replies say together."""
    note = f" (one of {len(replies)} verdicts; the score is their mean)" if len(replies) > 1 else ""
    told = min(replies, key=lambda reply: round(abs(reply - fmean(replies)), 6))
    given = {"score": fmean(replies), "reason": f"about {told}{note}", "key": request.key()}
    return Reading(**given | {"replies": replies} | more)


def with_pool() -> Toolbox:
    return toolbox(JudgePool())


async def test_what_nobody_judged_is_asked_and_recorded() -> None:
    tools, ask = with_pool(), Asked(judgement(0.7, raw_score=7.0, details={"a": 1}))
    assert await read(REQUEST, tools, ask) == reading(0.7, raw_score=7.0, details={"a": 1})
    assert tools.store.recall(REQUEST) == (judgement(0.7, raw_score=7.0, details={"a": 1}),)


async def test_what_was_recorded_is_not_asked_again() -> None:
    tools, ask = with_pool(), Asked()
    tools.store.record(REQUEST, judgement(0.7))
    assert await read(REQUEST, tools, ask) == reading(0.7, recorded=1)
    assert ask.times == 0


async def test_the_score_is_the_mean_of_all_recorded_and_the_reason_that_of_the_nearest() -> None:
    tools = toolbox(offline=True)
    for score in (0.6, 0.8, 1.0):
        tools.store.record(REQUEST, judgement(score, raw_score=score * 10, details={"claims_count": 2}))
    found = await read(REQUEST, tools, Asked())
    assert isinstance(found, Reading)
    assert (round(found.score, 9), round(found.raw_score or 0, 9), found.recorded) == (0.8, 8.0, 3)
    assert found.reason == "about 0.8 (one of 3 verdicts; the score is their mean)"
    assert (found.replies, found.details) == ((0.6, 0.8, 1.0), {"claims_count": 2})


async def test_a_raw_score_that_not_every_verdict_has_is_left_out() -> None:
    tools = toolbox()
    tools.store.record(REQUEST, judgement(0.6, raw_score=6.0))
    tools.store.record(REQUEST, judgement(0.8))
    found = await read(REQUEST, tools, Asked())
    assert isinstance(found, Reading)
    assert found.raw_score is None


class InTheCheckout:
    """A store whose verdicts lie in the checkout under test."""

    def recall(self, _: JudgementRequest) -> tuple[Judgement, ...]:
        return (judgement(1.0, from_checkout=True), judgement(0.0))

    def record(self, *_: object) -> None: ...

    def recall_steps(self, _: JudgementRequest) -> None: ...

    def record_steps(self, *_: object) -> None: ...


async def test_verdicts_from_the_checkout_are_counted() -> None:
    found = await read(REQUEST, Toolbox(pool=None, store=InTheCheckout()), Asked())
    assert isinstance(found, Reading)
    assert (found.recorded, found.from_checkout, found.score) == (2, 1, 0.5)


async def test_a_person_is_not_asked() -> None:
    outcome = await read(BY_ADA, with_pool(), Asked())
    assert isinstance(outcome, Skipped)
    assert outcome.cause == "unlabelled"
    assert outcome.reason.startswith("Ada has not judged this yet: run `holodeck-eval label`")


async def test_what_a_person_said_needs_no_details() -> None:
    tools = with_pool()
    tools.store.record(BY_ADA, judgement(1.0))
    assert await read(BY_ADA, tools, Asked()) == reading(1.0, request=BY_ADA, recorded=1)


@pytest.mark.parametrize("offline", [True, False])
async def test_offline_or_without_a_pool_no_judge_is_asked(*, offline: bool) -> None:
    tools = toolbox(JudgePool() if offline else None, offline=offline)
    ask = Asked()
    outcome = await read(REQUEST, tools, ask)
    assert isinstance(outcome, Skipped)
    assert (outcome.cause, ask.times) == ("offline", 0)
    assert "run once without --offline" in outcome.reason


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (JudgeError("no answer", kind="timeout"), Errored(kind="timeout", message="no answer")),
        (
            DeepEvalError("odd", "Faithfulness", kind="invalid_reply"),
            Errored(kind="invalid_reply", message="odd"),
        ),
        (LimitReachedError("too late", cause="deadline"), Skipped(cause="deadline", reason="too late")),
        (LimitReachedError("too dear", cause="budget"), Skipped(cause="budget", reason="too dear")),
        (EvaluationError("something"), Errored(kind="internal", message="something")),
        (ProviderNotSupportedError("not there", "E", "p", []), Errored(kind="internal", message="not there")),
    ],
)
async def test_a_failure_is_an_outcome_and_is_not_recorded(
    error: EvaluationError, outcome: Errored | Skipped
) -> None:
    tools = with_pool()
    assert await read(REQUEST, tools, Asked(error)) == outcome
    assert tools.store.recall(REQUEST) == ()


async def test_an_unexpected_failure_is_passed_on() -> None:
    with pytest.raises(ZeroDivisionError):
        await read(REQUEST, with_pool(), Asked(ZeroDivisionError()))


async def test_nothing_to_judge_is_recorded_so_that_a_replay_says_the_same() -> None:
    tools = with_pool()
    nothing = NothingToJudgeError("Nothing to judge: no claim.", {"claims_count": 0})
    live = await read(REQUEST, tools, Asked(nothing))
    replay = await read(REQUEST, Toolbox(pool=None, store=tools.store, offline=True), Asked())
    assert live == replay == Skipped(cause="nothing_to_judge", reason="Nothing to judge: no claim.")
    assert tools.store.recall(REQUEST)[0].score == 0.0


async def test_nothing_to_judge_does_not_count_beside_a_score() -> None:
    tools = with_pool()
    tools.store.record(REQUEST, judgement(0.0, details={"nothing_to_judge": True}))
    tools.store.record(REQUEST, judgement(0.8))
    assert await read(REQUEST, tools, Asked()) == reading(0.8, recorded=1)


@pytest.mark.parametrize(
    ("metric_type", "score", "nothing"),
    [
        ("generation.language_consistency", 0.0, True),
        ("geval", 0.0, True),
        ("faithfulness", 0.2, True),
        ("faithfulness", 0.0, "false"),
    ],
)
async def test_a_line_edited_to_have_nothing_to_judge_counts_as_its_score(
    metric_type: str, score: float, nothing: object
) -> None:
    tools, request = toolbox(offline=True), replace(REQUEST, metric_type=metric_type)
    tools.store.record(request, judgement(score, details={"nothing_to_judge": nothing}))
    found = await read(request, tools, Asked())
    assert isinstance(found, Reading)
    assert found.score == score


async def test_cases_that_wait_while_it_fails_share_the_failure_and_later_ones_ask_again() -> None:
    tools, down = with_pool(), JudgeError("down", kind="judge_unavailable")
    asked = Asked(down, judgement(0.5))
    outcomes = await asyncio.gather(*(read(REQUEST, tools, asked) for _ in range(8)))
    assert outcomes == [Errored(kind="judge_unavailable", message="down")] * 8
    assert asked.times == 1
    later = await read(REQUEST, tools, asked)
    assert isinstance(later, Reading)
    assert (later.score, asked.times) == (0.5, 2)


async def test_cases_that_need_one_judgement_at_once_pay_for_it_once() -> None:
    tools, ask = with_pool(), Asked(judgement(0.7))
    readings = await asyncio.gather(*(read(REQUEST, tools, ask) for _ in range(5)))
    assert ask.times == 1
    assert {found.score for found in readings if isinstance(found, Reading)} == {0.7}


async def test_the_lock_of_a_key_is_forgotten_when_nobody_waits() -> None:
    tools = with_pool()
    await read(REQUEST, tools, Asked(judgement(0.7)))
    assert len(tools._turns) == 0


async def test_replies_are_asked_for_only_as_far_as_they_are_missing_and_each_is_recorded() -> None:
    tools, ask = with_pool(), Asked(judgement(0.5), judgement(0.9), judgement(0.0))
    tools.store.record(REQUEST, judgement(0.7))
    found = await read(REQUEST, tools, ask, replies=3)
    assert isinstance(found, Reading)
    assert (found.replies, round(found.score, 9), ask.times) == ((0.7, 0.5, 0.9), 0.7, 2)
    assert [one.score for one in tools.store.recall(REQUEST)] == [0.7, 0.5, 0.9]


async def test_missing_replies_are_asked_for_at_once() -> None:
    tools, waiting, seen = with_pool(), asyncio.Event(), list[int]()

    async def ask() -> Judgement:
        seen.append(len(seen))
        if len(seen) == 3:
            waiting.set()
        await asyncio.wait_for(waiting.wait(), 5)
        return judgement(0.5)

    found = await read(REQUEST, tools, ask, replies=3)
    assert isinstance(found, Reading)
    assert found.replies == (0.5, 0.5, 0.5)


async def test_a_later_run_reads_the_replies_that_this_one_gave() -> None:
    tools = with_pool()
    live = await read(REQUEST, tools, Asked(judgement(0.2), judgement(0.6)), replies=2)
    replay = await read(REQUEST, Toolbox(pool=None, store=tools.store, offline=True), Asked())
    assert isinstance(live, Reading)
    assert live.recorded == 0
    assert replay == replace(live, recorded=2)


async def test_more_recorded_verdicts_than_were_asked_for_all_count() -> None:
    tools, ask = with_pool(), Asked()
    for score in (0.1, 0.5, 0.9):
        tools.store.record(REQUEST, judgement(score))
    found = await read(REQUEST, tools, ask, replies=2)
    assert isinstance(found, Reading)
    assert (found.replies, ask.times) == ((0.1, 0.5, 0.9), 0)


@pytest.mark.parametrize("asked_of", [REQUEST, BY_ADA])
async def test_where_nobody_may_be_asked_the_replies_that_are_there_count(asked_of: JudgementRequest) -> None:
    tools, ask = toolbox(JudgePool(), offline=asked_of is REQUEST), Asked()
    tools.store.record(asked_of, judgement(0.7))
    assert await read(asked_of, tools, ask, replies=5) == reading(0.7, request=asked_of, recorded=1)
    assert ask.times == 0


async def test_a_reply_that_cannot_be_had_is_the_outcome_and_those_that_were_had_are_recorded() -> None:
    tools, down = with_pool(), JudgeError("down", kind="judge_unavailable")
    tools.store.record(REQUEST, judgement(0.7))
    outcome = await read(REQUEST, tools, Asked(down, judgement(0.9)), replies=3)
    assert outcome == Errored(kind="judge_unavailable", message="down")
    assert [one.score for one in tools.store.recall(REQUEST)] == [0.7, 0.9]


async def test_cases_that_need_the_same_replies_at_once_pay_for_them_once() -> None:
    tools, ask = with_pool(), Asked(judgement(0.7), judgement(0.8))
    readings = await asyncio.gather(*(read(REQUEST, tools, ask, replies=2) for _ in range(4)))
    assert ask.times == 2
    assert [found.replies for found in readings if isinstance(found, Reading)] == [(0.7, 0.8)] * 4


async def test_a_reading_that_was_judged_only_in_part_just_now_does_not_count_as_recorded() -> None:
    tools = with_pool()
    tools.store.record(REQUEST, judgement(0.7))
    found = await read(REQUEST, tools, Asked(judgement(0.5)), replies=2)
    assert isinstance(found, Reading)
    assert found.recorded == 0


async def test_what_the_judge_is_called_is_told_where_the_verdicts_agree_and_listed_where_they_do_not() -> (
    None
):
    tools = toolbox(offline=True)
    tools.store.record(REQUEST, judgement(0.7, judge_version="gpt-4o-b"))
    tools.store.record(REQUEST, judgement(0.7, judge_version="gpt-4o-b"))
    tools.store.record(REQUEST, judgement(0.7))
    agreed = await read(REQUEST, tools, Asked())
    tools.store.record(REQUEST, judgement(0.7, judge_version="gpt-4o-a"))
    several = await read(REQUEST, tools, Asked())
    assert isinstance(agreed, Reading)
    assert isinstance(several, Reading)
    assert (agreed.judge_version, several.judge_version) == ("gpt-4o-b", "gpt-4o-a, gpt-4o-b")


async def test_a_person_has_no_version() -> None:
    tools = with_pool()
    tools.store.record(BY_ADA, judgement(1.0, judge_version="Ada 2"))
    assert await read(BY_ADA, tools, Asked()) == reading(1.0, request=BY_ADA, recorded=1)
