"""Why cases stay open: one cause a kind of reason, with what to do about it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from holodeck_eval.aggregate.metrics import part_blocks
from holodeck_eval.domain.outcome import Errored, Part, Skipped
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import CaseResult, MetricResult, Summary
from holodeck_eval.domain.text import log_line
from holodeck_eval.domain.verdict import Cause

WHY: Final[dict[str, str]] = {
    "judge_unavailable": "the judge could not be reached; see that it runs and that its endpoint is right",
    "rate_limited": "the judge kept refusing for too many requests; lower max_concurrency or run again later",
    "timeout": "the judge did not answer in time; raise timeout or run again",
    "auth": "the judge refused the key; check which key the workflow passes, and what it may do",
    "no_key": "no key for the judge is set; pass it in the environment",
    "invalid_reply": "the judge's replies could not be used; take a judge that keeps to its format",
    "context_too_long": "the texts are too long for the judge; take a judge with a larger context",
    "refused_request": "the judge refused the request; see what it said and change its configuration",
    "internal": "the evaluation broke; please report it",
    "missing_input": "an input was not recorded; record it, or allow its lack with on_missing_input: skip",
    "offline": "no verdict is recorded, and offline forbids asking; run once with a judge and --verdicts",
    "unlabelled": "the person who judges has not yet; write the open lines with label and fill them in",
    "deadline": "the deadline was reached; raise it, or keep verdicts so that the next run goes on from here",
    "budget": "the budget is used up; raise it, or keep verdicts so that the next run goes on from here",
    "stopped": "an earlier error stopped the case, as fail_on_error asks; deal with that error first",
    "unrated": "the metric was scored but not rated; please report it",
    "case_not_scored": "nothing in the case was scored; give it a metric that applies to what was recorded",
}
"""What each kind of open evaluation means and what to do, in the order in which causes are listed."""

EXAMPLE: Final = 300
"""Characters of a judge's reason, or of another text that was not written here, that a cause quotes."""


@dataclass(slots=True, kw_only=True)
class _Found:
    """The cases of one kind, and the first sentence about it."""

    example: str
    cases: dict[tuple[str, str], None] = field(default_factory=dict)


def open_cases(
    summary: Summary, cases: Sequence[CaseResult], policy: Policy, *, partial: bool
) -> Iterator[Cause]:
    """A cause for each kind of reason for which cases stay open and the policy does not let them.

    A guardrail metric that was not measured counts in every case, in failed and tolerated ones too. Whether
    a part of a run has too many errors is for the whole to say.
    """
    bearable = _bears_errors(summary, policy, partial=partial)
    found: dict[str, _Found] = {}
    for case in cases:
        counts = case.status == "inconclusive" and not (bearable and _is_tolerated(case, policy))
        for kind, example in _kinds(case, policy, guardrails_alone=not counts):
            found.setdefault(kind, _Found(example=example)).cases[case.agent, case.id] = None
    for kind in sorted(found, key=list(WHY).index):
        yield _cause(kind, found[kind])


def blocking_kinds(metric: MetricResult, policy: Policy) -> list[tuple[str, str]]:
    """Why a metric leaves its case open, as kind and sentence; none where it does not."""
    outcome = metric.outcome
    if not metric.blocks:
        return []
    if isinstance(outcome, Errored):
        return [(outcome.kind, f"{metric.name}: {outcome.message}")]
    if isinstance(outcome, Skipped):
        return [(outcome.cause, f"{metric.name}: {outcome.reason}")]
    parts = [part for part in outcome.parts if part_blocks(part, policy)]
    kinds = [(_kind(part), f"{metric.name}.{part.name}: {part.explanation}") for part in parts]
    return kinds or [("unrated", metric.name)]


def _kind(part: Part) -> str:
    if part.cause in WHY:
        return part.cause
    return "internal" if part.status == "errored" else "unrated"


def _bears_errors(summary: Summary, policy: Policy, *, partial: bool) -> bool:
    """Whether the run has no more errors than the policy allows, and the policy allows some."""
    if not policy.max_error_rate or partial:
        return partial and policy.max_error_rate > 0
    return summary.error_rate is not None and summary.error_rate <= policy.max_error_rate


def _is_tolerated(case: CaseResult, policy: Policy) -> bool:
    """Whether errors alone keep a case open."""
    blocking = [metric for turn in case.turns for metric in turn.metrics if metric.blocks]
    return bool(blocking) and all(_only_errors(metric, policy) for metric in blocking)


def _only_errors(metric: MetricResult, policy: Policy) -> bool:
    if isinstance(metric.outcome, Skipped):
        return False
    parts = [part for part in metric.outcome.parts if part_blocks(part, policy)]
    errored = isinstance(metric.outcome, Errored) or bool(parts)
    return errored and all(part.status == "errored" for part in parts)


def _kinds(case: CaseResult, policy: Policy, *, guardrails_alone: bool) -> Iterator[tuple[str, str]]:
    metrics = [metric for turn in case.turns for metric in turn.metrics]
    nothing = True
    for metric in metrics:
        if metric.guardrail or not guardrails_alone:
            for kind in blocking_kinds(metric, policy):
                nothing = False
                yield kind
    if nothing and not guardrails_alone:
        yield "case_not_scored", case.reasons[0] if case.reasons else "nothing was scored"


def _cause(kind: str, found: _Found) -> Cause:
    number = len(found.cases)
    cases = "1 case is" if number == 1 else f"{number} cases are"
    message = f"{cases} open: {WHY[kind]} (first: {log_line(found.example, EXAMPLE)})"
    return Cause(
        status="inconclusive", code=kind, message=message, cases=tuple(case for _, case in found.cases)
    )
