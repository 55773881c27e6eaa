"""A run, and the same run in shards, out of made-up outcomes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from holodeck_eval import __version__
from holodeck_eval.assemble.sharding import part_of, shard_info, split
from holodeck_eval.domain.baseline import Baseline
from holodeck_eval.domain.case import Case
from holodeck_eval.domain.comparison import BaselineRun, Rejudged
from holodeck_eval.domain.outcome import Outcome
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import Measurement
from holodeck_eval.domain.run import AgentRun, Run
from holodeck_eval.pipeline import conclude

Outcomes = Mapping[tuple[str, str, int, str], Outcome]
"""By agent, case id, the turn's index and the metric's name."""


def build_agents(cases: Sequence[Case]) -> tuple[AgentRun, ...]:
    """The agents of these cases, with no metric of their own."""
    names = dict.fromkeys(case.agent for case in cases)
    return tuple(
        AgentRun(
            name=name,
            file=f"{name}.yaml",
            metrics=(),
            test_cases=sum(case.agent == name for case in cases),
            transcripts=sum(case.agent == name and case.transcript is not None for case in cases),
            missing=sum(case.agent == name and case.transcript is None for case in cases),
        )
        for name in names
    )


def build_baseline(cases: Sequence[Case], outcomes: Outcomes, policy: Policy | None = None) -> Baseline:
    """The run of these cases as a baseline."""
    run = build_part(cases, outcomes, policy=policy, started_at="2026-01-01T00:00:00Z")
    info = BaselineRun(file="main/results.json", status=run.verdict.status, started_at=run.started_at)
    return Baseline(run=run, info=info)


def build_part(
    cases: Sequence[Case],
    outcomes: Outcomes,
    shard: tuple[int, int] | None = None,
    *,
    policy: Policy | None = None,
    baseline: Baseline | None = None,
    rejudged: Sequence[Rejudged] = (),
    **settings: Any,
) -> Run:
    """The run of these cases, or one shard of it, as the program makes it.

    `rejudged` are of all cases; a shard takes its own.
    """
    policy = policy or Policy()
    mine = split(cases, shard)[0] if shard else tuple(cases)
    keys = {(case.agent, case.id) for case in mine}
    agents = build_agents(cases)
    conclusion = conclude(
        mine,
        _measured(mine, outcomes),
        policy,
        agents,
        baseline=_seen_by(shard, baseline),
        rejudged=[one for one in rejudged if (one.agent, one.case) in keys],
        partial=shard is not None,
    )
    run: dict[str, Any] = {
        "schema_version": 1,
        "tool_version": __version__,
        "started_at": "2026-01-02T03:04:05Z",
        "duration_s": 1.5,
        "verdict": conclusion.verdict,
        "policy": policy,
        "summary": conclusion.summary,
        "agents": agents,
        "cases": conclusion.cases,
        "waived_cases": conclusion.waived_cases,
        "comparison": conclusion.comparison,
        "shard": shard_info(cases, shard, conclusion.cases, conclusion.waived_cases) if shard else None,
    }
    return Run(**run | settings)


def _seen_by(shard: tuple[int, int] | None, baseline: Baseline | None) -> Baseline | None:
    if shard is None or baseline is None or baseline.run is None:
        return baseline
    return replace(baseline, run=part_of(baseline.run, shard))


def build_parts(
    cases: Sequence[Case], outcomes: Outcomes, count: int, **settings: Any
) -> list[tuple[str, Run]]:
    """All shards of the run of these cases, each behind the name of its file."""
    return [
        (f"shard-{index}/results.json", build_part(cases, outcomes, (index, count), **settings))
        for index in range(1, count + 1)
    ]


def _measured(cases: Sequence[Case], outcomes: Outcomes) -> list[Measurement]:
    return [
        Measurement(
            case_id=case.id,
            agent=case.agent,
            turn=turn.index,
            metric=metric,
            outcome=outcomes[case.agent, case.id, turn.index, metric.name],
        )
        for case in cases
        for turn in case.turns
        for metric in turn.metrics
        if (case.agent, case.id, turn.index, metric.name) in outcomes
    ]
