from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holodeck_eval.compare.changes import MOST, gate_changes
from holodeck_eval.domain.agent import GenerationOptions, GEvalOptions, JudgeSpec, MetricSpec
from holodeck_eval.domain.comparison import GateChange
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import CaseResult, WaivedCase
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.staleness import Staleness
from holodeck_eval.errors import Place
from tests.fakes.measured import DOWN, agent_run, config, generation, part, result, run, scored, skipped, spec

SKIP = Policy(on_missing_input="skip")
JUDGE = JudgeSpec(provider="openai", name="gpt-4o")


def tone(criteria: str = "polite", **settings: Any) -> MetricSpec:
    made = {"kind": "geval", "type": "geval", "judge": JUDGE, "options": GEvalOptions(criteria=criteria)}
    return replace(spec("tone"), **made | settings)


def told(baseline: Run, head: Run) -> list[tuple[str, str, bool]]:
    return [(change.code, change.message, change.loosens) for change in gate_changes(baseline, head)]


def of_agents(before: Sequence[Any], now: Sequence[Any]) -> list[tuple[str, str, bool]]:
    """What differs between two runs without cases whose agent has these metrics."""
    return told(run(agents=[agent_run(*before)]), run(agents=[agent_run(*now)]))


def of_cases(before: Sequence[CaseResult], now: Sequence[CaseResult]) -> tuple[GateChange, ...]:
    """What differs between two runs of these cases, whose agent has no metrics of its own."""
    return gate_changes(run(*before), run(*now))


def measured(metric: MetricSpec, id: str = "a", score: float = 0.9, **settings: Any) -> CaseResult:  # noqa: A002
    return result([(metric, scored(score, judge="openai/gpt-4o"))], id=id, **settings)


def test_equal_gates_have_no_changes() -> None:
    same = run(measured(tone()), agents=[agent_run(tone(), generation())])
    assert gate_changes(same, same) == ()


# The agents' own lists.


@pytest.mark.parametrize(
    ("before", "now", "message", "loosens"),
    [
        (0.8, 0.5, "the threshold of 'tone' was lowered from 0.8 to 0.5", True),
        (0.5, 0.8, "the threshold of 'tone' was raised from 0.5 to 0.8", False),
        (0.8000001, 0.8, "the threshold of 'tone' was lowered from 0.8000001 to 0.8", True),
    ],
)
def test_a_threshold_that_moved_is_told_with_both_values(
    before: float, now: float, message: str, *, loosens: bool
) -> None:
    assert of_agents([tone(threshold=before)], [tone(threshold=now)]) == [("threshold", message, loosens)]


@pytest.mark.parametrize(
    ("before", "now", "loosens"),
    [("good", "incomplete", True), ("incomplete", "bad", True), ("bad", "good", False)],
)
def test_a_min_rating_that_moved_is_told(before: str, now: str, *, loosens: bool) -> None:
    changes = of_agents(
        [generation(options={"min_rating": before})], [generation(options={"min_rating": now})]
    )
    how = "lowered" if loosens else "raised"
    assert changes == [
        ("threshold", f"the min_rating of 'generation' was {how} from {before} to {now}", loosens)
    ]


@pytest.mark.parametrize(
    ("threshold", "rating", "to_rating", "to_threshold"),
    [
        (0.8, "good", False, True),
        (0.8, "incomplete", True, True),
        (0.8, "bad", True, False),
        (1.0, "good", False, False),
        (0.0, "bad", False, False),
    ],
)
def test_a_threshold_in_place_of_a_rating_loosens_unless_it_surely_does_not(
    threshold: float, rating: str, *, to_rating: bool, to_threshold: bool
) -> None:  # fmt: skip
    by_score, by_rating = generation(threshold=threshold), generation(options={"min_rating": rating})
    (first,), (second,) = of_agents([by_score], [by_rating]), of_agents([by_rating], [by_score])
    assert (first[2], second[2]) == (to_rating, to_threshold)
    words = f"from a threshold of {threshold:g} to a rating of {rating}"
    assert first[1] == f"what 'generation' must reach was {'lowered' if to_rating else 'raised'} {words}"


@pytest.mark.parametrize(
    ("before", "now", "message"),
    [
        (0.3, 0.1, "the bad_below of 'tone' was lowered from 0.3 to 0.1"),
        (None, 0.1, "the bad_below of 'tone' was lowered from 0.4 to 0.1"),
        (0.1, None, "the bad_below of 'tone' was raised from 0.1 to 0.4"),
    ],
)
def test_a_bad_below_that_moved_is_told(before: float | None, now: float | None, message: str) -> None:
    changes = of_agents([tone(bad_below=before)], [tone(bad_below=now)])
    assert changes == [("threshold", message, "lowered" in message)]


def test_a_bad_below_that_follows_the_threshold_is_not_told_twice() -> None:
    assert len(of_agents([tone(threshold=0.8)], [tone(threshold=0.6)])) == 1
    assert (
        of_agents([generation(threshold=0.5, bad_below=0.2)], [generation(threshold=0.5, bad_below=0.1)])
        == []
    )


def test_a_guardrail_that_was_taken_off_loosens_and_one_that_was_put_on_does_not() -> None:
    plain, guarded = tone(), tone(guardrail=True)
    assert of_agents([guarded], [plain]) == [("guardrail", "'tone' is no guardrail any more", True)]
    assert of_agents([plain], [guarded]) == [("guardrail", "'tone' is a guardrail now", False)]


def test_a_metric_that_was_removed_or_switched_off_loosens() -> None:
    assert of_agents([tone()], []) == [("metric_removed", "the metric 'tone' was removed", True)]
    assert of_agents([tone()], [tone(enabled=False, judge=None)]) == [
        ("metric_removed", "the metric 'tone' was switched off", True)
    ]


def test_a_metric_that_only_test_cases_have_now_was_removed_from_the_agent() -> None:
    moved = config(tone(), shared=False)
    assert of_agents([tone()], [moved]) == [
        ("metric_removed", "the metric 'tone' was taken off the agent: only test cases have it now", True)
    ]


def test_a_metric_that_was_added_or_switched_on_is_reported() -> None:
    assert of_agents([], [tone()]) == [("metric_added", "the metric 'tone' was added", False)]
    assert of_agents([tone(enabled=False)], [tone()]) == [
        ("metric_added", "the metric 'tone' was switched on", False)
    ]


def test_a_metric_that_is_off_on_both_sides_or_removed_while_off_is_no_change() -> None:
    off = tone(enabled=False)
    assert of_agents([off], [off]) == []
    assert of_agents([off], []) == []
    assert of_agents([], [off]) == []


def test_metrics_that_only_test_cases_bring_are_not_compared_by_the_one_that_was_described() -> None:
    first, second = (config(tone(threshold=threshold), shared=False) for threshold in (0.9, 0.5))
    assert of_agents([first], [second]) == []
    assert of_agents([first], []) == []


def test_an_edited_option_is_told_with_both_values_and_does_not_loosen() -> None:
    assert of_agents([tone("polite")], [tone("rude")]) == [
        ("configuration", "'criteria' of 'tone' was edited, from 'polite' to 'rude'", False)
    ]


def test_an_option_that_is_no_text_is_told_as_json_and_is_the_same_read_from_a_file_or_not() -> None:
    before = config(tone(options=GEvalOptions(criteria="c", evaluation_params=("input",))))
    read = replace(before, configuration={**before.configuration, "evaluation_params": ["input"]})
    now = config(tone(options=GEvalOptions(criteria="c", evaluation_params=("input", "context"))))
    assert of_agents([read], [now]) == [
        (
            "configuration",
            "'evaluation_params' of 'tone' was edited, from '[\"input\"]' to '[\"input\", \"context\"]'",
            False,
        )
    ]
    assert of_agents([read], [before]) == []


def test_long_texts_are_shown_from_where_they_part() -> None:
    same = "x" * 500
    ((_, message, _),) = of_agents([tone(f"{same} always polite")], [tone(f"{same} never polite")])
    assert message == (
        f"'criteria' of 'tone' was edited, from '…{'x' * 19} always polite' to '…{'x' * 19} never polite'"
    )


def test_a_text_that_was_only_made_longer_is_shown_to_be() -> None:
    ((_, message, _),) = of_agents([tone("y" * 90)], [tone("y" * 90 + "!")])
    assert message.endswith(f"from '…{'y' * 20}' to '…{'y' * 20}!'")


def test_another_type_under_the_same_name_is_told() -> None:
    other = tone(kind="standard", type="equality", judge=None, options=None)
    changes = of_agents([tone()], [other])
    assert ("configuration", "'type' of 'tone' was edited, from 'geval' to 'equality'", False) in changes
    assert ("judge", "the judge of 'tone' was 'openai/gpt-4o' and is now nobody", False) in changes


def test_another_judge_is_told() -> None:
    now = tone(judge=replace(JUDGE, name="gpt-5", temperature=0.5))
    assert of_agents([tone()], [now]) == [
        (
            "judge",
            "the judge of 'tone' was 'openai/gpt-4o' and is now 'openai/gpt-5 at temperature 0.5'",
            False,
        )
    ]


def generation_of(*metrics: str, **options: Any) -> MetricSpec:
    return spec(
        "generation", kind="generation", threshold=None, options=GenerationOptions(metrics=metrics, **options)
    )


def test_a_part_of_generation_that_is_not_measured_any_more_loosens() -> None:
    before, now = generation_of("completeness", "redundancy"), generation_of("redundancy")
    removed, edited = of_agents([before], [now])
    assert removed == ("metric_removed", "the metric 'generation.completeness' was removed", True)
    assert edited[0] == "configuration"


def test_metrics_of_generation_that_are_not_named_any_more_loosen() -> None:
    named, default = generation_of("redundancy", named=True), generation_of("redundancy")
    ((code, message, loosens),) = of_agents([named], [default])
    assert (code, loosens) == ("configuration", True)
    assert message.startswith("the metrics of 'generation' are not named any more")
    assert of_agents([default], [named]) == []


def test_a_digest_of_an_earlier_version_is_no_change_where_all_that_shapes_a_score_is_the_same() -> None:
    assert of_agents([config(generation(), digest="of an earlier version")], [generation()]) == []


def test_what_only_gates_a_rating_is_no_edit_of_the_configuration() -> None:
    loose = config(generation(options={"min_rating": "bad"}), digest="of an earlier version")
    assert [code for code, _, _ in of_agents([loose], [generation()])] == ["threshold"]


def test_values_that_a_file_was_edited_to_hold_are_no_reason_to_break() -> None:
    odd = config(
        generation(), digest="x", configuration={"min_rating": ["?"], "metrics": 3, "deep": {"a": [None]}}
    )
    assert of_agents([odd], [generation()])
    assert of_agents([generation()], [odd])


def test_an_agent_that_is_gone_loosens_and_its_metrics_are_not_told_one_by_one() -> None:
    before = run(agents=[agent_run(tone()), agent_run(tone(), name="other")])
    assert told(before, run(agents=[agent_run(tone())])) == [
        ("agent_removed", "the agent 'other' is not measured any more", True)
    ]
    assert told(run(agents=[agent_run(tone())]), before) == []


def test_of_several_agents_each_change_says_whose_it_is() -> None:
    def two(threshold: float) -> Run:
        return run(agents=[agent_run(tone()), agent_run(tone(threshold=threshold), name="other")])

    assert told(two(0.8), two(0.5)) == [
        ("threshold", "the threshold of 'tone' was lowered from 0.8 to 0.5, of the agent 'other'", True)
    ]


# How cases were measured.


def test_a_threshold_that_was_lowered_in_some_cases_names_them() -> None:
    before = [measured(tone(threshold=0.8), id=name) for name in "abc"]
    now = [
        measured(tone(threshold=threshold), id=name)
        for name, threshold in zip("abc", (0.5, 0.8, 0.5), strict=True)
    ]
    (change,) = of_cases(before, now)
    assert change == GateChange(
        code="threshold",
        message="the threshold of 'tone' was lowered from 0.8 to 0.5 in 2 cases ('a', 'c')",
        loosens=True,
        cases=("a", "c"),
        agent="helper",
        metric="tone",
    )


def test_what_follows_from_the_agents_own_list_is_told_once() -> None:
    before, now = (
        tone("polite", threshold=0.8, guardrail=True),
        tone("rude", threshold=0.5, judge=replace(JUDGE, name="b")),
    )
    baseline = run(measured(before), agents=[agent_run(before)])
    after = result([(now, scored(0.9, judge="openai/b"))])
    head = run(after, agents=[agent_run(now)])
    assert [(change.code, change.cases) for change in gate_changes(baseline, head)] == [
        ("threshold", ()),
        ("guardrail", ()),
        ("configuration", ()),
        ("judge", ()),
    ]


def test_an_edit_of_the_agents_own_list_is_not_told_again_for_its_cases() -> None:
    baseline = run(measured(tone("polite")), agents=[agent_run(tone("polite"))])
    head = run(measured(tone("rude")), agents=[agent_run(tone("rude"))])
    assert [(change.code, change.cases) for change in gate_changes(baseline, head)] == [("configuration", ())]


def test_a_metric_moved_into_a_test_case_with_a_weaker_threshold_is_seen() -> None:
    baseline = run(measured(tone(threshold=0.8)), agents=[agent_run(tone(threshold=0.8))])
    head = run(measured(tone("easy", threshold=0.1)), agents=[agent_run(tone(threshold=0.8))])
    assert told(baseline, head) == [
        ("threshold", "the threshold of 'tone' was lowered from 0.8 to 0.1 in 1 case ('a')", True),
        ("configuration", "'tone' is configured in another way than in the baseline in 1 case ('a')", False),
    ]


def test_a_min_rating_that_was_lowered_in_a_case_is_seen() -> None:
    least = generation(options={"min_rating": "incomplete"})
    (change,) = of_cases(
        [result([(generation(), scored(1.0, rating="good"))])],
        [result([(least, scored(1.0, rating="good"))])],
    )
    assert (change.code, change.loosens, change.cases) == ("threshold", True, ("a",))


def test_what_an_earlier_version_did_not_write_about_a_case_is_not_compared() -> None:
    def earlier(case: CaseResult) -> CaseResult:
        (turn,) = case.turns
        metrics = tuple(
            replace(metric, digest="", bad_below=None, min_rating=None) for metric in turn.metrics
        )
        return replace(case, turns=(replace(turn, metrics=metrics),))

    before = result([(tone(), scored(0.9)), (generation(), scored(1.0, rating="good"))])
    now = result([(tone("rude", bad_below=0.1), scored(0.9)), (generation(options={"min_rating": "bad"}), scored(1.0, rating="good"))])  # fmt: skip
    assert of_cases([earlier(before)], [now]) == ()


def test_another_judge_in_a_case_is_told() -> None:
    now = result([(tone(judge=replace(JUDGE, name="b")), scored(0.9, judge="openai/b"))])
    (change,) = of_cases([measured(tone())], [now])
    assert (change.code, change.loosens, change.cases) == ("judge", False, ("a",))
    assert change.message == "the judge of 'tone' was 'openai/gpt-4o' and is now 'openai/b' in 1 case ('a')"


def test_a_metric_that_nobody_judges_any_more_in_a_case_is_configured_in_another_way() -> None:
    (change,) = of_cases([measured(tone())], [result([(tone(judge=None), scored(0.9))])])
    assert (change.code, change.loosens) == ("configuration", False)


def test_a_guardrail_that_was_taken_off_in_a_case_loosens() -> None:
    (change,) = of_cases([measured(tone(guardrail=True))], [measured(tone())])
    assert (change.code, change.loosens) == ("guardrail", True)


@pytest.mark.parametrize("outcome", [scored(0.9), DOWN, skipped("missing_input")])
def test_a_metric_that_a_case_does_not_have_any_more_loosens(outcome: Any) -> None:
    keep = (spec("b"), scored(1.0))
    (change,) = of_cases([result([(spec(), outcome), keep])], [result([keep])])
    assert (change.code, change.loosens, change.cases) == ("metric_removed", True, ("a",))
    assert change.message == "the metric 'faithfulness' was removed in 1 case ('a')"


def test_a_turn_that_is_not_judged_any_more_lost_its_metrics() -> None:
    turn = [(spec(), scored(0.9))]
    (change,) = of_cases([result(turn, turn)], [result(turn)])
    assert (change.code, change.loosens) == ("metric_removed", True)


def test_a_metric_that_did_not_apply_before_may_go() -> None:
    keep = (spec("b"), scored(1.0))
    assert of_cases([result([(spec(), skipped("not_applicable")), keep])], [result([keep])]) == ()


def test_a_removed_metric_is_told_once_where_its_agent_lost_it_too() -> None:
    keep = (spec("b"), scored(1.0))
    baseline = run(result([(spec(), scored(0.9)), keep]), agents=[agent_run(spec())])
    assert told(baseline, run(result([keep]))) == [
        ("metric_removed", "the metric 'faithfulness' was removed", True)
    ]


@pytest.mark.parametrize("cause", ["missing_input", "not_applicable"])
@pytest.mark.parametrize("outcome", [scored(0.9), DOWN])
def test_a_metric_that_is_passed_over_now_loosens(cause: Any, outcome: Any) -> None:
    keep = (spec("b"), scored(1.0))
    before = result([(spec(), outcome), keep])
    (change,) = of_cases([before], [result([(spec(), skipped(cause)), keep], policy=SKIP)])
    assert (change.code, change.loosens, change.cases) == ("metric_skipped", True, ("a",))
    assert (
        change.message
        == f"the metric 'faithfulness' was measured and is now passed over ({cause}) in 1 case ('a')"
    )


@pytest.mark.parametrize(
    "outcome",
    [skipped("missing_input"), skipped("offline"), skipped("nothing_to_judge"), skipped("no_answer"), DOWN],
)
def test_a_metric_that_holds_its_case_open_or_found_nothing_is_no_change_of_the_gate(outcome: Any) -> None:
    keep = (spec("b"), scored(1.0))
    assert of_cases([result([(spec(), scored(0.9)), keep])], [result([(spec(), outcome), keep])]) == ()


def rated(*parts: Any) -> Any:
    return scored(1.0, rating="good", parts=parts)


@pytest.mark.parametrize(
    ("now", "policy", "code"),
    [
        ((), Policy(), "metric_removed"),
        ((part("completeness", "skipped", "not_applicable"),), Policy(), "metric_skipped"),
        ((part("completeness", "skipped", "missing_input"),), SKIP, "metric_skipped"),
        ((part("completeness", "skipped", "missing_input"),), Policy(), None),
        ((part("completeness", "errored", "timeout"),), Policy(), None),
        ((part("completeness", "skipped", "nothing_to_judge"),), Policy(), None),
        ((part("completeness", "scored"),), Policy(), None),
    ],
)
def test_a_part_of_generation_that_is_not_scored_any_more_loosens_where_nothing_holds_the_case_open(
    now: Any, policy: Policy, code: str | None
) -> None:
    before = result([(generation(), rated(part("completeness", "scored"), part("redundancy", "skipped")))])
    changes = of_cases([before], [result([(generation(), rated(*now))], policy=policy)])
    assert [(change.code, change.loosens) for change in changes] == ([(code, True)] if code else [])
    assert all("'generation.completeness'" in change.message for change in changes)


def test_a_case_without_a_transcript_says_nothing_about_its_metrics() -> None:
    lost = replace(measured(tone()), turns=(), transcript=None, status="failed")
    assert of_cases([measured(tone())], [lost]) == ()


def test_a_metric_that_is_eased_in_a_case_that_was_changed_too_loosens() -> None:
    """Nothing else compares such a case: one more word in what it expects would free it of its metrics."""
    before = measured(tone(guardrail=True))
    now = replace(measured(tone(threshold=0.1)), digest="other")
    changes = {change.code: change.loosens for change in of_cases([before], [now])}
    assert changes == {"threshold": True, "guardrail": True, "case_changed": False}
    bare = replace(measured(spec()), digest="other")
    changes = {change.code: change.loosens for change in of_cases([before], [bare])}
    assert changes == {"metric_removed": True, "case_changed": False}


def test_the_metric_of_a_turn_that_a_changed_case_has_not_is_looked_for_in_the_others() -> None:
    turns = [[(tone(), scored(0.9))], [(tone(), scored(0.8))]]
    shorter = replace(result(turns[1]), digest="other")
    assert [change.code for change in of_cases([result(*turns)], [shorter])] == ["case_changed"]
    eased = replace(result([(tone(threshold=0.1), scored(0.8))]), digest="other")
    assert [change.code for change in of_cases([result(*turns)], [eased])] == ["threshold", "case_changed"]


# Cases.


def test_cases_that_are_gone_loosen_unless_they_passed() -> None:
    keep, poor = measured(tone(), id="keep"), measured(tone(), id="poor", score=0.1)
    hanging = result([(tone(), DOWN)], id="open")
    failed, passed = of_cases([keep, measured(tone(), id="gone"), poor, hanging], [keep])
    assert (failed.code, failed.loosens, failed.cases) == ("case_removed", True, ("poor", "open"))
    assert failed.message == (
        "removed since the baseline, in which they had not passed: 2 cases ('poor', 'open')"
    )
    assert (passed.code, passed.loosens, passed.cases) == ("case_removed", False, ("gone",))


def test_cases_that_are_waived_now_are_told_apart_from_those_that_are_gone() -> None:
    poor = measured(tone(), id="poor", score=0.1)
    waived = WaivedCase(id="poor", agent="helper", reason="no transcript")
    (change,) = gate_changes(run(poor), run(waived_cases=(waived,)))
    assert (change.message, change.loosens) == (
        "waived since the baseline, in which they had not passed: 1 case ('poor')",
        True,
    )


def test_new_cases_are_no_change_of_the_gate() -> None:
    assert of_cases([measured(tone())], [measured(tone()), measured(tone(), id="new")]) == ()


def test_changed_expectations_are_reported_and_lost_ones_loosen() -> None:
    place = Place(file="agent.yaml", line=9)
    before = [replace(measured(tone(), id=name), test_case=place) for name in "ab"]
    now = [replace(before[0], digest="x"), replace(before[1], digest="y", test_case=None)]
    lost, changed = of_cases(before, now)
    assert (lost.code, lost.loosens, lost.cases) == ("case_changed", True, ("b",))
    assert lost.message == "without the test case that says what is expected of them: 1 case ('b')"
    assert (changed.code, changed.loosens, changed.cases) == ("case_changed", False, ("a",))
    assert changed.message == "asked or expected something else in the baseline: 1 case ('a')"


def test_a_recording_without_a_test_case_that_asks_something_else_is_reported() -> None:
    (change,) = of_cases([measured(tone())], [replace(measured(tone()), digest="x")])
    assert (change.code, change.loosens) == ("case_changed", False)


def test_a_recording_that_asks_something_else_than_the_baselines_is_reported() -> None:
    before = measured(tone())
    now = replace(before, turns=(replace(before.turns[0], input="Say that all is well."),))
    (change,) = of_cases([before], [now])
    assert (change.code, change.loosens) == ("case_changed", False)
    assert change.message == "recorded with another question than in the baseline: 1 case ('a')"


@pytest.mark.parametrize(("on_stale", "loosens"), [("block", True), ("report", False)])
def test_a_transcript_that_does_not_say_its_version_any_more_loosens(on_stale: Any, *, loosens: bool) -> None:
    fresh = replace(measured(tone()), staleness=Staleness(status="fresh"))
    policy = Policy(on_stale=on_stale)
    (change,) = gate_changes(run(fresh, policy=policy), run(measured(tone()), policy=policy))
    assert (change.code, change.loosens, change.cases) == ("agent_version", loosens, ("a",))


@pytest.mark.parametrize("status", ["fresh", "stale"])
def test_a_transcript_that_says_its_version_is_no_change_of_the_gate(status: Any) -> None:
    then, now = (replace(measured(tone()), staleness=Staleness(status=said)) for said in ("fresh", status))
    assert of_cases([then], [now]) == of_cases([measured(tone())], [now]) == ()


# The policy.


@pytest.mark.parametrize(
    ("rule", "loose", "strict", "shown"),
    [
        ("min_pass_rate", 0.5, 0.9, "min_pass_rate was 0.9 and is now 0.5"),
        ("min_pass_rate", None, 0.9, "min_pass_rate was 0.9 and is now off"),
        ("min_avg_score", None, 0.5, "min_avg_score was 0.5 and is now off"),
        ("min_cases", 1, 9, "min_cases was 9 and is now 1"),
        ("max_error_rate", 0.1, 0.0, "max_error_rate was 0 and is now 0.1"),
        ("on_missing_input", "skip", "inconclusive", "on_missing_input was inconclusive and is now skip"),
        ("on_inconclusive", "pass", "fail", "on_inconclusive was fail and is now pass"),
        ("allow_missing", True, False, "allow_missing was false and is now true"),
        ("max_drop", 0.5, 0.02, "max_drop was 0.02 and is now 0.5"),
        ("metrics_alpha", 0.001, 0.03, "metrics_alpha was 0.03 and is now 0.001"),
        ("cases_alpha", 0.001, 0.003, "cases_alpha was 0.003 and is now 0.001"),
    ],
)  # fmt: skip
def test_a_rule_that_differs_is_told_and_loosens_where_it_is_looser(
    rule: str, loose: Any, strict: Any, shown: str
) -> None:
    lax, firm = run(policy=Policy(**{rule: loose})), run(policy=Policy(**{rule: strict}))
    assert told(firm, lax) == [("policy", f"the policy is looser: {shown}", True)]
    ((code, message, loosens),) = told(lax, firm)
    assert (code, loosens) == ("policy", False)
    assert message.startswith(f"the policy is stricter: {rule} was ")


@pytest.mark.parametrize(
    ("rule", "loose"), [("allow_removed_cases", True), ("on_gate_change", "report"), ("on_stale", "report")]
)
def test_a_permit_for_what_the_comparison_finds_is_told_and_blocks_nothing_by_itself(
    rule: str, loose: Any
) -> None:
    ((code, message, loosens),) = told(run(policy=Policy()), run(policy=Policy(**{rule: loose})))
    assert (code, loosens) == ("policy", False)
    assert message.startswith(f"the policy permits what this comparison finds: {rule} was ")


def test_what_a_missing_baseline_does_is_no_change_where_there_is_one() -> None:
    firm, lax = Policy(), Policy(on_missing_baseline="report")
    assert told(run(policy=firm), run(policy=lax)) == told(run(policy=lax), run(policy=firm)) == []


def test_a_default_pass_rate_that_is_off_with_a_baseline_is_no_change() -> None:
    assert told(run(policy=Policy()), run(policy=Policy(min_pass_rate=None))) == []
    ((_, _, loosens),) = told(run(policy=Policy(min_pass_rate=None)), run(policy=Policy()))
    assert not loosens
    ((_, message, loosens),) = told(run(policy=Policy()), run(policy=Policy(min_pass_rate=0.5)))
    assert (message, loosens) == ("the policy is looser: min_pass_rate was 1 and is now 0.5", True)


# All of them together.


def test_what_loosens_comes_first() -> None:
    baseline = run(agents=[agent_run(tone(threshold=0.5))], policy=Policy(min_cases=5))
    head = run(agents=[agent_run(tone(threshold=0.8))], policy=Policy(min_cases=1))
    assert [change.loosens for change in gate_changes(baseline, head)] == [True, False]


def test_more_changes_of_a_kind_than_one_can_read_are_counted() -> None:
    metrics = [spec(f"m{number}", threshold=0.8) for number in range(MOST + 5)]
    now = [replace(metric, threshold=0.5 if number else 0.9) for number, metric in enumerate(metrics)]
    changes = gate_changes(run(agents=[agent_run(*metrics)]), run(agents=[agent_run(*now)]))
    assert len(changes) == MOST + 1
    assert changes[-1] == GateChange(
        code="threshold", message="and 5 more of this kind (threshold), 4 of them loosening", loosens=True
    )


def test_what_is_left_untold_loosens_only_where_something_of_it_does() -> None:
    added = [spec(f"m{number}") for number in range(MOST + 1)]
    changes = gate_changes(run(agents=[agent_run()]), run(agents=[agent_run(*added)]))
    assert (changes[-1].message, changes[-1].loosens) == (
        "and 1 more of this kind (metric_added), 0 of them loosening",
        False,
    )


def test_a_change_says_whose_metric_it_is_about() -> None:
    before = run(agents=[agent_run(tone(), generation_of("completeness")), agent_run(name="gone")])
    changes = gate_changes(before, run(agents=[agent_run(spec("x"), generation_of())], policy=SKIP))
    assert {(change.code, change.agent, change.metric) for change in changes} == {
        ("agent_removed", "gone", ""),
        ("metric_removed", "helper", "tone"),
        ("metric_removed", "helper", "generation.completeness"),
        ("configuration", "helper", "generation"),
        ("metric_added", "helper", "x"),
        ("policy", "", ""),
    }


def test_hostile_names_are_quoted_cut_and_on_one_line() -> None:
    name = "::error::\n##[x]\ud800" + "x" * 5000
    metric = tone(name=name, options=GEvalOptions(criteria=name))
    before = run(measured(metric, id=name), agents=[agent_run(metric, name=name), agent_run(name="helper")])
    weak = replace(metric, threshold=0.1, options=GEvalOptions(criteria=f"{name}!"))
    after = run(measured(weak, id=name), agents=[agent_run(weak, name=name)])
    changes = gate_changes(before, after)
    assert {change.code for change in changes} == {"threshold", "configuration", "agent_removed"}
    assert all("\n" not in change.message and "\ud800" not in change.message for change in changes)
    assert all(len(change.message) < 500 for change in changes)


METRICS = st.sampled_from(
    [tone(), tone("rude"), tone(threshold=0.2), tone(guardrail=True), spec(), generation(), generation(threshold=0.4)]
)  # fmt: skip
OUTCOMES = st.sampled_from(
    [scored(0.9), scored(0.1), DOWN, skipped("missing_input"), skipped("not_applicable"), skipped("offline")]
)
CASES = st.lists(
    st.builds(
        lambda turns, name, digest: replace(result(*turns, id=name), digest=digest),
        st.lists(
            st.lists(st.tuples(METRICS, OUTCOMES), max_size=2, unique_by=lambda item: item[0].name),
            max_size=2,
        ),
        st.sampled_from("abc"),
        st.sampled_from("de"),
    ),
    max_size=3,
    unique_by=lambda case: case.id,
)
RUNS = st.builds(
    lambda cases, metrics, rate: run(*cases, agents=[agent_run(*metrics)], policy=Policy(min_pass_rate=rate)),
    CASES,
    st.lists(METRICS, max_size=3, unique_by=lambda metric: metric.name),
    st.sampled_from([None, 0.5, 1.0]),
)


@given(baseline=RUNS, head=RUNS)
def test_any_two_runs_can_be_compared_and_a_run_has_no_changes_against_itself(
    baseline: Run, head: Run
) -> None:
    assert gate_changes(head, head) == ()
    changes = gate_changes(baseline, head)
    assert [change.loosens for change in changes] == sorted(
        (change.loosens for change in changes), reverse=True
    )
