"""Puts what was read together into a plan, ready to be measured."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from holodeck_eval.assemble.inputs import Findings, Inputs, read_inputs
from holodeck_eval.assemble.judging import JudgesWhenNeeded
from holodeck_eval.assemble.rules import every_metric, settle, tools_overridden, unknown_overrides
from holodeck_eval.assemble.sharding import part_of, split
from holodeck_eval.assemble.steps import offer_steps
from holodeck_eval.assemble.wiring import build, describe, judged_by, keys_of
from holodeck_eval.cases import Linked, link
from holodeck_eval.domain.agent import Agent, MetricSpec
from holodeck_eval.domain.baseline import Baseline
from holodeck_eval.domain.case import Case
from holodeck_eval.domain.options import Environment, Options
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.run import AgentRun, FileRead
from holodeck_eval.errors import InputError, Problem
from holodeck_eval.evaluators import Toolbox
from holodeck_eval.judges.trust import check_trusted
from holodeck_eval.pipeline import Evaluators
from holodeck_eval.transcripts import Reading
from holodeck_eval.verdicts import VerdictFile

NO_METRICS = (
    "there is nothing to measure: no enabled metric, and no expected tools, apply to what was recorded. Add "
    "metrics under evaluations, there or in a policy file, or see that transcripts match test cases"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything of a run but the measuring.

    Attributes:
        cases: those that are judged.
        every_case: those of the whole run, of which `cases` is the part that `--shard` names.
        baseline: the run that was asked to be compared with, with the cases of this part alone.
        secrets: the keys its judges were given.
    """

    agents: tuple[AgentRun, ...]
    cases: tuple[Case, ...]
    every_case: tuple[Case, ...]
    baseline: Baseline | None
    evaluators: Evaluators
    policy: Policy
    files: tuple[FileRead, ...]
    warnings: tuple[str, ...]
    store: VerdictFile
    pool: JudgesWhenNeeded
    secrets: frozenset[str]


def assemble(options: Options, environment: Environment, *, now: Callable[[], str]) -> Plan:
    """Read the configuration, the transcripts and the recorded verdicts of a run.

    Args:
        options: what was asked for.
        environment: the process's environment, read once.
        now: the time to date new verdicts with, ISO 8601.

    Raises:
        InputError: with everything that is wrong, in all files.
    """
    findings = Findings()
    inputs = read_inputs(options, environment, findings, now)
    findings.problems.extend(check_trusted(options.trusted_endpoint))
    findings.problems.extend(unknown_overrides(inputs.policy_file, inputs.agents))
    enabled = [metric for agent in inputs.agents for metric in every_metric(agent) if metric.enabled]
    settled, problems = judged_by(enabled, environment, options.trusted_endpoint)
    findings.problems.extend(problems)
    findings.stop_if_any()
    linked = findings.attempt(partial(_link, options, inputs))
    if linked is None or inputs.store is None:
        raise InputError(*findings.problems)
    return _plan(options, inputs, linked, settled, inputs.store)


def _link(options: Options, inputs: Inputs) -> Linked:
    transcripts = [
        (agent, transcript) for agent, reading in inputs.readings for transcript in reading.transcripts
    ]
    if not transcripts:
        raise InputError(Problem(message="there are no transcripts: the files that were read hold no record"))
    linked = link(
        inputs.agents,
        [transcript for _, transcript in transcripts],
        assigned={number: agent for number, (agent, _) in enumerate(transcripts) if agent is not None},
        by_position=options.link_by_position,
        context_from_tools=inputs.policy_file.context_from_tools if inputs.policy_file else (),
    )
    linked = replace(linked, cases=tools_overridden(linked.cases, inputs.policy_file))
    _refuse_unmeasured(inputs, linked)
    return linked


def _refuse_unmeasured(inputs: Inputs, linked: Linked) -> None:
    """Each agent must have something to measure, or its passing would mean nothing."""
    measured = {case.agent for case in linked.cases if any(turn.metrics for turn in case.turns)}
    recorded = {case.agent for case in linked.cases if case.turns}
    problems = [
        Problem(message=NO_METRICS, place=agent.place)
        for agent in inputs.agents
        if agent.name in recorded - measured
    ]
    if problems:
        raise InputError(*problems)


def _plan(
    options: Options,
    inputs: Inputs,
    linked: Linked,
    settled: Mapping[MetricSpec, MetricSpec],
    store: VerdictFile,
) -> Plan:
    policy, warnings = _policy(options, inputs)
    pool = JudgesWhenNeeded(options)
    used = {metric: settled.get(metric, metric) for metric in _used(linked.cases)}
    if inputs.baseline is not None and inputs.baseline.run is not None:
        offer_steps(inputs.baseline.run, used.values(), store)
    return Plan(
        agents=tuple(_agent_run(agent, linked) for agent in inputs.agents),
        cases=split(linked.cases, options.shard)[0] if options.shard else linked.cases,
        every_case=linked.cases,
        baseline=_part(inputs.baseline, options.shard),
        evaluators=build(used, Toolbox(pool=pool, store=store, offline=options.offline)),
        policy=policy,
        files=tuple(_file_read(reading) for _, reading in inputs.readings),
        warnings=(*warnings, *_warnings(inputs, linked)),
        store=store,
        pool=pool,
        secrets=frozenset(keys_of(metric.judge for metric in used.values() if metric.judge)),
    )


def _policy(options: Options, inputs: Inputs) -> tuple[Policy, tuple[str, ...]]:
    """The policy. Where a missing baseline is let through, the absolute rules hold, as without one."""
    baseline = inputs.baseline
    settled = settle(options, inputs.policy_file, inputs.checkout, baseline=baseline is not None)
    missing = baseline is not None and baseline.problem is not None and baseline.problem.cause == "missing"
    if missing and settled[0].on_missing_baseline == "report":
        return settle(options, inputs.policy_file, inputs.checkout)
    return settled


def _part(baseline: Baseline | None, shard: tuple[int, int] | None) -> Baseline | None:
    if baseline is None or baseline.run is None or shard is None:
        return baseline
    return replace(baseline, run=part_of(baseline.run, shard))


def _used(cases: tuple[Case, ...]) -> list[MetricSpec]:
    return list(dict.fromkeys(metric for case in cases for turn in case.turns for metric in turn.metrics))


def _agent_run(agent: Agent, linked: Linked) -> AgentRun:
    cases = [case for case in linked.cases if case.agent == agent.name]
    return AgentRun(
        name=agent.name,
        file=agent.place.file,
        metrics=describe(agent, _used(tuple(cases))),
        test_cases=len(agent.test_cases),
        transcripts=sum(case.transcript is not None for case in cases),
        missing=sum(case.transcript is None for case in cases),
    )


def _file_read(reading: Reading) -> FileRead:
    return FileRead(file=reading.file, format=reading.format, records=len(reading.transcripts))


def _warnings(inputs: Inputs, linked: Linked) -> list[str]:
    agents = [warning for agent in inputs.agents for warning in agent.warnings]
    readings = [warning for _, reading in inputs.readings for warning in reading.warnings]
    policy = inputs.policy_file.warnings if inputs.policy_file else ()
    baseline = inputs.baseline.warnings if inputs.baseline else ()
    return [*policy, *agents, *readings, *linked.warnings, *baseline]
