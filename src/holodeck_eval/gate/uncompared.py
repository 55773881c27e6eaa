"""Where a comparison with a baseline leaves open whether the agent got worse: that is never a pass."""

from collections.abc import Iterator, Sequence
from typing import Final

from holodeck_eval.domain.comparison import (
    AVERAGE,
    BaselineCause,
    BaselineProblem,
    CaseChange,
    Comparison,
    Rejudged,
)
from holodeck_eval.domain.outcome import Skipped
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import CaseResult, MetricResult
from holodeck_eval.domain.text import log_line
from holodeck_eval.domain.verdict import Cause
from holodeck_eval.domain.wording import cases_named, listed, quoted

_NO_PAIR: Final = "no case has such a score on both sides"

_REMEDY: Final[dict[BaselineCause, str]] = {
    "missing": "restore it before this run, or let a repository's first run through with "
    "on_missing_baseline: report",
    "unreadable": "make it again by a run of the base branch",
    "not_judged": "keep the reports of runs that passed or failed alone",
    "other_agent": "bridge a rename with rename_agent OLD=NEW, else take a report on this agent",
    "duplicate_cases": "give each case an id of its own and make the baseline again",
    "no_overlap": "make a baseline with these ids and expectations",
}
"""What to do about a baseline that cannot be used."""

_WHY: Final = 200
"""Characters of a reason that a sentence quotes."""

_MEASURE_ALIKE: Final = "make a baseline that measures it as this run does (docs/gate.md, Not comparable)"

_PASSED_OVER: Final = frozenset({"missing_input", "not_applicable"})
"""Causes for which a metric is not measured, where the policy lets it go."""


def uncompared(
    comparison: Comparison, cases: Sequence[CaseResult], policy: Policy, *, partial: bool
) -> Iterator[Cause]:
    """A cause for each thing that was to be compared and could not be.

    Args:
        comparison: what came of comparing.
        cases: every result of the run.
        policy: says whether a baseline may be missing.
        partial: whether this is a part of a run. Whether metrics and agents have pairs is then left to the
            merging.
    """
    if comparison.problem:
        yield from _unusable(comparison.problem, policy, partial=partial)
        return
    yield from _undecided(comparison.undecided)
    yield from _unsettled(comparison, cases)
    if not partial:
        yield from _blind(comparison)
        yield from _metrics(comparison, cases)
        yield from _agents(comparison)


def is_let_go(problem: BaselineProblem, policy: Policy) -> bool:
    """Whether the run may go on without its baseline, on the absolute rules."""
    return problem.cause == "missing" and policy.on_missing_baseline == "report"


def _unusable(problem: BaselineProblem, policy: Policy, *, partial: bool) -> Iterator[Cause]:
    if is_let_go(problem, policy) or (partial and problem.cause == "no_overlap"):
        return
    message = f"nothing was compared: {log_line(problem.message)}; {_REMEDY[problem.cause]}"
    yield Cause(status="inconclusive", code=f"baseline_{problem.cause}", message=message)


def _undecided(undecided: Sequence[CaseChange]) -> Iterator[Cause]:
    ids = tuple(case.case for case in undecided)
    if ids:
        message = (
            "failing now by a metric for which the baseline has no score, so that nobody knows whether "
            f"that is worse: {cases_named(ids)}; run the baseline again"
        )
        yield Cause(status="inconclusive", code="undecided_cases", message=message, cases=ids)


def _unsettled(comparison: Comparison, cases: Sequence[CaseResult]) -> Iterator[Cause]:
    """A cause for what fails now and could not be judged again: a judge that is down clears nobody."""
    proven = {(flip.agent, flip.case, flip.turn, flip.metric) for flip in comparison.flips if flip.proven}
    failing = {
        (case.agent, case.id, turn.index, metric.name)
        for case in cases
        for turn in case.turns
        for metric in turn.metrics
        if metric.passed is False
    }
    looks = _not_again(comparison)
    left = [one for look, one in looks.items() if look in failing - proven]
    ids = tuple(dict.fromkeys(one.case for one in left))
    if ids:
        message = (
            f"failing now, and not judged again as often as it takes to tell: {cases_named(ids)} "
            f"(first: {log_line(left[0].why_not, _WHY)}); run again when the judge can be asked"
        )
        yield Cause(status="inconclusive", code="undecided_cases", message=message, cases=ids)


def _not_again(comparison: Comparison) -> dict[tuple[str, str, int, str], Rejudged]:
    return {
        (one.agent, one.case, one.turn, one.result.name): one for one in comparison.rejudged if one.why_not
    }


def _blind(comparison: Comparison) -> Iterator[Cause]:
    """A cause where no rule could have seen a fall that is there.

    With a few cases not even a fall of all of them is significant, and what a coarse judge said once proves
    no single one. Each rule may pass over what the other would show; both together may not.
    """
    seeing = {row.agent for row in comparison.metrics if row.smallest_drop is not None}
    told = _not_again(comparison)
    flips = [
        flip
        for flip in comparison.flips
        if flip.too_coarse
        and flip.agent not in seeing
        and (flip.agent, flip.case, flip.turn, flip.metric) not in told
    ]
    ids = tuple(dict.fromkeys(flip.case for flip in flips))
    if ids:
        message = (
            "newly failing by more than noise explains, with too few cases for a mean to show it and too few "
            f"judgements of each to prove it: {cases_named(ids)}; compare with a report folder that has "
            "cases.jsonl, so that both sides are judged again"
        )
        yield Cause(status="inconclusive", code="undecided_cases", message=message, cases=ids)


def _metrics(comparison: Comparison, cases: Sequence[CaseResult]) -> Iterator[Cause]:
    """A cause for each reason why some metrics of an agent have no verdict."""
    let_go = _let_go(comparison, cases)
    reasons: dict[tuple[str, str], list[str]] = {}
    for row in comparison.metrics:
        has_no_pair = not row.pairs and (row.agent, row.name) not in let_go
        if row.verdict == "not_comparable" or has_no_pair:
            reasons.setdefault((row.agent, row.why or _NO_PAIR), []).append(row.name)
    for (agent, why), names in reasons.items():
        follows = names == [AVERAGE] and sum(of == agent for of, _ in reasons) > 1
        if not follows:
            message = f"{listed(names)} of the agent {quoted(agent)} cannot be compared: {log_line(why)}"
            message += "" if why == _NO_PAIR else f"; {_MEASURE_ALIKE}"
            yield Cause(status="inconclusive", code="not_comparable", message=message)


def _let_go(comparison: Comparison, cases: Sequence[CaseResult]) -> set[tuple[str, str]]:
    """The metrics, by agent and name, that need no pair: other rules decide on them.

    One that is new has nothing to be compared with. Whether one may be gone, or be passed over wherever it
    applied, is for the rules on changes of the gate and on missing inputs to say.
    """
    alone = {(case.agent, case.case) for case in (*comparison.new, *comparison.changed)}
    measured: dict[tuple[str, str], bool] = {}
    for case in cases:
        for turn in case.turns if (case.agent, case.id) not in alone else ():
            for metric in turn.metrics:
                key = case.agent, metric.name
                measured[key] = measured.get(key, False) or not _is_passed_over(metric)
    changed = {
        (change.agent, change.metric)
        for change in comparison.gate_changes
        if change.code in {"metric_added", "metric_removed"}
    }
    return changed | {key for key, counts in measured.items() if not counts}


def _is_passed_over(metric: MetricResult) -> bool:
    outcome = metric.outcome
    return isinstance(outcome, Skipped) and outcome.cause in _PASSED_OVER and not metric.blocks


def _agents(comparison: Comparison) -> Iterator[Cause]:
    """A cause for each agent that is in both runs without one case in common, and where nothing is at all."""
    compared = {row.agent for row in comparison.metrics}
    now = {case.agent for case in (*comparison.changed, *comparison.new)}
    before = dict.fromkeys(case.agent for case in (*comparison.changed, *comparison.vanished))
    for agent in before:
        if agent in now and agent not in compared:
            message = f"no case of the agent {quoted(agent)} is in the baseline with the same expectations"
            yield Cause(status="inconclusive", code="not_comparable", message=message)
    if not compared:
        message = "nothing was compared with the baseline"
        yield Cause(status="inconclusive", code="not_comparable", message=message)
