"""The rules that need no baseline: numbers against what the policy requires, and guardrails."""

from collections.abc import Iterator, Sequence
from operator import attrgetter

from holodeck_eval.aggregate.numbers import PLACES
from holodeck_eval.domain.outcome import Errored
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import CaseResult, Summary
from holodeck_eval.domain.text import log_line
from holodeck_eval.domain.verdict import Cause
from holodeck_eval.domain.wording import cases_named, counted, quoted
from holodeck_eval.gate.open_cases import EXAMPLE

_AVERAGE = attrgetter("avg_score")
_SCORE = attrgetter("score")
_BINARY = attrgetter("binary_score")


def broken_rules(
    summary: Summary, cases: Sequence[CaseResult], policy: Policy, *, partial: bool
) -> Iterator[Cause]:
    """A cause for each rule that is broken, or that cannot be held against anything.

    Of a part of a run only what the whole cannot make good: a failed case where all must pass, and a
    transcript that is missing.
    """
    failed = tuple(case.id for case in cases if case.status == "failed")
    needed = policy.min_pass_rate
    if needed is None:
        yield from _missing(cases)
    elif not partial or (failed and needed >= 1):
        yield from _least("pass_rate", "the pass rate", summary.pass_rate, needed, failed)
    if not partial:
        yield from _of_the_whole(summary, cases, policy)


def _of_the_whole(summary: Summary, cases: Sequence[CaseResult], policy: Policy) -> Iterator[Cause]:
    for code, what, number, least, numbers in (
        ("min_avg_score", "the average score", summary.avg_score, policy.min_avg_score, _AVERAGE),
        ("min_score", "the mean rating score", summary.score, policy.min_score, _SCORE),
        ("min_binary_score", "the share rated good", summary.binary_score, policy.min_binary_score, _BINARY),
    ):
        below = tuple(case.id for case in cases if _is_under(numbers(case), least))
        yield from _least(code, what, number, least, below)
    yield from _cases(summary, policy)
    yield from _errors(summary, cases, policy)


def _least(
    code: str, what: str, number: float | None, least: float | None, cases: tuple[str, ...]
) -> Iterator[Cause]:
    if least is None:
        return
    if number is None:
        message = f"{what} is unknown, because no case gives one; at least {least:g} is required"
        yield Cause(status="inconclusive", code=code, message=message)
    elif not round(number, PLACES) >= least:
        message = f"{what} is {_shown(number, least)}, under the required {least:g}"
        yield Cause(status="failed", code=code, message=message, cases=cases)


def _shown(number: float, least: float) -> str:
    """Two decimals, or as many as it takes to see that the number is not the required one."""
    shown = f"{number:.2f}"
    return shown if float(shown) < least else f"{number:.{PLACES}f}"


def _is_under(number: float | None, least: float | None) -> bool:
    return number is not None and least is not None and number < least


def _missing(cases: Sequence[CaseResult]) -> Iterator[Cause]:
    """Where no pass rate is required, a test case that was not recorded would be missed by no other rule."""
    ids = tuple(case.id for case in cases if case.transcript is None and not case.turns)
    if ids:
        message = f"no transcript was recorded for {cases_named(ids)}"
        yield Cause(status="failed", code="missing_transcripts", message=message, cases=ids)


def guardrails(cases: Sequence[CaseResult]) -> Iterator[Cause]:
    """One cause a guardrail metric: it may not fail anywhere, whatever the pass rate allows."""
    broken: dict[str, dict[tuple[str, str], None]] = {}
    for case in cases:
        for turn in case.turns:
            for metric in turn.metrics:
                if metric.guardrail and metric.passed is False:
                    broken.setdefault(metric.name, {})[case.agent, case.id] = None
    for name, ids in broken.items():
        message = (
            f"the guardrail {quoted(name)} failed in {counted(len(ids))}; a guardrail may not fail in any"
        )
        yield Cause(status="failed", code="guardrail", message=message, cases=tuple(case for _, case in ids))


def _cases(summary: Summary, policy: Policy) -> Iterator[Cause]:
    if summary.cases < policy.min_cases:
        message = f"there are too few cases: {summary.cases}, and at least {policy.min_cases} are required"
        yield Cause(status="failed", code="too_few_cases", message=message)


def _errors(summary: Summary, cases: Sequence[CaseResult], policy: Policy) -> Iterator[Cause]:
    rate, most = summary.error_rate, policy.max_error_rate
    if rate is not None and not round(rate, PLACES) <= most:
        tried = summary.evaluations_errored + summary.evaluations_scored
        shown = f"{rate:.2f}" if float(f"{rate:.2f}") > most else f"{rate:.{PLACES}f}"
        message = (
            f"{summary.evaluations_errored} of {tried} evaluations could not be judged: an error rate of "
            f"{shown}, where at most {most:g} is allowed (first: {log_line(_first_error(cases), EXAMPLE)})"
        )
        yield Cause(status="inconclusive", code="error_rate", message=message)


def _first_error(cases: Sequence[CaseResult]) -> str:
    """What the first error of the run says; failed cases have errors too, which no other cause shows."""
    metrics = [metric for case in cases for turn in case.turns for metric in turn.metrics]
    for metric in metrics:
        if isinstance(metric.outcome, Errored):
            return f"{metric.name}: {metric.outcome.message}"
        for part in metric.outcome.parts:
            if part.status == "errored":
                return f"{metric.name}.{part.name}: {part.explanation}"
    return "no error says why"
