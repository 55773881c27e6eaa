from collections.abc import Callable
from dataclasses import replace

import pytest

from holodeck_eval.domain.outcome import Part, Scored
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import CaseResult, Usage, WaivedCase
from holodeck_eval.domain.run import Published, Run
from holodeck_eval.domain.verdict import Cause
from holodeck_eval.reports import comment, summary
from tests.fakes.compared_runs import hostile_compared_run
from tests.fakes.runs import (
    HOSTILE,
    LATE,
    PASS_RATE,
    bug_run,
    build_case,
    build_metric,
    build_run,
    build_summary,
    build_turn,
    build_verdict,
    error_run,
    failed_run,
    hostile_run,
    passed_run,
    waived_run,
)


def first_line(run: Run) -> str:
    return comment.render(run).splitlines()[0]


def many(failed: int, passed: int = 0, open_: int = 0, **settings: object) -> Run:
    """A run of so many cases, failed ones first."""
    status = ["failed"] * failed + ["inconclusive"] * open_ + ["passed"] * passed
    cases = [build_case(f"case-{number:04}", word, **settings) for number, word in enumerate(status)]
    return build_run(*cases, verdict=build_verdict("failed", PASS_RATE))


@pytest.mark.parametrize(
    ("run", "line"),
    [
        (passed_run(), "### ✅ Passed: all 2 cases passed, pass rate 100% (needs 100%)"),
        (build_run(build_case()), "### ✅ Passed: the one case passed, pass rate 100% (needs 100%)"),
        (
            replace(many(1, 9), verdict=build_verdict(), policy=Policy(min_pass_rate=0.9)),
            "### ✅ Passed: 9 of 10 cases passed, pass rate 90% (needs 90%)",
        ),
        (failed_run(), "### ❌ Failed: 2 of 4 cases failed, pass rate 50% (needs 100%)"),
        (
            waived_run(),
            "### ⚠️ Inconclusive: 1 of 2 cases could not be judged: the judge did not answer in time",
        ),
        (
            build_run(build_case(), verdict=build_verdict("inconclusive", LATE)),
            "### ⚠️ Inconclusive: the judge did not answer in time",
        ),
        (error_run(), "### ⛔ Could not run: 2 problems in what it was given"),
        (
            build_run(verdict=build_verdict("error", LATE)),
            "### ⛔ Could not run: 1 problem in what it was given",
        ),
        (
            build_run(verdict=build_verdict("bug", LATE)),
            "### 💥 Could not run: a fault in holodeck-eval itself",
        ),
    ],
)
def test_the_first_line_is_the_verdict_with_its_numbers(run: Run, line: str) -> None:
    assert first_line(run) == line
    assert summary.render(run).splitlines()[0] == line


def test_the_second_line_has_the_numbers_the_policy_asks_for() -> None:
    run = many(2, 2, 1)
    policy = Policy(min_avg_score=0.8, min_binary_score=0.9)
    lines = comment.render(replace(run, policy=policy)).splitlines()
    assert lines[2] == (
        "Average score 0.61 (needs 0.80) · share rated good n/a (needs 0.90) · 1 could not be judged"
    )


def test_failed_cases_of_a_run_that_passed_are_counted() -> None:
    run = replace(many(1, 9), verdict=build_verdict(), policy=Policy(min_pass_rate=0.9))
    assert comment.render(run).splitlines()[2] == "Average score 0.84 · 1 failed"


def test_verdicts_from_the_checkout_are_counted_before_anything_else_is_told() -> None:
    run = replace(passed_run(), summary=build_summary(passed_run().cases, verdicts_from_checkout=41))
    lines = comment.render(run).splitlines()
    assert lines[1:3] == ["", "> [!WARNING]"]
    assert lines[3].startswith(
        "> **41 of the verdicts behind these numbers came from the checkout under test**"
    )


PAGE = "https://github.com/ottermoor/shop/actions/runs/123"


def published_box(run: Run, url: str = PAGE, repository: str = "someone/shop") -> str:
    """What stands right under the verdict of the run, published from that page."""
    text = comment.render(replace(run, published=Published(url=url, repository=repository)))
    return text.split("\n\n")[1]


@pytest.mark.parametrize("made", [passed_run, failed_run, error_run])
def test_results_of_a_run_that_the_author_controls_say_so_right_under_the_verdict(
    made: Callable[[], Run],
) -> None:
    assert published_box(made()) == (
        "> [!WARNING]\n"
        f"> **These results come from [a run]({PAGE}) that the author of this change controls**"
        " (<code>someone/shop</code>): whoever wrote the change could have written them too. Judge them so."
    )


def test_a_page_or_repository_of_another_shape_is_no_link_and_no_markup() -> None:
    box = published_box(passed_run(), "javascript:alert(1)", "a](https://e.example)<b>@c")
    assert "come from a run that the author of this change controls**" in box
    assert "](" not in box
    assert "(<code>a&#93;(https:\u200b//e.example)&lt;b&gt;@\u200bc</code>)" in box


def test_a_run_of_ones_own_says_nothing_of_who_controls_it() -> None:
    assert "controls" not in comment.render(passed_run())


def test_the_last_line_names_the_pull_request_and_its_commit() -> None:
    run = replace(passed_run(), pull_request=128)
    assert comment.render(run).endswith(" · pull request 128 · at <code>0123456</code></sub>\n")


def test_an_inconclusive_run_that_was_let_through_says_that_this_is_no_pass() -> None:
    text = comment.render(waived_run())
    assert (
        "The merge is not blocked, because the policy says `on_inconclusive: pass`. That is no pass" in text
    )
    assert "- waived: <code>lost</code> no transcript was recorded for this test case" in text
    assert "- note: a threshold of 0 lets everything pass" in text


def test_the_worst_case_comes_first() -> None:
    cases = (
        build_case("fair", "failed", rating="incomplete", avg_score=0.6),
        build_case("bad", "failed", rating="bad", avg_score=0.4),
        build_case("worse", "failed", rating="bad", avg_score=0.2),
        build_case("silent", "failed", rating=None, avg_score=None),
    )
    rows = [line for line in comment.render(build_run(*cases)).splitlines() if "<br><sub>" in line]
    assert [row.split("code>")[1].rstrip("</") for row in rows] == ["silent", "worse", "bad", "fair"]


def test_a_row_says_metric_score_threshold_and_the_judges_reason() -> None:
    assert (
        "| ❌ <code>refund-window</code><br><sub>runs/today.jsonl:3</sub> |"
        " **faithfulness** 0.33, needs 0.70: The context says 30 days. |"
    ) in comment.render(failed_run())


def test_a_case_without_a_transcript_points_at_its_test_case() -> None:
    lost = build_case("lost", "failed", turns=(), transcript=None, reasons=("no transcript was recorded",))
    assert (
        "| ❌ <code>lost</code><br><sub>agent.yaml:40</sub> | no transcript was recorded |"
    ) in comment.render(build_run(lost))


def test_a_case_of_several_turns_says_which_turn_and_only_three_things() -> None:
    turns = [build_turn(build_metric(0.1 * number), status="failed") for number in range(1, 6)]
    run = build_run(build_case("talk", "failed", turns=tuple(turns), transcript=None, test_case=None))
    (row,) = (
        line for line in comment.render(run).splitlines() if line.startswith("| ❌ <code>talk</code> | turn")
    )
    assert row == (
        "| ❌ <code>talk</code> | turn 1: **faithfulness** 0.10, needs 0.70: The context says 30 days.<br>"
        "turn 2: **faithfulness** 0.20, needs 0.70: The context says 30 days.<br>"
        "turn 3: **faithfulness** 0.30, needs 0.70: The context says 30 days.<br>and 2 more |"
    )
    assert "Turn 5, asked:" in comment.render(run)


def test_a_metric_without_a_threshold_shows_its_rating() -> None:
    rated = build_metric(
        Scored(score=0.6, reason="Completeness is 1."),
        "generation",
        threshold=None,
        passed=False,
        rating="bad",
    )
    run = build_run(build_case("x", "failed", turns=(build_turn(rated, status="failed"),)))
    assert "**generation** rated **bad** (0.60): Completeness is 1. |" in comment.render(run)


def test_generation_shows_the_reasons_of_its_worst_parts() -> None:
    parts = (
        Part(name="completeness", status="scored", explanation="The fee is left out.", score=2),
        Part(name="groundedness", status="scored", explanation="The date is made up.", score=1),
        Part(name="redundancy", status="scored", explanation="Fine.", score=1),
        Part(name="refusal_alignment", status="skipped", explanation="No expectation."),
        Part(name="of a later version", status="scored", explanation="New.", score=0),
    )
    scored = Scored(score=0.5, reason="All in all.", parts=parts)
    rated = build_metric(scored, "generation", threshold=None, passed=False, rating="bad")
    run = build_run(build_case("x", "failed", turns=(build_turn(rated, status="failed"),)))
    assert (
        "**generation** rated **bad** (0.50): Groundedness is 1, should be 3: The date is made up."
        " Completeness is 2, should be 3: The fee is left out. |"
    ) in comment.render(run)


def test_a_part_that_counts_as_good_by_its_nearest_level_is_no_reason() -> None:
    parts = (
        Part(name="completeness", status="scored", explanation="Once it is left out.", score=8 / 3),
        Part(name="groundedness", status="scored", explanation="The date is made up.", score=5 / 3),
    )
    scored = Scored(score=0.6, reason="All in all.", parts=parts)
    rated = build_metric(scored, "generation", threshold=None, passed=False, rating="incomplete")
    text = comment.render(build_run(build_case("x", "failed", turns=(build_turn(rated, status="failed"),))))
    assert "Groundedness is 1.67, should be 3: The date is made up. |" in text
    assert "Once it is left out" not in text


def test_agents_are_named_only_where_there_are_several() -> None:
    one, two = build_case("a", "failed"), build_case("b", "failed", agent="sales")
    assert "of support" not in comment.render(build_run(one))
    assert "<code>b</code> of sales" in comment.render(build_run(one, two))
    assert "| faithfulness<br><sub>support</sub> |" in comment.render(build_run(one, two))


def test_problems_stand_with_their_places() -> None:
    text = comment.render(error_run())
    assert "- <code>agent.yaml:14:9</code> unknown key 'treshold'; did you mean 'threshold'?" in text
    assert "- <code>runs/today.jsonl:2</code> this is not JSON" in text


def test_a_run_that_could_not_begin_says_that_it_is_no_verdict_and_what_to_do() -> None:
    assert comment.render(error_run()).split("\n\n")[1] == (
        "**No verdict**: nothing was judged, so nothing is known about the agent. Correct these and run again:"
    )
    one = build_run(verdict=build_verdict("error", LATE))
    assert "Correct this and run again:\n\n- " in comment.render(one)
    assert comment.render(bug_run()).split("\n\n")[1].startswith("**No verdict**: nothing is known about")
    assert "No verdict" not in comment.render(failed_run())


def test_the_cause_that_the_first_line_tells_is_not_told_twice() -> None:
    assert PASS_RATE.message not in comment.render(failed_run())


def test_more_causes_than_thirty_are_counted() -> None:
    causes = [Cause(status="error", code="bad_input", message=f"problem {number}") for number in range(33)]
    text = comment.render(build_run(verdict=build_verdict("error", *causes)))
    assert "- problem 29\n- and 3 more, listed in results.json\n" in text


@pytest.mark.parametrize(
    ("usage", "words"),
    [
        (Usage(), "no judge was called"),
        (Usage(calls=3), "cost unknown (3 calls)"),
        (Usage(calls=3, cost_usd=0.0), "$0.0000 (3 calls)"),
        (Usage(calls=1200, cost_usd=12.5), "$12.50 (1200 calls)"),
    ],
)
def test_an_unknown_cost_is_never_nothing(usage: Usage, words: str) -> None:
    assert f" · {words} · holodeck-eval 0.1.0" in comment.render(replace(passed_run(), usage=usage))


def test_the_last_line_tells_recorded_from_live() -> None:
    recorded = build_metric(Scored(score=0.9, reason="", judge="human/Ada", recorded=2))
    plain = build_metric(Scored(score=1.0, reason=""), "equality")
    case = build_case(turns=(build_turn(build_metric(0.9), recorded, plain),))
    run = build_run(case, summary=build_summary((case,), evaluations_recorded=1))
    last = comment.render(run).splitlines()[-1]
    assert last.startswith("<sub>Judged by human/Ada, openai/gpt-4o · 1 judged live, 1 recorded · ")
    assert last.endswith(" · at <code>0123456</code></sub>")


@pytest.mark.parametrize("report", [comment, summary])
def test_small_runs_show_every_case(report: object) -> None:
    text = report.render(many(3, 4))  # type: ignore[attr-defined]
    assert "<summary>All 7 cases</summary>" in text
    assert "What the failed cases were asked and answered (3)" in text


def test_up_to_ten_failed_cases_are_in_sight() -> None:
    assert "more failed cases" not in comment.render(many(10))


def test_of_more_than_ten_failed_cases_five_are_in_sight_and_the_others_folded() -> None:
    text = comment.render(many(25))
    assert "<summary>20 more failed cases</summary>" in text
    assert text.index("case-0004") < text.index("20 more failed cases") < text.index("case-0005")


def opened(number: int, message: str = "The judge did not answer.") -> CaseResult:
    """A case that could not be judged for this reason."""
    return build_case(f"open-{number}", "inconclusive", reasons=(message,))


def test_cases_that_could_not_be_judged_for_one_reason_are_told_once() -> None:
    text = comment.render(build_run(*(opened(number) for number in range(8))))
    assert text.count("The judge did not answer.") == 1
    assert (
        "#### Could not be judged\n\n- <code>open-0</code>, <code>open-1</code>, <code>open-2</code>,"
        " <code>open-3</code>, <code>open-4</code> and 3 more<br>The judge did not answer.\n"
    ) in text
    assert "could not be judged: results.json" not in text


def test_a_case_that_could_not_be_judged_for_a_reason_of_its_own_has_its_place() -> None:
    assert "- <code>open-0</code> <sub>runs/today.jsonl:3</sub><br>Late.\n" in comment.render(
        build_run(opened(0, "Late."), opened(1))
    )
    lost = replace(opened(0, "Late."), transcript=None, test_case=None)
    assert "- <code>open-0</code><br>Late.\n" in comment.render(build_run(lost))


@pytest.mark.parametrize(("number", "words"), [(6, "1 more case that"), (8, "3 more cases that")])
def test_five_reasons_are_in_sight_and_the_other_cases_counted(number: int, words: str) -> None:
    text = comment.render(build_run(*(opened(n, f"Reason {n}.") for n in range(number))))
    assert "Reason 4." in text
    assert f"\n\n{words} could not be judged: results.json lists them.\n" in text


def test_what_made_a_failed_run_inconclusive_besides_stands_with_what_could_not_be_judged() -> None:
    run = build_run(
        build_case(status="failed"),
        opened(0),
        verdict=build_verdict("failed", Cause(status="failed", code="x", message="It is worse."), LATE),
    )
    text = comment.render(run)
    assert text.index("- ❌ It is worse.") < text.index("#### What failed")
    assert f"#### Could not be judged\n\n- ⚠️ {LATE.message}\n\n- <code>open-0</code>" in text


def test_the_metrics_that_failed_most_are_told_before_four_cases_or_more() -> None:
    def failing(number: int) -> CaseResult:
        names = ("faithfulness", "tone") if number % 2 else ("faithfulness",)
        metrics = [build_metric(0.2, name) for name in names]
        return build_case(f"case-{number}", "failed", turns=(build_turn(*metrics, status="failed"),))

    said = "Failed by **faithfulness** in 4 cases, **tone** in 2\n"
    assert f"#### What failed\n\n{said}\n| Case |" in comment.render(build_run(*map(failing, range(4))))
    assert "Failed by" not in comment.render(build_run(*map(failing, range(3))))
    assert "Failed by" not in comment.render(many(4))


def test_of_many_metrics_that_failed_six_are_named() -> None:
    metrics = [build_metric(0.2, f"m{number}") for number in range(8)]
    cases = [build_case(f"c{n}", "failed", turns=(build_turn(*metrics, status="failed"),)) for n in range(4)]
    assert "**m4** in 4, **m5** in 4, and 2 more\n" in comment.render(build_run(*cases))


def test_of_several_reasons_the_worst_is_told_at_length() -> None:
    metrics = [
        build_metric(Scored(score=n / 10, reason="word " * 100, judge=None), f"m{n}") for n in range(3)
    ]
    run = build_run(build_case("x", "failed", turns=(build_turn(*metrics, status="failed"),)))
    (row,) = (line for line in comment.render(run).splitlines() if line.startswith("| ❌ <code>x</code>"))
    assert [reason.count("word") for reason in row.split("<br>")[1:]] == [56, 36, 36]


@pytest.mark.parametrize(("report", "limit"), [(comment, 60_000), (summary, 900 * 1024)])
@pytest.mark.parametrize("text", ["short", "🎉<$" * 700, HOSTILE * 10])
def test_two_thousand_failed_cases_stay_within_the_limit_and_lose_no_count(
    report: object, limit: int, text: str
) -> None:
    turn = build_turn(
        build_metric(Scored(score=0.1, reason=text)), input=text, actual_output=text, status="failed"
    )
    run = many(2_000, turns=(turn,))
    written = report.render(run)  # type: ignore[attr-defined]
    assert len(written.encode()) <= limit
    assert written.startswith("### ❌ Failed: 2,000 of 2,000 cases failed, pass rate 0% (needs 100%)\n")
    assert written.endswith("</code></sub>\n")
    assert written.count("<details>") == written.count("</details>") + outside_of_fences(written)


@pytest.mark.parametrize(("report", "limit"), [(comment, 60_000), (summary, 900 * 1024)])
def test_twenty_thousand_cases_stay_within_the_limit_and_lose_no_count(report: object, limit: int) -> None:
    written = report.render(many(10_000, 9_000, 1_000))  # type: ignore[attr-defined]
    assert len(written.encode()) <= limit
    assert written.startswith("### ❌ Failed: 10,000 of 20,000 cases failed, pass rate 47.4% (needs 100%)\n")
    assert "\n- <code>case-10000</code>, " in written
    assert " and 995 more<br>" in written
    assert written.count("<details>") == written.count("</details>")


@pytest.mark.parametrize(("report", "limit"), [(comment, 60_000), (summary, 900 * 1024)])
@pytest.mark.parametrize("text", ["$", "<", "_ ", "@", "\U0010ffff", "🎉", "a/"])
def test_a_run_of_which_every_list_and_every_text_is_long_stays_within_the_limit(
    report: object, limit: int, text: str
) -> None:
    written = report.render(endless(text * 1_000))  # type: ignore[attr-defined]
    assert len(written.encode()) <= limit
    assert written.startswith("### ❌ Worse than the baseline, gate loosened: ")
    assert "> **Gate changes: 30 let more through" in written
    assert "> **41 of the verdicts behind these numbers came from the checkout under test**" in written
    assert written.endswith("</code></sub>\n")


def endless(text: str) -> Run:
    """A hostile run with a comparison, of which every list has many entries."""
    run = hostile_compared_run(text)
    assert run.comparison
    comparison = replace(
        run.comparison,
        gate_changes=run.comparison.gate_changes * 30,
        notes=(text,) * 30,
        metrics=run.comparison.metrics * 10,
        flips=run.comparison.flips * 50,
    )
    cases = [
        replace(case, id=f"{number}{text}", agent=f"{number}{text}")
        for number in range(40)
        for case in run.cases
    ]
    return replace(
        run,
        comparison=comparison,
        cases=tuple(cases),
        verdict=replace(run.verdict, causes=run.verdict.causes * 50),
        warnings=(text,) * 50,
        waived_cases=run.waived_cases * 50,
        files=run.files * 80,
        published=Published(url=text, repository=text),
    )


def outside_of_fences(written: str) -> int:
    """How many more `<details>` than `</details>` stand inside quoted texts."""
    body = "".join(part for part in written.split("`````")[1::2])
    return body.count("<details>") - body.count("</details>")


def test_what_does_not_fit_is_counted_and_found_elsewhere() -> None:
    text = comment.render(many(2_000))
    shown = sum(line.startswith("| ❌ <code>case-") for line in text.splitlines())
    assert f"\n{2_000 - shown} more failed cases are not shown here: results.json lists them.\n" in text
    assert "The cases that passed are not shown here: results.json lists them all." in text
    assert " of 2000, the worst)</summary>" in text


def test_a_run_too_long_even_without_its_cases_is_told_in_counts() -> None:
    text = "$" * 1_000
    causes = [Cause(status="failed", code="guardrail", message=text) for _ in range(30)]
    run = build_run(build_case("x", "failed"), verdict=build_verdict("failed", *causes))
    written = comment.render(run)
    assert len(written.encode()) < 1_000
    assert written.startswith("### ❌ Failed: 1 of 1 case failed, pass rate 0% (needs 100%)\n\n")
    assert "The rest is too long to be shown here: results.json holds it." in written
    assert len(summary.render(run)) > 100_000


def test_a_hostile_run_stays_within_the_limit_too() -> None:
    assert len(comment.render(hostile_run("$" * 100_000)).encode()) <= 60_000


def test_long_lists_are_cut_and_say_so() -> None:
    metric = build_summary(failed_run().cases).metrics[0]
    lost = [WaivedCase(id=f"lost-{n}", agent="support", reason="none") for n in range(25)]
    run = build_run(
        build_case(),
        summary=build_summary(
            (build_case(),), metrics=tuple(replace(metric, name=f"m{n}") for n in range(33))
        ),
        waived_cases=tuple(lost),
    )
    text = comment.render(run)
    assert "| m29 |" in text
    assert "\n\nand 3 more, listed in results.json\n" in text
    assert "- waived: <code>lost-19</code> none\n- the rest is listed in results.json\n" in text


def test_a_metric_that_scored_nothing_does_not_look_fine() -> None:
    metric = replace(build_summary(failed_run().cases).metrics[0], failed=0, scored=0, passed=0, mean=None)
    run = build_run(build_case(), summary=build_summary((), metrics=(metric,)))
    assert "| ⚠️ | faithfulness | n/a | 0.70 | 0 of 0 | 0 | 0 |" in comment.render(run)


def test_the_summary_says_what_was_read_and_the_policy() -> None:
    text = summary.render(failed_run())
    assert "- <code>runs/today.jsonl</code>: 4 of format native" in text
    assert "Policy: pass rate 100%, average score n/a," in text
