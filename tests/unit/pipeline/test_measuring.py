"""Every case is measured by every metric that applies to it."""

import asyncio
from collections.abc import Sequence

from holodeck_eval.domain.case import Case
from holodeck_eval.domain.outcome import Errored, Scored, Skipped
from holodeck_eval.domain.result import Measurement
from holodeck_eval.pipeline import Evaluators, measure
from tests.fakes.evaluators import FakeEvaluator
from tests.unit.pipeline.support import case, measured, metric

GOOD = Scored(score=1.0, reason="fine")
DOWN = Errored(kind="judge_unavailable", message="the judge is down")


def run(cases: Sequence[Case], evaluators: Evaluators, at_once: int = 4) -> tuple[Measurement, ...]:
    return measured(cases, evaluators, at_once=at_once)


def test_every_metric_of_every_case_is_measured_in_order() -> None:
    first, second = metric("first"), metric("second")
    evaluators = {first: FakeEvaluator(GOOD), second: FakeEvaluator(DOWN)}
    made = run([case("a", first, second), case("b", second)], evaluators)
    assert [(one.case_id, one.metric.name, one.outcome) for one in made] == [
        ("a", "first", GOOD),
        ("a", "second", DOWN),
        ("b", "second", DOWN),
    ]


def test_one_evaluations_fault_does_not_take_the_others_with_it() -> None:
    broken, whole = metric("broken"), metric("whole")
    evaluators = {broken: FakeEvaluator(error=KeyError("score")), whole: FakeEvaluator(GOOD)}
    made = run([case("a", broken, whole)], evaluators)
    assert made[0].outcome == Errored(kind="internal", message="KeyError: 'score'")
    assert made[1].outcome == GOOD


def test_a_turn_without_an_answer_is_not_judged_but_its_tools_are() -> None:
    judged, tools = metric("judged"), metric("expected_tools")
    evaluators = {judged: FakeEvaluator(GOOD), tools: FakeEvaluator(GOOD)}
    made = run([case("a", judged, tools, no_answer="the answer is empty")], evaluators)
    assert made[0].outcome == Skipped(cause="no_answer", reason="the answer is empty")
    assert made[1].outcome == GOOD
    assert evaluators[judged].asked == []


def test_fail_on_error_stops_the_case_at_that_error_and_no_other_case() -> None:
    stopping, after = metric("stopping", fail_on_error=True), metric("after")
    evaluators = {stopping: FakeEvaluator(DOWN), after: FakeEvaluator(GOOD)}
    made = run([case("a", stopping, after), case("b", after)], evaluators)
    assert isinstance(made[1].outcome, Skipped)
    assert made[1].outcome.cause == "stopped"
    assert made[2].outcome == GOOD


def test_fail_on_error_does_not_stop_at_a_low_score() -> None:
    stopping, after = metric("stopping", fail_on_error=True), metric("after")
    evaluators = {stopping: FakeEvaluator(Scored(score=0.0, reason="bad")), after: FakeEvaluator(GOOD)}
    assert run([case("a", stopping, after)], evaluators)[1].outcome == GOOD


def test_no_more_cases_are_open_than_asked() -> None:
    one = metric("one")
    fake = FakeEvaluator(GOOD)
    run([case(str(number), one) for number in range(20)], {one: fake}, at_once=3)
    assert fake.most_at_once == 3
    assert len(fake.asked) == 20


def test_a_few_cases_are_measured_by_all_their_metrics_at_once_and_many_by_one_after_the_other() -> None:
    fake = FakeEvaluator(GOOD)
    metrics = [metric("first"), metric("second"), metric("third")]
    evaluators = dict.fromkeys(metrics, fake)
    run([case("few", *metrics)], evaluators, at_once=2)
    assert fake.most_at_once == 3
    fake.most_at_once = 0
    run([case("a", *metrics), case("b", *metrics)], evaluators, at_once=2)
    assert fake.most_at_once == 2


def test_progress_is_told_after_each_case() -> None:
    one = metric("one")
    told: list[tuple[int, int]] = []
    cases = [case("a", one), case("b", one)]
    asyncio.run(
        measure(cases, {one: FakeEvaluator(GOOD)}, at_once=1, progress=lambda *steps: told.append(steps))
    )
    assert told == [(1, 2), (2, 2)]


def test_every_outcome_is_asked_for_with_as_many_replies_as_wanted() -> None:
    one, fake = metric("one"), FakeEvaluator(GOOD)
    measured([case("a", one), case("b", one)], {one: fake}, replies=3)
    assert fake.replies == [3, 3]
