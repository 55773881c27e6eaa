"""Measurements add up to cases, numbers, a comparison and a verdict."""

from collections.abc import Sequence
from dataclasses import replace

from holodeck_eval.domain.baseline import Baseline
from holodeck_eval.domain.comparison import BaselineProblem, BaselineRun, Rejudged
from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import CaseResult, Measurement
from holodeck_eval.pipeline import Conclusion, conclude
from tests.fakes import measured as made_up
from tests.unit.pipeline.support import case, metric

CLEAR = metric("clear")
INFO = BaselineRun(file="before/results.json", status="passed", started_at="2026-01-02T03:04:05Z")


def judged(score: float, *, name: str = "a", agent: str = "helper", key: str = "k") -> Measurement:
    outcome = Scored(score=score, reason="r", judge="openai/gpt-4o", replies=(score,), key=key)
    return Measurement(case_id=name, agent=agent, turn=0, metric=CLEAR, outcome=outcome)


def earlier(*scores: float) -> Baseline:
    """A run of as many cases as there are scores."""
    return Baseline(run=made_up.run(*_results(scores), agents=[made_up.agent_run(CLEAR)]), info=INFO)


def _results(scores: Sequence[float]) -> tuple[CaseResult, ...]:
    return concluded(
        [judged(score, name=str(number), key="then") for number, score in enumerate(scores)]
    ).cases


def concluded(measurements: Sequence[Measurement], baseline: Baseline | None = None) -> Conclusion:
    cases = [case(made.case_id, CLEAR) for made in measurements]
    return conclude(cases, measurements, Policy(), [made_up.agent_run(CLEAR)], baseline=baseline)


def test_cases_of_two_agents_with_one_id_keep_their_own_measurements() -> None:
    cases = [case("same", CLEAR), case("same", CLEAR, agent="other")]
    measurements = [judged(1.0, name="same"), judged(0.0, name="same", agent="other")]
    conclusion = conclude(cases, measurements, Policy(), [])
    assert [result.status for result in conclusion.cases] == ["passed", "failed"]
    assert conclusion.verdict.status == "failed"


def test_without_a_baseline_nothing_is_compared() -> None:
    conclusion = concluded([judged(1.0)])
    assert (conclusion.comparison, conclusion.verdict.status) == (None, "passed")


def test_a_baseline_is_compared_with_and_named() -> None:
    conclusion = concluded([judged(0.75, name="0")], earlier(0.95))
    comparison = conclusion.comparison
    assert comparison
    assert (comparison.baseline, comparison.problem, comparison.paired) == (INFO, None, 1)
    (row,) = [row for row in comparison.metrics if row.name == "clear"]
    assert (row.baseline, row.now, row.difference) == (0.95, 0.75, -0.2)


def test_what_of_the_baseline_was_judged_again_takes_the_place_of_what_it_was() -> None:
    before = earlier(0.95)
    assert before.run
    result = before.run.cases[0].turns[0].metrics[0]
    assert isinstance(result.outcome, Scored)
    lower = replace(result.outcome, score=0.5, replies=(0.95, 0.05))
    again = Rejudged(
        agent="helper", case="0", turn=0, result=replace(result, outcome=lower, passed=False, rating="bad")
    )
    now = [judged(0.1, name="0")]
    cases = [case("0", CLEAR)]
    agents = [made_up.agent_run(CLEAR)]
    without = conclude(cases, now, Policy(), agents, baseline=before)
    with_it = conclude(cases, now, Policy(), agents, baseline=before, rejudged=[again])
    assert without.comparison
    assert with_it.comparison
    assert [flip.case for flip in without.comparison.flips] == ["0"]
    assert with_it.comparison.flips == ()
    assert with_it.comparison.rejudged == (again,)


def test_a_baseline_that_cannot_be_compared_with_is_told_and_never_passes() -> None:
    problem = BaselineProblem(cause="missing", message="there is no baseline at before/")
    conclusion = concluded([judged(1.0)], Baseline(problem=problem))
    assert conclusion.comparison
    assert conclusion.comparison.problem == problem
    assert conclusion.verdict.status == "inconclusive"


def test_a_baseline_that_holds_nothing_is_a_problem_too() -> None:
    conclusion = concluded([judged(1.0)], Baseline(info=INFO))
    assert conclusion.comparison
    assert conclusion.comparison.problem
    assert (conclusion.comparison.problem.cause, conclusion.comparison.baseline) == ("unreadable", INFO)
    assert conclusion.verdict.status == "inconclusive"


def test_the_planned_judgements_alone_are_what_means_are_compared_by() -> None:
    made = judged(0.0, name="0")
    again = replace(made, outcome=replace(made.outcome, score=0.5, replies=(0.75, 0.25)))
    conclusion = concluded([again], earlier(0.75))
    assert conclusion.comparison
    (row,) = [row for row in conclusion.comparison.metrics if row.name == "clear"]
    assert row.now == 0.75
