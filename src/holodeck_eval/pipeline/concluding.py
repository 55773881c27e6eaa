"""What a run adds up to: its cases, its numbers, how it compares, and the verdict. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from holodeck_eval.aggregate import aggregate_case, summarize
from holodeck_eval.domain.baseline import Baseline
from holodeck_eval.domain.case import Case
from holodeck_eval.domain.comparison import BaselineProblem, Comparison, Rejudged
from holodeck_eval.domain.policy import ComparisonPolicy, Policy
from holodeck_eval.domain.result import CaseResult, Measurement, Summary, WaivedCase
from holodeck_eval.domain.run import SCHEMA_VERSION, AgentRun, Run
from holodeck_eval.domain.verdict import EXIT_CODES, Verdict
from holodeck_eval.gate import decide

NO_RUN: Final = BaselineProblem(cause="unreadable", message="the baseline holds no run")


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """What the cases of a run add up to. `comparison` is None where no baseline was asked for."""

    cases: tuple[CaseResult, ...]
    waived_cases: tuple[WaivedCase, ...]
    summary: Summary
    verdict: Verdict
    comparison: Comparison | None = None


def conclude(
    cases: Sequence[Case],
    measurements: Sequence[Measurement],
    policy: Policy,
    agents: Sequence[AgentRun],
    *,
    baseline: Baseline | None = None,
    rejudged: Sequence[Rejudged] = (),
    repeats: int = 1,
    partial: bool = False,
) -> Conclusion:
    """Aggregate the measurements, compare them with the baseline, and decide.

    Args:
        cases: all of the run.
        measurements: what was measured of them.
        policy: what the run must reach.
        agents: the run's agents as they were configured.
        baseline: the run that was asked to be compared with; None for none.
        rejudged: the baseline's results that were judged again in this run.
        repeats: judgements everything rests on, before anything was judged again.
        partial: whether this is one part of a run that was split.
    """
    head = provisional_run(cases, measurements, policy, agents, repeats=repeats)
    comparison = compared(head, baseline, rejudged) if baseline else None
    return Conclusion(
        cases=head.cases,
        waived_cases=head.waived_cases,
        summary=head.summary,
        verdict=decide(head.summary, head.cases, policy, agents, comparison, partial=partial),
        comparison=comparison,
    )


def provisional_run(
    cases: Sequence[Case],
    measurements: Sequence[Measurement],
    policy: Policy,
    agents: Sequence[AgentRun],
    *,
    repeats: int,
) -> Run:
    """The run as far as a comparison needs it: without a verdict, which rests on the comparison."""
    by_case: dict[tuple[str, str], list[Measurement]] = {(case.agent, case.id): [] for case in cases}
    for measurement in measurements:
        by_case[measurement.agent, measurement.case_id].append(measurement)
    results = [aggregate_case(case, by_case[case.agent, case.id], policy) for case in cases]
    judged = tuple(result for result in results if isinstance(result, CaseResult))
    return Run(
        schema_version=SCHEMA_VERSION,
        tool_version="",
        started_at="",
        duration_s=0.0,
        verdict=Verdict(status="inconclusive", causes=(), exit_code=EXIT_CODES["inconclusive"]),
        policy=policy,
        summary=summarize(judged),
        agents=tuple(agents),
        cases=judged,
        waived_cases=tuple(result for result in results if isinstance(result, WaivedCase)),
        repeats=repeats,
    )


def compared(
    head: Run, baseline: Baseline, rejudged: Sequence[Rejudged] = (), policy: ComparisonPolicy | None = None
) -> Comparison:
    """A run against what was asked for as its baseline; where that is none, why.

    Args:
        head: the run.
        baseline: what it is compared with.
        rejudged: the baseline's results that were judged again since; told in an order of their own.
        policy: when a difference counts; None is as the run's own policy has it.
    """
    if baseline.problem is not None or baseline.run is None:
        return Comparison(baseline=baseline.info, problem=baseline.problem or NO_RUN)
    from holodeck_eval.compare import compare, with_replies  # noqa: PLC0415 - a run without a baseline needs none

    again = tuple(sorted(rejudged, key=lambda one: (one.agent, one.case, one.turn, one.result.name)))
    made = compare(with_replies(baseline.run, again), head, policy or head.policy.comparison)
    return replace(made, baseline=baseline.info, rejudged=again)
