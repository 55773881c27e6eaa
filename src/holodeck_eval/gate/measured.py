"""What was configured to be measured and was not: an agent without a case, a metric without a score."""

from collections.abc import Iterator, Sequence

from holodeck_eval.aggregate.metrics import status_of
from holodeck_eval.domain.outcome import Skipped
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import CaseResult, MetricResult, Summary
from holodeck_eval.domain.run import AgentRun
from holodeck_eval.domain.verdict import Cause

Applied = dict[tuple[str, str], list[MetricResult]]
"""For each agent and metric, its results in all cases it applies to."""


def unmeasured(
    summary: Summary, cases: Sequence[CaseResult], policy: Policy, agents: Sequence[AgentRun]
) -> Iterator[Cause]:
    """A cause where nothing was scored at all, else one for each agent and metric that was not."""
    if not summary.evaluations_scored:
        message = "nothing was scored, so nothing is known about the agent"
        yield Cause(status="inconclusive", code="nothing_scored", message=message)
        return
    yield from _agents(cases, agents)
    yield from _metrics(cases, policy, agents)


def _agents(cases: Sequence[CaseResult], agents: Sequence[AgentRun]) -> Iterator[Cause]:
    measured = {case.agent for case in cases}
    for agent in agents:
        if agent.name not in measured:
            message = (
                f"agent {agent.name!r} was not measured: it has no case; give it transcripts or leave it out"
            )
            yield Cause(status="inconclusive", code="agent_without_cases", message=message)


def _metrics(cases: Sequence[CaseResult], policy: Policy, agents: Sequence[AgentRun]) -> Iterator[Cause]:
    """One cause an agent, naming all its metrics that scored no case."""
    places = {(agent.name, metric.name): metric.place for agent in agents for metric in agent.metrics}
    unscored: dict[str, dict[str, list[MetricResult]]] = {}
    applied = _unused(cases, agents) | _applied(cases)
    for (agent, name), results in applied.items():
        if not any(status_of(result.outcome) == "scored" for result in results) and not _is_waived(
            results, policy
        ):
            unscored.setdefault(agent, {})[name] = results
    for agent, metrics in unscored.items():
        named = ", ".join(f"{name} ({_causes(results)})" for name, results in metrics.items())
        message = f"agent {agent!r} has no case that was scored by {named}"
        name, results = next(iter(metrics.items()))
        place = places.get((agent, name)) or results[0].place
        yield Cause(status="inconclusive", code="metric_without_score", message=message, place=place)


def _unused(cases: Sequence[CaseResult], agents: Sequence[AgentRun]) -> Applied:
    """The enabled metrics that no case uses, as where every test case brings its own in their place."""
    measured = {case.agent for case in cases if case.turns}
    return {
        (agent.name, metric.name): []
        for agent in agents
        if agent.name in measured
        for metric in agent.metrics
        if metric.enabled
    }


def _applied(cases: Sequence[CaseResult]) -> Applied:
    applied: Applied = {}
    for case in cases:
        for turn in case.turns:
            for metric in turn.metrics:
                applied.setdefault((case.agent, metric.name), []).append(metric)
    return applied


def _is_waived(results: Sequence[MetricResult], policy: Policy) -> bool:
    """Whether the policy lets every one of these go unmeasured, by name."""
    return (
        bool(results)
        and policy.on_missing_input == "skip"
        and all(
            isinstance(result.outcome, Skipped) and result.outcome.cause == "missing_input"
            for result in results
        )
    )


def _causes(results: Sequence[MetricResult]) -> str:
    causes = {
        result.outcome.cause if isinstance(result.outcome, Skipped) else "errored": None for result in results
    }
    return ", ".join(causes) or "no case uses it"
