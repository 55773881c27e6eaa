"""The numbers behind a verdict, each as a few words."""

from collections.abc import Collection
from typing import Final

from holodeck_eval.domain.comparison import Comparison
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.run import Run
from holodeck_eval.reports._against import blind, counts, newly_passing, no_worse
from holodeck_eval.reports._markdown import num, pct
from holodeck_eval.reports._text import cut
from holodeck_eval.reports._words import cases

TOLD: Final = 300
"""Characters of a baseline's problem that are told in a line."""


def compared(run: Run) -> Comparison | None:
    """The comparison with the baseline, where there is one that could be made."""
    comparison = run.comparison
    return None if comparison is None or comparison.problem else comparison


def loosenings(run: Run) -> int:
    """How many changes of the gate let more through than the baseline's."""
    comparison = compared(run)
    return sum(change.loosens for change in comparison.gate_changes) if comparison else 0


def rate(run: Run) -> str:
    """The pass rate, and what it must reach where it must reach anything."""
    needed = run.policy.min_pass_rate
    if needed is None and _stands_alone(run):
        needed = Policy().min_pass_rate
    if needed is None:
        return f"pass rate {pct(run.summary.pass_rate)}"
    return f"pass rate {pct(run.summary.pass_rate, needed)} (needs {pct(needed)})"


def _stands_alone(run: Run) -> bool:
    """Whether there is no baseline and none is missed: then the gate goes by the default pass rate."""
    return compared(run) is None and not blames_baseline(run)


def unusable(run: Run) -> str:
    """Why there is no comparison although one was asked for; "" where there is one, or none was asked for."""
    problem = run.comparison.problem if run.comparison else None
    if problem is None:
        return ""
    if problem.cause == "missing" and not blames_baseline(run):
        return "no baseline yet: judged by the absolute rules alone"
    return f"the baseline could not be used: {cut(problem.message, TOLD).rstrip('.')}"


def blames_baseline(run: Run) -> bool:
    """Whether the verdict holds an unusable baseline against the run."""
    return any(cause.code.startswith("baseline_") for cause in run.verdict.causes)


def numbers(run: Run, told: Collection[str] = ()) -> tuple[str, ...]:
    """What the second line tells: of the comparison what the first has not `told`, then means and counts."""
    comparison = compared(run)
    judged = " of those judged" if run.verdict.status == "inconclusive" and comparison is None else ""
    found = (
        *(_compared(run, comparison) if comparison else (unusable(run),)),
        "" if _is_told(rate(run), told) or run.summary.pass_rate is None else f"{rate(run)}{judged}",
        *_means(run),
        *_counts(run, comparison),
    )
    return tuple(number for number in found if number and number not in told)


def _is_told(fact: str, clauses: Collection[str]) -> bool:
    return any(fact in clause for clause in clauses)


def _compared(run: Run, comparison: Comparison) -> tuple[str, ...]:
    return (
        no_worse(comparison),
        blind(run, comparison),
        newly_passing(comparison),
        *counts(comparison),
    )


def _means(run: Run) -> tuple[str, ...]:
    summary, policy = run.summary, run.policy
    means = (
        ("average score", summary.avg_score, policy.min_avg_score),
        ("rating score", summary.score, policy.min_score),
        ("share rated good", summary.binary_score, policy.min_binary_score),
    )
    needed = [
        f"{name} {num(value, least)} (needs {num(least)})"
        for name, value, least in means
        if least is not None
    ]
    if policy.min_avg_score is None and summary.avg_score is not None:
        needed.append(f"average score {num(summary.avg_score)}")
    return tuple(needed)


def _counts(run: Run, comparison: Comparison | None) -> tuple[str, ...]:
    summary, status = run.summary, run.verdict.status
    unjudged = summary.inconclusive if status != "inconclusive" else 0
    failed = summary.failed if status != "failed" and comparison is None else 0
    return (
        f"{unjudged:,} could not be judged" if unjudged else "",
        f"{failed:,} failed" if failed else "",
        f"{cases(len(run.waived_cases))} waived" if run.waived_cases else "",
        f"part {run.shard.index} of {run.shard.count} of a run" if run.shard else "",
    )
