from dataclasses import replace
from typing import Any

import pytest

from holodeck_eval.compare import ComparisonPolicy, compare
from holodeck_eval.domain.comparison import Flip
from holodeck_eval.domain.result import CaseResult, MetricResult
from holodeck_eval.domain.run import Run
from tests.fakes.comparing import (
    agent,
    by_person,
    case,
    config,
    judged,
    judged_again,
    ruled,
    run,
    scores,
    turn,
)

POLICY = ComparisonPolicy()
QUIET = [0.86, 0.91, 0.88, 0.93, 0.79, 0.84, 0.95, 0.9, 0.77, 0.82]
"""Scores of ten cases that pass."""


def flips(before: Run, now: Run) -> tuple[Flip, ...]:
    return compare(before, now, POLICY).flips


def collapsed(before: list[float], now: list[float], name: str = "faithful") -> Flip:
    """What comes of the first of ten cases when it has these replies, and the others move a little."""
    others = [score + (0.03 if place % 2 else -0.02) for place, score in enumerate(QUIET)]
    earlier = judged_again(run(*scores(QUIET, name)), "c000", before, name)
    later = judged_again(run(*scores(others, name)), "c000", now, name)
    (flip,) = flips(earlier, later)
    return flip


def one(before: MetricResult, now: MetricResult) -> Flip:
    """What comes of one case, measured so."""
    (flip,) = flips(run(case("a", before)), run(case("a", now)))
    return flip


def test_a_case_that_collapsed_on_both_sides_judgements_is_proven() -> None:
    flip = collapsed([0.9, 0.92, 0.88, 0.9, 0.91, 0.87, 0.92], [0.2, 0.25, 0.15, 0.2, 0.22, 0.18, 0.2])
    assert (flip.agent, flip.case, flip.turn, flip.metric) == ("helper", "c000", 0, "faithful")
    assert (flip.proven, flip.before, flip.now, flip.threshold) == (True, 0.9, 0.2, 0.7)
    assert flip.why == "0.90 to 0.20 over 7 and 7 judgements is 2.4 times what noise explains"
    assert (flip.before_reason, flip.now_reason) == ("it is 0.86", "it is 0.84")
    assert flip.before_replies == (0.9, 0.92, 0.88, 0.9, 0.91, 0.87, 0.92)
    assert flip.now_replies == (0.2, 0.25, 0.15, 0.2, 0.22, 0.18, 0.2)


def test_a_case_that_slipped_under_its_threshold_is_listed_and_not_proven() -> None:
    flip = collapsed([0.72, 0.75, 0.7, 0.71, 0.73], [0.66, 0.7, 0.68, 0.65, 0.71])
    assert not flip.proven
    assert flip.why == "0.72 to 0.68 over 5 and 5 judgements is 0.8 times what noise explains"


def test_a_case_that_passes_again_on_its_mean_is_no_flip() -> None:
    earlier, later = run(*scores(QUIET)), run(*scores(QUIET))
    assert flips(judged_again(earlier, "c000", [0.72]), judged_again(later, "c000", [0.6, 0.9, 0.8])) == ()


def test_a_case_whose_baseline_fails_on_its_mean_is_failing_still() -> None:
    earlier = judged_again(run(*scores(QUIET)), "c000", [0.72, 0.5, 0.6])
    found = compare(earlier, judged_again(run(*scores(QUIET)), "c000", [0.3]), POLICY)
    assert found.flips == ()
    assert [change.case for change in found.still_failing] == ["c000"]


def test_one_judgement_a_side_can_prove_a_fall_on_a_fine_scale() -> None:
    (flip,) = flips(run(*scores([0.95, *QUIET * 5])), run(*scores([0.05, *QUIET * 5])))
    assert flip.proven
    assert "over 1 and 1 judgements" in flip.why


COARSE = [1.0, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0] * 5


@pytest.mark.parametrize(
    ("before", "now", "proven"),
    [(1, 7, False), (7, 1, False), (4, 7, False), (5, 5, True), (7, 7, True)],
)
def test_a_fall_on_a_scale_of_few_levels_takes_five_judgements_a_side(
    before: int, now: int, *, proven: bool
) -> None:
    earlier = judged_again(run(*scores(COARSE)), "c000", [1.0] * before)
    later = judged_again(run(*scores(COARSE)), "c000", [0.0] * now)
    (flip,) = flips(earlier, later)
    assert (flip.proven, flip.too_coarse) == (proven, not proven)
    if not proven:
        few = "is too few of a judge that gives only a few different scores"
        assert flip.why == f"1.00 to 0.00 over {before} and {now} judgements {few}"


def test_a_scale_of_six_levels_is_not_one_of_few() -> None:
    levels = [1.0, 0.9, 0.8, 0.95, 0.85, 0.75] * 8
    (flip,) = flips(run(*scores([1.0, *levels])), run(*scores([0.0, *levels])))
    assert flip.proven
    (flip,) = flips(run(*scores([1.0, *COARSE])), run(*scores([0.0, *COARSE])))
    assert not flip.proven


def test_the_noise_is_that_of_the_judgements_where_it_exceeds_that_of_the_differences() -> None:
    """Between the runs nothing else moved, but this judge is all over the place."""
    wild = [0.2, 1.0, 1.0, 0.6, 1.0, 0.9, 1.0], [1.0, 0.2, 0.1, 0.9, 0.0, 0.5, 0.4]
    steady = run(*scores([0.8 + 0.001 * place for place in range(200)]))
    (flip,) = flips(judged_again(steady, "c000", wild[0]), judged_again(steady, "c000", wild[1]))
    assert not flip.proven
    assert flip.why.startswith("0.81 to 0.44 over 7 and 7 judgements is 0.")


def test_where_no_noise_was_ever_seen_any_fall_is_proven() -> None:
    flip = one(judged(0.75, *[0.75] * 6), judged(0.65, *[0.65] * 6))
    assert (flip.proven, flip.why) == (True, "0.75 to 0.65 over 7 and 7 judgements, and no noise was seen")


def test_more_looks_take_a_larger_fall() -> None:
    def with_cases(number: int) -> Flip:
        still = [case(f"s{n}", judged(0.8, 0.9, 0.7)) for n in range(number)]
        before, now = case("a", judged(0.9, 0.88, 0.92)), case("a", judged(0.4, 0.38, 0.42))
        (flip,) = flips(run(before, *still, repeats=3), run(now, *still, repeats=3))
        return flip

    few, many = with_cases(50), with_cases(4000)
    assert (few.proven, many.proven) == (True, True)
    assert float(few.why.split(" is ")[1].split()[0]) > float(many.why.split(" is ")[1].split()[0])


def test_a_flip_of_unchanged_texts_is_the_judges_own() -> None:
    flip = one(judged(0.9, key="k"), judged(0.1, key="k"))
    assert (flip.proven, flip.why) == (
        False,
        "what was judged did not change, only what the judge said of it",
    )


def test_unchanged_looks_do_not_share_the_error_of_the_others() -> None:
    still = [case(f"s{n}", judged(0.8, key=f"k{n}")) for n in range(1000)]
    before, now = case("a", judged(*[0.9, 0.8] * 3)), case("a", judged(*[0.6, 0.5] * 3))
    (alone,) = flips(run(before), run(now))
    (among,) = flips(run(before, *still), run(now, *still))
    assert alone.why == among.why


def test_a_rule_and_a_person_have_no_noise() -> None:
    flip = one(ruled(1.0), ruled(0.0))
    assert (flip.proven, flip.why) == (True, "it is measured by a rule, without a judge's noise")
    flip = one(by_person(0.8), by_person(0.6))
    assert (flip.proven, flip.why) == (True, "it is measured by a person, without a judge's noise")


@pytest.mark.parametrize("measured", [judged, ruled])
def test_a_score_that_did_not_fall_fails_by_its_threshold_alone(measured: Any) -> None:
    flip = one(measured(0.6, threshold=0.5), measured(0.6, threshold=0.7))
    assert (flip.proven, flip.why, flip.threshold) == (False, "its score did not fall", 0.7)


def test_a_rated_metric_flips_without_a_threshold() -> None:
    before = judged(1.0, threshold=None, passed=True, rating="good")
    now = judged(0.1, threshold=None, passed=False, rating="bad")
    others = [case(f"s{n}", judged(0.8 + n / 100, threshold=None, passed=True)) for n in range(9)]
    (flip,) = flips(run(case("a", before), *others), run(case("a", now), *others))
    assert (flip.threshold, flip.before, flip.now) == (None, 1.0, 0.1)


def test_a_flip_of_a_metric_that_cannot_be_compared_is_listed_with_the_reason() -> None:
    flip = one(judged(0.9), judged(0.1, digest="another"))
    assert (flip.proven, flip.why) == (
        False,
        "it cannot be compared: it is configured otherwise for case 'a'",
    )


def test_each_turn_and_metric_of_a_case_flips_by_itself() -> None:
    def talk(first: float, second: float, tone: float) -> CaseResult:
        return case("talk", turn(judged(first), ruled(tone)), turn(judged(second), index=1))

    found = flips(run(talk(0.9, 0.9, 1.0)), run(talk(0.8, 0.1, 0.0)))
    assert {(flip.turn, flip.metric) for flip in found} == {(0, "equality"), (1, "faithful")}


def test_the_proven_come_first_then_what_fell_furthest() -> None:
    before = run(case("a", judged(0.72), ruled(1.0)), case("b", judged(0.75)), case("c", ruled(1.0)))
    now = run(case("a", judged(0.69), ruled(0.9)), case("b", judged(0.6)), case("c", ruled(0.2)))
    found = [(flip.case, flip.metric, flip.proven) for flip in flips(before, now)]
    assert found == [
        ("c", "equality", True),
        ("a", "equality", True),
        ("b", "faithful", False),
        ("a", "faithful", False),
    ]


# Answers that are gone.


def test_an_answer_that_is_not_there_any_more_is_proven() -> None:
    gone = turn(no_answer="the run ended in a tool call", actual_output=None)
    (flip,) = flips(run(case("a", judged(0.9))), run(case("a", gone)))
    assert flip == Flip(
        agent="helper",
        case="a",
        metric="",
        turn=0,
        proven=True,
        why="there is no answer any more",
        now_reason="the run ended in a tool call",
    )


def test_a_transcript_that_is_not_there_any_more_is_proven_once() -> None:
    lost = case("a", reasons=("no transcript was recorded for this test case",))
    (flip,) = flips(run(case("a", judged(0.9), ruled(1.0))), run(lost))
    assert (flip.turn, flip.metric, flip.proven) == (None, "", True)
    assert flip.why == "there is no transcript of it any more"
    assert flip.now_reason == "no transcript was recorded for this test case"
    (flip,) = flips(run(case("a", judged(0.9))), run(replace(lost, reasons=())))
    assert flip.now_reason == ""


def test_a_transcript_that_ends_early_is_proven_for_each_turn_it_lacks() -> None:
    long = case("a", turn(judged(0.9)), turn(judged(0.9), index=1), turn(judged(0.9), index=2))
    found = flips(run(long), run(case("a", judged(0.9))))
    assert [(flip.turn, flip.why) for flip in found] == [
        (1, "its transcript ends before this turn"),
        (2, "its transcript ends before this turn"),
    ]


@pytest.mark.parametrize(
    "before",
    [
        case("a", judged(0.1)),
        case("a", turn(no_answer="nothing", actual_output=None)),
        case("a"),
    ],
)
def test_an_answer_that_failed_or_was_not_there_cannot_be_lost(before: CaseResult) -> None:
    gone = case("a", turn(no_answer="nothing", actual_output=None))
    assert flips(run(before), run(gone)) == ()
    assert flips(run(before), run(case("a"))) == ()


def test_an_answer_of_which_something_passed_can_be_lost() -> None:
    gone = case("a", turn(no_answer="nothing", actual_output=None))
    (flip,) = flips(run(case("a", judged(0.1), ruled(1.0))), run(gone))
    assert flip.metric == ""


def test_a_judge_that_was_configured_for_an_agent_flips_with_its_noise() -> None:
    """The agent's list names the metric; the results need not repeat its digest."""
    agents = (agent(config()),)
    before, now = (
        run(case("a", judged(0.9, digest="")), agents=agents),
        run(case("a", judged(0.6)), agents=agents),
    )
    (flip,) = flips(before, now)
    assert flip.why == "0.90 to 0.60 over 1 and 1 judgements is just under what noise explains"
