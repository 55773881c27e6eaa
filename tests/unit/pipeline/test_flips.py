"""What newly fails is judged again on both sides."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from holodeck_eval.aggregate import aggregate_case
from holodeck_eval.compare import Look
from holodeck_eval.domain.agent import MetricSpec
from holodeck_eval.domain.baseline import Baseline
from holodeck_eval.domain.case import Case
from holodeck_eval.domain.outcome import Errored, Outcome, Part, Scored, Skipped
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import CaseResult, Measurement
from holodeck_eval.pipeline import Effort
from holodeck_eval.pipeline.flips import Flips, judge_flips
from tests.fakes import measured as made_up
from tests.fakes.evaluators import FakeEvaluator, ScriptedJudge
from tests.unit.pipeline.support import case, effort, measured, metric, rated, replies_of

CLEAR = metric("clear")
DOWN = Errored(kind="judge_unavailable", message="refused")


def said_before(*replies: float, answer: str, **settings: Any) -> Scored:
    """What a judge said of an answer in the earlier run."""
    score = sum(replies) / len(replies)
    given = {"reason": "then", "judge": "openai/gpt-4o", "key": f"key of {answer}", "replies": replies}
    return Scored(**{"score": score, **given, **settings})


def baseline(outcomes: Mapping[Case, Outcome], metric: MetricSpec = CLEAR, *, kept: bool = True) -> Baseline:
    """An earlier run that measured these cases so."""
    results = []
    for one, outcome in outcomes.items():
        measurement = Measurement(case_id=one.id, agent=one.agent, turn=0, metric=metric, outcome=outcome)
        results.append(aggregate_case(one, [measurement], Policy()))
    run = made_up.run(*(result for result in results if isinstance(result, CaseResult)))
    turns = {(one.agent, one.id, turn.index): turn for one in outcomes for turn in one.turns}
    return Baseline(run=run, turns=turns if kept else {})


def judged_again(
    cases: Sequence[Case],
    judge: Any,
    earlier: Baseline,
    how: Effort | None = None,
    metric: MetricSpec = CLEAR,
) -> tuple[tuple[Measurement, ...], Flips]:
    """The cases measured, and judged again with the baseline: the first measurements, and what came of it."""
    how = how or effort(max_rejudge=2)
    first = measured(cases, {metric: judge}, replies=how.repeats, at_once=how.at_once)
    looks = [Look(agent=one.agent, case=one.id, turn=0, metric=metric.name) for one in cases]
    flips = judge_flips(looks, first, cases, {metric: judge}, how, baseline=earlier, policy=Policy())
    return first, asyncio.run(flips)


def test_both_sides_are_judged_as_often_as_may_be() -> None:
    judge = ScriptedJudge({"now": [0.6, 0.5, 0.4, 1.0], "then": [0.8, 0.9, 1.0]}, recorded={"then": [0.7]})
    earlier = baseline({case("a", CLEAR, answer="then"): said_before(0.7, answer="then")})
    _, flips = judged_again([case("a", CLEAR, answer="now")], judge, earlier)
    assert replies_of(flips.measurements) == [(0.6, 0.5, 0.4)]
    (rejudged,) = flips.rejudged
    assert (rejudged.agent, rejudged.case, rejudged.turn) == ("helper", "a", 0)
    outcome = rejudged.result.outcome
    assert isinstance(outcome, Scored)
    assert (outcome.replies, outcome.score) == ((0.7, 0.8, 0.9), 0.8)
    assert (rejudged.result.passed, rejudged.result.rating, flips.warnings) == (True, "good", ())


def test_a_baseline_that_passed_by_luck_fails_after_all() -> None:
    judge = ScriptedJudge({"now": [0.6] * 3, "then": [0.4, 0.5]}, recorded={"then": [0.75]})
    earlier = baseline({case("a", CLEAR, answer="then"): said_before(0.75, answer="then")})
    assert earlier.run
    assert earlier.run.cases[0].turns[0].metrics[0].passed is True
    _, flips = judged_again([case("a", CLEAR, answer="now")], judge, earlier)
    assert flips.rejudged[0].result.passed is False
    assert flips.rejudged[0].result.rating == "incomplete"


def test_the_baseline_is_held_against_the_threshold_it_had() -> None:
    judge = ScriptedJudge({"now": [0.1] * 3, "then": [0.5, 0.5]}, recorded={"then": [0.5]})
    lax = replace(CLEAR, threshold=0.4)
    earlier = baseline({case("a", lax, answer="then"): said_before(0.5, answer="then")}, lax)
    _, flips = judged_again([case("a", CLEAR, answer="now")], judge, earlier)
    result = flips.rejudged[0].result
    assert (result.passed, result.threshold) == (True, 0.4)


def test_a_rating_of_the_baseline_is_held_against_the_one_it_needed() -> None:
    parts = (Part(name="completeness", status="scored", explanation="", score=2, replies=(2, 2)),)
    then = said_before(0.5, answer="then", parts=parts, rating="incomplete")
    lax, strict = rated(min_rating="incomplete"), rated()
    earlier = baseline({case("a", lax, answer="then"): then}, lax)
    fake = FakeEvaluator(replace(then, replies=(0.5, 0.5)))
    _, flips = judged_again([case("a", strict, answer="now")], fake, earlier, metric=strict)
    assert (flips.rejudged[0].result.passed, flips.rejudged[0].result.rating) == (True, "incomplete")


def test_a_baseline_that_was_judged_on_other_texts_is_not_judged_again() -> None:
    judge = ScriptedJudge({"now": [0.6] * 3, "cut": [0.9] * 9})
    earlier = baseline({case("a", CLEAR, answer="cut"): said_before(0.7, answer="the whole text")})
    _, flips = judged_again([case("a", CLEAR, answer="now")], judge, earlier)
    assert flips.rejudged == ()
    (warning,) = flips.warnings
    assert warning == (
        "'clear' of agent 'helper': 1 result of the baseline that passed could not be judged again (what is"
        " kept with it is not what was judged, or it was judged in another way); what was judged before"
        " stands"
    )
    assert judge.calls.count("cut") == 1


def test_a_baseline_whose_results_have_no_key_is_not_judged_again() -> None:
    judge = FakeEvaluator(said_before(0.6, 0.6, 0.6, answer="x", key=None))
    earlier = baseline({case("a", CLEAR): said_before(0.7, answer="x", key=None)})
    _, flips = judged_again([case("a", CLEAR)], judge, earlier)
    assert flips.rejudged == ()


def test_without_what_was_judged_then_only_this_runs_side_is_judged_again() -> None:
    judge = ScriptedJudge({"a": [0.6] * 3, "b": [0.6] * 3})
    cases = [case("a", CLEAR), case("b", CLEAR)]
    earlier = baseline({one: said_before(0.7, answer="x") for one in cases}, kept=False)
    _, flips = judged_again(cases, judge, earlier)
    assert replies_of(flips.measurements) == [(0.6, 0.6, 0.6)] * 2
    assert flips.rejudged == ()
    (warning,) = flips.warnings
    assert "2 results of the baseline that passed could not be judged again" in warning
    assert "(what was judged is not kept with it)" in warning


def test_a_side_that_cannot_be_judged_again_stays_as_it_was_and_is_told() -> None:
    script = {"now": [0.6, DOWN], "then": [Skipped(cause="deadline", reason="too late")]}
    judge = ScriptedJudge(script, recorded={"then": [0.7]})
    earlier = baseline({case("a", CLEAR, answer="then"): said_before(0.7, answer="then")})
    first, flips = judged_again([case("a", CLEAR, answer="now")], judge, earlier)
    assert flips.measurements == first
    (one,) = flips.rejudged
    assert (one.result.outcome, one.why_not) == (
        said_before(0.7, answer="then"),
        "only 1 of 3 judgements could be had in this run",
    )
    assert [warning.partition("again ")[2] for warning in flips.warnings] == [
        "(judge_unavailable: refused); what was judged before stands",
        "(deadline: too late); what was judged before stands",
    ]


def test_a_baseline_that_nobody_may_be_asked_about_is_told() -> None:
    judge = ScriptedJudge({}, recorded={"now": [0.6]}, offline=True)
    earlier = baseline({case("a", CLEAR, answer="then"): said_before(0.7, answer="then")})
    first, flips = judged_again([case("a", CLEAR, answer="now")], judge, earlier)
    assert flips.measurements == first
    assert [one.why_not for one in flips.rejudged] == ["only 1 of 3 judgements could be had in this run"]
    assert "(offline: nothing is recorded)" in flips.warnings[0]


@pytest.mark.parametrize(
    ("then", "why"),
    [
        ([DOWN], "judge_unavailable: refused"),
        ([0.7, DOWN], "judge_unavailable: refused"),
        ([0.7, 0.7, 0.7], ""),
    ],
)
def test_a_judge_that_is_down_for_the_baseline_alone_leaves_its_reason(then: list[Any], why: str) -> None:
    judge = ScriptedJudge({"now": [0.6, 0.5, 0.4], "then": then})
    earlier = baseline({case("a", CLEAR, answer="then"): said_before(0.7, answer="then")})
    _, flips = judged_again([case("a", CLEAR, answer="now")], judge, earlier)
    assert [one.why_not for one in flips.rejudged] == [why]


def test_offline_recorded_replies_that_the_baseline_did_not_know_yet_count() -> None:
    recorded = {"now": [0.6], "then": [0.7, 0.4]}
    judge = ScriptedJudge({}, recorded=recorded, offline=True)
    earlier = baseline({case("a", CLEAR, answer="then"): said_before(0.7, answer="then")})
    _, flips = judged_again([case("a", CLEAR, answer="now")], judge, earlier)
    assert flips.rejudged[0].result.passed is False


def test_a_baseline_that_got_no_new_reply_is_left_as_it_is() -> None:
    judge = ScriptedJudge({}, recorded={"now": [0.6], "then": [0.7]}, offline=True)
    earlier = baseline({case("a", CLEAR, answer="then"): said_before(0.7, answer="then")})
    _, flips = judged_again([case("a", CLEAR, answer="now")], judge, earlier)
    (one,) = flips.rejudged
    assert isinstance(one.result.outcome, Scored)
    assert (one.result.outcome.replies, flips.warnings) == ((0.7,), ())


def test_looks_that_no_judge_scored_are_passed_over() -> None:
    fake = FakeEvaluator(Scored(score=0.0, reason="not equal"))
    earlier = baseline({case("a", CLEAR): Scored(score=1.0, reason="equal")})
    first, flips = judged_again([case("a", CLEAR)], fake, earlier)
    assert (flips.measurements, flips.rejudged, flips.warnings) == (first, (), ())
    assert len(fake.asked) == 1


def test_a_baseline_without_a_run_has_nothing_to_judge_again() -> None:
    judge = ScriptedJudge({"a": [0.6] * 3})
    _, flips = judged_again([case("a", CLEAR)], judge, Baseline())
    assert flips.rejudged == ()


def test_what_shares_a_judgement_with_a_flip_rests_on_all_of_them_too() -> None:
    judge = ScriptedJudge({"same": [0.6, 0.5, 0.4]})
    cases = [case("a", CLEAR, answer="same"), case("b", CLEAR, answer="same")]
    first = measured(cases, {CLEAR: judge})
    look = Look(agent="helper", case="a", turn=0, metric="clear")
    flips = judge_flips(
        [look], first, cases, {CLEAR: judge}, effort(max_rejudge=2), baseline=Baseline(), policy=Policy()
    )
    assert replies_of(asyncio.run(flips).measurements) == [(0.6, 0.5, 0.4)] * 2


def test_rejudged_results_come_in_the_order_of_the_looks_and_not_too_many_are_judged_at_once() -> None:
    names = [str(number) for number in range(8)]
    script = {name: [0.6] * 3 for name in names} | {f"then {name}": [0.5] * 3 for name in names}
    judge = ScriptedJudge(script)
    earlier = baseline(
        {case(name, CLEAR, answer=f"then {name}"): said_before(0.7, answer=f"then {name}") for name in names}
    )
    cases = [case(name, CLEAR) for name in names]
    _, flips = judged_again(cases, judge, earlier, effort(max_rejudge=2, at_once=3))
    assert [one.case for one in flips.rejudged] == names
    assert judge.most_at_once == 3


def test_replies_of_the_baseline_that_are_not_recorded_any_more_come_first_and_count() -> None:
    judge = ScriptedJudge({"now": [0.6] * 3, "then": [0.4, 0.5, 0.3]}, version="b")
    before = said_before(0.75, answer="then", judge_version="a")
    earlier = baseline({case("a", CLEAR, answer="then"): before})
    _, flips = judged_again([case("a", CLEAR, answer="now")], judge, earlier)
    outcome = flips.rejudged[0].result.outcome
    assert isinstance(outcome, Scored)
    assert outcome.replies == (0.75, 0.4, 0.5, 0.3)
    assert (outcome.score, outcome.reason, outcome.judge_version) == (0.4875, "then", "a, b")
