from typing import Any

import pytest

from holodeck_eval.assemble.steps import baseline_steps
from holodeck_eval.domain.outcome import Errored, Outcome, Scored
from holodeck_eval.domain.result import CaseResult
from tests.fakes.runs import AGENT, build_case, build_metric, build_run, build_turn

STEPS = ["Read the answer.", "Compare it."]


def judged(steps: object = STEPS, *, written_by_judge: object = True) -> Scored:
    details: dict[str, Any] = {"evaluation_steps": steps, "auto_generated_steps": written_by_judge}
    return Scored(score=0.9, reason="r", details=details)


def a_case(outcome: Outcome, id: str = "a", digest: str = "d", **fields: Any) -> CaseResult:  # noqa: A002
    metric = build_metric(outcome, name="tone", digest=digest)
    return build_case(id, turns=(build_turn(metric),), **fields)


def test_steps_are_those_a_judge_wrote_by_agent_metric_and_configuration() -> None:
    run = build_run(
        a_case(judged()),
        a_case(judged(["Else."]), "b", digest="e"),
        a_case(judged(["Other."]), agent="other"),
    )
    assert baseline_steps(run) == {
        (AGENT, "tone", "d"): tuple(STEPS),
        (AGENT, "tone", "e"): ("Else.",),
        ("other", "tone", "d"): ("Other.",),
    }


def test_of_different_steps_the_most_common_are_taken() -> None:
    run = build_run(a_case(judged(["Once."])), a_case(judged(), "b"), a_case(judged(), "c"))
    assert baseline_steps(run) == {(AGENT, "tone", "d"): tuple(STEPS)}


@pytest.mark.parametrize(
    "outcome",
    [
        judged(written_by_judge=False),
        judged(written_by_judge="yes"),
        judged(None),
        judged([]),
        judged("Read the answer."),
        judged(["Read.", " "]),
        judged(["Read.", 2]),
        judged(["Read."] * 51),
        judged(["x" * 10_001]),
        Scored(score=0.9, reason="r"),
        Errored(kind="timeout", message="late"),
    ],
)
def test_what_cannot_be_steps_of_a_judge_is_passed_over(outcome: Outcome) -> None:
    assert baseline_steps(build_run(a_case(outcome))) == {}


def test_steps_may_be_as_many_and_as_long_as_the_bounds_say() -> None:
    assert baseline_steps(build_run(a_case(judged(["x" * 10_000] * 50)))) != {}
