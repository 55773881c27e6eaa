from collections.abc import Sequence
from typing import Any

from holodeck_eval.aggregate import summarize
from holodeck_eval.application.noise import noise_report, noise_warnings
from holodeck_eval.domain.outcome import Errored, Outcome, Scored, Skipped
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import CaseResult
from holodeck_eval.domain.run import Run
from tests.fakes.runs import build_case, build_metric, build_run, build_turn

JUDGE = "openai/gpt-4o"


def replied(*replies: float, judge: str | None = JUDGE) -> Scored:
    """A score that is the mean of these replies."""
    kept = () if judge is None else replies
    return Scored(score=sum(replies) / len(replies), reason="r", judge=judge, replies=kept)


def noisy(low: float, high: float, cases: int) -> list[Outcome]:
    """As many outcomes, each of two replies."""
    return [replied(low, high) for _ in range(cases)]


def run_of(repeats: int = 2, thresholds: float = 0.7, **metrics: Sequence[Outcome]) -> Run:
    """A run with these metrics, a list of outcomes each, one a case."""
    count = max(len(outcomes) for outcomes in metrics.values())
    cases = [
        case_of(
            number,
            {name: outcomes[number] for name, outcomes in metrics.items() if number < len(outcomes)},
            thresholds,
        )
        for number in range(count)
    ]
    return added_up(cases, repeats=repeats)


def case_of(number: int, outcomes: dict[str, Outcome], threshold: float, **fields: Any) -> CaseResult:
    made = [build_metric(outcome, name=name, threshold=threshold) for name, outcome in outcomes.items()]
    return build_case(f"case {number}", turns=(build_turn(*made),), **fields)


def added_up(cases: Sequence[CaseResult], **fields: Any) -> Run:
    return build_run(*cases, summary=summarize(cases), **fields)


LOOSE = Policy(max_drop=0.5)


def test_the_table_says_how_noisy_each_metric_is_and_why_some_are_not_known() -> None:
    run = run_of(
        faithfulness=noisy(0.8, 0.9, 10),
        few=[*noisy(0.8, 0.9, 2), *([replied(0.9)] * 8)],
        equality=[replied(1.0, judge=None)] * 10,
        tone=[replied(0.9, judge="human/the team")] * 10,
        broken=[Errored(kind="timeout", message="late"), Skipped(cause="offline", reason="none")],
    )
    assert noise_report(run, LOOSE) == [
        "10 cases, everything judged 2 times",
        "metric        cases  sd     flips  measured on",
        "faithfulness  10     0.071  0.0%   10 repeated replies of its own",
        "few           10     0.071  0.0%   12 repeated replies to all metrics; its own are too few",
        "equality      10     -      -      nothing: it has no judge, and no noise",
        "tone          10     -      -      nothing: a person judges it, and is not asked again",
        "broken        0      -      -      nothing: it scored no case (timeout, offline)",
    ]


def test_a_run_that_was_judged_once_measured_nothing_and_says_so() -> None:
    run = run_of(repeats=1, faithfulness=[replied(0.9)] * 3)
    assert noise_report(run, LOOSE)[0] == "3 cases, everything judged once"
    assert noise_report(run, LOOSE)[2] == "faithfulness  3      -   -      nothing: it was judged once"
    assert noise_report(run, LOOSE)[3].startswith("warning: no noise was measured: ")


def test_two_cases_are_too_few_to_measure_noise_on() -> None:
    assert noise_report(run_of(faithfulness=noisy(0.8, 0.9, 2)), LOOSE)[2:] == [
        "faithfulness  2      -   -      nothing: too few cases were judged twice",
        "warning: no noise was measured: it takes a judge, several cases, and two replies to each (--repeats 2 or more, and not --offline unless they are recorded)",
    ]


def test_a_run_without_metrics_is_said_to_have_none() -> None:
    assert noise_report(build_run(), LOOSE) == ["no metric was measured, so there is no noise to speak of"]


def test_metrics_of_several_agents_are_told_apart() -> None:
    cases = [
        case_of(number, {"tone": replied(0.8, 0.9)}, 0.7, agent=agent)
        for agent in ("a", "b")
        for number in range(6)
    ]
    assert [line.split("  ")[0] for line in noise_report(added_up(cases, repeats=2), LOOSE)[2:4]] == [
        "a: tone",
        "b: tone",
    ]


def test_a_hostile_name_cannot_break_the_table() -> None:
    run = run_of(**{"::error::x\n\x1b[31m" + "y" * 500: noisy(0.8, 0.9, 6)})
    lines = noise_report(run, LOOSE)
    assert all(line.isprintable() and len(line) < 200 for line in lines)
    assert lines[2].startswith(": :error::x ")


def test_a_threshold_amid_the_replies_is_warned_about() -> None:
    (warning,) = noise_warnings(run_of(faithfulness=noisy(0.69, 0.72, 10)), LOOSE)
    assert warning == (
        "faithfulness: of two replies to one case, one passes and the other fails in 100.0% of pairs: "
        "cases score too near its threshold of 0.7"
    )
    assert noise_warnings(run_of(faithfulness=noisy(0.7, 0.72, 10)), LOOSE) == []


def test_a_few_flips_are_no_reason_to_warn() -> None:
    outcomes = [*noisy(0.69, 0.72, 1), *noisy(0.8, 0.82, 19)]
    assert noise_warnings(run_of(faithfulness=outcomes), LOOSE) == []
    assert len(noise_warnings(run_of(faithfulness=[*noisy(0.69, 0.72, 1), *outcomes]), LOOSE)) == 1


def test_a_threshold_too_near_to_the_top_is_warned_about() -> None:
    outcomes = noisy(0.96, 1.0, 10)
    assert noise_warnings(run_of(thresholds=0.98, faithfulness=outcomes), LOOSE)[-1] == (
        "faithfulness: its threshold of 0.98 is so near to 1 that noise alone (sd 0.028) fails a good answer"
    )
    assert noise_warnings(run_of(thresholds=0.95, faithfulness=outcomes), LOOSE) == []


def test_a_max_drop_that_cannot_be_seen_is_warned_about_with_what_it_would_take() -> None:
    run = run_of(faithfulness=noisy(0.8, 0.9, 50))
    (warning,) = noise_warnings(run, Policy(max_drop=0.02))
    assert warning == (
        "faithfulness: with 50 cases judged once a run, a drop of its mean under 0.044 is not seen, and max_drop "
        "is 0.02: it takes 5 times the cases, or --repeats 5"
    )
    assert noise_warnings(run, Policy(max_drop=0.05)) == []
    assert noise_warnings(run, Policy(max_drop=0.0))[0].endswith("it takes more cases or repeats")


def test_the_smallest_drop_is_that_of_the_normal_approximation_for_many_cases() -> None:
    """(z(1 - 0.03/2) + z(0.8)) · sd · √2 / √n = (2.170 + 0.842) · 0.0707 · 0.0707 = 0.01506 for n = 400."""
    (warning,) = noise_warnings(run_of(faithfulness=noisy(0.8, 0.9, 400)), Policy(max_drop=0.001))
    assert "under 0.015 is not seen" in warning


def test_too_few_cases_see_no_drop_at_all() -> None:
    outcomes = [replied(0.8, 0.9, 0.8, 0.9)] * 3
    assert noise_warnings(run_of(faithfulness=outcomes), LOOSE) == [
        "faithfulness: 3 cases are too few for any drop of its mean to be seen"
    ]


def test_a_judge_that_always_says_the_same_has_no_noise_to_warn_of() -> None:
    run = run_of(thresholds=1.0, faithfulness=noisy(1.0, 1.0, 10))
    assert noise_warnings(run, Policy(max_drop=0.0)) == []
    assert "0.000  0.0%   10 repeated replies of its own" in noise_report(run, LOOSE)[2]
