from dataclasses import replace

import pytest

from holodeck_eval.domain.comparison import GateChange
from holodeck_eval.domain.run import Published, Run
from holodeck_eval.domain.staleness import Staleness
from holodeck_eval.github.annotations import Annotation, annotations
from tests.fakes import runs
from tests.fakes.compared_runs import loosened_run, same_run
from tests.fakes.comparisons import build_change, build_comparison, build_flip, cause
from tests.fakes.runs import build_case, build_run, build_verdict
from tests.unit.github.annotated import WORKSPACE, case_of, failed, failed_run, missed, of, titles

TWO_LINES = "x\n  pull-requests: write"


def test_what_failed_in_a_run_that_did_not_fail_is_a_warning() -> None:
    assert titles(annotations(same_run(), WORKSPACE)) == [
        "'faithfulness' failed in 1 of 3 cases",
        "'refund-window' fails as in the baseline",
    ]
    assert of(same_run()) == []


def test_a_case_that_failed_before_is_a_warning_unless_a_rule_blames_it() -> None:
    comparison = build_comparison(still_failing=[build_change("case-1", "failed", "failed")])
    for code, level in (("case_regression", "warning"), ("guardrail", "error")):
        found = of(failed_run(failed(1), comparison=comparison, code=code), level)
        assert titles(found)[-1] == "'case-1' fails as in the baseline"


def test_a_case_that_newly_fails_is_an_error_though_no_rule_blames_it() -> None:
    still = [build_change("case-2", "failed", "failed")]
    comparison = build_comparison(flips=(build_flip("case-1"),), still_failing=still)
    run = failed_run(failed(1), failed(2), comparison=comparison, code="case_regression")
    assert titles(of(run)) == ["'faithfulness' failed in 2 of 2 cases", "'case-1' newly fails"]
    assert titles(of(run, "warning")) == ["'case-2' fails as in the baseline"]


def test_where_a_mean_got_worse_the_cases_that_did_not_fail_before_are_errors() -> None:
    comparison = build_comparison(still_failing=[build_change("case-1", "failed", "failed")])
    run = failed_run(failed(1), failed(2), comparison=comparison, code="regression")
    assert "'case-2' failed" in titles(of(run))
    assert titles(of(run, "warning")) == ["'case-1' fails as in the baseline"]


def test_a_cause_that_no_case_tells_is_an_error_of_its_own() -> None:
    verdict = build_verdict("failed", cause("too_few_cases", "there are too few cases: 1"))
    (found,) = annotations(build_run(build_case(), verdict=verdict), WORKSPACE)
    assert (found.level, found.title, found.message) == (
        "error",
        "The gate blocks this",
        "there are too few cases: 1",
    )


def test_an_open_question_is_a_warning_that_says_what_to_do_and_so_is_each_open_case() -> None:
    found = annotations(runs.inconclusive_run(), WORKSPACE)
    assert [one.level for one in found] == ["warning", "warning"]
    assert "raise timeout or run again" in found[0].message
    assert found[1] == Annotation(
        level="warning",
        title="'slow' could not be judged",
        message="faithfulness could not be judged (timeout): The judge did not answer within 60 s.",
        file="runs/today.jsonl",
        line=3,
    )


def test_an_open_case_without_a_reason_is_told_all_the_same() -> None:
    run = build_run(build_case("slow", "inconclusive", reasons=()), verdict=build_verdict("inconclusive"))
    assert of(run, "warning")[0].message == "no reason is known"


@pytest.mark.parametrize(("blocks", "level"), [(True, "error"), (False, "warning")])
def test_outdated_transcripts_are_told_once_an_agent_on_the_first(blocks: bool, level: str) -> None:  # noqa: FBT001 - a parameter of the test
    stale = Staleness(status="stale", differs=("model", "tools"))
    cases = tuple(build_case(name, staleness=stale) for name in ("a", "b"))
    verdict = build_verdict("failed", cause("stale_transcripts", "old", "a")) if blocks else build_verdict()
    assert annotations(build_run(*cases, build_case("c"), verdict=verdict), WORKSPACE) == (
        Annotation(
            level=level,  # type: ignore[arg-type]
            title="2 transcripts are of another version of 'support'",
            message="Record anew: 2 cases ('a', 'b'); the agent had another model and tools then",
            file="runs/today.jsonl",
            line=3,
        ),
    )


def test_an_outdated_transcript_of_which_only_the_digest_differs_says_no_more() -> None:
    old = build_case("a", staleness=Staleness(status="stale"))
    (found,) = annotations(build_run(old), WORKSPACE)
    assert (found.title, found.message) == (
        "A transcript is of another version of 'support'",
        "Record anew: 1 case ('a')",
    )


@pytest.mark.parametrize(
    ("policy", "level", "ends"),
    [
        ("block", "error", "on_gate_change: report lets it through"),
        ("report", "warning", "it is only reported"),
    ],
)
def test_what_loosens_the_gate_is_an_error_where_it_blocks(policy: str, level: str, ends: str) -> None:
    found = annotations(loosened_run(on_gate_change=policy), WORKSPACE)
    assert [one.level for one in found] == [level, level]
    assert found[0].message == (
        f"Since the baseline, the threshold of 'faithfulness' was lowered from 0.8 to 0.5; {ends}"
    )


def test_a_change_of_the_gate_stands_on_its_metric_or_on_its_agent() -> None:
    changes = [
        GateChange(code="threshold", message=metric, loosens=True, agent="support", metric=metric)
        for metric in ("faithfulness", "faithfulness.redundancy", "gone")
    ]
    run = build_run(build_case(), comparison=build_comparison(gate_changes=changes))
    assert [(one.file, one.line) for one in annotations(run, WORKSPACE)] == [
        ("agent.yaml", 12),
        ("agent.yaml", 12),
        ("agent.yaml", None),
    ]


def test_removed_cases_that_the_policy_allows_are_not_told() -> None:
    run = loosened_run(on_gate_change="report", allow_removed_cases=True)
    assert len(annotations(run, WORKSPACE)) == 1


def test_a_published_run_has_only_what_its_own_step_says() -> None:
    run = replace(runs.failed_run(), published=Published(url="https://x.example/1", repository="a/b"))
    own = Annotation(level="warning", title="t", message="m")
    assert annotations(run, WORKSPACE, [own]) == (own,)


def many(failing: int, metrics: int = 1, inconclusive: int = 0) -> Run:
    names = [f"metric{'s' * number}" for number in range(metrics)]
    cases = [case_of(*map(missed, names), number=number) for number in range(1, failing + 1)]
    late = [build_case(f"late-{number}", "inconclusive") for number in range(inconclusive)]
    return failed_run(*cases, *late)


@pytest.mark.parametrize(
    ("failing", "metrics", "expected"),
    [(20, 1, (1, 9)), (20, 12, (4, 6)), (3, 12, (7, 3)), (2, 2, (2, 2))],
)
def test_ten_errors_are_shared_by_metrics_and_cases(
    failing: int, metrics: int, expected: tuple[int, int]
) -> None:
    found = of(many(failing, metrics))
    assert (
        sum("metric" in one.title for one in found),
        sum("case-" in one.title for one in found),
    ) == expected


def test_a_notice_says_how_many_more_there_are() -> None:
    found = annotations(many(30, 3, inconclusive=12), WORKSPACE)
    assert [one.level for one in found] == ["error"] * 10 + ["warning"] * 10 + ["notice"]
    assert found[-1].title == "23 more errors and 2 more warnings from holodeck-eval"
    assert "summary" in found[-1].message
    assert titles(annotations(many(10), WORKSPACE))[-1] == "1 more error from holodeck-eval"


def test_what_the_step_must_say_takes_the_place_of_others() -> None:
    own = [Annotation(level="warning", title=f"own {number}", message=TWO_LINES) for number in range(11)]
    assert [one.level for one in annotations(many(30, inconclusive=12), WORKSPACE, own[:1])].count(
        "warning"
    ) == 10
    found = annotations(many(1, inconclusive=12), WORKSPACE, own)
    assert found[:11] == tuple(own)
    assert found[-1].title == "12 more warnings from holodeck-eval"


def test_every_kind_of_warning_gets_a_place() -> None:
    stale = Staleness(status="stale")
    late = tuple(build_case(f"late-{number}", "inconclusive", staleness=stale) for number in range(20))
    cases = (*late, *(failed(number) for number in range(1, 20)))
    comparison = build_comparison(
        gate_changes=[GateChange(code="policy", message=f"m{number}", loosens=True) for number in range(5)]
    )
    causes = [cause(f"code{number}", f"open {number}", status="inconclusive") for number in range(9)]
    run = build_run(*cases, comparison=comparison, verdict=build_verdict("inconclusive", *causes))
    assert titles(of(run, "warning")) == [
        *["Not everything could be judged"] * 2,
        "20 transcripts are of another version of 'support'",
        "The gate lets more through than before",
        "'faithfulness' failed in 19 of 19 cases",
        *("'case-1' failed", "'case-10' failed"),
        *(f"'late-{number}' could not be judged" for number in range(3)),
    ]


def test_a_place_is_not_annotated_twice_with_the_same_words() -> None:
    problem = cause("bad_input", "unknown key", status="error")
    assert len(annotations(build_run(verdict=build_verdict("error", problem, problem)), WORKSPACE)) == 1
