from dataclasses import replace

import pytest

from holodeck_eval.domain.outcome import Errored
from holodeck_eval.domain.run import AgentRun
from holodeck_eval.github.annotations import Annotation, annotations
from tests.fakes import runs
from tests.fakes.compared_runs import worse_run
from tests.fakes.comparisons import build_comparison, build_flip, build_moved
from tests.fakes.runs import build_case, build_metric, build_turn
from tests.unit.github.annotated import WORKSPACE, case_of, failed, failed_run, missed, of, titles


def test_a_run_that_passed_has_none() -> None:
    assert annotations(runs.passed_run(), WORKSPACE) == ()


def test_each_problem_of_the_input_is_an_error_on_its_line() -> None:
    assert annotations(runs.error_run(), WORKSPACE) == (
        Annotation(
            level="error",
            title="holodeck-eval could not run",
            message="unknown key 'treshold'; did you mean 'threshold'?",
            file="agent.yaml",
            line=14,
        ),
        Annotation(
            level="error",
            title="holodeck-eval could not run",
            message="this is not JSON",
            file="runs/today.jsonl",
            line=2,
        ),
    )


def test_a_bug_is_an_error() -> None:
    (bug,) = annotations(runs.bug_run(), WORKSPACE)
    assert (bug.level, bug.title, bug.file) == ("error", "holodeck-eval broke", None)


def test_a_failing_metric_is_told_once_on_its_line_of_the_agent() -> None:
    run = failed_run(failed(1, turns=(build_turn(missed("tone", 0.6)),)), case_of(missed("tone"), number=2))
    assert of(run)[0] == Annotation(
        level="error",
        title="'tone' failed in 2 of 2 cases",
        message="The worst is 'case-2': scored 0.30, needs 0.70 (runs/today.jsonl:2)",
        file="agent.yaml",
        line=4,
    )


def test_a_metric_counts_a_case_of_several_turns_once_with_its_worst_turn() -> None:
    turns = (
        build_turn(missed("tone", 0.6)),
        build_turn(missed("tone", 0.1)),
        build_turn(missed("tone", 0.9)),
    )
    run = failed_run(failed(1, turns=turns), build_case(turns=(build_turn(missed("tone", 0.9)),)))
    assert of(run)[0].title == "'tone' failed in 1 of 2 cases"
    assert "scored 0.10" in of(run)[0].message


def test_the_guardrail_then_what_got_worse_then_the_most_frequent_metric_comes_first() -> None:
    cases = (
        case_of(missed("rare"), missed("often"), missed("safe", guardrail=True), missed("worse"), number=1),
        case_of(missed("often"), missed("rare", 0.9), missed("far", 0.1), number=2),
    )
    comparison = build_comparison(
        build_moved(0.9, 0.5, name="worse", verdict="worse"),
        build_moved(0.9, 0.5, name="avg_score", verdict="worse"),
        build_moved(0.9, 0.9, name="rare"),
    )
    found = titles(of(failed_run(*cases, comparison=comparison)))
    assert found[:4] == [
        "The guardrail 'safe' failed in 1 of 1 case",
        "'worse' failed in 1 of 1 case",
        "'far' failed in 1 of 1 case",
        "'often' failed in 2 of 2 cases",
    ]


def test_a_mean_that_fell_is_told_on_its_metric_and_the_average_on_the_agent() -> None:
    found = of(worse_run())
    assert found[1].message.splitlines()[1:] == [
        "It newly fails in 1 case, by more than noise explains",
        "Its mean fell from 0.860 to 0.740 over 48 cases, where 0.02 is allowed",
    ]
    assert (found[0].title, found[0].file, found[0].line) == (
        "'tone' is worse than in the baseline",
        "agent.yaml",
        None,
    )
    assert found[2].title == "The average score is worse than in the baseline"


def test_a_mean_that_is_not_known_is_not_made_up() -> None:
    comparison = build_comparison(build_moved(None, 0.5, verdict="worse"))
    (found,) = of(failed_run(build_case(), comparison=comparison))
    assert found.message == "Its mean fell from unknown to 0.500 over 48 cases, where 0.02 is allowed"


def test_a_failed_case_is_told_on_its_line_of_the_transcript() -> None:
    assert of(runs.failed_run())[-1] == Annotation(
        level="error",
        title="'refund-window' failed",
        message="'faithfulness' scored 0.33, needs 0.70: The context says 30 days.",
        file="runs/today.jsonl",
        line=3,
    )


def test_a_case_without_a_transcript_is_told_on_its_test_case() -> None:
    lost = failed(1, transcript=None, turns=(), reasons=("no transcript was recorded for this test case",))
    (found,) = of(failed_run(lost))
    assert (found.file, found.line) == ("agent.yaml", 40)
    assert found.message == "no transcript was recorded for this test case"


def test_a_case_without_any_place_or_reason_is_told_all_the_same() -> None:
    (found,) = of(failed_run(failed(1, transcript=None, test_case=None, turns=(), reasons=())))
    assert (found.file, found.line, found.message) == (None, None, "no reason is known")


def test_the_first_findings_of_a_case_are_told_with_their_turns() -> None:
    turns = (
        build_turn(no_answer="it broke off", status="failed"),
        build_turn(missed("a"), missed("b"), missed("c", 0.699999), status="failed"),
    )
    assert of(failed_run(failed(1, turns=turns)))[-1].message.splitlines() == [
        "turn 1: no answer: it broke off",
        "turn 2: 'a' scored 0.30, needs 0.70: The context says 30 days.",
        "turn 2: 'b' scored 0.30, needs 0.70: The context says 30 days.",
        "and 1 more",
    ]


def test_a_score_is_shown_so_that_it_is_seen_to_be_too_low() -> None:
    assert "scored 0.699999, needs 0.700000" in of(failed_run(case_of(missed("c", 0.699999))))[-1].message


@pytest.mark.parametrize(("rating", "shown"), [("bad", "rated bad, 0.20"), (None, "scored 0.20")])
def test_a_metric_without_a_threshold_is_told_by_its_rating(rating: str | None, shown: str) -> None:
    rated = missed("generation", 0.2, threshold=None, passed=False, rating=rating)
    assert of(failed_run(case_of(rated)))[-1].message.startswith(f"'generation' {shown}: ")


def test_a_metric_that_failed_without_a_score_is_told_by_its_name() -> None:
    odd = build_metric(Errored(kind="timeout", message="late"), name="tone", passed=False)
    found = of(failed_run(case_of(odd)))
    assert (found[0].title, found[1].message) == ("'tone' failed in 1 of 1 case", "tone")


def test_a_case_that_newly_fails_is_told_before_worse_ones_with_what_proves_it() -> None:
    cases = (failed(1, avg_score=0.1), failed(2, avg_score=0.6))
    flips = (
        build_flip("case-2", why="the means lie far apart"),
        build_flip("case-2", metric="tone", turn=None),
        build_flip("case-1", proven=False),
    )
    found = of(failed_run(*cases, comparison=build_comparison(flips=flips)))
    assert titles(found[1:]) == ["'case-2' newly fails", "'case-1' failed"]
    assert found[1].message.splitlines()[-1] == (
        "Since the baseline: 'faithfulness' fell from 0.90 to 0.33; the means lie far apart"
    )
    assert "It newly fails in 1 case" in found[0].message


def test_a_metric_by_which_a_case_newly_fails_is_told_before_one_that_fails_more_often() -> None:
    cases = (case_of(missed("often"), missed("new")), case_of(missed("often"), missed("new", 0.9), number=2))
    comparison = build_comparison(flips=(build_flip("case-1", metric="new"),))
    assert titles(of(failed_run(*cases, comparison=comparison)))[:2] == [
        "'new' failed in 1 of 2 cases",
        "'often' failed in 2 of 2 cases",
    ]


def test_a_lost_answer_has_no_numbers_to_tell() -> None:
    flips = (build_flip("case-1", metric="", before=None, now=None, why="there was one in the baseline"),)
    found = of(failed_run(failed(1), comparison=build_comparison(flips=flips)))
    assert found[-1].message.splitlines()[-1] == "It newly fails: there was one in the baseline"


def test_a_case_that_breaks_a_guardrail_is_told_before_worse_ones() -> None:
    broken = case_of(missed("safe", 0.6, guardrail=True), number=2, avg_score=0.6)
    found = of(failed_run(failed(1, avg_score=0.1), broken))
    assert titles(found)[-2:] == ["'case-2' failed", "'case-1' failed"]


def test_names_of_agents_are_told_where_there_are_several() -> None:
    other = AgentRun(name="sales", file="sales.yaml", metrics=(), test_cases=1, transcripts=1)
    run = failed_run(failed(1))
    found = of(replace(run, agents=(*run.agents, other)))
    assert titles(found) == [
        "'faithfulness' of 'support' failed in 1 of 1 case",
        "'case-1' of 'support' failed",
    ]
