from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holodeck_eval.aggregate import summarize
from holodeck_eval.aggregate.metrics import BLOCKING
from holodeck_eval.domain.agent import MetricSpec
from holodeck_eval.domain.outcome import Errored, Outcome, SkipCause
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import CaseResult, MetricConfig
from holodeck_eval.domain.run import AgentRun
from holodeck_eval.domain.verdict import Verdict
from holodeck_eval.errors import ErrorKind, Place, Problem
from holodeck_eval.gate import could_not_run, decide
from holodeck_eval.gate.open_cases import WHY
from tests.fakes.measured import DOWN, HERE, gate, generation, missing, part, result, scored, skipped, spec

TOOLS = spec("expected_tools", kind="expected_tools", threshold=1.0)


def good(id: str = "good") -> CaseResult:  # noqa: A002 - as in the factory
    return result([(spec(), scored(0.9))], id=id)


def poor(id: str = "poor", score: float = 0.1) -> CaseResult:  # noqa: A002 - as in the factory
    return result([(spec(), scored(score))], id=id)


def hanging(outcome: Outcome, id: str = "open", metric: MetricSpec | None = None) -> CaseResult:  # noqa: A002
    return result([(metric or spec(), outcome), (spec("b"), scored(1.0))], id=id)


def codes(verdict: Verdict) -> list[str]:
    return [cause.code for cause in verdict.causes]


def agent(name: str = "helper", *metrics: str) -> AgentRun:
    configured = tuple(
        MetricConfig(
            name=metric,
            kind="rag",
            type=metric,
            enabled=True,
            guardrail=False,
            threshold=0.8,
            bad_below=None,
            judge=None,
            configuration={},
            digest="d",
            place=HERE,
        )
        for metric in metrics
    )
    return AgentRun(name=name, file="agent.yaml", metrics=configured, test_cases=1, transcripts=1)


def test_a_run_whose_cases_all_pass_passes() -> None:
    assert gate(good(), good("b"), agents=[agent()]) == Verdict(status="passed", causes=(), exit_code=0)


# The table of causes, row by row.


def test_row_pass_rate_under_the_policy_fails() -> None:
    verdict = gate(good(), poor("p1"), poor("p2"))
    assert (verdict.status, verdict.exit_code, codes(verdict)) == ("failed", 1, ["pass_rate"])
    assert verdict.causes[0].cases == ("p1", "p2")
    assert verdict.causes[0].message == "the pass rate is 0.33, under the required 1"


def test_row_pass_rate_that_the_policy_allows_passes() -> None:
    assert gate(good(), poor(), min_pass_rate=0.5).status == "passed"


@pytest.mark.parametrize(
    ("rule", "least", "met"),
    [("min_avg_score", 0.51, 0.5), ("min_score", 0.6, 0.5), ("min_binary_score", 1, 0.5)],
)
def test_row_mean_or_rating_under_the_policy_fails_and_names_the_cases_under_it(
    rule: str, least: float, met: float
) -> None:
    cases = good(), poor()
    verdict = gate(*cases, min_pass_rate=0, **{rule: least})
    assert (verdict.status, codes(verdict)) == ("failed", [rule])
    assert verdict.causes[0].cases == ("poor",)
    assert gate(*cases, min_pass_rate=0, **{rule: met}).status == "passed"


def test_row_too_few_cases_fails() -> None:
    verdict = gate(good(), min_cases=2)
    assert (verdict.status, codes(verdict)) == ("failed", ["too_few_cases"])


def test_row_no_case_at_all_fails_and_is_never_waived() -> None:
    verdict = gate(on_inconclusive="pass")
    assert (verdict.status, verdict.exit_code) == ("failed", 1)
    assert codes(verdict) == ["too_few_cases", "nothing_scored", "pass_rate"]


def test_row_no_transcript_for_a_test_case_fails_that_case() -> None:
    lost = missing(Policy())
    assert isinstance(lost, CaseResult)
    verdict = gate(good(), lost)
    assert (verdict.status, verdict.causes[0].cases) == ("failed", ("lost",))


def test_row_no_answer_fails_that_case() -> None:
    silent = result([(spec(), None)], no_answer=[0], id="silent")
    verdict = gate(good(), silent)
    assert (verdict.status, codes(verdict)) == ("failed", ["pass_rate"])
    assert verdict.causes[0].cases == ("silent",)


@pytest.mark.parametrize("kind", get_args(ErrorKind))
def test_row_judge_down_and_every_other_error_is_inconclusive(kind: ErrorKind) -> None:
    verdict = gate(good(), hanging(Errored(kind=kind, message="it broke")))
    assert (verdict.status, verdict.exit_code) == ("inconclusive", 3)
    assert codes(verdict) == [kind, "error_rate"]
    assert verdict.causes[0].cases == ("open",)
    assert "(first: faithfulness: it broke)" in verdict.causes[0].message


@pytest.mark.parametrize("cause", sorted(BLOCKING))
def test_row_budget_deadline_offline_miss_and_missing_input_are_inconclusive(cause: SkipCause) -> None:
    verdict = gate(good(), hanging(skipped(cause)))
    assert (verdict.status, codes(verdict)) == ("inconclusive", [cause])


def test_row_missing_input_says_how_to_record_it() -> None:
    verdict = gate(good(), hanging(skipped("missing_input", "record it as `context`")))
    assert "record it as `context`" in verdict.causes[0].message
    assert "on_missing_input: skip" in verdict.causes[0].message


def test_row_missing_input_is_allowed_by_on_missing_input_skip() -> None:
    policy = Policy(on_missing_input="skip")
    waived = result([(spec(), skipped("missing_input")), (spec("b"), scored(1.0))], policy=policy)
    assert gate(waived, on_missing_input="skip").status == "passed"


def test_row_nothing_to_judge_leaves_the_case_to_its_other_metrics() -> None:
    assert gate(good(), hanging(skipped("nothing_to_judge"))).status == "passed"


@pytest.mark.parametrize("cause", ["nothing_to_judge", "not_applicable"])
def test_row_a_metric_that_scored_no_case_is_inconclusive(cause: SkipCause) -> None:
    verdict = gate(hanging(skipped(cause)), agents=[agent("helper", "faithfulness")])
    assert (verdict.status, codes(verdict)) == ("inconclusive", ["metric_without_score"])
    assert verdict.causes[0].place == HERE
    assert (
        f"agent 'helper' has no case that was scored by faithfulness ({cause})" in verdict.causes[0].message
    )


def test_row_a_metric_that_scored_no_case_is_counted_for_each_agent_alone() -> None:
    other = result([(spec(), scored(0.9))], agent="other")
    assert codes(gate(hanging(skipped("nothing_to_judge")), other)) == ["metric_without_score"]


def test_row_a_case_in_which_nothing_was_scored_is_inconclusive() -> None:
    verdict = gate(good(), result([(spec(), skipped("nothing_to_judge"))], id="empty"))
    assert (verdict.status, codes(verdict)) == ("inconclusive", ["case_not_scored"])
    assert verdict.causes[0].cases == ("empty",)


def test_a_waived_metric_does_not_make_up_for_a_case_in_which_nothing_was_scored() -> None:
    policy = Policy(on_missing_input="skip")
    empty = result([(spec(), skipped("missing_input"))], policy=policy, id="empty")
    assert codes(gate(good(), empty, on_missing_input="skip")) == ["case_not_scored"]


# Further rules.


def test_failed_wins_over_inconclusive_and_its_causes_come_first() -> None:
    verdict = gate(poor(), hanging(DOWN))
    assert (verdict.status, verdict.exit_code) == ("failed", 1)
    assert codes(verdict) == ["pass_rate", "judge_unavailable", "error_rate"]


def test_open_cases_are_grouped_by_kind_in_a_fixed_order() -> None:
    verdict = gate(
        hanging(skipped("offline"), "a"), hanging(DOWN, "b"), hanging(skipped("offline"), "c"), good("d")
    )
    assert [(cause.code, cause.cases) for cause in verdict.causes[:2]] == [
        ("judge_unavailable", ("b",)),
        ("offline", ("a", "c")),
    ]
    assert verdict.causes[1].message.startswith("2 cases are open: no verdict is recorded")


def test_cases_of_two_agents_with_one_id_are_two_cases() -> None:
    both = [result([(spec(), DOWN), (spec("b"), scored(1.0))], agent=name) for name in ("x", "y")]
    assert gate(*both, good()).causes[0].message.startswith("2 cases are open")


def test_every_kind_that_can_leave_a_case_open_has_its_advice() -> None:
    assert {*get_args(ErrorKind), *BLOCKING} <= set(WHY)


def test_a_guardrail_that_fails_once_fails_the_run_whatever_the_pass_rate_allows() -> None:
    guarded = result([(spec(guardrail=True), scored(0.1))], id="g")
    verdict = gate(good(), guarded, min_pass_rate=0)
    assert (verdict.status, codes(verdict)) == ("failed", ["guardrail"])
    assert verdict.causes[0].cases == ("g",)
    assert (
        verdict.causes[0].message
        == "the guardrail 'faithfulness' failed in 1 case; a guardrail may not fail in any"
    )


def test_a_guardrail_that_fails_twice_is_one_cause() -> None:
    guarded = [result([(spec(guardrail=True), scored(0.1))], id=name) for name in "gh"]
    verdict = gate(*guarded, min_pass_rate=0)
    assert verdict.causes[0].message.startswith("the guardrail 'faithfulness' failed in 2 cases")


def test_a_guardrail_that_could_not_be_judged_is_never_tolerated() -> None:
    guarded = hanging(DOWN, metric=spec(guardrail=True))
    verdict = gate(guarded, *(good(str(number)) for number in range(9)), max_error_rate=0.5)
    assert (verdict.status, codes(verdict)) == ("inconclusive", ["judge_unavailable"])


def test_a_guardrail_that_could_not_be_judged_shows_in_a_failed_case_too() -> None:
    guarded = result([(spec(guardrail=True), skipped("offline")), (spec("b"), scored(0.1))], id="g")
    verdict = gate(good(), guarded, min_pass_rate=0)
    assert (verdict.status, codes(verdict)) == ("inconclusive", ["offline"])


def test_errors_up_to_max_error_rate_are_tolerated() -> None:
    verdict = gate(hanging(DOWN), good(), good("c"), max_error_rate=0.25)
    assert (verdict.status, verdict.causes) == ("passed", ())


def test_errors_over_max_error_rate_are_not() -> None:
    verdict = gate(hanging(DOWN), good(), max_error_rate=0.25)
    assert codes(verdict) == ["judge_unavailable", "error_rate"]
    assert "1 of 3 evaluations could not be judged: an error rate of 0.33" in verdict.causes[1].message


@pytest.mark.parametrize("cause", ["offline", "stopped", "missing_input"])
def test_a_case_that_is_open_for_another_reason_too_is_not_tolerated(cause: SkipCause) -> None:
    both = result([(spec("a"), DOWN), (spec("b"), skipped(cause)), (spec("c"), scored(1.0))], id="both")
    verdict = gate(both, *(result([(spec(n), scored(1.0))], id=n) for n in "abc"), max_error_rate=0.5)
    assert codes(verdict) == ["judge_unavailable", cause]


def test_an_error_in_a_part_is_tolerated_like_another() -> None:
    errored = scored(0.5, parts=(part("redundancy", "scored"), part("completeness", "errored", "timeout")))
    cases = (
        result([(generation(), errored)], id="g"),
        good(),
        result([(generation(), scored(1.0, rating="good"))]),
    )
    assert gate(*cases, max_error_rate=0.34).status == "passed"
    assert codes(gate(*cases, max_error_rate=0.33)) == ["timeout", "error_rate"]


def test_a_metric_that_was_scored_only_in_part_in_every_case_scored_no_case() -> None:
    errored = scored(0.5, parts=(part("completeness", "errored", "timeout"),))
    verdict = gate(result([(generation(), errored)], id="g"), good(), max_error_rate=1.0)
    assert codes(verdict) == ["metric_without_score"]


def test_an_error_beside_a_part_that_is_open_for_another_reason_is_not_tolerated() -> None:
    both = Errored(kind="timeout", message="no reply", parts=(part("completeness", "skipped", "offline"),))
    cases = (
        result([(generation(), both)], id="g"),
        good(),
        result([(generation(), scored(1.0, rating="good"))]),
    )
    assert codes(gate(*cases, max_error_rate=0.5)) == ["timeout"]


@pytest.mark.parametrize(
    ("status", "cause", "code"),
    [
        ("errored", None, "internal"),
        ("errored", "rate_limited", "rate_limited"),
        ("skipped", None, "unrated"),
        ("skipped", "offline", "offline"),
    ],
)
def test_a_part_that_is_open_says_why(status: Any, cause: str | None, code: str) -> None:
    some = scored(1.0, rating="good", parts=(part("completeness", status, cause),))
    whole = result([(generation(), scored(1.0, rating="good"))])
    assert codes(gate(good(), whole, result([(generation(), some)], id="g")))[0] == code


def test_a_metric_that_was_scored_but_not_rated_says_so() -> None:
    verdict = gate(good(), result([(generation(), scored(1.0))], id="g"))
    assert codes(verdict) == ["unrated"]


@pytest.mark.parametrize("rule", ["min_score", "min_binary_score", "min_avg_score"])
def test_a_rule_without_a_number_to_hold_it_against_is_inconclusive(rule: str) -> None:
    silent = result([(spec(), None)], no_answer=[0], id="silent")
    verdict = gate(silent, min_pass_rate=0, **{rule: 0.0})
    assert (verdict.status, codes(verdict)) == ("inconclusive", ["nothing_scored", rule])


def test_a_pass_rate_that_is_unknown_is_inconclusive() -> None:
    verdict = gate(hanging(DOWN), min_pass_rate=0)
    assert codes(verdict) == ["judge_unavailable", "metric_without_score", "pass_rate", "error_rate"]


def test_a_number_just_under_what_is_required_is_shown_with_all_its_decimals() -> None:
    assert gate(poor(score=0.9499), min_avg_score=0.95).causes[0].message == (
        "the average score is 0.949900, under the required 0.95"
    )


def test_a_number_is_rounded_before_it_is_held_against_the_rule() -> None:
    assert gate(good(), good("b"), poor(), min_pass_rate=0.666667).status == "passed"


def test_an_agent_without_a_case_was_not_measured() -> None:
    verdict = gate(good(), agents=[agent(), agent("idle")])
    assert (verdict.status, codes(verdict)) == ("inconclusive", ["agent_without_cases"])
    assert "'idle'" in verdict.causes[0].message


def test_on_inconclusive_pass_changes_the_exit_code_alone() -> None:
    verdict = gate(good(), hanging(DOWN), on_inconclusive="pass")
    assert (verdict.status, verdict.exit_code, verdict.waived, verdict.passed) == (
        "inconclusive",
        0,
        True,
        False,
    )


def test_on_inconclusive_pass_does_not_let_a_failed_run_through() -> None:
    verdict = gate(poor(), hanging(DOWN), on_inconclusive="pass")
    assert (verdict.status, verdict.exit_code, verdict.waived) == ("failed", 1, False)


def test_on_inconclusive_pass_does_not_apply_where_nothing_was_measured() -> None:
    verdict = gate(result([(spec(), DOWN)]), on_inconclusive="pass")
    assert (verdict.status, verdict.exit_code, verdict.waived) == ("inconclusive", 3, False)


def test_on_inconclusive_pass_does_not_apply_where_all_that_was_measured_lacks_a_part() -> None:
    some = scored(1.0, rating="good", parts=(part("completeness", "errored", "timeout"),))
    verdict = gate(result([(generation(), some)]), on_inconclusive="pass")
    assert (verdict.status, verdict.exit_code, verdict.waived) == ("inconclusive", 3, False)


def test_errors_that_are_counted_and_not_there_are_told_as_such() -> None:
    summary = summarize((result([(spec(), DOWN)]),))
    verdict = decide(summary, (), Policy(), ())
    assert "(first: no error says why)" in verdict.causes[-1].message


def test_a_run_that_could_not_be_made_gives_each_problem_its_place() -> None:
    place = Place(file="agent.yaml", line=4)
    verdict = could_not_run(
        "error", [Problem(message="unknown key", place=place), Problem(message="no file")]
    )
    assert (verdict.status, verdict.exit_code, codes(verdict)) == ("error", 2, ["bad_input", "bad_input"])
    assert (verdict.causes[0].message, verdict.causes[0].place) == ("unknown key", place)


def test_a_run_that_broke_is_a_bug_even_without_a_reason() -> None:
    verdict = could_not_run("bug", [])
    assert (verdict.status, verdict.exit_code, codes(verdict)) == ("bug", 4, ["internal_error"])


def outcomes() -> st.SearchStrategy[Outcome | None]:
    numbers = st.floats(min_value=-0.5, max_value=1.5) | st.floats()
    parts = st.lists(
        st.builds(
            part,
            st.just("completeness"),
            st.sampled_from(["scored", "skipped", "errored"]),
            st.sampled_from([None, "missing_input", "not_applicable", "offline", "timeout"]),
        ),
        max_size=2,
    ).map(tuple)
    return (
        st.none()
        | st.builds(scored, numbers, rating=st.sampled_from([None, "bad", "incomplete", "good"]), parts=parts)
        | st.builds(skipped, st.sampled_from(get_args(SkipCause)))
        | st.builds(Errored, kind=st.sampled_from(get_args(ErrorKind)), message=st.just("down"))
    )


METRICS = st.sampled_from(
    [spec("a"), spec("b", guardrail=True), spec("c", threshold=0.0), generation(), TOOLS]
)
TURNS = st.lists(
    st.lists(st.tuples(METRICS, outcomes()), max_size=3, unique_by=lambda item: item[0].name), max_size=3
)
RATES = st.sampled_from([0.0, 0.3, 0.5, 1.0])
POLICIES = st.builds(
    Policy,
    min_pass_rate=RATES,
    min_avg_score=st.none() | RATES,
    min_score=st.none() | RATES,
    min_binary_score=st.none() | RATES,
    min_cases=st.integers(0, 3),
    max_error_rate=RATES,
    on_missing_input=st.sampled_from(["inconclusive", "skip"]),
    on_inconclusive=st.sampled_from(["fail", "pass"]),
)


@given(runs=st.lists(st.tuples(TURNS, st.sets(st.integers(0, 2))), max_size=5), policy=POLICIES)
def test_exit_0_without_a_waiver_means_that_something_was_scored_and_every_case_passed_or_is_tolerated(
    runs: list[tuple[Any, set[int]]], policy: Policy
) -> None:
    cases = [
        result(*turns, policy=policy, no_answer=sorted(silent), id=str(number))
        for number, (turns, silent) in enumerate(runs)
    ]
    summary = summarize(cases)
    verdict = decide(summary, cases, policy, ())
    assert (verdict.status == "passed") == (not verdict.causes)
    if verdict.exit_code == 0:
        assert summary.evaluations_scored or summary.failed
    if verdict.exit_code or verdict.waived:
        return
    assert summary.evaluations_scored
    assert summary.pass_rate is not None
    assert summary.pass_rate >= (policy.min_pass_rate or 0.0)
    assert (summary.error_rate or 0.0) <= policy.max_error_rate
    metrics = [(case, metric) for case in cases for turn in case.turns for metric in turn.metrics]
    assert not any(metric.guardrail and (metric.passed is False or metric.blocks) for _, metric in metrics)
    open_ids = {case.id for case in cases if case.status == "inconclusive"}
    assert not open_ids or policy.max_error_rate
    for case, metric in metrics:
        if case.id in open_ids and metric.blocks:
            assert metric.outcome.status == "errored" or any(
                item.status == "errored" for item in metric.outcome.parts
            )
