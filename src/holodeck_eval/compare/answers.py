"""Answers that were there and are not any more: sure without a judge."""

from collections.abc import Iterator, Sequence

from holodeck_eval.compare.pairs import Pair
from holodeck_eval.domain.comparison import Flip
from holodeck_eval.domain.result import TurnResult


def lost_answers(pairs: Sequence[Pair]) -> Iterator[Flip]:
    """A flip for each case whose transcript is gone, and for each turn whose answer is.

    A turn in which all that was measured failed had nothing to lose.
    """
    for pair in pairs:
        had = [turn for turn in pair.before.turns if _had_answer(turn)]
        if had and not pair.now.turns:
            yield _lost(pair, None, "there is no transcript of it any more", _first(pair.now.reasons))
            continue
        turns = {turn.index: turn for turn in pair.now.turns}
        for turn in had:
            now = turns.get(turn.index)
            if now is None:
                yield _lost(pair, turn.index, "its transcript ends before this turn", "")
            elif now.no_answer is not None:
                yield _lost(pair, turn.index, "there is no answer any more", now.no_answer)


def _had_answer(turn: TurnResult) -> bool:
    if turn.no_answer is not None:
        return False
    return turn.status != "failed" or any(metric.passed for metric in turn.metrics)


def _lost(pair: Pair, turn: int | None, why: str, reason: str) -> Flip:
    return Flip(
        agent=pair.now.agent, case=pair.now.id, turn=turn, metric="", proven=True, why=why, now_reason=reason
    )


def _first(reasons: Sequence[str]) -> str:
    return reasons[0] if reasons else ""
