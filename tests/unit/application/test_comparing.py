from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holodeck_eval.application.comparing import compare_results as compare_with
from holodeck_eval.domain.comparison import BaselineRun, Comparison, Rejudged
from holodeck_eval.domain.options import NO_RULES, Environment, Options
from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.policy import Policy, PolicyOptions
from holodeck_eval.domain.run import Run, Shard
from holodeck_eval.errors import InputError, ResultsError, UsageError
from holodeck_eval.reports.results import render
from tests.fakes.runs import (
    AGENT,
    JUDGE,
    build_case,
    build_metric,
    build_run,
    build_turn,
    error_run,
)
from tests.fakes.saved import saved

PASS_RATE = PolicyOptions(min_pass_rate=1.0)
REPORT = PolicyOptions(on_missing_baseline="report")


def compare_results(baseline: str, head: str, rules: PolicyOptions = NO_RULES, **settings: Any) -> Run:
    options = Options(agent=(), transcripts=(), baseline=baseline, rules=rules, **settings)
    return compare_with(head, options, Environment())


def scored(*scores: float, **settings: Any) -> Run:
    """A run with a case for each score, held against 0.7."""
    return run_of(
        [Scored(score=score, reason="r", judge=JUDGE, replies=(score,)) for score in scores], **settings
    )


def run_of(outcomes: Sequence[Scored], **settings: Any) -> Run:
    cases = []
    for number, outcome in enumerate(outcomes):
        status = "passed" if outcome.score >= 0.7 else "failed"
        turn = build_turn(build_metric(outcome), status=status)
        cases.append(build_case(f"case {number}", status, turns=(turn,)))
    return build_run(*cases, **settings)


@pytest.fixture
def main(tmp_path: Path) -> str:
    """The report folder of a run with a dozen good cases."""
    return str(saved(tmp_path / "main", scored(*[0.9] * 12)))


def head(tmp_path: Path, run: Run) -> str:
    return str(saved(tmp_path / "head", run))


def test_a_run_that_equals_its_baseline_passes(main: str) -> None:
    run = compare_results(main, main)
    assert (run.verdict.status, run.verdict.causes) == ("passed", ())
    assert run.comparison is not None
    assert (run.comparison.problem, run.comparison.paired) == (None, 12)
    assert run.comparison.baseline is not None
    assert run.comparison.baseline.file == f"{main}/results.json"


def test_a_run_that_got_worse_fails(main: str, tmp_path: Path) -> None:
    run = compare_results(f"{main}/results.json", head(tmp_path, scored(*[0.3] * 12)))
    assert (run.verdict.status, run.verdict.exit_code) == ("failed", 1)
    assert "regression" in {cause.code for cause in run.verdict.causes}


def test_the_verdict_that_stands_in_the_file_is_not_believed(main: str, tmp_path: Path) -> None:
    run = scored(*[0.3] * 12)
    assert run.verdict.status == "passed"
    assert compare_results(main, head(tmp_path, run)).verdict.status == "failed"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "there is no such file"),
        ("", "this file is empty"),
        (
            '{"schema_version": 9}',
            "this file was written by a newer version of holodeck-eval (schema_version 9;",
        ),
    ],
)
def test_a_head_that_cannot_be_read_is_an_error(
    main: str, tmp_path: Path, content: str | None, sentence: str
) -> None:
    file = tmp_path / "results.json"
    if content is not None:
        file.write_text(content)
    with pytest.raises(ResultsError) as caught:
        compare_results(main, str(tmp_path))
    assert caught.value.exit_code == 2
    assert str(caught.value).startswith(f"{file}: {sentence}")


def test_a_place_in_the_head_is_named(main: str, tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    file.write_text('{\n  "schema_version": 1,')
    with pytest.raises(ResultsError, match=r"results\.json:2:\d+: this file is cut off before its end"):
        compare_results(main, str(file))


def test_a_part_of_a_run_is_not_compared(main: str, tmp_path: Path) -> None:
    shard = Shard(index=1, count=2, cases=(0,), waived=(), total=2)
    with pytest.raises(ResultsError, match="only part 1 of 2 of a run; merge the parts first"):
        compare_results(main, head(tmp_path, scored(0.9, shard=shard)))


def test_a_head_that_could_not_run_keeps_its_verdict(main: str, tmp_path: Path) -> None:
    assert compare_results(main, head(tmp_path, error_run())) == error_run()


def test_an_empty_path_is_no_baseline(main: str) -> None:
    with pytest.raises(UsageError, match="the baseline's path is empty"):
        compare_results("", main)
    with pytest.raises(UsageError, match="no baseline is named"):
        compare_with(main, Options(agent=(), transcripts=()), Environment())


def test_a_baseline_in_the_checkout_is_refused_unless_that_is_trusted(main: str, tmp_path: Path) -> None:
    asked = Options(agent=(), transcripts=(), baseline=main)
    here = Environment(workspace=str(tmp_path))
    with pytest.raises(InputError, match="a baseline in the checkout is not believed"):
        compare_with(main, asked, here)
    assert compare_with(main, replace(asked, trust_checkout=True), here).verdict.status == "passed"


# A baseline that is not there.


def test_a_missing_baseline_is_inconclusive(main: str, tmp_path: Path) -> None:
    run = compare_results(str(tmp_path / "none"), main)
    assert (run.verdict.status, run.verdict.exit_code) == ("inconclusive", 3)
    assert run.comparison is not None
    assert run.comparison.problem is not None
    assert run.comparison.problem.cause == "missing"


def test_a_missing_baseline_may_be_let_go_on_the_absolute_rules(main: str, tmp_path: Path) -> None:
    assert compare_results(str(tmp_path / "none"), main, REPORT).verdict.status == "passed"
    worse = head(tmp_path, scored(0.9, 0.3))
    assert compare_results(str(tmp_path / "none"), worse, REPORT).verdict.status == "failed"


def test_an_unreadable_baseline_is_never_let_go(main: str, tmp_path: Path) -> None:
    (tmp_path / "torn").write_text("{")
    assert compare_results(str(tmp_path / "torn"), main, REPORT).verdict.status == "inconclusive"


# Rules.


def test_what_failed_before_and_fails_now_is_not_blamed_on_the_change(tmp_path: Path) -> None:
    both = str(saved(tmp_path, scored(*[0.9] * 11, 0.3)))
    assert compare_results(both, both).verdict.status == "passed"
    assert compare_results(both, both, PASS_RATE).verdict.status == "failed"


def test_a_pass_rate_that_the_head_was_given_stands(tmp_path: Path) -> None:
    both = str(saved(tmp_path, scored(*[0.9] * 11, 0.3, policy=Policy(min_pass_rate=0.99))))
    assert compare_results(both, both).verdict.status == "failed"


def test_a_pass_rate_of_a_head_that_had_a_baseline_was_written(tmp_path: Path) -> None:
    both = str(saved(tmp_path, scored(*[0.9] * 11, 0.3, comparison=Comparison())))
    assert compare_results(both, both).verdict.status == "failed"


def test_rules_that_are_given_win_over_those_of_the_head_and_are_no_change_of_the_gate(
    main: str, tmp_path: Path
) -> None:
    worse = head(tmp_path, scored(*[0.8] * 12))
    assert compare_results(main, worse).verdict.status == "failed"
    run = compare_results(main, worse, PolicyOptions(max_drop=0.2))
    assert (run.verdict.status, run.policy.max_drop) == ("passed", 0.2)
    assert run.comparison is not None
    assert run.comparison.gate_changes == ()


def test_a_gate_that_was_loosened_by_the_head_blocks(main: str, tmp_path: Path) -> None:
    loose = head(tmp_path, scored(*[0.9] * 12, policy=Policy(max_drop=0.5)))
    assert compare_results(main, loose).verdict.status == "failed"
    assert compare_results(main, loose, PolicyOptions(on_gate_change="report")).verdict.status == "passed"


def test_an_agent_that_was_renamed_is_compared_under_its_new_name(main: str, tmp_path: Path) -> None:
    run = scored(*[0.9] * 12)
    cases = tuple(replace(case, agent="helper") for case in run.cases)
    run = replace(run, cases=cases, agents=(replace(run.agents[0], name="helper"),))
    renamed = head(tmp_path, run)
    assert compare_results(main, renamed).verdict.status == "inconclusive"
    assert compare_results(main, renamed, rename_agent=(f"{AGENT}=helper",)).verdict.status == "passed"


# What stands in the files.


def test_what_was_edited_into_contradiction_is_worked_out_anew_and_said(main: str, tmp_path: Path) -> None:
    """A baseline that claims to have failed before, and a head that claims to pass."""
    forged = render(scored(*[0.3] * 12)).replace('"passed": false', '"passed": true')
    forged = forged.replace('"status": "failed"', '"status": "passed"')
    file = tmp_path / "results.json"
    file.write_text(forged)
    run = compare_results(main, str(file))
    assert run.verdict.status == "failed"
    assert {case.status for case in run.cases} == {"failed"}
    assert run.summary.pass_rate == 0.0
    assert run.warnings


def test_warnings_of_both_sides_are_kept_once(main: str, tmp_path: Path) -> None:
    (Path(main) / "cases.jsonl").write_text("[]\n")
    bad_line = f"{main}/cases.jsonl:1: this line is left out: it must be an object, not a list"
    run = compare_results(main, head(tmp_path, scored(*[0.9] * 12, warnings=("beware", bad_line))))
    assert run.warnings == ("beware", bad_line)


# What the run judged again of its baseline.


def again(case: str, *replies: float) -> Rejudged:
    outcome = Scored(score=sum(replies) / len(replies), reason="r", judge=JUDGE, replies=replies)
    return Rejudged(agent=AGENT, case=case, turn=0, result=build_metric(outcome))


LUCKY = again("case 0", 0.71, 0.55, 0.6, 0.58, 0.62, 0.6, 0.57)
"""The baseline's one good reply, and what the judge said of the same answer when it was asked again."""


def rejudging(**baseline: Any) -> Run:
    """A run in which one case failed, and the baseline's turned out to have passed by luck."""
    info = BaselineRun(file="elsewhere/results.json", status="passed", **baseline)
    failing = Scored(score=0.58, reason="r", judge=JUDGE, replies=(0.6, 0.56, 0.58, 0.58, 0.58, 0.58, 0.58))
    good = Scored(score=0.9, reason="r", judge=JUDGE, replies=(0.9,))
    return run_of([failing, *[good] * 11], comparison=Comparison(baseline=info, rejudged=(LUCKY,)))


def test_what_the_run_judged_again_of_this_baseline_counts(tmp_path: Path) -> None:
    baseline = str(saved(tmp_path / "lucky", scored(0.71, *[0.9] * 11, started_at="then", head_sha="sha")))
    run = compare_results(baseline, head(tmp_path, rejudging(started_at="then", head_sha="sha")))
    assert run.comparison is not None
    assert run.comparison.rejudged == (LUCKY,)
    assert run.comparison.flips == ()


@pytest.mark.parametrize("other", [{"started_at": "later", "head_sha": "sha"}, {"started_at": "then"}])
def test_what_the_run_judged_again_of_another_baseline_does_not(tmp_path: Path, other: Any) -> None:
    baseline = str(saved(tmp_path / "lucky", scored(0.71, *[0.9] * 11, started_at="then", head_sha="sha")))
    run = compare_results(baseline, head(tmp_path, rejudging(**other)))
    assert run.comparison is not None
    assert run.comparison.rejudged == ()
    assert [flip.case for flip in run.comparison.flips] == ["case 0"]


def test_what_is_no_other_judgement_of_the_same_texts_does_not_count(tmp_path: Path) -> None:
    """A head that says so of another key, another configuration, or a case that was never there."""
    baseline = str(saved(tmp_path / "lucky", scored(0.71, *[0.9] * 11, started_at="then", head_sha="sha")))
    honest = rejudging(started_at="then", head_sha="sha")
    assert honest.comparison is not None
    assert isinstance(LUCKY.result.outcome, Scored)
    forged = (
        replace(LUCKY, result=replace(LUCKY.result, outcome=replace(LUCKY.result.outcome, key="k" * 64))),
        replace(LUCKY, result=replace(LUCKY.result, digest="e" * 64)),
        replace(LUCKY, case="case 99"),
    )
    for one in forged:
        made = replace(honest, comparison=replace(honest.comparison, rejudged=(one,)))
        run = compare_results(baseline, head(tmp_path, made))
        assert run.comparison is not None
        assert run.comparison.rejudged == ()


def test_comparing_again_says_the_same(tmp_path: Path) -> None:
    baseline = str(saved(tmp_path / "lucky", scored(0.71, *[0.9] * 11, started_at="then", head_sha="sha")))
    once = compare_results(baseline, head(tmp_path, rejudging(started_at="then", head_sha="sha")))
    assert compare_results(baseline, head(tmp_path, once)) == once
