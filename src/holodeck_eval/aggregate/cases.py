"""A case's result out of what was measured of it."""

from collections.abc import Sequence
from typing import Final

from holodeck_eval.aggregate.metrics import metric_results
from holodeck_eval.aggregate.numbers import mean
from holodeck_eval.aggregate.reasons import reasons
from holodeck_eval.domain.agent import Rating
from holodeck_eval.domain.case import Case, Turn
from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.rating import RATING_SCORE, worst
from holodeck_eval.domain.result import (
    CaseResult,
    CaseStatus,
    Measurement,
    MetricResult,
    TurnResult,
    WaivedCase,
)

HEAD: Final = 2000
"""Characters of a judged text that a result holds; the whole is in cases.jsonl."""

_STATUSES: Final[tuple[CaseStatus, ...]] = ("failed", "inconclusive", "passed")


def aggregate_case(
    case: Case, measurements: Sequence[Measurement], policy: Policy
) -> CaseResult | WaivedCase:
    """A case's result out of its measurements.

    Args:
        case: the case; without a transcript it failed, or is waived under `allow_missing`.
        measurements: those of this case. A metric of a turn that lacks one is an error of ours.
        policy: says whether missing inputs and missing transcripts block.
    """
    if case.transcript is None:
        return _without_transcript(case, policy)
    by_turn = {turn.index: metric_results(turn, measurements, policy) for turn in case.turns}
    metrics = [metric for results in by_turn.values() for metric in results]
    scored = [metric.outcome for metric in metrics if isinstance(metric.outcome, Scored)]
    measured = any(outcome.asserts for outcome in scored)
    turns = tuple(_turn_result(turn, by_turn[turn.index], measured=measured) for turn in case.turns)
    rating = _case_rating(turns)
    return CaseResult(
        id=case.id,
        agent=case.agent,
        name=case.name,
        status=min((turn.status for turn in turns), key=_STATUSES.index, default="inconclusive"),
        reasons=reasons(turns, several=len(turns) > 1 or any(turn.several for turn in case.turns)),
        turns=turns,
        digest=case.digest,
        rating=rating,
        score=RATING_SCORE[rating] if rating else None,
        binary_score=int(rating == "good") if rating else None,
        avg_score=_average(metrics),
        transcript=case.transcript,
        test_case=case.test_case,
        staleness=case.staleness,
    )


def _average(metrics: Sequence[MetricResult]) -> float | None:
    """The mean over a case's metrics, each counting once with its mean over the turns."""
    scores: dict[str, list[float | None]] = {}
    for metric in metrics:
        if isinstance(metric.outcome, Scored):
            scores.setdefault(metric.name, []).append(metric.outcome.score)
    return mean(mean(of_metric) for of_metric in scores.values())


def head(text: str | None) -> str | None:
    """The beginning of a text, at most `HEAD` characters, never ending in half a surrogate pair."""
    if text is None or len(text) <= HEAD:
        return text
    kept = text[: HEAD - 1]
    return (kept[:-1] if "\ud800" <= kept[-1] <= "\udbff" else kept) + "…"


def _without_transcript(case: Case, policy: Policy) -> CaseResult | WaivedCase:
    reason = "no transcript was recorded for this test case"
    if policy.allow_missing:
        return WaivedCase(id=case.id, agent=case.agent, reason=reason, test_case=case.test_case)
    return CaseResult(
        id=case.id,
        agent=case.agent,
        name=case.name,
        status="failed",
        reasons=(reason,),
        turns=(),
        digest=case.digest,
        test_case=case.test_case,
    )


def _turn_result(turn: Turn, metrics: tuple[MetricResult, ...], *, measured: bool) -> TurnResult:
    """A turn's result; `measured` says whether anything of its case was scored."""
    return TurnResult(
        index=turn.index,
        input=head(turn.input),
        actual_output=head(turn.actual_output),
        expected_output=head(turn.expected_output),
        status=_turn_status(turn, metrics, measured=measured),
        metrics=metrics,
        no_answer=turn.no_answer,
    )


def _turn_status(turn: Turn, metrics: Sequence[MetricResult], *, measured: bool) -> CaseStatus:
    if turn.no_answer is not None or any(metric.passed is False for metric in metrics):
        return "failed"
    if not measured or any(metric.blocks for metric in metrics):
        return "inconclusive"
    return "passed"


def _case_rating(turns: Sequence[TurnResult]) -> Rating | None:
    """The worst of its parts; None unless every evaluation that applies was scored."""
    metrics = [metric for turn in turns for metric in turn.metrics]
    scored = [metric for metric in metrics if isinstance(metric.outcome, Scored)]
    ratings = [metric.rating for metric in scored if metric.rating is not None]
    unknown = any(metric.blocks for metric in metrics) or len(ratings) < len(scored)
    return None if unknown or any(turn.no_answer is not None for turn in turns) else worst(ratings)
