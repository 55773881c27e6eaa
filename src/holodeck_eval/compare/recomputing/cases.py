"""A case as its metrics' results make it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from holodeck_eval.aggregate.numbers import mean
from holodeck_eval.aggregate.reasons import reasons
from holodeck_eval.compare.recomputing.metrics import NEAR, computed_metric
from holodeck_eval.domain.agent import Rating
from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.rating import RATING_SCORE, worst
from holodeck_eval.domain.result import CaseResult, CaseStatus, MetricResult, TurnResult

_STATUSES: Final[tuple[CaseStatus, ...]] = ("failed", "inconclusive", "passed")


def computed_case(case: CaseResult, policy: Policy) -> tuple[CaseResult, tuple[str, ...]]:
    """The case, and a clause for each contradiction in it; without one the case is as it was."""
    results = [[computed_metric(metric, policy) for metric in turn.metrics] for turn in case.turns]
    clauses = [clause for turn in results for _, of_metric in turn for clause in of_metric]
    metrics = [[metric for metric, _ in turn] for turn in results]
    scored = [result.outcome for turn in metrics for result in turn if isinstance(result.outcome, Scored)]
    measured = any(outcome.asserts for outcome in scored)
    turns = tuple(
        _turn(turn, made, measured=measured) for turn, made in zip(case.turns, metrics, strict=True)
    )
    clauses += _contradictions(case, turns)
    return (_made_of(case, turns), tuple(clauses)) if clauses else (case, ())


def _turn(turn: TurnResult, metrics: Sequence[MetricResult], *, measured: bool) -> TurnResult:
    if turn.no_answer is not None or any(metric.passed is False for metric in metrics):
        status: CaseStatus = "failed"
    elif not measured or any(metric.blocks for metric in metrics):
        status = "inconclusive"
    else:
        status = "passed"
    same = status == turn.status and all(map(_is, metrics, turn.metrics))
    return turn if same else replace(turn, status=status, metrics=tuple(metrics))


def _is(one: object, other: object) -> bool:
    return one is other


def _contradictions(case: CaseResult, turns: Sequence[TurnResult]) -> Iterator[str]:
    status = _status(case, turns)
    if status != case.status:
        yield f"it is said to be {case.status}, and its results make it {status}"
    elif any(turn.status != made.status for turn, made in zip(case.turns, turns, strict=True)):
        yield "the statuses of its turns are not those of their metrics"
    elif _is_rated(turns) and (case.rating, case.score, case.binary_score) != _rated(_rating(turns)):
        yield f"it is said to be rated {case.rating}, and its results are {_rating(turns)}"
    average = _average(turns)
    if not _agree(average, case.avg_score):
        yield f"its average is said to be {_shown(case.avg_score)}, and its scores give {_shown(average)}"


def _status(case: CaseResult, turns: Sequence[TurnResult]) -> CaseStatus:
    """A case without turns has no transcript, or none of its turns can be judged."""
    if not turns:
        return "failed" if case.transcript is None else "inconclusive"
    return min((turn.status for turn in turns), key=_STATUSES.index)


def _agree(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return abs(one - other) <= NEAR


def _shown(number: float | None) -> str:
    return "none" if number is None else f"{number:g}"


def _made_of(case: CaseResult, turns: tuple[TurnResult, ...]) -> CaseResult:
    rating, score, binary_score = _rated(_rating(turns)) if _is_rated(turns) else (None, None, None)
    return replace(
        case,
        status=_status(case, turns),
        reasons=reasons(turns, several=len(turns) > 1) if turns else case.reasons,
        turns=turns,
        rating=rating,
        score=score,
        binary_score=binary_score,
        avg_score=_average(turns),
    )


def _average(turns: Sequence[TurnResult]) -> float | None:
    """The mean over the metrics, each counting once with its mean over the turns."""
    scores: dict[str, list[float | None]] = {}
    for turn in turns:
        for metric in turn.metrics:
            if isinstance(metric.outcome, Scored):
                scores.setdefault(metric.name, []).append(metric.outcome.score)
    return mean(mean(of_metric) for of_metric in scores.values())


def _is_rated(turns: Sequence[TurnResult]) -> bool:
    """Whether every score says how it is rated."""
    metrics = [metric for turn in turns for metric in turn.metrics]
    return all(metric.rating for metric in metrics if isinstance(metric.outcome, Scored))


def _rating(turns: Sequence[TurnResult]) -> Rating | None:
    """The worst of the metrics' ratings; None where something is open."""
    metrics = [metric for turn in turns for metric in turn.metrics]
    is_open = any(metric.blocks for metric in metrics) or any(turn.no_answer is not None for turn in turns)
    return None if is_open else worst([metric.rating for metric in metrics if metric.rating])


def _rated(rating: Rating | None) -> tuple[Rating | None, float | None, int | None]:
    """A rating with its two scores."""
    return rating, RATING_SCORE[rating] if rating else None, int(rating == "good") if rating else None
