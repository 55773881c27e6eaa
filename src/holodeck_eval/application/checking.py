"""Reads everything of a run and judges nothing."""

from collections.abc import Callable
from dataclasses import replace

from holodeck_eval.assemble import Plan, assemble
from holodeck_eval.domain.options import Environment, Options


def check(options: Options, environment: Environment, *, now: Callable[[], str]) -> list[str]:
    """Read and link everything, and say in a line each what was found.

    Raises:
        InputError: with everything that is wrong, in all files.
    """
    plan = assemble(replace(options, offline=True), environment, now=now)  # so that no file is begun
    return [
        *_files(plan),
        *_agents(plan),
        _evaluations(plan),
        *(f"warning: {text}" for text in plan.warnings),
    ]


def _files(plan: Plan) -> list[str]:
    return [f"{read.file}: {read.records} transcripts ({read.format})" for read in plan.files]


def _agents(plan: Plan) -> list[str]:
    lines = []
    for agent in plan.agents:
        metrics = ", ".join(metric.name for metric in agent.metrics if metric.enabled) or "none"
        lines.append(
            f"{agent.file}: agent {agent.name}: {agent.test_cases} test cases, {agent.missing} of them "
            f"without a transcript; {agent.transcripts} transcripts; metrics: {metrics}"
        )
    return lines


def _evaluations(plan: Plan) -> str:
    metrics = [metric for case in plan.cases for turn in case.turns for metric in turn.metrics]
    judges = sorted({f"{metric.judge.provider}/{metric.judge.name}" for metric in metrics if metric.judge})
    by = f", judged by {', '.join(judges)}" if judges else ""
    return f"{len(plan.cases)} cases, {len(metrics)} evaluations{by}"
