"""`on_inconclusive: pass` changes the exit code of a run in which each agent was measured, and nothing else."""

from typing import Any

import pytest

from holodeck_eval.domain.outcome import Errored, Outcome
from holodeck_eval.domain.result import CaseResult
from holodeck_eval.domain.run import AgentRun
from tests.fakes.measured import gate, generation, part, result, scored, skipped, spec

NO_KEY = Errored(kind="no_key", message="the judge needs an API key")
TOOLS = spec("expected_tools", kind="expected_tools", threshold=1.0)
EXPECTS_NOTHING = scored(1.0, asserts=False)


def agents(*names: str) -> list[AgentRun]:
    return [
        AgentRun(name=name, file=f"{name}.yaml", metrics=(), test_cases=1, transcripts=1) for name in names
    ]


def of(agent: str, outcome: Outcome, **settings: Any) -> CaseResult:
    return result([(spec(), outcome)], agent=agent, id=agent, **settings)


def ended(*cases: CaseResult, names: tuple[str, ...] = ("helper",), **settings: Any) -> tuple[str, int, bool]:
    verdict = gate(*cases, agents=agents(*names), on_inconclusive="pass", **settings)
    return verdict.status, verdict.exit_code, verdict.passed


def test_what_a_deterministic_metric_measured_is_let_through_without_a_judge_and_does_not_pass() -> None:
    judged_in_part = result([(spec(), NO_KEY), (spec("exact"), scored(1.0))])
    assert ended(judged_in_part) == ("inconclusive", 0, False)
    assert gate(judged_in_part, agents=agents("helper")).exit_code == 3


def test_a_deterministic_metric_that_failed_fails_the_run_whatever_the_judge_could_not_say() -> None:
    failing = result([(spec(), NO_KEY), (spec("exact"), scored(0.0))])
    assert ended(failing) == ("failed", 1, False)


@pytest.mark.parametrize(
    "outcome",
    [
        NO_KEY,
        skipped("offline"),
        skipped("unlabelled"),
        skipped("missing_input"),
        skipped("nothing_to_judge"),
        skipped("budget"),
    ],
)
def test_where_nothing_was_scored_nothing_is_let_through(outcome: Outcome) -> None:
    only_open = result([(spec(), outcome)])
    beside_nothing = result([(spec(), outcome), (TOOLS, EXPECTS_NOTHING)])
    assert ended(only_open) == ("inconclusive", 3, False)
    assert ended(beside_nothing) == ("inconclusive", 3, False)


def test_a_check_that_expects_nothing_measures_nothing() -> None:
    assert ended(result([(TOOLS, EXPECTS_NOTHING)])) == ("inconclusive", 3, False)


def test_a_part_of_generation_is_not_its_measure() -> None:
    parts = (part("completeness", "scored"), part("redundancy", "errored", "no_key"))
    partly = result([(generation(), scored(1.0, parts=parts))])
    assert ended(partly)[:2] == ("inconclusive", 3)


def test_no_case_at_all_is_nothing_measured() -> None:
    assert ended(min_cases=0, min_pass_rate=None)[:2] == ("inconclusive", 3)


@pytest.mark.parametrize("other", [of("guide", NO_KEY), of("guide", EXPECTS_NOTHING)])
def test_what_was_measured_of_one_agent_lets_no_other_through(other: CaseResult) -> None:
    assert ended(of("helper", scored(1.0)), other, names=("helper", "guide")) == ("inconclusive", 3, False)


def test_an_agent_without_a_case_is_not_let_through_by_another() -> None:
    assert ended(of("helper", scored(1.0)), names=("helper", "guide")) == ("inconclusive", 3, False)


def test_a_shard_may_have_no_case_of_an_agent() -> None:
    open_case = result([(spec(), NO_KEY), (spec("exact"), scored(1.0))])
    assert ended(open_case, names=("helper", "guide"), partial=True) == ("inconclusive", 0, False)
