"""The gate's rules that need a baseline, and those of a part of a run."""

from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holodeck_eval.domain.comparison import (
    BaselineCause,
    BaselineProblem,
    CaseChange,
    Comparison,
    GateChange,
    MetricVerdict,
    Rejudged,
)
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import CaseResult
from holodeck_eval.domain.staleness import Staleness
from holodeck_eval.domain.verdict import Verdict
from tests.fakes.measured import (
    DOWN,
    agent_run,
    compared,
    flip,
    gate,
    generation,
    missing,
    part,
    result,
    row,
    scored,
    skipped,
    spec,
)

GOOD = result([(spec(), scored(0.9))], id="good")
POOR = result([(spec(), scored(0.1))], id="poor")
OPEN = result([(spec(), DOWN), (spec("b"), scored(1.0))], id="open")
LOWERED = GateChange(
    code="threshold",
    message="the threshold of 'tone' was lowered from 0.8 to 0.5",
    loosens=True,
    cases=("a",),
)


def against(comparison: Comparison, *cases: CaseResult, **rules: Any) -> Verdict:
    return gate(*(cases or (GOOD,)), comparison=comparison, **{"min_pass_rate": None, **rules})


def codes(verdict: Verdict) -> list[str]:
    return [cause.code for cause in verdict.causes]


def change(case: str = "a", before: Any = "passed", now: Any = None, agent: str = "helper") -> CaseChange:
    return CaseChange(agent=agent, case=case, before=before, now=now)


def problem(cause: Any, message: str = "there is none") -> Comparison:
    return Comparison(problem=BaselineProblem(cause=cause, message=message))


# What got worse.


def test_a_run_that_is_no_worse_than_its_baseline_passes() -> None:
    assert against(compared(row(verdict="same"))) == Verdict(status="passed", causes=(), exit_code=0)


def test_a_metric_that_is_worse_fails_with_its_numbers() -> None:
    verdict = against(compared(row(verdict="worse"), row("avg_score")), max_drop=0.02)
    assert (verdict.status, verdict.exit_code, codes(verdict)) == ("failed", 1, ["regression"])
    assert verdict.causes[0].message == (
        "the mean of 'faithfulness' of the agent 'helper' fell from 0.840 in the baseline to 0.750 over 50 cases: "
        "by 0.090 (95% interval 0.050 to 0.130), where 0.02 is allowed; chance does not explain it (p = 0.0012)"
    )


def test_each_metric_that_is_worse_is_a_cause() -> None:
    verdict = against(compared(row(verdict="worse"), row("avg_score", "worse", p_worse=0.00001)))
    assert codes(verdict) == ["regression", "regression"]
    assert verdict.causes[1].message.startswith("the average score of the agent 'helper' fell")
    assert verdict.causes[1].message.endswith("(p < 0.0001)")


def test_numbers_that_are_not_known_are_not_made_up() -> None:
    bare = {"baseline": None, "now": None, "difference": None, "low": None, "high": None, "p_worse": None}
    verdict = against(compared(row(verdict="worse", **bare)))
    assert verdict.causes[0].message == (
        "the mean of 'faithfulness' of the agent 'helper' fell from unknown in the baseline to unknown over 50 "
        "cases: by an unknown number, where 0.02 is allowed"
    )


@pytest.mark.parametrize("name", ["better", "same", "underpowered"])
def test_a_metric_that_is_not_worse_is_no_cause(name: MetricVerdict) -> None:
    assert against(compared(row(verdict=name))).status == "passed"


def test_cases_that_newly_fail_for_sure_are_one_cause() -> None:
    flips = (flip("a"), flip("a", metric="tone"), flip("b"), flip("c", proven=False))
    verdict = against(compared(flips=flips))
    assert (verdict.status, codes(verdict)) == ("failed", ["case_regression"])
    assert verdict.causes[0].cases == ("a", "b")
    assert verdict.causes[0].message == (
        "newly failing, by more than a judge's noise explains: 2 cases ('a', 'b') (first: 'faithfulness' fell "
        "from 0.90 to 0.20, where 0.8 is required: it made up a price)"
    )


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"metric": "", "now_reason": "the run ended in a tool call"}, "there is no answer any more: the run ended"),
        ({"metric": "", "now_reason": " "}, "there is no answer any more)"),
        ({"now": None}, "'faithfulness' fails: it made up a price"),
        ({"before": None, "now_reason": ""}, "'faithfulness' fails)"),
        ({"threshold": None, "now_reason": ""}, "fell from 0.90 to 0.20)"),
    ],
)  # fmt: skip
def test_the_first_case_that_newly_fails_says_what_happened(settings: dict[str, Any], told: str) -> None:
    assert told in against(compared(flips=(flip(**settings),))).causes[0].message


def test_a_flip_that_is_not_proven_neither_blocks_nor_opens() -> None:
    assert against(compared(flips=(flip("poor", proven=False),)), GOOD, POOR).status == "passed"


def not_again(
    case: str = "poor", why_not: str = "only 1 of 7 judgements could be had in this run"
) -> Rejudged:
    before = result([(spec(), scored(0.9))], id=case).turns[0].metrics[0]
    return Rejudged(agent="helper", case=case, turn=0, result=before, why_not=why_not)


@pytest.mark.parametrize("partial", [False, True])
def test_what_fails_and_could_not_be_judged_again_is_left_open(*, partial: bool) -> None:
    comparison = compared(flips=(flip("poor", proven=False, turn=0),), rejudged=(not_again(),))
    verdict = against(comparison, GOOD, POOR, partial=partial)
    assert (verdict.status, codes(verdict)) == ("inconclusive", ["undecided_cases"])
    assert verdict.causes[0].cases == ("poor",)
    assert "(first: only 1 of 7 judgements could be had in this run)" in verdict.causes[0].message


def test_what_could_not_be_judged_again_and_no_rule_could_show_is_told_once() -> None:
    coarse = flip("poor", proven=False, too_coarse=True, turn=0)
    comparison = compared(row(verdict="underpowered"), flips=(coarse,), rejudged=(not_again(),))
    assert codes(against(comparison, GOOD, POOR)) == ["undecided_cases"]


def test_what_was_judged_again_or_passes_or_is_proven_all_the_same_is_not_left_open() -> None:
    unproven = flip("poor", proven=False, turn=0)
    assert against(compared(flips=(unproven,), rejudged=(not_again(why_not=""),)), GOOD, POOR).passed
    assert against(compared(rejudged=(not_again("good"),)), GOOD, POOR).passed
    proven = compared(flips=(flip("poor", turn=0),), rejudged=(not_again(),))
    assert codes(against(proven, GOOD, POOR)) == ["case_regression"]


def test_a_fall_that_no_rule_could_have_shown_is_left_open() -> None:
    coarse = flip("poor", proven=False, too_coarse=True)
    verdict = against(compared(row(verdict="underpowered"), flips=(coarse,)), GOOD, POOR)
    assert (verdict.status, codes(verdict)) == ("inconclusive", ["undecided_cases"])
    assert verdict.causes[0].cases == ("poor",)
    assert "newly failing by more than noise explains" in verdict.causes[0].message
    assert against(compared(row(verdict="underpowered"), flips=(coarse,)), GOOD, POOR, partial=True).passed


def test_a_fall_of_one_case_is_not_left_open_where_the_means_could_have_shown_more() -> None:
    coarse = flip("poor", proven=False, too_coarse=True)
    seeing = row("tone", verdict="underpowered", smallest_drop=0.3)
    assert against(compared(row(), seeing, flips=(coarse,)), GOOD, POOR).status == "passed"
    other = flip("poor", proven=False, too_coarse=True, agent="other")
    assert codes(against(compared(seeing, flips=(other,)), GOOD, POOR)) == ["undecided_cases"]


def test_cases_that_passed_and_are_gone_fail() -> None:
    comparison = compared(vanished=(change("a"), change("b", "failed"), change("c", "inconclusive")))
    verdict = against(comparison)
    assert (verdict.status, codes(verdict)) == ("failed", ["removed_cases"])
    assert verdict.causes[0].cases == ("a",)
    assert verdict.causes[0].message == (
        "gone, and passed in the baseline: 1 case ('a'); bring back, or set allow_removed_cases: true"
    )
    assert against(comparison, allow_removed_cases=True).status == "passed"


@pytest.mark.parametrize(
    ("before", "now", "status"),
    [
        ("passed", "failed", "failed"),
        ("passed", "passed", "passed"),
        ("passed", "inconclusive", "passed"),
        ("failed", "failed", "passed"),
    ],
)
def test_a_changed_case_fails_the_run_where_it_passed_and_fails_now(
    before: str, now: str, status: str
) -> None:
    comparison = compared(changed=(change("a", before, now),))
    assert against(comparison).status == status
    assert against(comparison, allow_removed_cases=True).status == "passed"


def test_a_changed_case_that_fails_is_named() -> None:
    verdict = against(compared(changed=(change("a", "passed", "failed"),)))
    assert (codes(verdict), verdict.causes[0].cases) == (["changed_case_fails"], ("a",))


def test_a_gate_that_is_looser_fails_and_says_how() -> None:
    added = GateChange(code="metric_added", message="the metric 'x' was added", loosens=False, cases=("z",))
    verdict = against(compared(gate_changes=(LOWERED, added)))
    assert (verdict.status, codes(verdict), verdict.causes[0].cases) == ("failed", ["gate_loosened"], ("a",))
    assert verdict.causes[0].message == (
        "the gate is looser than the baseline's (the threshold of 'tone' was lowered from 0.8 to 0.5); "
        "on_gate_change: report lets it through"
    )


def test_a_looser_gate_is_let_through_by_report_alone() -> None:
    assert against(compared(gate_changes=(LOWERED,)), on_gate_change="report").status == "passed"


def test_a_gate_that_was_only_tightened_or_edited_is_no_cause() -> None:
    assert against(compared(gate_changes=(replace(LOWERED, loosens=False),))).status == "passed"


def test_many_ways_in_which_a_gate_is_looser_are_counted() -> None:
    changes = tuple(replace(LOWERED, message=f"way {number}") for number in range(5))
    message = against(compared(gate_changes=changes)).causes[0].message
    assert "(way 0; way 1; way 2; and 2 more)" in message


@pytest.mark.parametrize("code", ["case_removed", "case_changed"])
def test_cases_that_may_be_removed_do_not_loosen_the_gate(code: str) -> None:
    comparison = compared(gate_changes=(replace(LOWERED, code=code),))
    assert codes(against(comparison)) == ["gate_loosened"]
    assert against(comparison, allow_removed_cases=True).status == "passed"
    assert against(compared(gate_changes=(LOWERED,)), allow_removed_cases=True).status == "failed"


# What could not be compared.


@pytest.mark.parametrize("cause", get_args(BaselineCause))
def test_a_baseline_that_cannot_be_used_is_inconclusive_and_says_why(cause: BaselineCause) -> None:
    verdict = against(problem(cause, "the file is empty"))
    assert (verdict.status, verdict.exit_code) == ("inconclusive", 3)
    assert codes(verdict) == [f"baseline_{cause}"]
    found, _, what_to_do = verdict.causes[0].message.partition("; ")
    assert found == "nothing was compared: the file is empty"
    assert what_to_do


@pytest.mark.parametrize("cause", get_args(BaselineCause))
def test_only_a_missing_baseline_may_be_let_go(cause: BaselineCause) -> None:
    verdict = against(problem(cause), on_missing_baseline="report")
    assert verdict.status == ("passed" if cause == "missing" else "inconclusive")


@pytest.mark.parametrize("comparison", [None, problem("missing")])
def test_without_a_baseline_a_pass_rate_that_is_off_is_the_default_one(comparison: Comparison | None) -> None:
    verdict = gate(GOOD, POOR, comparison=comparison, min_pass_rate=None, on_missing_baseline="report")
    assert (verdict.status, codes(verdict)) == ("failed", ["pass_rate"])


@pytest.mark.parametrize("comparison", [problem("no_overlap"), compared(row(verdict="not_comparable"))])
def test_what_cannot_be_compared_is_let_through_only_where_something_holds_the_cases_that_fail(
    comparison: Comparison,
) -> None:
    failing = against(comparison, GOOD, POOR, on_inconclusive="pass")
    assert (failing.status, failing.exit_code, failing.waived) == ("inconclusive", 3, False)
    for verdict in (
        against(comparison, GOOD, on_inconclusive="pass"),
        against(comparison, GOOD, POOR, on_inconclusive="pass", min_pass_rate=0.5),
    ):
        assert (verdict.status, verdict.exit_code, verdict.waived) == ("inconclusive", 0, True)


def test_a_judge_that_is_down_is_let_through_by_on_inconclusive_beside_a_comparison() -> None:
    verdict = against(compared(), GOOD, OPEN, on_inconclusive="pass")
    assert (verdict.status, verdict.exit_code, verdict.waived) == ("inconclusive", 0, True)


def test_a_metric_that_was_measured_in_another_way_is_inconclusive() -> None:
    why = "its judge is 'openai/b', and was 'openai/a'"
    rows = (row(verdict="not_comparable", why=why), row("tone", "not_comparable", why=why), row("equality"))
    verdict = against(compared(*rows))
    assert (verdict.status, codes(verdict)) == ("inconclusive", ["not_comparable"])
    assert verdict.causes[0].message == (
        f"'faithfulness', 'tone' of the agent 'helper' cannot be compared: {why}; make a baseline that "
        "measures it as this run does (docs/gate.md, Not comparable)"
    )


def test_an_average_that_cannot_be_compared_because_nothing_can_is_no_cause_of_its_own() -> None:
    average = row("avg_score", "not_comparable", why="none of its metrics can be compared")
    both = against(compared(row(verdict="not_comparable", why="another judge"), average))
    assert len(both.causes) == 1
    assert codes(against(compared(average))) == ["not_comparable"]


@pytest.mark.parametrize("name", get_args(MetricVerdict))
def test_a_metric_without_a_pair_never_passes(name: MetricVerdict) -> None:
    verdict = against(compared(row(verdict=name, pairs=0), row("tone")))
    assert verdict.status == ("failed" if name == "worse" else "inconclusive")
    assert "no case has such a score on both sides" in verdict.causes[-1].message


@pytest.mark.parametrize("code", ["metric_added", "metric_removed"])
def test_a_metric_that_is_new_or_was_removed_needs_no_pair(code: str) -> None:
    added = GateChange(code=code, message="it was", loosens=False, agent="helper", metric="faithfulness")
    rows = (row(verdict="underpowered", pairs=0), row("tone"))
    assert against(compared(*rows, gate_changes=(added,))).status == "passed"
    for other in ({"agent": "other"}, {"metric": "faithfulness.x"}, {"code": "metric_skipped"}):
        assert against(compared(*rows, gate_changes=(replace(added, **other),))).status == "inconclusive"


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (skipped("missing_input"), "passed"),
        (skipped("not_applicable"), "passed"),
        (skipped("nothing_to_judge"), "inconclusive"),
        (scored(0.9), "inconclusive"),
    ],
)
def test_a_metric_that_is_passed_over_wherever_it_applied_needs_no_pair(outcome: Any, status: str) -> None:
    policy = Policy(on_missing_input="skip")
    paired = result([(spec(), outcome), (spec("tone"), scored(0.9))], policy=policy)
    alone = (change("new", "passed", "passed"),)
    new = result([(spec(), scored(0.9))], id="new")
    for pairless in ({"new": alone}, {"changed": alone}):
        comparison = compared(row(verdict="underpowered", pairs=0), row("tone"), **pairless)
        assert against(comparison, paired, new, on_missing_input="skip").status == status


def test_a_metric_whose_missing_input_holds_its_cases_open_is_not_let_go() -> None:
    paired = result([(spec(), skipped("missing_input")), (spec("tone"), scored(0.9))])
    comparison = compared(row(verdict="underpowered", pairs=0), row("tone"))
    assert codes(against(comparison, paired)) == ["not_comparable", "missing_input", "metric_without_score"]


def test_a_comparison_without_a_single_row_never_passes() -> None:
    verdict = against(Comparison(paired=3))
    assert (verdict.status, codes(verdict)) == ("inconclusive", ["not_comparable"])
    assert verdict.causes[0].message == "nothing was compared with the baseline"


@pytest.mark.parametrize(
    "settings",
    [
        {"changed": (change("x", "passed", "passed", agent="other"),)},
        {"vanished": (change("x", "failed", agent="other"),), "new": (change("y", None, "passed", agent="other"),)},
    ],
)  # fmt: skip
def test_an_agent_in_both_runs_without_a_case_in_common_is_inconclusive(settings: dict[str, Any]) -> None:
    verdict = against(compared(row(), **settings))
    assert (verdict.status, codes(verdict)) == ("inconclusive", ["not_comparable"])
    assert "no case of the agent 'other'" in verdict.causes[0].message


def test_an_agent_that_is_new_or_gone_is_not_missed_in_the_comparison() -> None:
    new = change("y", None, "passed", agent="new")
    gone = change("x", "failed", agent="gone")
    assert against(compared(row(), new=(new,), vanished=(gone,))).status == "passed"


def test_a_case_that_fails_by_what_the_baseline_has_no_score_for_is_inconclusive() -> None:
    verdict = against(compared(undecided=(change("poor", "passed", "failed"),)), GOOD, POOR)
    assert (verdict.status, codes(verdict)) == ("inconclusive", ["undecided_cases"])
    assert verdict.causes[0].cases == ("poor",)


def test_what_a_baseline_without_overlap_still_tells_counts() -> None:
    comparison = replace(problem("no_overlap"), vanished=(change("a"),), gate_changes=(LOWERED,))
    verdict = against(comparison)
    assert (verdict.status, codes(verdict)) == (
        "failed",
        ["removed_cases", "gate_loosened", "baseline_no_overlap"],
    )


# Absolute rules beside a baseline.


def test_with_a_baseline_a_case_that_fails_is_not_blamed_on_the_change() -> None:
    assert (
        against(compared(still_failing=(change("poor", "failed", "failed"),)), GOOD, POOR).status == "passed"
    )


def test_with_a_baseline_a_pass_rate_that_is_written_holds() -> None:
    verdict = against(compared(), GOOD, POOR, min_pass_rate=0.9)
    assert (verdict.status, codes(verdict)) == ("failed", ["pass_rate"])


def test_with_a_baseline_a_test_case_without_a_transcript_fails() -> None:
    lost = missing(Policy())
    assert isinstance(lost, CaseResult)
    verdict = against(compared(), GOOD, lost)
    assert (verdict.status, codes(verdict), verdict.causes[0].cases) == (
        "failed",
        ["missing_transcripts"],
        ("lost",),
    )
    assert verdict.causes[0].message == "no transcript was recorded for 1 case ('lost')"


def test_a_case_that_was_recorded_and_has_no_turn_is_not_missing_but_open() -> None:
    assert codes(against(compared(), GOOD, result(id="bare"))) == ["case_not_scored"]


def test_a_guardrail_that_fails_is_the_worst_of_causes() -> None:
    guarded = result([(spec(guardrail=True), scored(0.1))], id="g")
    verdict = against(compared(row(verdict="worse"), flips=(flip("g"),)), GOOD, guarded)
    assert codes(verdict) == ["guardrail", "case_regression", "regression"]


def test_failed_wins_over_inconclusive_and_everything_is_told_in_order() -> None:
    comparison = compared(
        row(verdict="worse"),
        row("tone", "not_comparable", why="another judge"),
        flips=(flip(),),
        changed=(change("c", "passed", "failed"),),
        vanished=(change("v"),),
        undecided=(change("u", "passed", "failed"),),
        gate_changes=(LOWERED,),
    )
    stale = replace(GOOD, staleness=Staleness(status="stale", differs=("tools",)))
    verdict = against(comparison, stale, OPEN, min_avg_score=0.99)
    assert (verdict.status, verdict.exit_code) == ("failed", 1)
    assert codes(verdict) == [
        "case_regression",
        "regression",
        "changed_case_fails",
        "removed_cases",
        "gate_loosened",
        "stale_transcripts",
        "min_avg_score",
        "undecided_cases",
        "not_comparable",
        "judge_unavailable",
        "error_rate",
    ]


# Stale transcripts, with a baseline or without.


def stale(*differs: str, **who: str) -> CaseResult:
    made = result([(spec(), scored(0.9))], **who)
    return replace(made, staleness=Staleness(status="stale", differs=differs))


@pytest.mark.parametrize(
    ("differs", "told"),
    [
        (("tools", "instructions"), "(other instructions and tools)"),
        (("model",), "(other model)"),
        ((), "(its digest is another)"),
    ],
)
def test_a_transcript_of_another_version_of_the_agent_fails(differs: tuple[str, ...], told: str) -> None:
    verdict = gate(stale(*differs))
    assert (verdict.status, codes(verdict), verdict.causes[0].cases) == (
        "failed",
        ["stale_transcripts"],
        ("a",),
    )
    assert told in verdict.causes[0].message
    assert against(compared(), stale(*differs)).status == "failed"
    assert gate(stale(*differs), on_stale="report").status == "passed"


def test_stale_transcripts_are_told_for_each_agent() -> None:
    verdict = gate(stale("tools", id="a"), stale("model", id="b"), stale("model", agent="other"), GOOD)
    assert [cause.cases for cause in verdict.causes] == [("a", "b"), ("a",)]
    assert "agent 'helper' (other model and tools): 2 cases ('a', 'b')" in verdict.causes[0].message


@pytest.mark.parametrize("status", ["fresh", "unknown"])
def test_a_transcript_that_is_not_known_to_be_stale_passes(status: Any) -> None:
    assert gate(replace(GOOD, staleness=Staleness(status=status))).status == "passed"


# A part of a run.


def shard(*cases: CaseResult, comparison: Comparison | None = None, **rules: Any) -> Verdict:
    return gate(*cases, comparison=comparison, partial=True, agents=[agent_run(spec("unused")), agent_run(name="x")], **rules)  # fmt: skip


def test_a_part_leaves_to_the_whole_what_only_the_whole_can_tell() -> None:
    comparison = compared(
        row(verdict="worse"),
        row("tone", "not_comparable"),
        vanished=(change("v"),),
        gate_changes=(LOWERED,),
    )
    rules = {"min_cases": 9, "min_avg_score": 1.0, "min_score": 1.0, "min_binary_score": 1.0}
    assert shard(GOOD, comparison=comparison, **rules).status == "passed"


def test_a_part_without_a_case_is_no_failure() -> None:
    assert shard().status == "passed"
    assert shard(comparison=problem("no_overlap")).status == "passed"


def test_a_part_fails_by_its_own_case_where_all_must_pass() -> None:
    verdict = shard(GOOD, POOR)
    assert (verdict.status, codes(verdict), verdict.causes[0].cases) == ("failed", ["pass_rate"], ("poor",))


@pytest.mark.parametrize("rate", [0.9, 0.999])
def test_a_part_does_not_fail_by_a_case_that_the_others_may_make_up_for(rate: float) -> None:
    assert shard(POOR, min_pass_rate=rate).status == "passed"


def test_a_part_fails_by_its_own_flips_guardrails_transcripts_and_changed_cases() -> None:
    guarded = result([(spec(guardrail=True), scored(0.1))], id="g")
    lost = missing(Policy())
    assert isinstance(lost, CaseResult)
    comparison = compared(flips=(flip(),), changed=(change("c", "passed", "failed"),))
    verdict = shard(guarded, lost, stale("tools"), comparison=comparison, min_pass_rate=None)
    assert codes(verdict) == [
        "guardrail",
        "case_regression",
        "changed_case_fails",
        "stale_transcripts",
        "missing_transcripts",
    ]


@pytest.mark.parametrize("cause", sorted(set(get_args(BaselineCause)) - {"no_overlap"}))
def test_a_part_whose_baseline_cannot_be_used_is_inconclusive(cause: BaselineCause) -> None:
    assert codes(shard(GOOD, comparison=problem(cause))) == [f"baseline_{cause}"]


def test_a_part_is_inconclusive_by_its_own_open_and_undecided_cases() -> None:
    verdict = shard(GOOD, OPEN, comparison=compared(undecided=(change("u", "passed", "failed"),)))
    assert (verdict.status, codes(verdict)) == ("inconclusive", ["undecided_cases", "judge_unavailable"])


def test_whether_a_part_has_too_many_errors_is_for_the_whole_to_say() -> None:
    assert shard(OPEN, max_error_rate=0.01).status == "passed"
    both = result([(spec("a"), DOWN), (spec("b"), skipped("offline")), (spec("c"), scored(1.0))], id="both")
    assert codes(shard(both, max_error_rate=0.01)) == ["judge_unavailable", "offline"]


# Properties.


NAMES = st.sampled_from(["faithfulness", "tone", "avg_score", "##[error]\n\ud800"])
ROWS = st.builds(
    row, NAMES, st.sampled_from(get_args(MetricVerdict)), pairs=st.sampled_from([0, 5]), why=st.sampled_from(["", "w"])
)  # fmt: skip
CHANGES = st.lists(
    st.builds(
        change,
        NAMES,
        st.sampled_from([None, "passed", "failed", "inconclusive"]),
        st.sampled_from([None, "passed", "failed", "inconclusive"]),
    ),
    max_size=2,
).map(tuple)
COMPARISONS = st.builds(
    Comparison,
    problem=st.none() | st.builds(BaselineProblem, cause=st.sampled_from(get_args(BaselineCause)), message=NAMES),
    paired=st.integers(0, 3),
    metrics=st.lists(ROWS, max_size=3).map(tuple),
    flips=st.lists(st.builds(flip, NAMES, proven=st.booleans()), max_size=2).map(tuple),
    changed=CHANGES,
    vanished=CHANGES,
    new=CHANGES,
    undecided=CHANGES,
    gate_changes=st.lists(st.builds(replace, st.just(LOWERED), loosens=st.booleans(), message=NAMES)).map(tuple),
)  # fmt: skip


@given(comparison=COMPARISONS)
def test_a_run_with_a_baseline_passes_only_where_it_was_compared_and_nothing_is_worse(
    comparison: Comparison,
) -> None:
    verdict = against(comparison)
    assert (verdict.status == "passed") == (verdict.exit_code == 0) == (not verdict.causes)
    if verdict.status == "passed":
        assert comparison.problem is None
        assert comparison.metrics
        assert all(row.pairs and row.verdict not in {"worse", "not_comparable"} for row in comparison.metrics)
        assert not any(flip.proven for flip in comparison.flips)
        assert not any(change.loosens for change in comparison.gate_changes)
        assert not any(change.before == "passed" for change in comparison.vanished)


@given(comparison=COMPARISONS)
def test_no_part_of_a_run_knows_more_against_it_than_the_whole(comparison: Comparison) -> None:
    whole, some = against(comparison), against(comparison, partial=True)
    assert set(some.causes) <= set(whole.causes)


def test_a_part_of_generation_that_errored_in_a_part_of_a_run_is_left_to_the_whole() -> None:
    errored = scored(0.5, parts=(part("completeness", "errored", "timeout"),))
    assert shard(result([(generation(), errored)], id="g"), max_error_rate=0.5).status == "passed"
