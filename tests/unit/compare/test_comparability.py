from dataclasses import replace
from typing import Any

import pytest

from holodeck_eval.compare import ComparisonPolicy, compare
from holodeck_eval.domain.comparison import MetricComparison
from holodeck_eval.domain.result import MetricConfig
from holodeck_eval.domain.run import Run
from tests.fakes.comparing import agent, case, config, judged, run


def row(before: Run, now: Run, name: str = "faithful") -> MetricComparison:
    rows = compare(before, now, ComparisonPolicy()).metrics
    return next(row for row in rows if row.name == name)


def configured(metric: MetricConfig, digest: str) -> Run:
    return run(case("a", judged(0.8, digest=digest)), agents=(agent(metric),))


@pytest.mark.parametrize(
    ("now", "why"),
    [
        ({"type": "faithfulness"}, "its type is 'faithfulness' and was 'geval'"),
        ({"judge": "openai/gpt-5"}, "its judge is 'openai/gpt-5' and was 'openai/gpt-4o'"),
        ({"judge": None}, "its judge is 'none' and was 'openai/gpt-4o'"),
        ({"configuration": {"criteria": "kind"}}, "its configuration differs in 'criteria'"),
        (
            {"configuration": {"criteria": "polite", "strict_mode": True}},
            "its configuration differs in 'strict_mode'",
        ),
        ({}, "it is configured otherwise for case 'a'"),
    ],
)
def test_a_metric_that_is_configured_otherwise_cannot_be_compared(now: dict[str, Any], why: str) -> None:
    before = config(configuration={"criteria": "polite"})
    found = row(configured(before, "1"), configured(replace(before, **now), "2"))
    assert (found.verdict, found.why) == ("not_comparable", why)
    assert (found.pairs, found.baseline, found.now) == (1, 0.8, 0.8)
    assert (found.difference, found.p_worse, found.smallest_drop) == (None, None, None)


def test_an_option_that_was_read_from_a_report_is_the_one_that_was_configured() -> None:
    read = config(configuration={"criteria": "kind", "evaluation_params": ["input"]})
    now = config(configuration={"criteria": "polite", "evaluation_params": ("input",)})
    assert row(configured(read, "1"), configured(now, "2")).why == "its configuration differs in 'criteria'"


def test_one_case_that_is_measured_otherwise_makes_the_metric_incomparable() -> None:
    before = run(case("a", judged(0.8)), case("b", judged(0.8)))
    found = row(before, run(case("a", judged(0.8)), case("b", judged(0.8, digest="eased"))))
    assert (found.verdict, found.why) == ("not_comparable", "it is configured otherwise for case 'b'")


def test_a_result_without_a_digest_is_measured_as_its_agent_has_it() -> None:
    listed = (agent(config(digest="1")),)
    before = run(case("a", judged(0.8, digest="")), agents=listed)
    assert row(before, run(case("a", judged(0.8, digest="1")))).why == ""
    assert row(before, run(case("a", judged(0.8, digest="2")))).verdict == "not_comparable"
    unknown = run(case("a", judged(0.8, digest="")))
    assert row(unknown, run(case("a", judged(0.8, digest="1")))).verdict == "not_comparable"


@pytest.mark.parametrize(
    ("before", "now", "why"),
    [
        ("1", "2", "the version of its prompts is '2' and was '1'"),
        ("1", "1", ""),
        (None, "2", ""),
        ("1", None, ""),
    ],
)
def test_prompts_of_another_version_cannot_be_compared(before: str | None, now: str | None, why: str) -> None:
    earlier, later = (
        run(case("a", judged(0.8)), agents=(agent(config(prompt_version=version)),))
        for version in (before, now)
    )
    assert row(earlier, later).why == why


@pytest.mark.parametrize(
    ("before", "now", "why"),
    [
        ("gpt-4o-1", "gpt-4o-2", "what the provider calls its judge is 'gpt-4o-2' and was 'gpt-4o-1'"),
        ("gpt-4o-1", "gpt-4o-1", ""),
        (None, "gpt-4o-2", ""),
        ("gpt-4o-1", None, ""),
    ],
)
def test_a_judge_that_the_provider_exchanged_cannot_be_compared(
    before: str | None, now: str | None, why: str
) -> None:
    earlier, later = (run(case("a", judged(0.8, judge_version=version))) for version in (before, now))
    assert row(earlier, later).why == why


def test_the_judge_of_an_unchanged_text_is_that_of_its_one_verdict() -> None:
    earlier, later = (run(case("a", judged(0.8, key="k", judge_version=version))) for version in "12")
    assert row(earlier, later).why == ""


def test_the_average_leaves_out_what_cannot_be_compared() -> None:
    before = run(case("a", judged(0.8), judged(0.4, name="tone")))
    now = run(case("a", judged(0.7), judged(0.9, name="tone", digest="2")))
    average = row(before, now, "avg_score")
    assert (average.baseline, average.now, average.why) == (0.8, 0.7, "")


def test_an_average_of_nothing_that_can_be_compared_cannot_be_either() -> None:
    found = row(run(case("a", judged(0.8))), run(case("a", judged(0.8, digest="2"))), "avg_score")
    assert (found.verdict, found.pairs) == ("not_comparable", 0)
    assert found.why == "none of its metrics can be compared"


def test_what_differs_is_quoted_and_short_whatever_it_says() -> None:
    hostile = "\n::error::x" + "y" * 5000
    before, now = config(configuration={}), config(configuration={hostile: 1}, judge="openai/gpt-4o")
    why = row(configured(before, "1"), configured(now, "2")).why
    assert len(why) < 200
    assert "\n" not in why
