"""Why a case did not pass, the worst first: what every report and annotation tells of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.rating import RATING_ORDER, SCALES, Scale
from holodeck_eval.domain.result import CaseResult, MetricResult, TurnResult
from holodeck_eval.domain.run import Run

_BLAMES_NO_CASE: Final = frozenset(
    {"regression", "case_regression", "removed_cases", "gate_loosened", "stale_transcripts"}
)
"""Codes of causes whose cases are not failed ones, or are told as newly failing."""

Badness = tuple[int, float, str, str]
"""What cases are sorted by, the worst first: rating, average score, agent and id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Why a case failed, in one metric or in the answer as a whole. `turn` is set in a case of several."""

    subject: str
    reason: str
    turn: int | None = None
    score: float | None = None
    threshold: float | None = None
    rating: str | None = None


def findings(case: CaseResult) -> tuple[Finding, ...]:
    """Why a case did not pass: missing answers, then metrics, the widest gap first; else its own reasons."""
    several = len(case.turns) > 1
    found = [
        finding
        for number, turn in enumerate(case.turns, 1)
        for finding in _turn_findings(turn, number if several else None)
    ]
    found.sort(key=lambda finding: gap(finding.score, finding.threshold))
    return tuple(found) or tuple(Finding(subject="", reason=reason) for reason in case.reasons)


def gap(score: float | None, threshold: float | None) -> float:
    """How far a score is below its threshold, as a negative number; a missing one is farthest."""
    if score is None:
        return -2.0
    return score - (1.0 if threshold is None else threshold)


def blamed(run: Run) -> frozenset[str]:
    """The ids of the cases that an absolute rule blames the run for, whether or not they failed before."""
    return frozenset(
        case
        for cause in run.verdict.causes
        if cause.status == "failed" and cause.code not in _BLAMES_NO_CASE
        for case in cause.cases
    )


def badness(case: CaseResult) -> Badness:
    """What cases are sorted by, the worst first; one that was not rated is worse than one that was."""
    rating = RATING_ORDER.index(case.rating) if case.rating else -1
    return (rating, case.avg_score if case.avg_score is not None else -1.0, case.agent, case.id)


def _turn_findings(turn: TurnResult, number: int | None) -> Iterator[Finding]:
    if turn.no_answer:
        yield Finding(subject="no answer", reason=turn.no_answer, turn=number)
    for metric in turn.metrics:
        if metric.passed is False:
            yield _missed(metric, number)


def _missed(metric: MetricResult, turn: int | None) -> Finding:
    outcome = metric.outcome
    return Finding(
        subject=metric.name,
        reason=_reason(outcome) if isinstance(outcome, Scored) else "",
        turn=turn,
        score=outcome.score if isinstance(outcome, Scored) else None,
        threshold=metric.threshold,
        rating=metric.rating,
    )


def _reason(outcome: Scored) -> str:
    """The judge's reason; of `generation` those of the parts that are not good, the widest gap first."""
    scales = [(SCALES[part.name], part) for part in outcome.parts if part.name in SCALES]
    not_good = [
        (scale.normalize(part.score), _too_far(scale, part.score, part.explanation))
        for scale, part in scales
        if part.score is not None and scale.level(part.score) != scale.good
    ]
    told = [text.rstrip() for _, text in sorted(not_good, key=lambda item: item[0])]
    ended = [text if text.endswith((".", "!", "?", "…")) else f"{text}." for text in told]
    return " ".join(ended) or outcome.reason


def _too_far(scale: Scale, score: float, why: str) -> str:
    return f"{scale.title} is {round(score, 2):g}, should be {scale.good}: {why}"
