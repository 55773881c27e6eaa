"""docs/gate.md explains the gate as it is: its examples are reckoned anew, and no rule or cause is left out."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from math import sqrt
from pathlib import Path
from typing import get_args

import pytest

from holodeck_eval.aggregate.noise import noise_of
from holodeck_eval.application.steps import DIFFER
from holodeck_eval.arguments import run_options
from holodeck_eval.assemble.sharding import shard_of
from holodeck_eval.compare import compare
from holodeck_eval.compare.doubt import doubts_of
from holodeck_eval.compare.evidence import evidence_of
from holodeck_eval.domain.agent import MetricSpec
from holodeck_eval.domain.comparison import BaselineCause, Comparison, MetricComparison
from holodeck_eval.domain.noise import DEFAULT_NOISE
from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.policy import ComparisonPolicy, Policy, PolicyOptions
from holodeck_eval.domain.run import Run
from holodeck_eval.errors import Place
from holodeck_eval.gate import decide
from holodeck_eval.gate.open_cases import WHY
from holodeck_eval.pipeline.doubts import is_in_doubt
from tests.fakes.runs import AGENT, JUDGE, build_case, build_metric, build_run, build_turn

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "gate.md").read_text(encoding="utf-8")
TOLD = " ".join(PAGE.split()).replace("**", "")
"""The page's text, however its lines are broken."""

ROWS = re.findall(r"^\| ([a-z-]+) \| ([01]\.\d) \| ([01]\.\d) \| (new|unchanged) \|$", PAGE, re.MULTILINE)
BEFORE = {case: (float(score),) for case, score, _, _ in ROWS}
NOW = {case: (float(score),) for case, _, score, _ in ROWS}
UNCHANGED = {case for case, _, _, transcript in ROWS if transcript == "unchanged"}
AGAIN = {
    case: tuple(tuple(map(float, replies.split())) for replies in sides)
    for case, *sides in re.findall(
        r"^\| ([a-z-]+) \| ((?:[01]\.\d ){6}[01]\.\d) \| ([01. \d]+) \|$", PAGE, re.MULTILINE
    )
}


def run_of(scores: Mapping[str, Sequence[float]], side: str, threshold: float = 0.7) -> Run:
    """A run of cases with these replies by `faithfulness`."""
    cases = []
    for case, replies in scores.items():
        score = Scored(
            score=round(sum(replies) / len(replies), 6),
            reason="",
            judge=JUDGE,
            replies=tuple(replies),
            key=case if case in UNCHANGED else f"{case} {side}",
        )
        metric = build_metric(score, threshold=threshold)
        status = "passed" if metric.passed else "failed"
        turn = build_turn(metric, status=status)
        cases.append(build_case(case, status, turns=(turn,), reasons=(), digest=case))
    return build_run(*cases, policy=Policy(min_pass_rate=None))


def compared(before: Mapping[str, Sequence[float]], now: Mapping[str, Sequence[float]]) -> Comparison:
    return compare(run_of(before, "before"), run_of(now, "now"), ComparisonPolicy())


def first_row(comparison: Comparison) -> MetricComparison:
    return comparison.metrics[0]


def judged_again() -> tuple[Run, Run]:
    """Both sides of the example, with what newly fails judged again."""
    before = BEFORE | {case: sides[0] for case, sides in AGAIN.items()}
    now = NOW | {case: sides[1] for case, sides in AGAIN.items()}
    return run_of(before, "before"), run_of(now, "now")


def test_the_page_has_the_example() -> None:
    assert len(ROWS) == 12
    assert len(UNCHANGED) == 3
    assert list(AGAIN) == ["tracking", "shipping"]
    assert all((len(sides[0]), len(sides[1])) == (7, 7) for sides in AGAIN.values())
    assert all((sides[0][:1], sides[1][:1]) == (BEFORE[case], NOW[case]) for case, sides in AGAIN.items())


def test_the_means_their_difference_and_its_interval_are_those_of_the_table() -> None:
    row = first_row(compared(BEFORE, NOW))
    assert (row.pairs, row.unchanged) == (12, 3)
    assert (
        f"The mean fell from {row.baseline:.3f} to {row.now:.3f}, by {-(row.difference or 0):.3f}, with a 95% interval"
        f" (Student's t over the twelve differences) from {row.low:.3f} to {row.high:.3f}."
    ).replace("-0.", "−0.") in TOLD  # noqa: RUF001 - a minus sign is what is shown


def test_the_chance_is_one_of_so_many_signs_and_pays_for_two_rows() -> None:
    comparison = compared(BEFORE, NOW)
    ways = 2 ** (12 - 3)
    assert (
        f"Of the {ways} ways to give them signs only 1 has a mean as low as the one seen: p = {1 / ways:.4f}."
        in TOLD
    )
    assert len(comparison.metrics) == 2
    assert first_row(comparison).p_worse == round(2 / ways, 6)
    assert f"there are two rows, and {1 / ways:.4f} becomes {2 / ways:.4f}." in TOLD


def test_the_example_is_worse() -> None:
    row = first_row(compared(BEFORE, NOW))
    assert row.verdict == "worse"
    drop = -(row.difference or 0)
    assert f"So the example is *worse*: {row.p_worse:.4f} is under 0.03, and {drop:.3f} over 0.02." in TOLD


def test_a_drop_that_is_sure_and_small_is_the_same() -> None:
    cases = [f"case {number}" for number in range(20)]
    row = first_row(compared(dict.fromkeys(cases, (0.9,)), dict.fromkeys(cases, (0.89,))))
    assert (row.verdict, row.difference) == ("same", -0.01)
    assert f"just as sure (p = {row.p_worse:.4f} after the correction) and still *same*" in TOLD


def test_the_smallest_drop_is_that_of_the_example() -> None:
    assert f"In the example it is {first_row(compared(BEFORE, NOW)).smallest_drop:.3f}:" in TOLD


def test_six_cases_that_all_fall_are_not_enough() -> None:
    cases = [f"case {number}" for number in range(6)]
    row = first_row(compared(dict.fromkeys(cases, (0.9,)), dict.fromkeys(cases, (0.3,))))
    assert row.p_worse == 2 / 2**6
    assert (row.verdict, row.smallest_drop) == ("underpowered", None)
    assert f"1 of {2**6}, corrected {row.p_worse:.4f}, is over 0.03" in TOLD


def test_the_flips_are_proven_and_not_for_the_reasons_that_are_told() -> None:
    flips = {flip.case: flip for flip in compare(*judged_again(), ComparisonPolicy()).flips}
    assert {case: flip.proven for case, flip in flips.items()} == {"tracking": True, "shipping": False}
    assert f"- `tracking`: {flips['tracking'].why}. Proven, and it blocks as `case_regression`." in TOLD
    assert f"- `shipping`: {flips['shipping'].why}. Not proven: it is listed, and blocks nothing." in TOLD


def test_what_is_in_doubt_is_what_newly_fails() -> None:
    assert {flip.case for flip in compared(BEFORE, NOW).flips} == set(AGAIN)


def test_judging_again_does_not_move_the_means() -> None:
    assert compare(*judged_again(), ComparisonPolicy()).metrics[1] == compared(BEFORE, NOW).metrics[1]


def test_the_two_standard_deviations_are_those_of_the_example() -> None:
    evidence = evidence_of(*judged_again())
    (doubt,) = doubts_of(evidence.comparable, evidence.noises, evidence.repeats, 0.003).values()
    noise = evidence.noises[AGENT, "faithfulness"]
    assert f"the replies about the mean of their text ({noise.sd:.3f} here)" in TOLD
    assert f"what the differences of all pairs show ({doubt.sd:.3f} for one reply)" in TOLD


def test_the_noise_is_that_of_the_replies() -> None:
    before, now = judged_again()
    noise = noise_of((*before.cases, *now.cases))[AGENT, "faithfulness"]
    assert noise.source == "metric"
    assert noise.flip_rate is not None
    assert (
        f"The replies above give {noise.sd:.3f}, on {noise.degrees} replies beyond the first of each text,"
        f" and {noise.flip_rate:.0%} of pairs of replies disagree about the threshold."
    ) in TOLD


def in_doubt(*replies: float) -> bool:
    score = Scored(score=sum(replies) / len(replies), reason="", replies=replies)
    spec = MetricSpec(kind="rag", type="faithfulness", name="f", threshold=0.7, place=Place(file="a"))
    return is_in_doubt(spec, score, DEFAULT_NOISE)


def test_the_borderline_score_is_settled_by_one_more_reply() -> None:
    assert in_doubt(0.74)
    assert not in_doubt(0.74, 0.8)
    assert f"One reply of 0.74 is 0.04 off, nearer than {DEFAULT_NOISE:.3f}: again." in TOLD
    assert f"the mean is 0.77, and 0.07 is not nearer than {DEFAULT_NOISE / sqrt(2):.3f}: passed" in TOLD


def test_a_lowered_threshold_is_told_as_the_gate_tells_it() -> None:
    (before, now) = (replace(run_of(BEFORE, "x", threshold), head_sha=None) for threshold in (0.8, 0.5))
    metrics = [replace(run.agents[0].metrics[0], threshold=t) for run, t in ((before, 0.8), (now, 0.5))]
    before, now = (
        replace(run, agents=(replace(run.agents[0], metrics=(metric,)),))
        for run, metric in zip((before, now), metrics, strict=True)
    )
    comparison = compare(before, now, ComparisonPolicy())
    (change,) = (change for change in comparison.gate_changes if change.code == "threshold")
    assert change.loosens
    assert f'"{change.message}" blocks, although every case passes.' in TOLD
    verdict = decide(now.summary, now.cases, now.policy, now.agents, comparison)
    assert [cause.code for cause in verdict.causes] == ["gate_loosened"]


def test_the_parts_are_those_that_the_cases_fall_in() -> None:
    parts = {part: [case for case in BEFORE if shard_of(AGENT, case, 3) == part] for part in (1, 2, 3)}
    told = ", ".join(
        f"part {part}{' of 3' if part == 1 else ''} has {len(cases)}" for part, cases in parts.items()
    )
    assert told.replace(", part 3", " and part 3") in TOLD


def codes_of_the_gate() -> set[str]:
    """Every code a cause can have, read off the gate's own source."""
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "src/holodeck_eval/gate").glob("*.py")]
    written = {code for source in sources for code in re.findall(r'code="(\w+)"', source)}
    return written | set(WHY) | {DIFFER} | {f"baseline_{cause}" for cause in get_args(BaselineCause)}


@pytest.mark.parametrize("code", sorted(codes_of_the_gate()))
def test_every_cause_is_on_the_page(code: str) -> None:
    assert f"`{code}`" in PAGE


@pytest.mark.parametrize("rule", [field.name for field in fields(PolicyOptions)])
def test_every_rule_is_on_the_page_with_its_default(rule: str) -> None:
    default = getattr(Policy(), rule)
    shown = "off" if default is None else str(default).lower() if isinstance(default, bool) else default
    (row,) = re.findall(rf"^\| `{rule}` \| ([^|]+) \|", PAGE, re.MULTILINE)
    assert row in {str(shown), f"{shown:g}" if isinstance(shown, float) else "", "1.0; off with a baseline"}


def test_every_kind_of_gate_change_is_on_the_page() -> None:
    sources = (ROOT / "src/holodeck_eval/compare/changes").glob("*.py")
    codes = {
        code for path in sources for code in re.findall(r'code="(\w+)"', path.read_text(encoding="utf-8"))
    }
    assert {code for code in codes if f"`{code}`" not in PAGE} == set()


def test_every_option_on_the_page_is_one() -> None:
    known = {option for parameter in run_options() for option in parameter.opts} | {"--out"}
    assert set(re.findall(r"--[a-z][a-z-]+", PAGE)) <= known


def test_every_link_leads_to_a_heading() -> None:
    for page, anchor in re.findall(r"\]\(([a-z]+\.md)?#([a-z-]+)\)", PAGE):
        text = (ROOT / "docs" / page).read_text(encoding="utf-8") if page else PAGE
        headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
        anchors = {re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-") for heading in headings}
        assert anchor in anchors, f"{page}#{anchor}"
