import math
from dataclasses import replace
from typing import Any

import pytest

from holodeck_eval.aggregate import HEAD, aggregate_case, summarize
from holodeck_eval.aggregate.cases import head
from holodeck_eval.domain.fingerprint import digest_of
from holodeck_eval.domain.outcome import Errored, Scored
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import CaseResult, Measurement, WaivedCase
from holodeck_eval.domain.staleness import Staleness
from tests.fakes.measured import (
    DOWN,
    case,
    generation,
    measurements,
    missing,
    part,
    result,
    scored,
    skipped,
    spec,
)

SKIP = Policy(on_missing_input="skip")
EQUALITY = spec("equality", kind="standard", threshold=1.0)
TOOLS = spec("expected_tools", kind="expected_tools", threshold=1.0)


def rated(rating: Any, score: float = 0.5, *parts: Any) -> Scored:
    return scored(score, rating=rating, parts=parts)


def test_a_case_whose_scores_reach_their_thresholds_passes_without_reasons() -> None:
    made = result([(spec(), scored(0.8)), (EQUALITY, scored(1.0))])
    assert (made.status, made.reasons) == ("passed", ())
    assert (made.rating, made.score, made.binary_score, made.avg_score) == ("good", 1.0, 1, 0.9)
    assert made.turns[0].metrics[0].duration_s == 0.25


@pytest.mark.parametrize(
    ("score", "threshold", "passed"),
    [
        (0.8, 0.8, True),
        (0.7999999, 0.8, True),
        (0.7999994, 0.8, False),
        (0.1 + 0.2, 0.3, True),
        (0.0, 0.0, True),
    ],
)
def test_a_score_is_rounded_to_six_places_before_it_is_held_against_its_threshold(
    score: float, threshold: float, *, passed: bool
) -> None:
    metric = result([(spec(threshold=threshold), scored(score))]).turns[0].metrics[0]
    assert metric.passed is passed


def test_a_score_under_its_threshold_fails_the_case_with_the_judges_reason() -> None:
    made = result([(spec(), scored(0.4, "it made up a price"))])
    assert made.status == "failed"
    assert made.reasons == ("faithfulness scored 0.40, under its threshold of 0.80: it made up a price",)


def test_a_reason_that_was_not_given_is_not_quoted() -> None:
    assert result([(spec(), scored(0.4, "  "))]).reasons == (
        "faithfulness scored 0.40, under its threshold of 0.80",
    )


@pytest.mark.parametrize(
    ("score", "threshold", "shown"),
    [
        (0.799, 0.8, "scored 0.799, under its threshold of 0.800"),
        (0.799999, 0.8, "scored 0.799999, under its threshold of 0.8"),
    ],
)
def test_a_score_just_under_its_threshold_is_shown_with_enough_decimals(
    score: float, threshold: float, shown: str
) -> None:
    assert shown in result([(spec(threshold=threshold), scored(score))]).reasons[0]


def test_expected_tools_that_were_missed_fail_the_case() -> None:
    made = result([(TOOLS, scored(0.5, "1 of 2 missed"))])
    assert made.status == "failed"
    assert made.reasons == ("expected_tools scored 0.50, under its threshold of 1.00: 1 of 2 missed",)


def test_an_answer_that_is_missing_fails_the_case_and_leaves_it_unrated() -> None:
    made = result([(spec(), None), (TOOLS, scored(1.0))], no_answer=[0])
    assert made.status == made.turns[0].status == "failed"
    assert made.reasons == ("the agent gave no answer: the run ended in a tool call",)
    assert made.turns[0].metrics[0].outcome == skipped("no_answer", "the run ended in a tool call")
    assert (made.rating, made.score, made.binary_score, made.avg_score) == (None, None, None, 1.0)


def test_a_test_case_without_a_transcript_fails() -> None:
    made = missing(Policy())
    assert isinstance(made, CaseResult)
    assert (made.status, made.turns, made.rating, made.avg_score) == ("failed", (), None, None)
    assert made.reasons == ("no transcript was recorded for this test case",)


def test_a_test_case_without_a_transcript_is_waived_where_the_policy_allows_it() -> None:
    made = missing(Policy(allow_missing=True))
    assert isinstance(made, WaivedCase)
    assert (made.id, made.agent, str(made.test_case)) == ("lost", "helper", "agent.yaml:9")


def test_an_error_leaves_the_case_open_and_unrated() -> None:
    made = result([(spec(), DOWN), (EQUALITY, scored(1.0))])
    assert made.status == "inconclusive"
    assert made.reasons == ("faithfulness could not be judged (judge_unavailable): connection refused",)
    assert (made.rating, made.score, made.binary_score, made.avg_score) == (None, None, None, 1.0)


def test_a_failure_wins_over_an_error_and_is_named_first() -> None:
    made = result([(spec(), DOWN), (EQUALITY, scored(0.0)), (spec("b"), scored(0.7))])
    assert made.status == "failed"
    assert [reason.split()[0] for reason in made.reasons] == ["equality", "b", "faithfulness"]


@pytest.mark.parametrize("cause", ["missing_input", "offline", "unlabelled", "deadline", "budget", "stopped"])
def test_a_skip_for_a_blocking_cause_leaves_the_case_open(cause: str) -> None:
    made = result([(spec(), skipped(cause)), (EQUALITY, scored(1.0))])
    assert (made.status, made.rating) == ("inconclusive", None)
    assert made.reasons == (f"faithfulness was not measured ({cause}): not there",)


@pytest.mark.parametrize("cause", ["not_applicable", "nothing_to_judge"])
def test_a_skip_for_another_cause_lets_the_case_go_by_its_other_metrics(cause: str) -> None:
    made = result([(spec(), skipped(cause)), (EQUALITY, scored(1.0))])
    assert (made.status, made.rating, made.avg_score) == ("passed", "good", 1.0)


def test_a_missing_input_does_not_block_where_the_policy_waives_it() -> None:
    made = result([(spec(), skipped("missing_input")), (EQUALITY, scored(1.0))], policy=SKIP)
    assert (made.status, made.rating) == ("passed", "good")


@pytest.mark.parametrize(
    ("measures", "why"),
    [
        ([(spec(), skipped("nothing_to_judge"))], "faithfulness: nothing_to_judge"),
        ([(spec(), skipped("missing_input"))], "faithfulness: missing_input"),
        ([], "no metric applies"),
    ],
)
def test_a_case_in_which_nothing_was_scored_stays_open(measures: Any, why: str) -> None:
    made = result(measures, policy=SKIP)
    assert made.status == made.turns[0].status == "inconclusive"
    assert made.reasons == (f"nothing was scored ({why})",)
    assert (made.rating, made.avg_score) == (None, None)


def test_a_case_without_turns_stays_open() -> None:
    made = result()
    assert (made.status, made.reasons) == ("inconclusive", ("nothing was scored (no metric applies)",))


def test_a_metric_that_was_never_measured_is_an_error_and_no_pass() -> None:
    made = result([(spec(), None), (EQUALITY, scored(1.0))])
    assert made.status == "inconclusive"
    assert isinstance(made.turns[0].metrics[0].outcome, Errored)


def test_a_measurement_beyond_the_turns_metrics_counts_too() -> None:
    known = [(EQUALITY, scored(1.0))]
    extra = measurements([(spec(), scored(0.1))])
    made = aggregate_case(case(known), [*measurements(known), *extra], Policy())
    assert isinstance(made, CaseResult)
    assert (made.status, len(made.turns[0].metrics)) == ("failed", 2)


@pytest.mark.parametrize("score", [math.nan, math.inf, -0.1, 1.1])
def test_a_score_that_is_none_is_an_error_and_never_a_number(score: float) -> None:
    made = result([(spec(), scored(score)), (EQUALITY, scored(1.0))])
    outcome = made.turns[0].metrics[0].outcome
    assert isinstance(outcome, Errored)
    assert (outcome.kind, made.status, made.avg_score) == ("internal", "inconclusive", 1.0)


@pytest.mark.parametrize(
    ("score", "bad_below", "rating"),
    [
        (0.8, None, "good"),
        (0.4, None, "incomplete"),
        (0.39, None, "bad"),
        (0.0, 0.0, "incomplete"),
        (0.5, 0.6, "bad"),
    ],
)
def test_a_metric_is_rated_by_its_threshold_and_bad_below(
    score: float, bad_below: float | None, rating: str
) -> None:
    metric = result([(spec(bad_below=bad_below), scored(score))]).turns[0].metrics[0]
    assert metric.rating == rating


@pytest.mark.parametrize(
    ("scores", "rating", "score", "binary"),
    [((0.9, 0.1), "bad", 0.0, 0), ((0.9, 0.5), "incomplete", 0.5, 0), ((0.9, 0.8), "good", 1.0, 1)],
)
def test_a_cases_rating_is_the_worst_of_its_parts(
    scores: tuple[float, float], rating: str, score: float, binary: int
) -> None:
    made = result([(spec("a"), scored(scores[0])), (spec("b"), scored(scores[1]))])
    assert (made.rating, made.score, made.binary_score) == (rating, score, binary)


@pytest.mark.parametrize(
    ("rating", "least", "status"),
    [
        ("good", "good", "passed"),
        ("incomplete", "good", "failed"),
        ("incomplete", "incomplete", "passed"),
        ("bad", "incomplete", "failed"),
    ],
)
def test_generation_without_a_threshold_passes_by_its_rating(rating: str, least: str, status: str) -> None:
    made = result([(generation(options={"min_rating": least}), rated(rating))])
    assert (made.status, made.rating) == (status, rating)


def test_generation_that_is_rated_too_low_says_so() -> None:
    made = result([(generation(), rated("bad"))])
    assert made.reasons == ("generation is rated bad, which is too low: because",)


def test_generation_without_options_must_be_good() -> None:
    assert result([(spec("g", threshold=None), rated("incomplete"))]).status == "failed"


def test_generation_with_a_threshold_passes_by_its_score_and_keeps_its_rating() -> None:
    made = result([(generation(threshold=0.6), rated("bad", 0.6))])
    assert (made.status, made.rating) == ("passed", "bad")


def test_generation_without_any_rating_is_open_and_no_pass() -> None:
    made = result([(generation(), rated(None))])
    assert (made.status, made.rating) == ("inconclusive", None)
    assert made.reasons == ("generation was measured only in part: it has no rating",)


def test_generation_with_a_threshold_but_no_rating_leaves_the_case_unrated() -> None:
    made = result([(generation(threshold=0.5), rated(None, 0.6))])
    assert (made.status, made.rating) == ("passed", None)


@pytest.mark.parametrize("cause", ["missing_input", "offline", "deadline", None])
def test_a_part_of_generation_that_was_skipped_for_a_blocking_cause_blocks(cause: str | None) -> None:
    open_part = part("completeness", "skipped", cause)
    made = result([(generation(), rated("good", 1.0, open_part))])
    assert (made.status, made.rating) == ("inconclusive", None)
    assert made.reasons == ("generation was measured only in part: completeness: completeness says why",)
    assert made.turns[0].metrics[0].passed is None


def test_a_part_of_generation_that_does_not_apply_does_not_block() -> None:
    made = result([(generation(), rated("good", 1.0, part("completeness", "skipped", "not_applicable")))])
    assert (made.status, made.rating) == ("passed", "good")


def test_a_part_without_its_input_does_not_block_where_the_policy_waives_it() -> None:
    measures = [(generation(), rated("good", 1.0, part("completeness", "skipped", "missing_input")))]
    assert result(measures, policy=SKIP).status == "passed"


def test_a_rating_too_low_fails_even_with_a_part_still_open_since_more_parts_only_make_it_worse() -> None:
    made = result([(generation(), rated("bad", 0.0, part("completeness", "skipped", "offline")))])
    assert made.status == "failed"
    assert len(made.reasons) == 2


def test_a_mean_under_its_threshold_stays_open_with_a_part_that_could_lift_it() -> None:
    made = result([(generation(threshold=0.8), rated(None, 0.2, part("completeness", "errored")))])
    assert (made.status, made.turns[0].metrics[0].passed) == ("inconclusive", None)


def test_a_case_of_several_turns_passes_when_all_do_and_names_the_turn_that_does_not() -> None:
    good, poor = [(spec(), scored(0.9))], [(spec(), scored(0.2, "no"))]
    made = result(good, poor)
    assert (made.status, [turn.status for turn in made.turns]) == ("failed", ["passed", "failed"])
    assert made.reasons == ("turn 2: faithfulness scored 0.20, under its threshold of 0.80: no",)
    assert made.avg_score == 0.55
    assert result(good, good).status == "passed"


def test_a_turn_to_which_nothing_applies_does_not_hold_up_the_others() -> None:
    made = result([(spec(), scored(0.9))], [(spec(), skipped("not_applicable"))])
    assert [turn.status for turn in made.turns] == ["passed", "passed"]


def test_reasons_quote_hostile_text_on_one_short_line() -> None:
    reason = result([(spec(), scored(0.1, "::error::\n" + "x" * 5000))]).reasons[0]
    assert "\n" not in reason
    assert len(reason) < 400


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (None, None),
        ("short", "short"),
        ("x" * HEAD, "x" * HEAD),
        ("x" * (HEAD + 1), "x" * (HEAD - 1) + "…"),
        ("x" * (HEAD - 2) + "\ud83d" + "\ude00" * 9, "x" * (HEAD - 2) + "…"),
    ],
)
def test_a_text_is_cut_to_its_head_and_never_within_a_pair(text: str | None, kept: str | None) -> None:
    assert head(text) == kept


def test_the_summary_of_nothing_has_no_means() -> None:
    summary = summarize(())
    assert summary.cases == 0
    numbers = (
        summary.pass_rate,
        summary.error_rate,
        summary.score,
        summary.binary_score,
        summary.avg_score,
        summary.rating,
    )
    assert numbers == (None,) * 6


def test_the_summary_counts_cases_and_evaluations() -> None:
    passed = result([(spec(), scored(0.9, recorded=2, from_checkout=1)), (EQUALITY, scored(1.0))], id="p")
    failed = result([(spec(), scored(0.3, recorded=1, from_checkout=1))], id="f")
    open_case = result([(spec(), DOWN), (EQUALITY, skipped("offline"))], id="o")
    summary = summarize((passed, failed, open_case))
    assert (summary.cases, summary.passed, summary.failed, summary.inconclusive) == (3, 1, 1, 1)
    assert (summary.pass_rate, summary.error_rate) == (0.5, 0.25)
    assert (summary.avg_score, summary.score, summary.binary_score, summary.rating) == (
        0.625,
        0.5,
        0.5,
        "bad",
    )
    assert (summary.evaluations_scored, summary.evaluations_skipped, summary.evaluations_errored) == (3, 1, 1)
    assert (summary.evaluations_recorded, summary.verdicts_from_checkout) == (2, 2)
    assert summary.skipped_by_cause == {"offline": 1}


def test_the_summary_counts_skipped_parts_apart_from_skipped_evaluations() -> None:
    some = result([(generation(), rated("good", 1.0, part("completeness", "skipped", "not_applicable")))])
    assert summarize((some,)).skipped_by_cause == {"generation.not_applicable": 1}


def test_an_evaluation_that_lacks_a_part_because_of_an_error_counts_as_an_error() -> None:
    some = scored(0.5, parts=(part("completeness", "errored"),), recorded=1, from_checkout=1)
    summary = summarize((result([(generation(), some), (EQUALITY, scored(1.0))]),))
    assert (summary.evaluations_scored, summary.evaluations_errored, summary.error_rate) == (1, 1, 0.5)
    assert (summary.evaluations_recorded, summary.verdicts_from_checkout) == (0, 1)
    metric = summary.metrics[0]
    assert (metric.mean, metric.scored, metric.errored) == (None, 0, 1)


def test_the_summary_lists_metrics_by_agent_in_the_order_they_appear() -> None:
    first = result([(spec(), scored(0.9))], agent="zoe")
    second = result([(spec(), scored(0.3))], [(spec(), skipped("nothing_to_judge"))], agent="adam")
    third = result([(EQUALITY, DOWN)], agent="zoe")
    metrics = summarize((second, first, third)).metrics
    assert [(metric.agent, metric.name) for metric in metrics] == [
        ("adam", "faithfulness"),
        ("zoe", "faithfulness"),
        ("zoe", "equality"),
    ]
    poor, good, open_metric = metrics
    assert (poor.mean, poor.scored, poor.passed, poor.failed, poor.skipped) == (0.3, 1, 0, 1, 1)
    assert (good.mean, good.passed, good.failed, good.threshold) == (0.9, 1, 0, 0.8)
    assert (open_metric.mean, open_metric.errored, open_metric.type) == (None, 1, "equality")


def test_a_metric_with_several_thresholds_is_summed_up_without_one() -> None:
    def with_threshold(threshold: float) -> CaseResult:
        return result([(spec(threshold=threshold), scored(0.9))])

    assert summarize((with_threshold(0.5), with_threshold(0.6))).metrics[0].threshold is None


def test_numbers_are_rounded_to_six_places() -> None:
    results = [result([(spec(), scored(1 / 3))])] * 3
    assert summarize(results).avg_score == 0.333333


def test_a_guardrail_and_its_place_stand_in_the_result() -> None:
    metric = spec(guardrail=True)
    made = result([(metric, scored(0.9))]).turns[0].metrics[0]
    assert (made.guardrail, made.place) == (True, metric.place)


def test_the_metrics_digest_stands_in_the_result() -> None:
    made = result([(spec(threshold=0.3), scored(0.9)), (EQUALITY, DOWN)]).turns[0].metrics
    assert [metric.digest for metric in made] == [digest_of(spec()), digest_of(EQUALITY)]


@pytest.mark.parametrize(
    ("metric", "marks"),
    [
        (spec(), (0.4, None)),
        (spec(bad_below=0.1), (0.1, None)),
        (spec(bad_below=0.0), (0.0, None)),
        (generation(), (None, "good")),
        (generation(options={"min_rating": "incomplete"}), (None, "incomplete")),
        (generation(threshold=0.6, bad_below=0.1), (None, None)),
        (spec("g", threshold=None), (None, "good")),
    ],
)
def test_what_a_metric_had_to_reach_stands_in_the_result(metric: Any, marks: tuple[Any, Any]) -> None:
    made = result([(metric, scored(0.9))]).turns[0].metrics[0]
    assert (made.bad_below, made.min_rating) == marks


def test_whether_the_transcript_is_stale_stands_in_the_result() -> None:
    stale = Staleness(status="stale", differs=("tools",))
    measures = [(spec(), scored(0.9))]
    made = aggregate_case(replace(case(measures), staleness=stale), measurements(measures), Policy())
    assert isinstance(made, CaseResult)
    assert made.staleness == stale


@pytest.mark.parametrize("reply", [math.nan, -0.1, 1.1])
def test_a_reply_that_is_no_score_is_an_error_too(reply: float) -> None:
    outcome = result([(spec(), scored(0.9, replies=(0.9, reply)))]).turns[0].metrics[0].outcome
    assert isinstance(outcome, Errored)
    assert str(reply) in outcome.message


def test_a_case_whose_metrics_expect_nothing_says_so() -> None:
    made = result([(spec(), scored(1.0, asserts=False))])
    assert made.reasons == ("nothing was measured: faithfulness expects nothing; add a metric",)


def test_measurements_of_other_turns_are_not_mixed_up() -> None:
    turns = [(spec(), scored(0.9))], [(spec(), scored(0.1))]
    made = aggregate_case(case(*turns), list(reversed(measurements(*turns))), Policy())
    assert isinstance(made, CaseResult)
    assert [turn.status for turn in made.turns] == ["passed", "failed"]
    assert all(isinstance(item, Measurement) for item in measurements(*turns))


def test_verdicts_of_the_checkout_that_found_nothing_to_judge_are_counted_too() -> None:
    nothing = replace(skipped("nothing_to_judge"), from_checkout=2)
    assert summarize((result([(spec(), nothing)]),)).verdicts_from_checkout == 2
