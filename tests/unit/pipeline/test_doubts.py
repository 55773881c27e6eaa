"""What is near its threshold is judged again until it is not, or the effort is spent."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from holodeck_eval.domain.case import Case
from holodeck_eval.domain.noise import Noise
from holodeck_eval.domain.outcome import Errored, Part, Scored, Skipped
from holodeck_eval.domain.result import Measurement
from holodeck_eval.pipeline import Effort, Evaluators, settle_doubts
from holodeck_eval.pipeline.doubts import is_in_doubt
from tests.fakes.evaluators import FakeEvaluator, ScriptedJudge
from tests.unit.pipeline.support import case, effort, measured, metric, rated, replies_of

DOWN = Errored(kind="judge_unavailable", message="refused\n::error::x")
CLEAR = metric("clear")


def settled(
    cases: Sequence[Case], evaluators: Evaluators, how: Effort, noise: Mapping[Any, Noise] | None = None
) -> tuple[tuple[Measurement, ...], tuple[str, ...]]:
    """The cases measured, and what was in doubt judged again."""
    first = measured(cases, evaluators, replies=how.repeats, at_once=how.at_once)
    return asyncio.run(settle_doubts(first, cases, evaluators, how, noise=noise or {}))


def test_a_result_near_its_threshold_is_judged_again_until_it_is_not() -> None:
    judge = ScriptedJudge({"near": [0.75, 0.95, 0.1], "far": [0.8, 0.0]})
    made, warnings = settled([case("near", CLEAR), case("far", CLEAR)], {CLEAR: judge}, effort())
    assert replies_of(made) == [(0.75, 0.95), (0.8,)]
    assert isinstance(made[0].outcome, Scored)
    assert made[0].outcome.score == 0.85
    assert judge.calls == ["near", "far", "near"]
    assert warnings == ()


def test_a_result_as_far_from_its_threshold_as_its_error_is_not_in_doubt() -> None:
    assert not is_in_doubt(metric(threshold=0.5), Scored(score=0.75, reason="", replies=(0.75,)), 0.25)
    assert is_in_doubt(metric(threshold=0.5), Scored(score=0.74, reason="", replies=(0.74,)), 0.25)
    four = (0.5, 0.5, 0.75, 0.75)
    assert not is_in_doubt(metric(threshold=0.5), Scored(score=0.625, reason="", replies=four), 0.25)
    assert is_in_doubt(metric(threshold=0.5), Scored(score=0.62, reason="", replies=four), 0.25)


def test_no_more_is_judged_than_was_planned_and_may_be_added() -> None:
    judge = ScriptedJudge({"a": [0.7] * 20})
    made, warnings = settled([case("a", CLEAR)], {CLEAR: judge}, effort(repeats=2, max_rejudge=3))
    assert replies_of(made) == [(0.7,) * 5]
    assert warnings == ()


def test_without_further_judgements_nothing_is_judged_again() -> None:
    judge = ScriptedJudge({"a": [0.7] * 20})
    made, _ = settled([case("a", CLEAR)], {CLEAR: judge}, effort(max_rejudge=0))
    assert replies_of(made) == [(0.7,)]


def test_offline_nothing_is_asked_and_what_is_there_decides() -> None:
    judge = ScriptedJudge({}, recorded={"a": [0.7]}, offline=True)
    made, warnings = settled([case("a", CLEAR)], {CLEAR: judge}, effort())
    assert (replies_of(made), judge.calls, warnings) == ([(0.7,)], [], ())


def test_a_later_run_that_finds_everything_recorded_asks_nothing_and_ends_the_same() -> None:
    script = {"a": [0.75, 0.6, 0.75, 0.99, 0.1], "b": [0.7] * 9, "c": [0.1]}
    cases = [case(name, CLEAR) for name in script]
    live = ScriptedJudge(script)
    first, _ = settled(cases, {CLEAR: live}, effort())
    later = ScriptedJudge({}, recorded=live.recorded)
    again, _ = settled(cases, {CLEAR: later}, effort())
    assert later.calls == []
    assert [made.outcome for made in again] == [made.outcome for made in first]
    assert [len(replies) for replies in replies_of(first)] == [4, 7, 1]


@pytest.mark.parametrize(
    ("failure", "why"),
    [
        (DOWN, "judge_unavailable: refused ::error::x"),
        (Skipped(cause="budget", reason="--max-tokens is used up"), "budget: --max-tokens is used up"),
    ],
)
def test_what_cannot_be_judged_again_stays_as_it_was_and_one_sentence_a_metric_says_so(
    failure: Errored | Skipped, why: str
) -> None:
    judge = ScriptedJudge({name: [0.7, failure, 0.9] for name in ("a", "b", "c")} | {"d": [0.7, 0.9]})
    made, warnings = settled([case(name, CLEAR) for name in "abcd"], {CLEAR: judge}, effort())
    assert replies_of(made) == [(0.7,), (0.7,), (0.7,), (0.7, 0.9)]
    said = f"'clear' of agent 'helper': 3 results in doubt could not be judged again ({why});"
    assert warnings == (f"{said} what was judged before stands",)


def test_a_person_is_not_asked_again() -> None:
    ada = ScriptedJudge({"a": [0.7] * 9}, judge="human/Ada")
    made, _ = settled([case("a", CLEAR)], {CLEAR: ada}, effort())
    assert replies_of(made) == [(0.7,)]


def test_what_is_measured_without_a_judge_is_not_measured_again() -> None:
    fake = FakeEvaluator(Scored(score=0.7, reason="equal"))
    settled([case("a", CLEAR)], {CLEAR: fake}, effort())
    assert len(fake.asked) == 1


def test_what_was_not_scored_is_not_judged_again() -> None:
    fake = FakeEvaluator(DOWN)
    made, warnings = settled([case("a", CLEAR)], {CLEAR: fake}, effort())
    assert (made[0].outcome, len(fake.asked), warnings) == (DOWN, 1, ())


def test_a_score_that_lacks_a_part_after_judging_again_does_not_take_the_whole_ones_place() -> None:
    whole = Scored(score=0.7, reason="", replies=(0.7,), parts=(part("completeness", 3),))
    broken = Part(name="completeness", status="errored", explanation="down", cause="timeout")
    fake = FakeEvaluator(whole)
    first = measured([case("a", CLEAR)], {CLEAR: fake})
    fake.outcome = Scored(score=0.9, reason="", replies=(0.7, 0.9), parts=(broken,))
    made, warnings = asyncio.run(settle_doubts(first, [case("a", CLEAR)], {CLEAR: fake}, effort()))
    assert made == first
    assert "1 result in doubt could not be judged again (timeout: down)" in warnings[0]


def test_a_score_that_lacks_a_part_is_not_in_doubt_but_open() -> None:
    broken = Part(name="completeness", status="errored", explanation="down", cause="timeout")
    fake = FakeEvaluator(Scored(score=0.7, reason="", replies=(0.7,), parts=(broken,)))
    settled([case("a", CLEAR)], {CLEAR: fake}, effort())
    assert len(fake.asked) == 1


def test_noise_that_this_run_measured_is_what_a_doubt_is_held_against() -> None:
    quiet = {f"quiet {number}": [0.9, 0.9] for number in range(6)}
    judge = ScriptedJudge(quiet | {"a": [0.72, 0.72, 0.1]})
    made, _ = settled([case(name, CLEAR) for name in judge.script], {CLEAR: judge}, effort(repeats=2))
    assert replies_of(made)[-1] == (0.72, 0.72)
    loud = ScriptedJudge({name: [0.5, 1.0] for name in quiet} | {"a": [0.9, 0.9, 1.0, 1.0, 1.0]})
    made, _ = settled([case(name, CLEAR) for name in loud.script], {CLEAR: loud}, effort(repeats=2))
    assert replies_of(made)[-1] == (0.9, 0.9, 1.0)


def test_noise_is_measured_on_the_planned_replies_alone() -> None:
    settled_before = {f"quiet {number}": [0.9, 0.9, 0.1, 0.1] for number in range(6)}
    judge = ScriptedJudge({"a": [0.72, 0.72, 0.1]}, recorded=settled_before)
    cases = [case(name, CLEAR) for name in (*settled_before, "a")]
    made, _ = settled(cases, {CLEAR: judge}, effort(repeats=2))
    assert replies_of(made)[-1] == (0.72, 0.72)


def test_noise_that_the_baseline_measured_is_used_where_this_run_measured_none() -> None:
    known = {("helper", "clear"): Noise(sd=0.3, source="metric", degrees=20)}
    judge = ScriptedJudge({"a": [0.95, 0.95]})
    made, _ = settled([case("a", CLEAR)], {CLEAR: judge}, effort(), known)
    assert replies_of(made) == [(0.95, 0.95)]
    silent = {("helper", "clear"): Noise(sd=0.0, source="metric", degrees=20)}
    judge = ScriptedJudge({"a": [0.7]})
    assert replies_of(settled([case("a", CLEAR)], {CLEAR: judge}, effort(), silent)[0]) == [(0.7,)]


def test_whatever_shares_a_judgement_that_was_made_again_rests_on_all_of_them() -> None:
    strict, lax = metric("strict"), metric("lax", threshold=0.2)
    judge = ScriptedJudge({"same": [0.7, 0.9], "other": [0.9]})
    cases = [case("a", strict, answer="same"), case("b", lax, answer="same"), case("c", lax, answer="other")]
    made, _ = settled(cases, {strict: judge, lax: judge}, effort())
    assert replies_of(made) == [(0.7, 0.9), (0.7, 0.9), (0.9,)]
    assert judge.calls == ["same", "other", "same"]


def test_what_comes_into_doubt_by_sharing_a_judgement_is_judged_again_too() -> None:
    high, low = metric("high"), metric("low", threshold=0.5)
    judge = ScriptedJudge({"same": [0.7, 0.3, 0.2, 0.2, 0.0]})
    cases = [case("a", high, answer="same"), case("b", low, answer="same")]
    made, _ = settled(cases, {high: judge, low: judge}, effort())
    assert replies_of(made) == [(0.7, 0.3, 0.2), (0.7, 0.3, 0.2)]


def test_no_more_is_judged_again_at_once_than_asked() -> None:
    judge = ScriptedJudge({str(number): [0.7] * 3 for number in range(9)})
    settled([case(name, CLEAR) for name in judge.script], {CLEAR: judge}, effort(max_rejudge=2, at_once=2))
    assert (judge.most_at_once, len(judge.calls)) == (2, 27)


def test_the_time_a_result_took_holds_that_of_judging_it_again() -> None:
    first = [
        Measurement(
            case_id="a",
            agent="helper",
            turn=0,
            metric=CLEAR,
            outcome=Scored(score=0.7, reason="", replies=(0.7,), key="key of a"),
            duration_s=5.0,
        )
    ]
    judge = ScriptedJudge({"a": [0.9]}, recorded={"a": [0.7]})
    made, _ = asyncio.run(settle_doubts(first, [case("a", CLEAR)], {CLEAR: judge}, effort()))
    assert made[0].duration_s >= 5.0


def part(name: str, *replies: float) -> Part:
    """A part with these replies."""
    score = sum(replies) / len(replies)
    return Part(name=name, status="scored", explanation="", score=score, replies=replies)


@pytest.mark.parametrize(
    ("replies", "doubt"),
    [
        ((3,), False),
        ((2,), False),
        ((3, 3), False),
        ((3, 2), True),
        ((3, 3, 2), True),
        ((3, 3, 3, 2), False),
        ((2, 2, 1, 2, 3), False),
        ((3, 2, 3, 2, 3), True),
    ],
)
def test_a_rating_is_in_doubt_while_its_replies_are_divided_on_whether_it_is_reached(
    replies: tuple[float, ...], *, doubt: bool
) -> None:
    parts = (
        part("completeness", *replies),
        part("redundancy", *[1] * len(replies)),
        Part(name="groundedness", status="skipped", explanation="no context", cause="not_applicable"),
    )
    outcome = Scored(score=0.8, reason="", replies=tuple(0.8 for _ in replies), parts=parts, rating="good")
    assert is_in_doubt(rated(), outcome, 0.08) is doubt


def test_a_rating_is_held_against_the_one_that_is_needed() -> None:
    parts = (part("completeness", 3, 2), part("redundancy", 1, 1))
    outcome = Scored(score=0.9, reason="", replies=(1.0, 0.8), parts=parts, rating="incomplete")
    assert is_in_doubt(rated(), outcome, 0.08)
    assert not is_in_doubt(rated(min_rating="incomplete"), outcome, 0.08)
