"""The gate: a run's numbers and cases against the policy, and what that means for the exit code. Pure."""

from collections.abc import Iterator, Sequence
from typing import Literal

from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import CaseResult, MetricResult, Summary
from holodeck_eval.domain.run import AgentRun
from holodeck_eval.domain.verdict import EXIT_CODES, Cause, Status, Verdict
from holodeck_eval.errors import Problem
from holodeck_eval.gate.measured import unmeasured
from holodeck_eval.gate.open_cases import open_cases
from holodeck_eval.gate.rules import broken_rules

__all__ = ["could_not_run", "decide"]


def decide(
    summary: Summary, cases: Sequence[CaseResult], policy: Policy, agents: Sequence[AgentRun]
) -> Verdict:
    """The verdict on a run. Failed wins over inconclusive; causes come worst first.

    Args:
        summary: the run's numbers, those of `cases`.
        cases: every result of the run; waived cases are none.
        policy: what the run must reach.
        agents: the run's agents. One without a case was not measured.
    """
    causes = (
        *open_cases(summary, cases, policy),
        *unmeasured(summary, cases, policy, agents),
        *broken_rules(summary, cases, policy),
    )
    failed = tuple(cause for cause in causes if cause.status == "failed")
    inconclusive = tuple(cause for cause in causes if cause.status != "failed")
    status: Status = "failed" if failed else "inconclusive" if inconclusive else "passed"
    measured = any(_measures(metric) for metric in _metrics(cases))
    waived = status == "inconclusive" and policy.on_inconclusive == "pass" and measured
    return Verdict(
        status=status,
        causes=(*failed, *inconclusive),
        exit_code=0 if waived else EXIT_CODES[status],
        waived=waived,
    )


def _metrics(cases: Sequence[CaseResult]) -> Iterator[MetricResult]:
    return (metric for case in cases for turn in case.turns for metric in turn.metrics)


def _measures(metric: MetricResult) -> bool:
    return isinstance(metric.outcome, Scored) and metric.outcome.asserts


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
