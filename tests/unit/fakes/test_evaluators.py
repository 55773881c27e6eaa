"""The scripted judge itself."""

from holodeck_eval.domain.case import Turn
from holodeck_eval.domain.outcome import Errored, Scored, Skipped
from tests.fakes.evaluators import FakeEvaluator, ScriptedJudge

TURN = Turn(case_id="a", index=0, input="q", actual_output="yes")
DOWN = Errored(kind="judge_unavailable", message="down")


async def test_a_scripted_judge_is_asked_only_for_what_it_has_not_said_yet() -> None:
    judge = ScriptedJudge({"yes": [0.5, 1.0]}, recorded={"yes": [0.0]})
    outcome = await judge.measure(TURN, replies=3)
    assert isinstance(outcome, Scored)
    assert (outcome.score, outcome.replies, judge.calls) == (0.5, (0.0, 0.5, 1.0), ["yes", "yes"])
    assert await judge.measure(TURN) == outcome


async def test_a_scripted_judge_fails_once_and_then_goes_on() -> None:
    judge = ScriptedJudge({"yes": [DOWN, 1.0]})
    assert await judge.measure(TURN) == DOWN
    assert isinstance(await judge.measure(TURN), Scored)


async def test_a_scripted_judge_that_is_offline_gives_what_is_recorded() -> None:
    judge = ScriptedJudge({}, recorded={"yes": [0.5]}, offline=True)
    outcome = await judge.measure(TURN, replies=9)
    assert isinstance(outcome, Scored)
    assert (outcome.replies, judge.calls) == ((0.5,), [])
    judge.recorded.clear()
    assert isinstance(await judge.measure(TURN), Skipped)


async def test_a_fake_evaluator_keeps_how_many_replies_were_wanted() -> None:
    fake = FakeEvaluator(Scored(score=1.0, reason="fine"))
    await fake.measure(TURN, replies=3)
    assert (fake.asked, fake.replies) == ([TURN], [3])
