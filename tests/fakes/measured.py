"""Small cases with made-up outcomes, and runs of them, for tests of what adds them up and compares them."""

from collections.abc import Sequence
from typing import Any

from holodeck_eval.aggregate import aggregate_case, summarize
from holodeck_eval.domain.agent import GenerationOptions, MetricSpec
from holodeck_eval.domain.case import Case, Turn
from holodeck_eval.domain.comparison import Comparison, Flip, MetricComparison
from holodeck_eval.domain.fingerprint import configuration_of, digest_of
from holodeck_eval.domain.judgement import JudgeIdentity
from holodeck_eval.domain.outcome import Errored, Outcome, Part, Scored, Skipped
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import CaseResult, Measurement, MetricConfig, WaivedCase
from holodeck_eval.domain.run import AgentRun, Run
from holodeck_eval.domain.verdict import EXIT_CODES, Verdict
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


def gate(
    *cases: CaseResult,
    agents: Sequence[AgentRun] = (),
    comparison: Comparison | None = None,
    partial: bool = False,
    **rules: Any,
) -> Verdict:
    """The verdict on these cases under a policy of these rules."""
    return decide(summarize(cases), cases, Policy(**rules), agents, comparison, partial=partial)


def config(metric: MetricSpec, **settings: Any) -> MetricConfig:
    """A metric as a run says that it was configured."""
    return MetricConfig(
        **{
            "name": metric.name,
            "kind": metric.kind,
            "type": metric.type,
            "enabled": metric.enabled,
            "guardrail": metric.guardrail,
            "threshold": metric.threshold,
            "bad_below": metric.bad_below,
            "judge": str(JudgeIdentity.of(metric.judge)) if metric.judge else None,
            "configuration": configuration_of(metric),
            "digest": digest_of(metric),
            "place": metric.place,
            **settings,
        }
    )


def agent_run(*metrics: MetricSpec | MetricConfig, name: str = "helper") -> AgentRun:
    """An agent whose own list has these metrics."""
    made = tuple(config(metric) if isinstance(metric, MetricSpec) else metric for metric in metrics)
    return AgentRun(name=name, file="agent.yaml", metrics=made, test_cases=1, transcripts=1)


def run(
    *cases: CaseResult, agents: Sequence[AgentRun] = (), policy: Policy | None = None, **more: Any
) -> Run:
    """A run of these cases; without agents it has "helper", with no metric of its own. It passed."""
    return Run(
        **{
            "schema_version": 1,
            "tool_version": "0",
            "started_at": "2026-01-02T03:04:05Z",
            "duration_s": 0.0,
            "verdict": Verdict(status="passed", causes=(), exit_code=EXIT_CODES["passed"]),
            "policy": policy or Policy(),
            "summary": summarize(cases),
            "agents": tuple(agents) or (agent_run(),),
            "cases": cases,
            **more,
        }
    )


def row(name: str = "faithfulness", verdict: Any = "same", **settings: Any) -> MetricComparison:
    """A metric that was compared over 50 cases, and fell from 0.84 to 0.75."""
    return MetricComparison(
        **{
            "agent": "helper",
            "name": name,
            "pairs": 50,
            "unchanged": 0,
            "baseline": 0.84,
            "now": 0.75,
            "difference": -0.09,
            "low": -0.13,
            "high": -0.05,
            "p_worse": 0.0012,
            "verdict": verdict,
            **settings,
        }
    )


def flip(case: str = "a", **settings: Any) -> Flip:
    """A case whose faithfulness fell from 0.9 to 0.2, as is proven."""
    return Flip(
        **{
            "agent": "helper",
            "case": case,
            "metric": "faithfulness",
            "proven": True,
            "why": "far more than noise",
            "before": 0.9,
            "now": 0.2,
            "threshold": 0.8,
            "now_reason": "it made up a price",
            **settings,
        }
    )


def compared(*metrics: MetricComparison, **settings: Any) -> Comparison:
    """A comparison of one pair in which nothing happened, unless told otherwise."""
    return Comparison(**{"paired": 1, "metrics": metrics or (row(),), **settings})
