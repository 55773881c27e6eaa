"""Says in sentences why a case failed or stays open."""

from collections.abc import Iterator, Sequence
from typing import Final

from holodeck_eval.aggregate.numbers import PLACES
from holodeck_eval.domain.outcome import Errored, Scored, Skipped
from holodeck_eval.domain.result import MetricResult, TurnResult
from holodeck_eval.domain.text import log_line

REASON_HEAD: Final = 300
"""Characters of a judge's reason, or of an error's message, that a sentence quotes."""

_NO_ANSWER, _MISSED, _OPEN = range(3)

Reason = tuple[int, float, str]
"""How bad a reason is (by kind, then by distance from the threshold; lower is worse), and its sentence."""


def reasons(turns: Sequence[TurnResult], *, several: bool) -> tuple[str, ...]:
    """Sentences, worst first; none for a case that passed.

    Args:
        turns: the case's turns.
        several: whether the sentences say which turn they are about.
    """
    found: list[Reason] = []
    for number, turn in enumerate(turns, 1):
        before = f"turn {number}: " if several else ""
        found += [(kind, gap, before + sentence) for kind, gap, sentence in _of_turn(turn)]
    sentences = tuple(sentence for _, _, sentence in sorted(found, key=lambda reason: reason[:2]))
    is_open = not turns or any(turn.status == "inconclusive" for turn in turns)
    return sentences or ((_nothing_scored(turns),) if is_open else ())


def _nothing_scored(turns: Sequence[TurnResult]) -> str:
    metrics = [metric for turn in turns for metric in turn.metrics]
    causes = {
        f"{item.name}: {item.outcome.cause}": None for item in metrics if isinstance(item.outcome, Skipped)
    }
    vacuous = [item.name for item in metrics if isinstance(item.outcome, Scored)]
    if vacuous:
        return f"nothing was measured: {', '.join(dict.fromkeys(vacuous))} expects nothing; add a metric"
    return f"nothing was scored ({', '.join(causes) or 'no metric applies'})"


def _of_turn(turn: TurnResult) -> Iterator[Reason]:
    if turn.no_answer is not None:
        yield _NO_ANSWER, 0.0, f"the agent gave no answer: {_head(turn.no_answer)}"
    for metric in turn.metrics:
        if metric.passed is False and isinstance(metric.outcome, Scored):
            yield _missed(metric, metric.outcome)
        if metric.blocks:
            yield _OPEN, 0.0, _why_open(metric)


def _missed(metric: MetricResult, scored: Scored) -> Reason:
    because = f": {_head(scored.reason)}" if scored.reason.strip() else ""
    if metric.threshold is None:
        return _MISSED, -1.0, f"{metric.name} is rated {scored.rating}, which is too low{because}"
    score, threshold = _apart(scored.score, metric.threshold)
    sentence = f"{metric.name} scored {score}, under its threshold of {threshold}{because}"
    return _MISSED, scored.score - metric.threshold, sentence


def _why_open(metric: MetricResult) -> str:
    outcome = metric.outcome
    if isinstance(outcome, Errored):
        return f"{metric.name} could not be judged ({outcome.kind}): {_head(outcome.message)}"
    if isinstance(outcome, Skipped):
        return f"{metric.name} was not measured ({outcome.cause}): {_head(outcome.reason)}"
    unknown = [part for part in outcome.parts if part.status != "scored" and part.cause != "not_applicable"]
    parts = "; ".join(f"{part.name}: {_head(part.explanation)}" for part in unknown)
    return f"{metric.name} was measured only in part: {parts or 'it has no rating'}"


def _apart(score: float, threshold: float) -> tuple[str, str]:
    """Both numbers with two decimals, or with as many as it takes to see that they differ."""
    for places in range(2, PLACES):
        shown = f"{score:.{places}f}", f"{threshold:.{places}f}"
        if shown[0] != shown[1]:
            return shown
    return f"{score:.{PLACES}f}", f"{threshold:g}"


def _head(text: str) -> str:
    return log_line(text, REASON_HEAD)
