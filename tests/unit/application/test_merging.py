from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holodeck_eval.application.merging import merge, steps_warning
from holodeck_eval.domain.baseline import Baseline
from holodeck_eval.domain.case import Case
from holodeck_eval.domain.comparison import BaselineProblem, Rejudged
from holodeck_eval.domain.outcome import Errored, Outcome, Scored, Skipped
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import MetricConfig, MetricResult, Usage
from holodeck_eval.domain.run import NO_USAGE, FileRead, MetricUsage, Run
from holodeck_eval.errors import Problem, ResultsError
from holodeck_eval.gate import could_not_run
from tests.fakes.measured import DOWN, HERE, case, scored, spec
from tests.fakes.runs import build_case, build_run
from tests.fakes.shards import Outcomes, build_baseline, build_part, build_parts

GOOD, POOR = scored(0.9), scored(0.1)


def lost(name: str, agent: str = "helper") -> Case:
    return Case(id=name, agent=agent, name=name, turns=(), digest="d", test_case=HERE)


def ten(outcome: Outcome = GOOD) -> tuple[tuple[Case, ...], Outcomes]:
    """Ten cases of one metric, which all three of three shards have some of."""
    cases = tuple(case([(spec(), None)], id=f"case {number}") for number in range(10))
    return cases, {("helper", one.id, 0, "faithfulness"): outcome for one in cases}


def three(**given: Any) -> list[tuple[str, Run]]:
    cases, outcomes = ten()
    return build_parts(cases, outcomes, 3, **given)


def changed(parts: list[tuple[str, Run]], number: int, **changes: Any) -> list[tuple[str, Run]]:
    """The parts with one of them changed."""
    return [
        (name, replace(run, **changes) if place == number else run) for place, (name, run) in enumerate(parts)
    ]


def sentences(runs: list[tuple[str, Run]], **given: Any) -> list[str]:
    with pytest.raises(ResultsError) as refused:
        merge(runs, **given)
    return [str(problem) for problem in refused.value.problems]


def test_the_shards_of_this_test_all_have_cases() -> None:
    assert [len(run.cases) for _, run in three()] == [5, 3, 2]


OUTCOMES = st.one_of(
    st.integers(0, 10).map(lambda tenths: scored(tenths / 10, recorded=tenths % 2, from_checkout=tenths % 2)),
    st.lists(st.integers(0, 10), min_size=2, max_size=3).map(
        lambda replies: scored(
            sum(replies) / len(replies) / 10, replies=tuple(reply / 10 for reply in replies), judge="j/m"
        )
    ),
    st.sampled_from(
        [
            DOWN,
            Errored(kind="timeout", message="late"),
            Skipped(cause="missing_input", reason="no context"),
            Skipped(cause="nothing_to_judge", reason="no claims"),
        ]
    ),
)
POLICIES = st.builds(
    Policy,
    allow_missing=st.booleans(),
    on_missing_input=st.sampled_from(["inconclusive", "skip"]),
    on_inconclusive=st.sampled_from(["fail", "pass"]),
    max_error_rate=st.sampled_from([0.0, 0.5]),
    min_pass_rate=st.sampled_from([1.0, 0.5, None]),
    min_cases=st.integers(0, 3),
)


IDS = ("", "a", "b", "c", "refund-window", "a\n::error::b", "\ud800", "***")
"""Few, so that two runs have cases in common."""


@st.composite
def measured_cases(draw: st.DrawFn) -> tuple[tuple[Case, ...], Outcomes]:
    """A few cases of two agents, some without a transcript, some of several turns, some without an answer."""
    metrics = [spec("faithfulness"), spec("tone", threshold=0.5, guardrail=draw(st.booleans()))]
    keys = draw(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(IDS)), unique=True, max_size=10))
    cases: list[Case] = []
    outcomes: dict[tuple[str, str, int, str], Outcome] = {}
    for agent, name in sorted(keys, key=lambda key: key[0]):
        turns = draw(st.integers(0, 2))
        silent = (0,) if draw(st.integers(0, 5)) == 0 else ()
        made = case(*[[(metric, None) for metric in metrics]] * turns, id=name, agent=agent, no_answer=silent)
        cases.append(made if turns else lost(name, agent))
        for turn in range(turns):
            for metric in metrics:
                outcomes[agent, name, turn, metric.name] = draw(OUTCOMES)
    return tuple(cases), outcomes


@settings(max_examples=150, deadline=None)
@given(measured_cases(), st.integers(1, 4), POLICIES, st.randoms(use_true_random=False))
def test_merged_shards_are_the_one_run(
    measured: tuple[tuple[Case, ...], Outcomes], count: int, policy: Policy, order: Any
) -> None:
    cases, outcomes = measured
    parts = build_parts(cases, outcomes, count, policy=policy)
    order.shuffle(parts)
    assert merge(parts) == build_part(cases, outcomes, policy=policy)


REPLIES = (0.9, 0.1, 0.9)


def again(key: tuple[str, str, int, str], metric: MetricResult) -> Rejudged:
    """A metric of the baseline on more replies."""
    outcome = scored(sum(REPLIES) / 3, replies=REPLIES, judge="j/m")
    return Rejudged(agent=key[0], case=key[1], turn=key[2], result=replace(metric, outcome=outcome))


def rejudged_of(baseline: Run) -> list[Rejudged]:
    """Everything a judge scored in the baseline, judged again."""
    return [
        again((one.agent, one.id, turn.index, metric.name), metric)
        for one in baseline.cases
        for turn in one.turns
        for metric in turn.metrics
        if isinstance(metric.outcome, Scored) and metric.outcome.replies
    ]


def told_by_key(run: Run) -> Run:
    """The run with what was judged again in an order of its own."""
    if run.comparison is None:
        return run
    ordered = sorted(
        run.comparison.rejudged, key=lambda one: (one.agent, one.case, one.turn, one.result.name)
    )
    return replace(run, comparison=replace(run.comparison, rejudged=tuple(ordered)))


@settings(max_examples=100, deadline=None)
@given(
    before=measured_cases(),
    now=measured_cases(),
    count=st.integers(1, 3),
    policy=POLICIES,
    judge_again=st.booleans(),
)
def test_merged_shards_compare_with_a_baseline_as_the_one_run_does(
    before: tuple[tuple[Case, ...], Outcomes],
    now: tuple[tuple[Case, ...], Outcomes],
    count: int,
    policy: Policy,
    *,
    judge_again: bool,
) -> None:
    baseline = build_baseline(*before)
    assert baseline.run
    given = {
        "policy": policy,
        "baseline": baseline,
        "rejudged": rejudged_of(baseline.run) if judge_again else (),
    }
    whole = build_part(*now, **given)
    assert merge(build_parts(*now, count, **given), baseline=baseline) == told_by_key(whole)


def test_a_case_that_fails_newly_in_one_shard_is_told_by_the_whole() -> None:
    cases, before = ten()
    baseline = build_baseline(cases, before)
    after = {**before, ("helper", "case 7", 0, "faithfulness"): POOR}
    given: dict[str, Any] = {"baseline": baseline, "policy": Policy(min_pass_rate=None)}
    merged = merge(build_parts(cases, after, 3, **given), baseline=baseline)
    assert merged.comparison
    assert merged.comparison.paired == 10
    assert merged.comparison.vanished == ()
    assert [flip.case for flip in merged.comparison.flips] == ["case 7"]


def test_a_case_that_vanished_is_found_by_the_whole() -> None:
    cases, before = ten()
    baseline = build_baseline(cases, before)
    given: dict[str, Any] = {"baseline": baseline, "policy": Policy(min_pass_rate=None)}
    merged = merge(build_parts(cases[1:], before, 3, **given), baseline=baseline)
    assert merged.comparison
    assert [gone.case for gone in merged.comparison.vanished] == ["case 0"]
    assert merged.verdict.status == "failed"


def test_one_failing_case_in_one_shard_fails_the_whole() -> None:
    cases, outcomes = ten()
    poor = {**outcomes, ("helper", "case 7", 0, "faithfulness"): POOR}
    merged = merge(build_parts(cases, poor, 3))
    assert (merged.verdict.status, merged.verdict.exit_code) == ("failed", 1)
    assert merged.verdict.causes[0].cases == ("case 7",)
    assert [one.id for one in merged.cases] == [f"case {number}" for number in range(10)]
    assert merged.shard is None


def test_a_shard_without_a_case_is_a_shard_like_any_other() -> None:
    cases, outcomes = ten()
    parts = build_parts(cases[:1], outcomes, 2)
    assert sorted(len(run.cases) for _, run in parts) == [0, 1]
    assert merge(parts).verdict.status == "passed"


def test_waived_cases_keep_their_order() -> None:
    cases = tuple(lost(f"lost {number}") for number in range(6))
    merged = merge(build_parts(cases, {}, 3, policy=Policy(allow_missing=True, min_cases=0)))
    assert [one.id for one in merged.waived_cases] == [f"lost {number}" for number in range(6)]


def test_usage_is_added_up_and_the_longest_time_and_the_earliest_start_are_kept() -> None:
    first, second = (
        Usage(calls=2, input_tokens=10, output_tokens=1, cost_usd=0.5),
        Usage(calls=3, input_tokens=20, output_tokens=2, cost_usd=0.25),
    )
    parts = three()
    parts = changed(parts, 0, usage=first, usage_by_metric=(MetricUsage(metric="tone", usage=first),))
    parts = changed(
        parts,
        1,
        usage=second,
        usage_by_metric=(
            MetricUsage(metric="style", usage=NO_USAGE),
            MetricUsage(metric="tone", usage=second),
        ),
        started_at="2026-01-02T03:04:01Z",
        duration_s=9.5,
    )
    merged = merge(parts)
    both = Usage(calls=5, input_tokens=30, output_tokens=3, cost_usd=0.75)
    assert merged.usage == both
    assert merged.usage_by_metric == (
        MetricUsage(metric="tone", usage=both),
        MetricUsage(metric="style", usage=NO_USAGE),
    )
    assert (merged.started_at, merged.duration_s) == ("2026-01-02T03:04:01Z", 9.5)


def test_what_is_unknown_of_one_shard_is_unknown_of_all() -> None:
    parts = changed(three(), 1, usage=Usage(calls=1, input_tokens=5, output_tokens=None, cost_usd=None))
    assert merge(parts).usage == Usage(calls=1, input_tokens=5, output_tokens=None, cost_usd=None)


def test_costs_that_add_up_to_no_number_are_unknown() -> None:
    dear = Usage(calls=10**400, input_tokens=1, output_tokens=1, cost_usd=1.7e308)
    parts = changed(changed(three(), 0, usage=dear), 1, usage=dear)
    assert (merge(parts).usage.cost_usd, merge(parts).usage.calls) == (None, 2 * 10**400)


def test_warnings_are_kept_in_order_and_each_once() -> None:
    parts = changed(three(warnings=("all say this",)), 2, warnings=("all say this", "one says this"))
    assert merge(parts).warnings == ("all say this", "one says this")


def test_what_is_found_in_the_baseline_is_warned_about_once() -> None:
    baseline = replace(GONE, warnings=("all say this", "found by merging"))
    parts = three(warnings=("all say this",), baseline=GONE)
    assert merge(parts, baseline=baseline).warnings == ("all say this", "found by merging")


# What keeps shards from being merged.


def test_nothing_to_merge_is_said() -> None:
    assert sentences([]) == ["there is nothing to merge: give the results.json of every shard"]


def test_a_run_of_all_cases_is_no_shard() -> None:
    cases, outcomes = ten()
    assert sentences([("whole.json", build_part(cases, outcomes))]) == [
        "whole.json: this is the run of all cases, made without --shard; there is nothing to merge it with"
    ]


def test_missing_shards_are_named() -> None:
    parts = three()
    assert sentences(parts[:2]) == [
        "shard 3 of 3 is missing; without every shard there is no verdict on the run"
    ]
    assert sentences(parts[2:]) == [
        "shards 1, 2 of 3 are missing; without every shard there is no verdict on the run"
    ]


def test_of_many_missing_shards_some_are_named() -> None:
    cases, outcomes = ten()
    (missing,) = sentences([("one.json", build_part(cases, outcomes, (1, 1000)))])
    assert missing.startswith(
        "shards 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, and 987 more of 1000 are missing"
    )


def test_a_shard_given_twice_is_named_with_both_files() -> None:
    parts = three()
    assert sentences([*parts, ("again.json", parts[1][1])]) == [
        "shard 2 is given more than once: 'shard-2/results.json', 'again.json'"
    ]


def test_shards_of_runs_with_other_numbers_of_shards_do_not_fit() -> None:
    cases, outcomes = ten()
    assert sentences([three()[0], ("b.json", build_part(cases, outcomes, (2, 2)))]) == [
        "the shards are of runs with different numbers of shards: 2 in 'b.json'; 3 in 'shard-1/results.json'"
    ]


@pytest.mark.parametrize("status", ["error", "bug"])
def test_a_shard_that_could_not_run_says_why(status: Any) -> None:
    verdict = could_not_run(status, [Problem(message="unknown key 'treshold'\n::error::x")])
    assert sentences(changed(three(), 1, verdict=verdict)) == [
        f"shard-2/results.json: this shard could not run (status {status}): unknown key 'treshold' ::error::x"
    ]


def test_a_shard_that_could_not_begin_is_not_called_missing_as_well() -> None:
    broken = build_run(verdict=could_not_run("error", []), agents=(), files=())
    parts = [three()[0], three()[2], ("two.json", broken)]
    (said,) = sentences(parts)
    assert said.startswith("two.json: this shard could not run (status error): ")


def test_everything_that_is_wrong_is_said_at_once() -> None:
    parts = changed(three(), 0, head_sha="a" * 40)[:2]
    said = sentences([*parts, ("whole.json", build_run(build_case()))])
    assert len(said) == 3
    assert said[0].startswith("whole.json: this is the run of all cases")
    assert said[1].startswith("shard 3 of 3 is missing")
    assert said[2].startswith(
        "shard-2/results.json: this is no shard of the same run as 'shard-1/results.json': "
    )


def test_more_problems_than_anyone_reads_are_counted() -> None:
    whole = build_run(build_case())
    said = sentences([(f"{number}.json", whole) for number in range(150)])
    assert len(said) == 101
    assert said[-1] == "and 50 more problems; mend these first"


# In what shards may not differ.


def difference(**changes: Any) -> str:
    """What is said of the second shard when it alone is changed in this way."""
    (said,) = sentences(changed(three(), 1, **changes))
    start = "shard-2/results.json: this is no shard of the same run as 'shard-1/results.json': "
    assert said.startswith(start)
    return said.removeprefix(start)


def test_shards_may_not_differ_in_their_policy() -> None:
    assert difference(policy=Policy(min_pass_rate=None, max_drop=0.5, on_stale="report")) == (
        "the policy's min_pass_rate is none, there 1.0; the policy's max_drop is 0.5, there 0.02; "
        "the policy's on_stale is 'report', there 'block'"
    )


def test_shards_may_not_differ_in_commit_version_or_repeats() -> None:
    assert difference(head_sha="abc") == "head_sha is 'abc', there none"
    assert difference(tool_version="9.9") == "tool_version is '9.9', there '0.1.0'"
    assert difference(repeats=2) == "repeats is 2, there 1"


def test_shards_may_not_differ_in_the_transcripts_read() -> None:
    read = FileRead(file="runs.jsonl", format="native", records=3)
    assert difference(files=(read,)) == "the transcripts that were read are others"


def test_shards_may_not_be_of_other_cases() -> None:
    cases, outcomes = ten()
    other = build_part((*cases[:9], replace(cases[9], digest="edited")), outcomes, (2, 3))
    assert difference(shard=other.shard) == "the run's cases are others"
    fewer = build_part(cases[:9], outcomes, (2, 3))
    assert difference(shard=fewer.shard, cases=fewer.cases, agents=three()[1][1].agents) == (
        "the number of all cases is 9, there 10"
    )


def test_shards_may_not_differ_in_their_agents() -> None:
    (agent,) = three()[1][1].agents
    assert difference(agents=()) == "the agents are none, there 'helper'"
    assert difference(agents=(replace(agent, transcripts=7),)) == "agent 'helper': transcripts is 7, there 10"


def metric(**settings: Any) -> MetricConfig:
    return MetricConfig(
        **{
            "name": "tone",
            "kind": "geval",
            "type": "geval",
            "enabled": True,
            "guardrail": False,
            "threshold": 0.7,
            "bad_below": None,
            "judge": "openai/gpt-4o",
            "configuration": {"criteria": "kind?"},
            "digest": "1" * 64,
            "place": HERE,
        }
        | settings
    )


def test_shards_may_not_differ_in_a_metrics_configuration() -> None:
    (agent,) = three()[0][1].agents
    parts = three(agents=(replace(agent, metrics=(metric(),)),))

    def said(*metrics: MetricConfig) -> str:
        return sentences(changed(parts, 1, agents=(replace(agent, metrics=metrics),)))[0].split("': ", 1)[1]

    assert said() == "the metrics of agent 'helper' are none, there 'tone'"
    assert said(metric(threshold=0.5, configuration={"criteria": "rude?"})) == (
        "metric 'tone' of agent 'helper': threshold is 0.5, there 0.7; "
        "metric 'tone' of agent 'helper': configuration differs"
    )


def test_many_differences_are_counted_and_hostile_text_is_quoted() -> None:
    policy = Policy(
        min_pass_rate=None, min_cases=2, max_error_rate=0.1, allow_missing=True, max_drop=0.5, cases_alpha=0.1
    )
    said = difference(policy=policy, head_sha="\x1b[31m\n::error::" + "x" * 1000)
    assert said.endswith("; and 2 more")
    assert "\x1b" not in said
    assert "\n" not in said
    assert len(said) < 500


def test_shards_are_merged_by_the_version_that_made_them() -> None:
    assert sentences(three(tool_version="0.0.9")) == [
        "the shards were made by holodeck-eval '0.0.9', and this is 0.1.0: merge with the version that made them"
    ]


# The baseline of the shards and that of the merging.


MAIN = "the baseline 'main/results.json' from '2026-01-01T00:00:00Z'"
OTHER = "the baseline 'other/results.json' from '2026-01-01T09:00:00Z' of commit 'fffffffffff…'"


def compared(baseline: Baseline | None) -> list[tuple[str, Run]]:
    return three(baseline=baseline)


def other(baseline: Baseline) -> Baseline:
    """Another run of the same."""
    assert baseline.run
    assert baseline.info
    start = "2026-01-01T09:00:00Z"
    return replace(
        baseline,
        run=replace(baseline.run, started_at=start),
        info=replace(baseline.info, file="other/results.json", started_at=start, head_sha="f" * 40),
    )


GONE = Baseline(problem=BaselineProblem(cause="missing", message="there is no such file"))


def test_shards_that_were_compared_need_their_baseline() -> None:
    assert sentences(compared(build_baseline(*ten()))) == [
        f"the shards were compared with {MAIN}: give merge the same --baseline"
    ]


def test_another_baseline_will_not_do() -> None:
    baseline = build_baseline(*ten())
    assert sentences(compared(baseline), baseline=other(baseline)) == [
        f"the shards were compared with {MAIN}; {OTHER} is another"
    ]


def test_a_baseline_that_lies_elsewhere_is_the_same() -> None:
    baseline = build_baseline(*ten())
    assert baseline.info
    moved = replace(baseline, info=replace(baseline.info, file="elsewhere/results.json"))
    merged = merge(compared(baseline), baseline=moved)
    assert merged.comparison
    assert merged.comparison.baseline == moved.info


def test_shards_that_were_not_compared_cannot_be_afterwards() -> None:
    (said,) = sentences(compared(None), baseline=build_baseline(*ten()))
    assert said == (
        "the shards were not compared with a baseline, so nothing was judged again where it mattered: "
        "give --baseline to every shard, or to none and not to merge"
    )


def test_shards_may_not_differ_in_their_baseline() -> None:
    baseline = build_baseline(*ten())
    mixed = [compared(baseline)[0], compared(None)[1], compared(other(baseline))[2]]
    said = sentences(mixed, baseline=baseline)
    assert [one.split("': ", 1)[1] for one in said] == [
        f"it was compared with no baseline, there with {MAIN}",
        f"it was compared with {OTHER}, there with {MAIN}",
    ]


def test_a_baseline_that_no_shard_could_read_must_be_missing_here_too() -> None:
    baseline = build_baseline(*ten())
    assert sentences(compared(GONE), baseline=baseline) == [
        f"the shards were compared with a baseline that could not be read (missing); {MAIN} is another"
    ]
    merged = merge(compared(GONE), baseline=GONE)
    assert merged.comparison
    assert merged.comparison.problem == GONE.problem
    assert merged.verdict.status == "inconclusive"


# Shards whose places were edited.


def edited(number: int, **places: Any) -> list[str]:
    parts = three()
    shard = parts[number][1].shard
    assert shard is not None
    return sentences(changed(parts, number, shard=replace(shard, **places)))


@pytest.mark.parametrize(("index", "count"), [(0, 3), (4, 3), (-1, 3), (1, 10**12), (1, 0)])
def test_a_shard_that_cannot_be_is_refused(index: int, count: int) -> None:
    assert edited(0, index=index, count=count)[0] == (
        f"shard-1/results.json: there is no shard {index} of {count}; the file was edited"
    )


def test_cases_and_places_must_be_as_many() -> None:
    assert edited(1, cases=(0,)) == [
        "shard-2/results.json: its cases are not as many as their places in the whole run; the file was edited",
    ]


def test_every_case_of_the_run_must_be_in_one_shard_and_in_one_alone() -> None:
    parts = three()
    places = [run.shard.cases for _, run in parts if run.shard]
    taken = places[0][0]
    assert edited(1, cases=(taken, *places[1][1:])) == [
        "the shards do not make up the run's 10 cases (in no shard: 1; in several: 1; no case of the run: 0)"
    ]
    assert edited(1, cases=(-5, *places[1][1:])) == [
        "the shards do not make up the run's 10 cases (in no shard: 1; in several: 0; no case of the run: 1)"
    ]


def test_as_many_places_as_cases_do_not_make_up_for_a_place_taken_twice() -> None:
    parts = []
    for name, run in three():
        assert run.shard
        places = tuple(min(place, 8) for place in run.shard.cases)
        parts.append((name, replace(run, shard=replace(run.shard, cases=places, total=9))))
    assert sentences(parts) == [
        "the shards do not make up the run's 9 cases (in no shard: 0; in several: 1; no case of the run: 0)"
    ]


def test_a_run_said_to_be_huge_is_refused_without_being_counted_out() -> None:
    parts = [
        (name, replace(run, shard=replace(run.shard, total=10**15))) for name, run in three() if run.shard
    ]
    (said,) = sentences(parts)
    assert "the run's 1,000,000,000,000,000 cases (in no shard: 999,999,999,999,990;" in said


def test_no_case_may_be_there_twice() -> None:
    parts = three()
    stolen = parts[0][1].cases[0]
    said = sentences(changed(parts, 1, cases=(stolen, *parts[1][1].cases[1:])))
    assert said == [f"the case {stolen.id!r} of agent 'helper' is there more than once"]


# Steps that judges wrote for themselves.


def by_steps(*steps: str, score: float = 0.9, **settings: Any) -> Scored:
    details = {"auto_generated_steps": True, "evaluation_steps": list(steps)}
    return scored(score, details=details, **settings)


def shards_by(*outcomes: Outcome, policy: Policy | None = None) -> list[tuple[str, Run]]:
    """A shard for each outcome, which all its cases have."""
    cases, _ = ten()
    return [
        (
            f"{index}.json",
            build_part(
                cases,
                {("helper", one.id, 0, "faithfulness"): outcome for one in cases},
                (index, len(outcomes)),
                policy=policy,
            ),
        )
        for index, outcome in enumerate(outcomes, start=1)
    ]


def test_shards_that_judged_by_one_list_of_steps_are_one_instrument() -> None:
    assert merge(shards_by(by_steps("a", "b"), by_steps("a", "b"))).verdict.status == "passed"


def test_shards_that_judged_by_different_steps_are_inconclusive() -> None:
    merged = merge(shards_by(by_steps("a", "b"), by_steps("b", "a")))
    assert (merged.verdict.status, merged.verdict.exit_code) == ("inconclusive", 3)
    (cause,) = merged.verdict.causes
    assert cause.code == "steps_differ"
    assert cause.message == (
        "the shards judged by different steps in 'faithfulness', which the judge wrote for each of them: their "
        "scores are of two instruments. So record the steps first: run once without --shard and with "
        "--verdicts FILE and give FILE to every shard, or write evaluation_steps"
    )
    assert sorted(cause.cases) == sorted(one.id for one in merged.cases)


def test_different_steps_do_not_hide_a_failure() -> None:
    verdict = merge(shards_by(by_steps("a", score=0.1), by_steps("b"))).verdict
    assert (verdict.status, verdict.exit_code) == ("failed", 1)
    assert [cause.code for cause in verdict.causes] == ["pass_rate", "steps_differ"]


def test_on_inconclusive_pass_lets_different_steps_through_as_it_says() -> None:
    verdict = merge(shards_by(by_steps("a"), by_steps("b"), policy=Policy(on_inconclusive="pass"))).verdict
    assert (verdict.status, verdict.exit_code, verdict.waived) == ("inconclusive", 0, True)


def test_scores_recorded_earlier_do_not_make_steps_differ() -> None:
    assert merge(shards_by(by_steps("a"), by_steps("b", recorded=1))).verdict.status == "passed"


@pytest.mark.parametrize(
    "outcome",
    [
        GOOD,
        DOWN,
        scored(0.9, details={"auto_generated_steps": False, "evaluation_steps": ["a"]}),
        scored(0.9, details={"auto_generated_steps": True}),
        scored(0.9, details={"auto_generated_steps": "yes", "evaluation_steps": ["a"]}),
        scored(0.9, details={"auto_generated_steps": True, "evaluation_steps": "a"}),
        by_steps("a", recorded=2),
    ],
)
def test_a_shard_without_steps_of_its_own_is_not_warned_about(outcome: Outcome) -> None:
    _, run = shards_by(outcome, outcome)[0]
    assert steps_warning(run) == ()


def test_a_shard_with_steps_of_its_own_is_warned_about() -> None:
    _, run = shards_by(by_steps("a"), GOOD)[0]
    (said,) = steps_warning(run)
    assert said == (
        "in this shard the judge itself wrote the steps of 'faithfulness'; where it wrote others for another "
        "shard, the merged run is inconclusive. So record the steps first: run once without --shard and with "
        "--verdicts FILE and give FILE to every shard, or write evaluation_steps"
    )
    assert steps_warning(replace(run, shard=None)) == ()


def test_only_steps_that_were_written_in_this_run_are_warned_about_where_that_is_known() -> None:
    _, run = shards_by(by_steps("a", "b"), GOOD)[0]
    assert steps_warning(run, generated={("c",)}) == ()
    assert steps_warning(run, generated={("a", "b")}) == steps_warning(run)


def test_a_warning_about_a_shards_steps_is_settled_by_merging() -> None:
    parts = [
        (name, replace(run, warnings=("kept", *steps_warning(run))))
        for name, run in shards_by(by_steps("a"), by_steps("a"))
    ]
    assert merge(parts).warnings == ("kept",)
