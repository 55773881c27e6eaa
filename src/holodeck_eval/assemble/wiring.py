"""Names in the configuration to evaluators and judges, through the tables; says what does not fit."""

from collections.abc import Iterable
from dataclasses import replace

from holodeck_eval.domain.agent import Agent, JudgeSpec, MetricSpec
from holodeck_eval.domain.fingerprint import configuration_of, digest_of
from holodeck_eval.domain.judgement import JudgeIdentity
from holodeck_eval.domain.options import Environment
from holodeck_eval.domain.outcome import Evaluator
from holodeck_eval.domain.result import MetricConfig
from holodeck_eval.errors import Problem
from holodeck_eval.evaluators import METRICS, Toolbox
from holodeck_eval.evaluators.judged import prompt_version
from holodeck_eval.judges.trust import resolve_endpoint

NO_CODE = (
    "a code metric runs Python of the checkout, which this program does not do; "
    "leave it out with enabled: false, or measure the same with another metric"
)


def judged_by(
    metrics: Iterable[MetricSpec], environment: Environment, trusted: Iterable[str]
) -> tuple[dict[MetricSpec, MetricSpec], list[Problem]]:
    """Each enabled metric with its judge's endpoint settled; and why some cannot be measured."""
    settled: dict[MetricSpec, MetricSpec] = {}
    problems: dict[Problem, None] = {}
    for metric in dict.fromkeys(metrics):
        checked = _settle(metric, environment, tuple(trusted))
        if isinstance(checked, Problem):
            problems[checked] = None
        else:
            settled[metric] = checked
    return settled, list(problems)


def build(settled: dict[MetricSpec, MetricSpec], toolbox: Toolbox) -> dict[MetricSpec, Evaluator]:
    """An evaluator for each metric."""
    return {metric: METRICS[checked.type](checked, toolbox) for metric, checked in settled.items()}


def describe(agent: Agent, used: Iterable[MetricSpec]) -> tuple[MetricConfig, ...]:
    """How an agent's metrics were configured: those of its YAML and those its cases add, each name once."""
    by_name = {metric.name: metric for metric in (*used, *agent.metrics)}
    shared = {metric.name for metric in agent.metrics}
    return tuple(_describe(metric, shared=name in shared) for name, metric in by_name.items())


def _settle(metric: MetricSpec, environment: Environment, trusted: tuple[str, ...]) -> MetricSpec | Problem:
    if metric.type == "code":
        return Problem(message=NO_CODE, place=metric.place)
    if metric.type not in METRICS:
        return Problem(
            message=f"the metric {metric.type!r} is not supported yet; leave it out with enabled: false",
            place=metric.place,
        )
    if metric.judge is None or metric.judge.provider == "human":
        return metric
    endpoint = resolve_endpoint(metric.judge, environment, trusted)
    if isinstance(endpoint, Problem):
        return endpoint
    return replace(metric, judge=replace(metric.judge, endpoint=endpoint))


def _describe(metric: MetricSpec, *, shared: bool) -> MetricConfig:
    judge = metric.judge
    return MetricConfig(
        name=metric.name,
        kind=metric.kind,
        type=metric.type,
        enabled=metric.enabled,
        guardrail=metric.guardrail,
        threshold=metric.threshold,
        bad_below=metric.bad_below,
        judge=str(JudgeIdentity.of(judge)) if judge else None,
        configuration=configuration_of(metric),
        digest=digest_of(metric),
        place=metric.place,
        prompt_version=(prompt_version(judge) or None) if judge else None,
        shared=shared,
    )


def keys_of(judges: Iterable[JudgeSpec]) -> set[str]:
    """The keys these judges were given, to be hidden everywhere."""
    return {judge.api_key.reveal() for judge in judges if judge.api_key is not None}
