"""The gate: a run's numbers and cases against the policy, and what that means for the exit code. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from holodeck_eval.aggregate.metrics import status_of
from holodeck_eval.domain.comparison import Comparison
from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import CaseResult, MetricResult, Summary
from holodeck_eval.domain.run import AgentRun
from holodeck_eval.domain.verdict import EXIT_CODES, Cause, Status, Verdict
from holodeck_eval.errors import Problem
from holodeck_eval.gate.measured import unmeasured
from holodeck_eval.gate.open_cases import open_cases
from holodeck_eval.gate.regression import regressions
from holodeck_eval.gate.rules import broken_rules, guardrails
from holodeck_eval.gate.staleness import stale_transcripts
from holodeck_eval.gate.uncompared import is_let_go, uncompared

__all__ = ["could_not_run", "decide"]


def decide(
    summary: Summary,
    cases: Sequence[CaseResult],
    policy: Policy,
    agents: Sequence[AgentRun],
    comparison: Comparison | None = None,
    *,
    partial: bool = False,
) -> Verdict:
    """The verdict on a run. Failed wins over inconclusive; causes come worst first.

    An inconclusive run is let through by `on_inconclusive` only where something was measured of each agent.
    Where part of the comparison could not be made, no case may have failed either, unless a pass rate is
    required: nothing else would hold it.

    Args:
        summary: the run's numbers, those of `cases`.
        cases: every result of the run; waived cases are none.
        policy: what the run must reach.
        agents: the run's agents. One without a case was not measured.
        comparison: what came of the baseline that was asked for; None where none was.
        partial: whether the cases are one part of several. What only the whole can tell is left to the
            merging: rates and means, what was not measured anywhere, what is gone.
    """
    policy = _absolute(policy) if _stands_alone(comparison, policy) else policy
    worse = regressions(comparison, policy, partial=partial) if comparison else ()
    unknown = tuple(uncompared(comparison, cases, policy, partial=partial)) if comparison else ()
    causes = (
        *guardrails(cases),
        *worse,
        *unknown,
        *stale_transcripts(cases, policy),
        *open_cases(summary, cases, policy, partial=partial),
        *(() if partial else unmeasured(summary, cases, policy, agents)),
        *broken_rules(summary, cases, policy, partial=partial),
    )
    failed = tuple(cause for cause in causes if cause.status == "failed")
    inconclusive = tuple(cause for cause in causes if cause.status != "failed")
    status: Status = "failed" if failed else "inconclusive" if inconclusive else "passed"
    measured = _is_measured(cases, () if partial else agents)
    held = not unknown or not summary.failed or policy.min_pass_rate is not None
    waived = status == "inconclusive" and policy.on_inconclusive == "pass" and measured and held
    return Verdict(
        status=status,
        causes=(*failed, *inconclusive),
        exit_code=0 if waived else EXIT_CODES[status],
        waived=waived,
    )


def _stands_alone(comparison: Comparison | None, policy: Policy) -> bool:
    """Whether the run is held against the absolute rules alone."""
    problem = comparison.problem if comparison else None
    return comparison is None or (problem is not None and is_let_go(problem, policy))


def _absolute(policy: Policy) -> Policy:
    """The policy with a pass rate: with that off and no baseline, nothing would hold the cases that fail."""
    return (
        policy if policy.min_pass_rate is not None else replace(policy, min_pass_rate=Policy().min_pass_rate)
    )


def _is_measured(cases: Sequence[CaseResult], agents: Sequence[AgentRun]) -> bool:
    """Whether something was measured, and something of each of these agents: one says nothing of another."""
    measured = {case.agent for case in cases if any(map(_measures, _metrics(case)))}
    return bool(measured) and all(agent.name in measured for agent in agents)


def _metrics(case: CaseResult) -> Iterator[MetricResult]:
    return (metric for turn in case.turns for metric in turn.metrics)


def _measures(metric: MetricResult) -> bool:
    outcome = metric.outcome
    return isinstance(outcome, Scored) and outcome.asserts and status_of(outcome) == "scored"


def could_not_run(status: Literal["error", "bug"], problems: Sequence[Problem]) -> Verdict:
    """The verdict on a run that could not be made.

    Args:
        status: `error` for what was given, `bug` for a fault of this program.
        problems: why, each becomes a cause.
    """
    code = "bad_input" if status == "error" else "internal_error"
    causes = [
        Cause(status=status, code=code, message=problem.message, place=problem.place) for problem in problems
    ]
    if not causes:
        causes = [
            Cause(status=status, code=code, message="the run could not be made, and no reason was given")
        ]
    return Verdict(status=status, causes=tuple(causes), exit_code=EXIT_CODES[status])
