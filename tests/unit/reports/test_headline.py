# ruff: noqa: RUF001 - a minus sign is what is shown
from dataclasses import replace

import pytest

from holodeck_eval.console import verdict_line
from holodeck_eval.domain.comparison import Comparison
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.run import Run, Shard
from holodeck_eval.gate.open_cases import WHY
from holodeck_eval.reports import comment, summary
from holodeck_eval.reports._blame import REASONS
from holodeck_eval.reports.headline import headline
from tests.fakes.compared_runs import COMPARED, problem_run
from tests.fakes.comparisons import (
    RELATIVE,
    build_change,
    build_comparison,
    build_flip,
    build_moved,
    cause,
    compared_run,
)
from tests.fakes.runs import PASS_RATE, bug_run, build_case, build_run, build_verdict, error_run

FELL = "faithfulness fell 0.86 → 0.74 (−0.12)"
ROSE = "faithfulness rose 0.74 → 0.86 (+0.12)"
APART = build_moved(None, None, verdict="not_comparable", smallest_drop=None)


def first_lines(run: Run) -> tuple[str, str]:
    """The headline and the line below it, as they stand in the comment, without the boxes between them."""
    lines = comment.render(run).splitlines()
    told = (line for line in lines[1:] if line and not line.startswith(">"))
    return lines[0], next(told)


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        (
            "same",
            "### ✅ Passed: no metric is worse; 1 case newly passes",
            "1 case fails as before · 1 new · pass rate 66.7% · average score 0.71",
        ),
        (
            "worse",
            (f"### ❌ Worse than the baseline: {FELL}, tone fell 0.91 → 0.83 (−0.08); 3 cases newly fail"),
            (
                "1 case newly passes · 2 cases newly fail, not proven · 1 case fails as before · 1 vanished ·"
                " 1 changed · pass rate 33.3% · average score 0.54"
            ),
        ),
        (
            "underpowered",
            (
                "### ✅ Passed, underpowered: no drop was seen; the smallest drop this run could have seen is"
                " 0.21 in faithfulness (6 cases), 0.14 in tone (6 cases)"
            ),
            "Pass rate 100% · average score 0.90",
        ),
        (
            "better",
            (
                f"### ✅ Passed: better than the baseline, {ROSE}; no drop at all could have been seen in tone"
                " (4 cases)"
            ),
            "No metric is worse · pass rate 100% · average score 0.90",
        ),
        (
            "loosened",
            "### ❌ Gate loosened: 2 changes let more through than the baseline's gate",
            "No metric is worse · pass rate 100% · average score 0.90",
        ),
        (
            "incomparable",
            (
                "### ⚠️ Inconclusive: faithfulness cannot be compared with the baseline: another judge:"
                " 'openai/gpt-4o', 'ollama/llama3' before"
            ),
            "No metric that could be compared is worse · pass rate 100% · average score 0.90",
        ),
        (
            "unreadable-baseline",
            (
                "### ⚠️ Inconclusive: the baseline could not be used: the baseline 'eval-base/results.json' cannot"
                " be read: it is empty"
            ),
            "Pass rate 100% (needs 100%) of those judged · average score 0.90",
        ),
        (
            "first-run",
            "### ✅ Passed: all 2 cases passed, pass rate 100% (needs 100%)",
            "No baseline yet: judged by the absolute rules alone · average score 0.90",
        ),
        (
            "vanished",
            "### ❌ Cases removed: 1 case that passed is gone",
            "No metric is worse · 1 vanished · pass rate 100% · average score 0.90",
        ),
        (
            "stale",
            "### ❌ Stale transcripts: 1 transcript was recorded with another version of the agent",
            "Pass rate 100% (needs 100%) · average score 0.90",
        ),
    ],
)
def test_two_lines_say_what_came_of_the_comparison(name: str, first: str, second: str) -> None:
    assert first_lines(COMPARED[name]()) == (first, second)
    assert first in summary.render(COMPARED[name]()).splitlines()


@pytest.mark.parametrize("name", [name for name in COMPARED if name != "hostile-compared"])
def test_no_first_line_asks_for_a_rate_that_nobody_wrote(name: str) -> None:
    assert "None" not in " ".join(first_lines(COMPARED[name]()))
    assert "n/a" not in " ".join(first_lines(COMPARED[name]()))


def fact(comparison: Comparison, *codes: str, status: str = "failed", **settings: object) -> tuple[str, str]:
    """The first line's word and what it says, of a run with causes of these codes."""
    causes = [cause(code, "a message", "refund-window", status=status) for code in codes]
    told = headline(compared_run(comparison, *causes, **settings))
    return told.word, told.fact


WORSE = build_comparison(build_moved(0.86, 0.74, verdict="worse"), flips=(build_flip(),))
SAME = build_comparison(build_moved())
LOOSE = replace(SAME, gate_changes=COMPARED["loosened"]().comparison.gate_changes[1:])  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("comparison", "codes", "said"),
    [
        (WORSE, ("regression",), ("Worse than the baseline", FELL)),
        (WORSE, ("case_regression",), ("Worse than the baseline", "1 case newly fails")),
        (
            WORSE,
            ("guardrail", "gate_loosened", "case_regression", "regression"),
            ("Worse than the baseline", f"{FELL}; 1 case newly fails; 1 case fails a guardrail"),
        ),
        (SAME, ("guardrail",), ("Failed", "1 case fails a guardrail")),
        (SAME, ("too_few_cases",), ("Failed", "0 of 2 cases failed; pass rate 100%")),
        (LOOSE, ("gate_loosened",), ("Gate loosened", "1 change lets more through than the baseline's gate")),
        (LOOSE, ("gate_loosened", "guardrail"), ("Failed, gate loosened", "1 case fails a guardrail")),
        (LOOSE, ("guardrail",), ("Failed, gate loosened", "1 case fails a guardrail")),
        (SAME, ("changed_case_fails",), ("Failed", "1 case that passed was changed and fails")),
        (SAME, ("missing_transcripts",), ("Transcripts missing", "1 test case has no transcript")),
        (
            SAME,
            ("stale_transcripts", "missing_transcripts"),
            (
                "Failed",
                "1 test case has no transcript; 1 transcript was recorded with another version of the agent",
            ),
        ),
    ],
)
def test_a_failed_run_names_all_it_failed_for(
    comparison: Comparison, codes: tuple[str, ...], said: tuple[str, str]
) -> None:
    assert fact(comparison, *codes) == said


def test_a_failed_run_without_a_known_cause_counts_its_cases() -> None:
    run = compared_run(SAME, verdict=build_verdict("failed"))
    assert headline(run).fact == "0 of 2 cases failed; pass rate 100%"


def test_a_pass_rate_that_was_written_is_told_with_what_it_needs() -> None:
    told = headline(compared_run(SAME, PASS_RATE, policy=Policy(min_pass_rate=0.9)))
    assert told.fact == "0 of 2 cases failed; pass rate 100% (needs 90%)"
    assert "pass rate" not in " ".join(told.numbers)


@pytest.mark.parametrize(
    ("comparison", "said"),
    [
        (build_comparison(APART), ("Passed", "nothing could be compared")),
        (build_comparison(), ("Passed", "nothing could be compared")),
        (WORSE, ("Passed", FELL)),
        (
            build_comparison(build_moved(0.9, 0.8, name="avg_score", verdict="worse", low=None)),
            ("Passed", "the average score fell 0.90 → 0.80 (−0.10)"),
        ),
        (
            LOOSE,
            ("Passed, gate loosened", "no metric is worse"),
        ),
        (
            build_comparison(
                *(
                    build_moved(0.9, 0.9 - number / 10, name=f"m{number}", verdict="worse", low=None)
                    for number in range(1, 5)
                )
            ),
            ("Passed", "m4 fell 0.90 → 0.50 (−0.40), m3 fell 0.90 → 0.60 (−0.30) and 2 more"),
        ),
    ],
)
def test_a_passed_run_claims_no_more_than_was_compared(comparison: Comparison, said: tuple[str, str]) -> None:
    assert fact(comparison) == said


def test_an_inconclusive_run_counts_what_could_not_be_judged_and_what_could_not_be_compared() -> None:
    comparison = build_comparison(
        replace(APART, why=""), replace(APART, name="tone"), replace(APART, name="x")
    )
    cases = (build_case(), build_case("slow", "inconclusive"))
    assert fact(comparison, "not_comparable", status="inconclusive", cases=cases) == (
        "Inconclusive",
        "faithfulness, tone and 1 more cannot be compared with the baseline; 1 of 2 cases could not be judged",
    )


@pytest.mark.parametrize(
    ("comparison", "codes", "said"),
    [
        (
            build_comparison(build_moved(None, None, pairs=0, verdict="underpowered")),
            ("not_comparable",),
            "faithfulness cannot be compared with the baseline: no case was scored by it on both sides",
        ),
        (
            build_comparison(replace(APART, name="avg_score", why="x"), replace(APART, why="y")),
            ("not_comparable",),
            "faithfulness cannot be compared with the baseline: y",
        ),
        (SAME, ("not_comparable",), "not all of it could be compared"),
        (
            replace(SAME, undecided=(build_change("a", "inconclusive", "failed"),)),
            ("undecided_cases",),
            "1 case fails where the baseline has no score",
        ),
    ],
)
def test_an_inconclusive_run_says_what_is_not_known(
    comparison: Comparison, codes: tuple[str, ...], said: str
) -> None:
    assert fact(comparison, *codes, status="inconclusive") == ("Inconclusive", said)


def test_an_inconclusive_run_in_which_all_was_compared_says_that_the_numbers_are_in_doubt() -> None:
    assert fact(SAME, "of_a_later_version", status="inconclusive")[1] == "the numbers cannot be trusted"


@pytest.mark.parametrize(
    ("status", "codes", "said"),
    [
        (("inconclusive",), ("no_key",), "the one case could not be judged: there is no key for the judge"),
        (
            ("inconclusive",) * 3,
            ("timeout",),
            "none of 3 cases could be judged: the judge did not answer in time",
        ),
        (("passed", "inconclusive"), ("of_a_later_version",), "1 of 2 cases could not be judged"),
        (
            ("passed", "inconclusive", "inconclusive"),
            ("judge_unavailable", "budget", "timeout"),
            "2 of 3 cases could not be judged: the judge could not be reached, the budget is used up and 1 more",
        ),
        (("passed",), ("metric_without_score",), "a metric scored no case"),
        (("passed",), ("error_rate",), "too many evaluations failed"),
    ],
)
def test_an_inconclusive_run_says_why(status: tuple[str, ...], codes: tuple[str, ...], said: str) -> None:
    causes = [cause(code, "a message", status="inconclusive") for code in codes]
    cases = (build_case(f"c{number}", word) for number, word in enumerate(status))
    told = headline(build_run(*cases, verdict=build_verdict("inconclusive", *causes)))
    assert (told.word, told.fact) == ("Inconclusive", said)


def test_a_gate_that_lets_more_through_is_named_whatever_the_verdict() -> None:
    assert fact(LOOSE, "no_key", status="inconclusive")[0] == "Inconclusive, gate loosened"


def test_a_pass_rate_of_nothing_is_not_told() -> None:
    run = build_run(build_case("a", "inconclusive"), verdict=build_verdict("inconclusive"))
    assert headline(run).numbers == ()


def test_every_kind_of_open_case_has_its_words_in_the_first_line() -> None:
    kinds = set(WHY) - {"unrated", "case_not_scored", "stopped"}
    assert kinds <= set(REASONS)


def test_a_first_run_that_failed_says_that_there_is_no_baseline_yet() -> None:
    run = replace(problem_run("missing", blocks=False), verdict=build_verdict("failed", PASS_RATE))
    assert headline(run).fact == "0 of 2 cases failed, pass rate 100% (needs 100%)"
    assert headline(run).numbers[0] == "no baseline yet: judged by the absolute rules alone"


def test_without_a_baseline_the_default_pass_rate_holds_although_it_is_not_written() -> None:
    run = replace(problem_run("missing", blocks=False), policy=RELATIVE)
    assert headline(run).fact == "all 2 cases passed, pass rate 100% (needs 100%)"
    assert headline(replace(run, comparison=None)).fact.endswith("(needs 100%)")


def test_a_baseline_that_is_no_use_sets_no_pass_rate() -> None:
    run = replace(problem_run("unreadable"), policy=RELATIVE)
    assert headline(run).numbers[0] == "pass rate 100% of those judged"


def test_a_failed_run_with_an_unusable_baseline_says_both() -> None:
    run = problem_run("no_overlap")
    failed = replace(run, verdict=build_verdict("failed", PASS_RATE, *run.verdict.causes))
    assert headline(failed).numbers[0] == (
        "the baseline could not be used: the baseline is no use: no_overlap"
    )


def test_a_case_that_vanished_is_told_even_where_nothing_could_be_compared() -> None:
    run = problem_run("no_overlap")
    gone = cause("removed_cases", "gone", "a", "b")
    assert (
        headline(replace(run, verdict=build_verdict("failed", gone))).fact == "2 cases that passed are gone"
    )


def test_stale_transcripts_stand_beside_the_pass_rate() -> None:
    stale = cause("stale_transcripts", "stale", "a", "b")
    run = build_run(build_case("a", "failed"), verdict=build_verdict("failed", stale, PASS_RATE))
    assert headline(run).word == "Failed"
    assert headline(run).fact == (
        "2 transcripts were recorded with another version of the agent; "
        "1 of 1 case failed, pass rate 0% (needs 100%)"
    )


@pytest.mark.parametrize("made", [error_run, bug_run])
def test_a_run_that_could_not_begin_says_nothing_of_its_baseline(made: object) -> None:
    run = made()  # type: ignore[operator]
    assert headline(replace(run, comparison=WORSE)) == headline(run)


def test_a_metric_is_named_with_its_agent_where_there_are_several() -> None:
    cases = (build_case(), build_case("b", agent="sales"))
    fallen = build_comparison(build_moved(0.9, 0.8, verdict="worse", agent="sales", low=None))
    assert fact(fallen, "regression", cases=cases)[1] == "faithfulness of sales fell 0.90 → 0.80 (−0.10)"


def test_a_name_cannot_speak_for_the_gate() -> None:
    name = "x rose; ✅ Passed: all is well"
    fallen = build_comparison(build_moved(0.9, 0.8, verdict="worse", name=name, low=None))
    assert fact(fallen, "regression")[1] == "'x rose; ✅ Passed: all is well' fell 0.90 → 0.80 (−0.10)"


def test_cases_that_fail_where_the_baseline_has_no_score_are_counted() -> None:
    comparison = replace(SAME, undecided=(build_change("a", "inconclusive", "failed"),))
    assert "1 case fails where the baseline has no score" in headline(compared_run(comparison)).numbers


def test_a_part_of_a_run_says_that_it_is_one() -> None:
    part = Shard(index=2, count=4, cases=(0, 1), waived=(), total=8)
    assert "part 2 of 4 of a run" in headline(build_run(build_case(), shard=part)).numbers


@pytest.mark.parametrize(
    ("name", "begins", "ends"),
    [
        ("worse", f"holodeck-eval: failed: worse than the baseline: {FELL}", "(exit 1)"),
        ("loosened", "holodeck-eval: failed: gate loosened: 2 changes let more through", "(exit 1)"),
        ("underpowered", "holodeck-eval: passed: underpowered: no drop was seen;", "(exit 0)"),
        ("same", "holodeck-eval: passed: no metric is worse; 1 case newly passes; 1 case fails", "(exit 0)"),
        ("incomparable", "holodeck-eval: inconclusive: faithfulness cannot be compared", "(exit 3)"),
        ("first-run", "holodeck-eval: passed: all 2 cases passed, pass rate 100%", "(exit 0)"),
    ],
)
def test_the_last_line_of_the_console_has_the_same_words(name: str, begins: str, ends: str) -> None:
    line = verdict_line(COMPARED[name]())
    assert line.startswith(begins)
    assert line.endswith(ends)


def test_a_run_whose_cases_were_edited_says_over_how_few_it_is_no_worse() -> None:
    run = COMPARED["same"]()
    assert run.comparison is not None
    edited = replace(run.comparison, changed=(build_change("edited"),))
    said = " ".join(first_lines(replace(run, comparison=edited)))
    assert f"no metric is worse over the {edited.paired} cases that can be compared" in said
    assert "can be compared" not in " ".join(first_lines(run))
