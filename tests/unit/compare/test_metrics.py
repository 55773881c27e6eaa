from typing import Any

import pytest

from holodeck_eval.compare import compare
from holodeck_eval.domain.comparison import MetricComparison
from holodeck_eval.domain.noise import Noise
from holodeck_eval.domain.outcome import Errored, Part, Scored, Skipped
from holodeck_eval.domain.policy import ComparisonPolicy
from holodeck_eval.domain.result import CaseResult
from holodeck_eval.domain.run import Run
from tests.fakes.comparing import agent, by_person, case, config, judged, ruled, run, scores, turn, unscored

POLICY = ComparisonPolicy()


def rows(before: Run, now: Run, policy: ComparisonPolicy = POLICY) -> dict[str, MetricComparison]:
    return {row.name: row for row in compare(before, now, policy).metrics}


def moved(before: list[float], now: list[float], policy: ComparisonPolicy = POLICY) -> MetricComparison:
    """The row of a metric that was judged so before and now, of other texts each time."""
    return rows(run(*scores(before)), run(*scores(now)), policy)["faithful"]


WAVE = [round(0.75 + 0.02 * (place % 11), 2) for place in range(50)]


def test_a_mean_that_fell_surely_and_far_enough_is_worse() -> None:
    row = moved(WAVE, [score - 0.05 - 0.01 * (place % 3) for place, score in enumerate(WAVE)])
    assert (row.verdict, row.pairs, row.unchanged) == ("worse", 50, 0)
    assert (row.baseline, row.now, row.difference) == (0.844, 0.7842, -0.0598)
    assert (row.p_worse, row.p_better) == (0.0004, 1.0)
    assert row.low is not None
    assert row.high is not None
    assert row.low < -0.0598 < row.high < -0.05


def test_a_mean_that_rose_surely_and_far_enough_is_better() -> None:
    row = moved([score - 0.06 for score in WAVE], WAVE)
    assert (row.verdict, row.difference) == ("better", 0.06)


@pytest.mark.parametrize(("drop", "verdict"), [(0.02, "same"), (0.020001, "worse")])
def test_a_drop_counts_when_it_exceeds_what_is_let_go(drop: float, verdict: str) -> None:
    assert moved(WAVE, [score - drop for score in WAVE]).verdict == verdict


def test_a_drop_within_chance_is_the_same_where_a_real_one_would_have_been_seen() -> None:
    row = moved(WAVE, [score + (0.04 if place % 2 else -0.06) for place, score in enumerate(WAVE)])
    assert (row.verdict, row.difference) == ("same", -0.01)
    assert row.smallest_drop == pytest.approx(0.049, abs=0.001)


def test_a_comparison_that_could_not_have_seen_a_drop_that_matters_is_underpowered() -> None:
    before, now = [0.9, 0.8, 0.7, 0.9] * 3, [0.8, 0.9, 0.8, 0.7] * 3
    row = moved(before, now)
    assert (row.verdict, row.pairs) == ("underpowered", 12)
    assert row.smallest_drop == pytest.approx(0.132, abs=0.001)
    assert moved(before, now, ComparisonPolicy(relevant_drop=0.2)).verdict == "same"


def test_too_few_pairs_are_underpowered_however_far_they_fell() -> None:
    row = moved([0.9] * 5, [0.1] * 5)
    assert (row.verdict, row.smallest_drop, row.p_worse) == ("underpowered", None, 1 / 16)


def test_the_interval_is_students() -> None:
    row = moved([0.5, 0.5, 0.5], [0.4, 0.5, 0.6])
    assert (row.difference, row.low, row.high) == (0.0, -0.248414, 0.248414)


def test_an_interval_does_not_leave_what_a_difference_can_be() -> None:
    row = moved([0.0, 1.0], [1.0, 0.0])
    assert (row.low, row.high) == (-1.0, 1.0)


def test_one_pair_has_no_interval() -> None:
    row = moved([0.9], [0.8])
    assert (row.pairs, row.low, row.high, row.verdict) == (1, None, None, "underpowered")


def test_pairs_with_one_key_differ_by_nothing_whatever_their_scores() -> None:
    before = run(*scores([0.9, 0.8, 0.7], key="same texts"))
    row = rows(before, run(*scores([0.1, 0.2, 0.3], key="same texts")))["faithful"]
    assert (row.pairs, row.unchanged, row.difference, row.verdict) == (3, 3, 0.0, "same")
    assert (row.baseline, row.now, row.smallest_drop) == (0.8, 0.8, None)


def test_unchanged_pairs_count_as_zeros_among_those_that_changed() -> None:
    before = [*scores([0.9] * 5), *(case(f"same{n}", judged(0.8, key="k")) for n in range(5))]
    now = [*scores([0.8] * 5), *(case(f"same{n}", judged(0.8, key="k")) for n in range(5))]
    row = rows(run(*before), run(*now))["faithful"]
    assert (row.pairs, row.unchanged, row.difference) == (10, 5, -0.05)
    assert row.p_worse == 1 / 16


def test_replies_that_were_added_in_doubt_do_not_move_the_mean() -> None:
    before = run(case("a", judged(0.8, 0.2, 0.2)), case("b", judged(0.6)))
    now = run(case("a", judged(0.6, 1.0, 1.0)), case("b", judged(0.6)))
    row = rows(before, now)["faithful"]
    assert (row.baseline, row.now, row.difference) == (0.7, 0.6, -0.1)


def test_each_side_counts_as_many_replies_as_it_planned() -> None:
    before = run(case("a", judged(0.8, 0.6, 0.1)), repeats=2)
    now = run(case("a", judged(0.6, 0.3, 0.3)), repeats=3)
    row = rows(before, now)["faithful"]
    assert (row.baseline, row.now) == (0.7, 0.4)


def test_a_persons_score_counts_as_it_is() -> None:
    before = run(case("a", by_person(0.8, replies=(0.2, 0.9))))
    row = rows(before, run(case("a", by_person(0.6))))["tone"]
    assert (row.baseline, row.now, row.noise) == (0.8, 0.6, None)


def test_a_score_of_which_no_replies_were_kept_counts_as_it_is() -> None:
    before = run(case("a", judged(0.8, replies=())))
    row = rows(before, run(case("a", judged(0.6))))["faithful"]
    assert (row.baseline, row.difference) == (0.8, -0.2)
    assert row.noise == Noise(sd=0.08, source="default")


def test_a_case_of_several_turns_counts_once_with_its_mean() -> None:
    def talk(*replies: float) -> CaseResult:
        return case("talk", *(turn(judged(reply), index=place) for place, reply in enumerate(replies)))

    row = rows(run(talk(0.9, 0.6, 0.3)), run(talk(0.8, 0.6, 0.1)))["faithful"]
    assert (row.pairs, row.baseline, row.now, row.difference) == (1, 0.6, 0.5, -0.1)


def test_a_turn_that_is_scored_on_one_side_alone_is_left_out_of_both() -> None:
    late = unscored(Errored(kind="timeout", message="late"))
    before = run(case("talk", turn(judged(0.9), index=0), turn(judged(0.1), index=1)))
    now = run(case("talk", turn(judged(0.7), index=0), turn(late, index=1)))
    row = rows(before, now)["faithful"]
    assert (row.pairs, row.baseline, row.now) == (1, 0.9, 0.7)


def test_the_average_is_over_the_metrics_that_both_sides_scored() -> None:
    skip = Skipped(cause="not_applicable", reason="no context")
    before = run(case("a", judged(0.8), judged(0.4, name="grounded")), case("b", judged(0.5)))
    now = run(
        case("a", judged(0.7), unscored(skip, "grounded")),
        case("b", judged(0.5)),
    )
    found = rows(before, now)
    assert (found["avg_score"].pairs, found["avg_score"].baseline, found["avg_score"].now) == (2, 0.65, 0.6)
    grounded = found["grounded"]
    assert (grounded.pairs, grounded.baseline, grounded.verdict) == (0, None, "underpowered")


def test_the_average_of_unchanged_scores_is_unchanged_with_rules_that_agree() -> None:
    before = run(case("a", judged(0.8, key="k"), ruled(1.0)), case("b", judged(0.8, key="l"), ruled(1.0)))
    now = run(case("a", judged(0.8, key="k"), ruled(1.0)), case("b", judged(0.8, key="l"), ruled(0.0)))
    found = rows(before, now)
    assert (found["avg_score"].pairs, found["avg_score"].unchanged) == (2, 1)
    assert (found["equality"].unchanged, found["equality"].noise) == (0, None)


def test_rules_that_all_agree_are_the_same_however_few() -> None:
    same = run(case("a", ruled(1.0)), case("b", ruled(0.0)))
    row = rows(same, same)["equality"]
    assert (row.verdict, row.difference, row.p_worse, row.smallest_drop) == ("same", 0.0, 1.0, None)


def test_without_any_spread_the_smallest_drop_is_that_of_eight_cases() -> None:
    many = run(*(case(f"c{n}", ruled(1.0)) for n in range(50)))
    row = rows(many, many)["equality"]
    assert (row.verdict, row.smallest_drop) == ("same", 7 / 50)


def test_noise_is_measured_on_both_sides() -> None:
    before = run(*(case(f"c{n}", judged(0.8, 0.9)) for n in range(3)), repeats=2)
    now = run(*(case(f"c{n}", judged(0.9, 0.7)) for n in range(3)), repeats=2)
    noise = rows(before, now)["faithful"].noise
    assert noise is not None
    assert (noise.source, noise.degrees) == ("metric", 6)
    assert noise.sd == pytest.approx((3 * (0.005 + 0.02) / 6) ** 0.5, abs=1e-6)


def test_little_noise_seen_in_the_scores_does_not_hide_what_the_judge_is_known_to_have() -> None:
    """All pairs agree by luck: the noise of two replies is spread enough to call twelve pairs too few."""
    row = moved([0.8] * 12, [0.8] * 12)
    assert (row.verdict, row.smallest_drop) == ("underpowered", pytest.approx(0.110, abs=0.001))


def test_more_repeats_see_smaller_drops() -> None:
    def repeated(times: int) -> Run:
        return run(*(case(f"c{n}", judged(*[0.8] * times, replies=())) for n in range(30)), repeats=times)

    once, often = (rows(repeated(times), repeated(times))["faithful"].smallest_drop for times in (1, 4))
    assert once is not None
    assert often is not None
    assert often < once


def test_each_agent_has_rows_of_its_own_in_the_order_they_are_configured_in() -> None:
    def both(*replies: float) -> Run:
        first = case(
            "a", judged(replies[0]), judged(0.5, name="extra"), judged(0.5, name="polite"), agent="zoe"
        )
        second = case("a", judged(replies[1]), agent="ben")
        return run(
            second, first, agents=(agent(config("polite"), config(), name="zoe"), agent(config(), name="ben"))
        )

    found = compare(both(0.8, 0.6), both(0.8, 0.4), POLICY).metrics
    assert [(row.agent, row.name) for row in found] == [
        ("zoe", "polite"),
        ("zoe", "faithful"),
        ("zoe", "extra"),
        ("zoe", "avg_score"),
        ("ben", "faithful"),
        ("ben", "avg_score"),
    ]
    assert [row.difference for row in found] == [0.0, 0.0, 0.0, 0.0, -0.2, -0.2]


def test_all_rows_of_all_agents_are_one_family() -> None:
    def made(drop: float, agents: int) -> Run:
        cases = [
            replace_agent(item, f"agent{number}")
            for number in range(agents)
            for item in scores([0.9 - (drop if number == 0 else 0.0)] * 7)
        ]
        return run(*cases)

    def replace_agent(item: CaseResult, name: str) -> CaseResult:
        return case(item.id, *item.turns, agent=name)

    alone, among = (compare(made(0.0, n), made(0.2, n), POLICY).metrics[0] for n in (1, 3))
    assert (alone.p_worse, among.p_worse) == (pytest.approx(2 / 128), pytest.approx(6 / 128, abs=1e-6))
    assert (alone.verdict, among.verdict) == ("worse", "underpowered")


def test_an_agent_without_cases_in_the_baseline_has_no_rows() -> None:
    before = run(case("a", judged(0.8)))
    now = run(case("a", judged(0.8)), case("a", judged(0.1), agent="new"))
    assert {row.agent for row in compare(before, now, POLICY).metrics} == {"helper"}


def test_an_agent_without_a_pair_has_rows_without_numbers() -> None:
    before = run(case("a", judged(0.8)), case("b", judged(0.8), agent="other"))
    now = run(case("a", judged(0.8)), case("c", judged(0.1), agent="other"))
    (row,) = [
        row for row in compare(before, now, POLICY).metrics if (row.agent, row.name) == ("other", "faithful")
    ]
    assert (row.pairs, row.verdict, row.difference, row.p_worse) == (0, "underpowered", None, None)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -0.5, 1.5])
def test_what_is_no_score_is_compared_with_nothing(number: float) -> None:
    before = run(case("a", judged(0.8)), case("b", judged(0.8)))
    for wrong in (judged(0.5, score=number, passed=True), judged(0.5, replies=(0.5, number))):
        row = rows(before, run(case("a", wrong), case("b", judged(0.7))))["faithful"]
        assert (row.pairs, row.now, row.difference) == (1, 0.7, -0.1)


def _generation(*parts: tuple[str, Any]) -> Any:
    made = tuple(Part(name=name, status=status, explanation="", score=3.0) for name, status in parts)
    return judged(0.8, name="generation", parts=made)


@pytest.mark.parametrize("status", ["skipped", "errored"])
def test_a_score_that_lacks_a_part_is_not_compared_with_a_whole_one(status: str) -> None:
    whole = run(case("a", _generation(("completeness", "scored"), ("redundancy", "scored"))))
    less = run(case("a", _generation(("completeness", "scored"), ("redundancy", status))))
    assert rows(whole, less)["generation"].pairs == 0
    assert rows(whole, whole)["generation"].pairs == 1


def test_scores_that_both_lack_a_part_for_an_error_are_not_compared() -> None:
    less = run(case("a", _generation(("completeness", "scored"), ("redundancy", "errored"))))
    assert rows(less, less)["generation"].pairs == 0


def test_a_metric_is_compared_under_a_policy_of_no_error_at_all() -> None:
    row = moved(WAVE, [0.1] * 50, ComparisonPolicy(metrics_alpha=0.0, cases_alpha=0.0))
    assert (row.verdict, row.smallest_drop) == ("underpowered", None)


def test_a_score_is_kept_for_what_it_is_of_another_kind_in_the_same_row() -> None:
    """A row in which one case is judged by a rule and one by a model carries the model's noise."""
    before = run(case("a", judged(0.8)), case("b", judged(0.8, judge=None, replies=())))
    outcome = before.cases[1].turns[0].metrics[0].outcome
    assert isinstance(outcome, Scored)
    assert outcome.judge is None
    row = rows(before, before)["faithful"]
    assert (row.pairs, row.noise) == (2, Noise(sd=0.08, source="default"))
