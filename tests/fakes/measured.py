"""Small cases with made-up outcomes, for tests of what adds them up."""

from collections.abc import Sequence
from typing import Any

from holodeck_eval.aggregate import aggregate_case, summarize
from holodeck_eval.domain.agent import GenerationOptions, MetricSpec
from holodeck_eval.domain.case import Case, Turn
from holodeck_eval.domain.outcome import Errored, Outcome, Part, Scored, Skipped
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import CaseResult, Measurement, WaivedCase
from holodeck_eval.domain.run import AgentRun
from holodeck_eval.domain.verdict import Verdict
from holodeck_eval.errors import Place
from holodeck_eval.gate import decide

HERE = Place(file="agent.yaml", line=3)
DOWN = Errored(kind="judge_unavailable", message="connection refused")


def spec(name: str = "faithfulness", **settings: Any) -> MetricSpec:
    """A `rag` metric with threshold 0.8, unless told otherwise."""
    return MetricSpec(
        **{"kind": "rag", "type": name, "name": name, "threshold": 0.8, "place": HERE, **settings}
    )


def generation(**settings: Any) -> MetricSpec:
    """A `generation` metric without a threshold."""
    options = GenerationOptions(metrics=("completeness", "redundancy"), **settings.pop("options", {}))
    return spec("generation", kind="generation", **{"threshold": None, "options": options, **settings})


def scored(score: float, reason: str = "because", **settings: Any) -> Scored:
    """A score with its reason."""
    return Scored(score=score, reason=reason, **settings)


def skipped(cause: Any, reason: str = "not there") -> Skipped:
    """A skip for this cause."""
    return Skipped(cause=cause, reason=reason)


def part(name: str, status: Any, cause: str | None = None) -> Part:
    """A part of `generation`."""
    return Part(name=name, status=status, explanation=f"{name} says why", cause=cause)


Measures = Sequence[tuple[MetricSpec, Outcome | None]]


def case(*turns: Measures, id: str = "a", agent: str = "helper", no_answer: Sequence[int] = ()) -> Case:  # noqa: A002
    """A case of turns of metrics; the turns numbered in `no_answer` have none."""
    made = tuple(
        Turn(
            case_id=id,
            index=index,
            input="what?",
            actual_output=None if index in no_answer else "that",
            no_answer="the run ended in a tool call" if index in no_answer else None,
            metrics=tuple(metric for metric, _ in measures),
            several=len(turns) > 1,
        )
        for index, measures in enumerate(turns)
    )
    return Case(
        id=id, agent=agent, name=None, turns=made, digest="d", transcript=Place(file="t.jsonl", line=1)
    )


def measurements(*turns: Measures, id: str = "a", agent: str = "helper") -> list[Measurement]:  # noqa: A002
    """The measurements of such a case; an outcome of None is one that was never made."""
    return [
        Measurement(case_id=id, agent=agent, turn=index, metric=metric, outcome=outcome, duration_s=0.25)
        for index, measures in enumerate(turns)
        for metric, outcome in measures
        if outcome is not None
    ]


def result(
    *turns: Measures, policy: Policy | None = None, no_answer: Sequence[int] = (), **who: str
) -> CaseResult:
    """The result of such a case."""
    made = aggregate_case(
        case(*turns, no_answer=no_answer, **who), measurements(*turns, **who), policy or Policy()
    )
    assert isinstance(made, CaseResult)
    return made


def missing(policy: Policy, id: str = "lost") -> CaseResult | WaivedCase:  # noqa: A002
    """The result of a test case that has no transcript."""
    lost = Case(
        id=id, agent="helper", name=id, turns=(), digest="d", test_case=Place(file="agent.yaml", line=9)
    )
    return aggregate_case(lost, (), policy)


def gate(*cases: CaseResult, agents: Sequence[AgentRun] = (), **rules: Any) -> Verdict:
    """The verdict on these cases under a policy of these rules."""
    return decide(summarize(cases), cases, Policy(**rules), agents)
