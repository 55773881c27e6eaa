# ruff: noqa: RUF001 - a minus sign is what is shown
import re
from dataclasses import replace

import pytest

from holodeck_eval.domain.comparison import Rejudged
from holodeck_eval.domain.noise import Noise
from holodeck_eval.domain.result import CaseResult
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.staleness import Staleness
from holodeck_eval.reports import comment, junit, summary
from tests.fakes.compared_runs import (
    hostile_compared_run,
    loosened_run,
    many_compared,
    problem_run,
    same_run,
    stale_run,
    underpowered_run,
    vanished_run,
    worse_run,
)
from tests.fakes.comparisons import (
    BASELINE,
    build_change,
    build_comparison,
    build_flip,
    build_moved,
    cause,
    compared_run,
)
from tests.fakes.runs import build_case, build_metric, build_run, build_turn

STALE = Staleness(status="stale", differs=("model",))


def comment_of(**settings: object) -> str:
    """The comment of a run whose comparison has these fields besides one metric."""
    return comment.render(compared_run(build_comparison(build_moved(), **settings)))


def fold(text: str, title: str) -> str:
    """What is folded away under a title."""
    (found,) = re.findall(
        rf"<details><summary>{re.escape(title)}.*?</summary>(.*?)\n</details>", text, re.DOTALL
    )
    return str(found)


def test_changes_of_the_gate_stand_right_under_the_verdict_that_names_them() -> None:
    text = comment.render(loosened_run())
    assert text.startswith(
        "### ❌ Gate loosened: 2 changes let more through than the baseline's gate\n\n"
        "> [!WARNING]\n> **Gate changes: 2 let more through than the baseline's gate.** That blocks the merge"
        " until a reviewer accepts it (`on_gate_change: report`).\n>\n"
        "> - the threshold of 'faithfulness' was lowered from 0.8 to 0.5\n"
        "> - 2 test cases were removed\n\n"
        "No metric is worse"
    )
    assert summary.render(loosened_run()).partition("\n\n")[2].startswith("> [!WARNING]\n> **Gate changes: 2")
    other = fold(text, "1 other change of the gate, none counted as loosening")
    assert other.strip() == "- the metric 'tone' was added"


def test_a_looser_gate_that_was_accepted_says_so() -> None:
    text = comment.render(loosened_run(on_gate_change="report"))
    assert "gate.** Accepted, as `on_gate_change: report` says.\n" in text
    assert text.startswith("### ✅ Passed, gate loosened: no metric is worse\n")


def test_a_looser_gate_that_another_rule_allows_does_not_claim_to_block() -> None:
    run = loosened_run(allow_removed_cases=True)
    text = comment.render(replace(run, verdict=replace(run.verdict, causes=())))
    assert "gate.** The policy lets it through.\n" in text


def test_changes_that_loosen_nothing_are_folded() -> None:
    (added,) = (change for change in loosened_run().comparison.gate_changes if not change.loosens)  # type: ignore[union-attr]
    text = comment_of(gate_changes=tuple(replace(added, message=f"change {n}") for n in range(22)))
    told = fold(text, "22 changes of the gate, none counted as loosening")
    assert told.startswith("\n\n- change 0\n")
    assert told.endswith("- change 19\n- and 2 more, listed in results.json\n")
    assert text.startswith("### ✅ Passed: no metric is worse\n")


def test_nothing_is_said_of_a_gate_that_did_not_change() -> None:
    assert comment.render(same_run()).startswith("### ✅")


def test_a_metric_is_a_row_with_both_means_the_difference_its_interval_and_the_verdict() -> None:
    text = comment.render(worse_run())
    assert (
        "| Metric | Verdict | Baseline → now | Δ (95% interval) | −0.20\u00a0…\u00a0+0.20 | Sees drops from |"
        in text
    )
    assert (
        "| faithfulness | ❌&nbsp;**worse** | 0.86\u00a0→\u00a00.74 |"
        " −0.12<br><sub>−0.16\u00a0to\u00a0−0.08</sub> | <code>··─●──··│········</code> | 0.06 |"
    ) in text
    assert "| average score | ❌&nbsp;**worse** | 0.88\u00a0→\u00a00.79 |" in text


@pytest.mark.parametrize(
    ("settings", "cells"),
    [
        ({"verdict": "same"}, "✅&nbsp;same |"),
        ({"verdict": "better"}, "✅&nbsp;**better** |"),
        ({"verdict": "underpowered"}, "🔎&nbsp;underpowered |"),
        ({"verdict": "not_comparable", "why": "another judge"}, "⚠️&nbsp;not comparable |"),
        ({"verdict": "not_comparable"}, "⚠️&nbsp;not comparable |"),
    ],
)
def test_a_verdict_has_a_sign_of_its_own(settings: dict[str, object], cells: str) -> None:
    assert f"| faithfulness | {cells} 0.86" in comment.render(
        compared_run(build_comparison(build_moved(**settings)))
    )


def test_a_metric_that_was_not_compared_has_no_numbers() -> None:
    apart = build_moved(None, None, verdict="not_comparable", smallest_drop=None)
    text = comment.render(compared_run(build_comparison(apart)))
    assert "| faithfulness | ⚠️&nbsp;not comparable | n/a\u00a0→\u00a0n/a | n/a |  | n/a |" in text


def test_the_summary_says_why_a_metric_cannot_be_compared() -> None:
    run = compared_run(build_comparison(build_moved(verdict="not_comparable", why="another judge")))
    assert "| ⚠️&nbsp;not comparable: another judge | 0.86" in summary.render(run)


def test_the_summary_has_room_for_chances_and_pairs() -> None:
    assert "| p worse | Pairs | Sees drops from |" in summary.render(worse_run())
    assert "<code>··─●──··│········</code> | &lt; 0.001 | 48 | 0.06 |" in summary.render(worse_run())


def test_of_several_agents_each_metric_says_whose_it_is() -> None:
    run = compared_run(
        build_comparison(build_moved(agent="sales")), cases=(build_case(), build_case(agent="sales"))
    )
    assert "| faithfulness<br><sub>sales</sub> | ✅&nbsp;same | 0.86" in comment.render(run)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            {},
            "48 cases are paired with the baseline, a run of 2026-01-01 at <code>89abcde</code> that passed.",
        ),
        (
            {"baseline": replace(BASELINE, status="failed", head_sha=None), "paired": 1},
            "1 case is paired with the baseline, a run of 2026-01-01 that **failed itself**.",
        ),
        (
            {"baseline": replace(BASELINE, status="inconclusive", head_sha=None)},
            "a run of 2026-01-01 that was inconclusive itself.",
        ),
        ({"baseline": None}, "48 cases are paired with the baseline."),
    ],
)
def test_a_line_says_which_baseline_it_was(settings: dict[str, object], sentence: str) -> None:
    assert sentence in comment_of(**settings)


def test_a_newly_failing_case_shows_both_sides_with_what_was_said_and_by_what_it_is_proven() -> None:
    assert (
        "| ❌ <code>refund-window</code><br><sub>runs/today.jsonl:3</sub> | **faithfulness** 0.90\u00a0→\u00a00.33,"
        " needs&nbsp;0.70 <code>█▇█████\u00a0→\u00a0▃▄▃▃▃▃▃</code><br>"
        "The context says 30 days, the answer 60.<br>"
        "<sub>before: The answer says 30 days, as the context does.</sub><br>"
        "<sub>proven: judged 7 times on both sides, the means lie 0.57 apart</sub> |"
    ) in comment.render(worse_run())


def test_an_answer_that_is_gone_has_no_numbers() -> None:
    assert (
        "| ❌ <code>refund-end</code><br><sub>runs/today.jsonl:3</sub> | **no answer**<br>"
        "the run ended in a tool call<br><sub>proven: there was an answer in the baseline</sub> |"
    ) in comment.render(worse_run())


def test_the_proven_are_in_sight_and_the_others_folded_with_why() -> None:
    text = comment.render(worse_run())
    shown, _, folded = text.partition(
        "<details><summary>2 cases newly fail, not proven: the judge's noise could explain them</summary>"
    )
    assert shown.count("<sub>proven: ") == 3
    assert "not proven" not in shown.partition("#### Newly failing")[2]
    assert (
        folded.count("<sub>not proven: the means lie 0.04 apart, which the judge's noise explains</sub>") == 2
    )
    assert "| 🔎 <code>greeting</code>" in folded


def test_one_doubtful_case_is_told_in_the_singular() -> None:
    assert (
        "<summary>1 case newly fails, not proven: the judge's noise could explain it</summary>"
        in comment_of(flips=(build_flip(proven=False),))
    )


def test_a_case_of_several_metrics_tells_three_and_counts_the_rest() -> None:
    flips = tuple(build_flip(metric=f"m{n}", turn=n, proven=n > 0) for n in range(5))
    case = build_case(status="failed", turns=(build_turn(), build_turn(index=1)))
    text = comment.render(compared_run(build_comparison(flips=flips), cases=(case,)))
    (row,) = (line for line in text.splitlines() if "**m" in line)
    assert re.findall(r"turn \d: \*\*m\d\*\*", row) == ["turn 2: **m1**", "turn 3: **m2**", "turn 4: **m3**"]
    assert row.startswith("| ❌ <code>refund-window</code>")
    assert row.endswith("<br>and 2 more |")
    assert row.count("before: ") == 1


def test_a_flip_without_a_case_or_reason_is_shown_all_the_same() -> None:
    flip = build_flip("gone", before_reason="", now_reason="", why="", threshold=None, before_replies=())
    assert (
        "| ❌ <code>gone</code> | **faithfulness** 0.90\u00a0→\u00a00.33 <code>→\u00a0▃▄▃▃▃▃▃</code><br>"
        "<sub>proven</sub> |"
    ) in comment_of(flips=(flip,))


def test_cases_that_fail_as_before_are_folded_and_not_blamed_on_the_change() -> None:
    text = comment.render(worse_run())
    assert "<code>instalments</code>" in fold(text, "1 case fails as before: not blamed on this change")
    assert "#### What else failed" not in text


def test_a_case_that_fails_as_before_is_in_sight_where_an_absolute_rule_blames_it() -> None:
    run = same_run()
    blamed = cause("guardrail", "the guardrail failed", "refund-window")
    text = comment.render(replace(run, verdict=replace(run.verdict, status="failed", causes=(blamed,))))
    assert (
        "#### What else failed\n\n| Case | Why |\n|:--|:--|\n| ❌ <code>refund-window</code>"
        "<br><sub>runs/today.jsonl:3</sub><br><sub>failed before too</sub> |"
    ) in text
    assert "failed before too" not in comment.render(run)
    assert "fails as before: not blamed" not in text


def test_new_cases_that_fail_are_in_sight() -> None:
    new = build_comparison(build_moved(), new=(build_change("young", None, "failed"),))
    text = comment.render(compared_run(new, cases=(build_case("young", "failed"), build_case())))
    assert "#### What else failed\n\n| Case | Why |\n|:--|:--|\n| ❌ <code>young</code>" in text


def test_other_cases_are_folded_with_their_counts_in_sight() -> None:
    listed = fold(comment.render(worse_run()), "Other cases: 1 newly passing, 1 vanished, 1 changed")
    assert listed.strip().splitlines() == [
        "- ✅ newly passes: <code>voucher</code> failed → passed",
        "- ➖ vanished: <code>old-offer</code> failed",
        "- ✏️ changed: <code>warranty</code> passed → passed",
    ]
    assert "- 🆕 new: <code>voucher</code> passed\n" in comment.render(same_run())


def test_notes_and_noise_are_folded() -> None:
    told = fold(comment.render(underpowered_run()), "The judge's noise, and how far")
    assert told.strip().splitlines()[:2] == [
        "- the baseline kept nothing that could be judged again, so only its first judgements count",
        (
            "- faithfulness: one judgement is off by 0.05 (standard deviation), measured on 24 repeated judgements"
            " of its own; 4% of pairs of judgements disagree about the threshold; 0 of 6 cases unchanged"
        ),
    ]


@pytest.mark.parametrize(
    ("noise", "words"),
    [
        (
            Noise(sd=0.06, source="run", degrees=1),
            "measured on 1 repeated judgement of all metrics, since its own are too few; 30 of",
        ),
        (
            Noise(sd=0.08, source="default"),
            "assumed, since nothing was judged twice; 30 of 48 cases unchanged",
        ),
    ],
)
def test_noise_says_what_it_rests_on(noise: Noise, words: str) -> None:
    assert words in comment.render(compared_run(build_comparison(build_moved(noise=noise))))


def test_what_was_judged_again_of_the_baseline_is_counted() -> None:
    again = Rejudged(agent="support", case="refund-window", turn=0, result=build_metric(0.5))
    one, two = (comment_of(rejudged=(again,) * number) for number in (1, 2))
    assert "- 1 score of the baseline was judged again, as often as what newly fails in this run\n" in one
    assert "- 2 scores of the baseline were judged again, as often as" in two


def test_repeats_are_told_in_the_last_line() -> None:
    run = build_run(build_case(), repeats=3)
    assert "1 judged live, 0 recorded, each 3 times · " in comment.render(run).splitlines()[-1]


def test_without_notes_and_noise_there_is_no_fold_for_them() -> None:
    text = comment.render(compared_run(build_comparison(build_moved(noise=None))))
    assert "The judge's noise" not in text


def test_long_lists_of_a_comparison_are_cut_and_say_so() -> None:
    metrics = tuple(build_moved(name=f"m{n}") for n in range(33))
    text = comment.render(
        compared_run(build_comparison(*metrics, notes=tuple(f"note {n}" for n in range(25))))
    )
    assert "\n| m29 |" in text
    assert "\n| m30 |" not in text
    assert "\n\nand 3 more, listed in results.json\n" in text
    assert "- note 19\n- and 5 more, listed in results.json\n" in text


def test_a_baseline_from_the_checkout_is_told_in_the_first_lines() -> None:
    lines = comment_of(baseline=replace(BASELINE, from_checkout=True)).splitlines()
    assert lines[1:3] == ["", "> [!WARNING]"]
    assert lines[3].startswith(
        "> **The baseline came from the checkout under test**: whoever wrote this change"
    )


def test_all_that_casts_doubt_on_the_numbers_stands_in_one_box_before_them() -> None:
    told = replace(stale_run(), comparison=build_comparison(baseline=replace(BASELINE, from_checkout=True)))
    run = replace(told, summary=replace(told.summary, verdicts_from_checkout=41))
    box = comment.render(run).split("\n\n")[1]
    assert [line[:25] for line in box.splitlines()] == [
        "> [!WARNING]",
        "> **41 of the verdicts be",
        ">",
        "> **The baseline came fro",
        ">",
        "> **1 case was recorded w",
    ]


def test_causes_that_a_section_tells_are_not_told_twice() -> None:
    text = comment.render(worse_run())
    assert "- ❌ " not in text
    assert "- ❌ 1 case that passed in the baseline is gone" in comment.render(vanished_run())


def test_a_cause_is_told_where_there_is_no_section_for_it() -> None:
    run = replace(worse_run(), comparison=None)
    assert "- ❌ faithfulness fell by 0.12, more than the 0.02 that max_drop allows" in comment.render(run)


def test_a_baseline_that_is_no_use_is_explained_in_full_and_with_what_to_do() -> None:
    run = problem_run()
    first, _, rest = comment.render(run).partition("\n")
    assert "cannot be read: it is empty" in first
    assert f"- ⚠️ {run.verdict.causes[0].message}" in rest
    long = replace(run.comparison, problem=replace(run.comparison.problem, message="xyz " * 100))  # type: ignore[arg-type, union-attr, type-var]
    text = comment.render(
        replace(
            run,
            comparison=long,
            verdict=replace(run.verdict, causes=(cause("baseline_unreadable", "xyz " * 100),)),
        )
    )
    assert "- ❌ " + "xyz " * 99 + "xyz\n" in text


def test_what_differs_in_stale_transcripts_is_gathered_from_all() -> None:
    other = build_case("b", staleness=Staleness(status="stale", differs=("tools", "model")))
    assert "(other model, tools)" in comment.render(build_run(*stale(1), other))


def stale(number: int) -> tuple[CaseResult, ...]:
    return tuple(build_case(f"case-{n}", staleness=STALE) for n in range(number))


def test_stale_transcripts_are_in_sight_with_what_differs() -> None:
    assert (
        "> **1 case was recorded with another version of the agent** (other model, instructions), so it says"
        " nothing about this one: <code>refund-window</code>. Record it anew.\n"
    ) in comment.render(stale_run())
    text = comment.render(build_run(*stale(7), policy=replace(stale_run().policy, on_stale="report")))
    assert "> **7 cases were recorded with another version of the agent** (other model)" in text
    assert (
        "<code>case-4</code> and 2 more. Record them anew. Not blocking, as `on_stale: report` says.\n"
        in text
    )


def test_transcripts_that_do_not_say_who_made_them_are_one_note() -> None:
    note = "- 1 of 2 transcripts do not say which version of the agent they were recorded with\n"
    fresh = build_case("b", staleness=Staleness(status="fresh"))
    run = build_run(build_case(), fresh, build_case("lost", transcript=None))
    assert note in fold(comment.render(run), "Notes on the input (1)") + "\n"
    assert "Notes on the input" not in comment.render(build_run(fresh))


def test_a_missing_transcript_is_not_one_that_does_not_say() -> None:
    assert "Notes on the input" not in comment.render(build_run(build_case(transcript=None)))


def test_the_means_of_the_run_alone_are_folded_beside_a_comparison() -> None:
    means = "| ✅ | faithfulness | 0.90 | 0.70 | 2 of 2 | 0 | 0 |"
    assert means in fold(comment_of(), "Means and thresholds of this run alone")
    assert "Means and thresholds" not in summary.render(compared_run(build_comparison(build_moved())))


def test_the_summary_says_by_which_rules_it_was_compared() -> None:
    assert (
        "Against the baseline: a metric is worse when its mean fell by more than 0.02 and chance explains that"
        " in at most 3% of runs; a case newly fails when chance explains that in at most 0.3% of runs; removed"
        " cases are not allowed; on_gate_change: block; on_stale: block; on_missing_baseline: inconclusive."
    ) in summary.render(same_run())


@pytest.mark.parametrize(("report", "limit"), [(comment, 60_000), (summary, 900 * 1024)])
@pytest.mark.parametrize("text", ["The answer is wrong.", "x|`<$" * 200], ids=["plain", "hostile"])
def test_two_thousand_flips_stay_within_the_limit(report: object, limit: int, text: str) -> None:
    run = many_compared(2_000, before_reason=text, now_reason=text, why=text)
    written = report.render(run)  # type: ignore[attr-defined]
    assert len(written.encode()) <= limit
    assert written.startswith("### ❌ Worse than the baseline, gate loosened: faithfulness fell 0.86 → 0.40")
    assert "1,000 cases newly fail\n" in written
    assert written.endswith("</code></sub>\n")
    assert written.count("<details>") == written.count("</details>")


def test_of_two_thousand_flips_the_proven_are_shown_first_and_the_rest_counted() -> None:
    text = comment.render(many_compared(2_000))
    shown = len(re.findall(r"^\| ❌ <code>case-\d+</code>.*<sub>proven", text, re.MULTILINE))
    assert shown > 50
    assert f"\n{1_000 - shown:,} cases more, newly failing: results.json lists them.\n" in text
    assert "<summary>1,000 cases newly fail, not proven" in text
    assert "<summary>2,000 cases fail as before" in text
    assert "<summary>Other cases: 2000 newly passing, 2000 new, 2000 vanished, 2000 changed</summary>" in text
    assert "> - and 1992 more, listed in results.json\n" in text


def test_a_comparison_too_long_is_told_in_counts_with_its_gate_changes() -> None:
    text = "$" * 1_000
    written = comment.render(hostile_compared_run(text))
    assert len(written.encode()) <= 60_000
    assert "**Gate changes: 1 lets more through" in written
    assert "### ❌ Worse than the baseline" in written


def failures(run: Run) -> str:
    return junit.render(run).partition('<testcase name="refund-window"')[2].partition("</failure>")[0]


def test_junit_says_what_the_baseline_said_of_a_newly_failing_case() -> None:
    assert (
        "newly failing (proven: judged 7 times on both sides, the means lie 0.57 apart): faithfulness:"
        " 0.90 → 0.33\nbefore: The answer says 30 days, as the context does.\n"
        "now: The context says 30 days, the answer 60.\n\nfaithfulness: 0.33, needs 0.7"
    ) in failures(worse_run())
    text = junit.render(worse_run())
    assert (
        "newly failing (proven: there was an answer in the baseline): no answer\nnow: the run ended in a tool"
    ) in text
    assert "newly failing (not proven: the means lie 0.04 apart" in text


def test_junit_has_a_test_case_for_each_cause_of_a_comparison() -> None:
    text = junit.render(worse_run())
    assert 'name="regression"' in text
    assert 'name="case_regression"' in text
    assert "newly failing" not in junit.render(same_run())
