"""The rating rule of GEvalGenerationEvaluator: five metrics to one rating, pure arithmetic.

The contract is the documented example of GEvalGenerationEvaluator; where it is silent, the rules of
docs/metrics.md hold.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from holodeck_eval.domain.agent import Rating
from holodeck_eval.domain.outcome import Part

RATING_SCORE: Final[dict[Rating, float]] = {"bad": 0.0, "incomplete": 0.5, "good": 1.0}
RATING_ORDER: Final[tuple[Rating, ...]] = ("bad", "incomplete", "good")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """The judge's scale of one generation metric; `good` and `bad` are its ends, in either order."""

    name: str
    title: str
    bad: int
    good: int
    binary: bool = False
    retrieval: bool = False

    def normalize(self, score: float) -> float:
        """0.0 at `bad`, 1.0 at `good`, linear between."""
        return abs(score - self.bad) / abs(self.good - self.bad)

    def level(self, score: float) -> int:
        """The whole number that a mean of several is decided on: the nearest, of two the worse."""
        steps = ceil(abs(score - self.bad) - 0.5)
        return self.bad + (steps if self.good > self.bad else -steps)


GENERATION: Final[tuple[Scale, ...]] = (
    Scale(name="completeness", title="Completeness", bad=1, good=3, retrieval=True),
    Scale(name="groundedness", title="Groundedness", bad=1, good=3, retrieval=True),
    Scale(name="redundancy", title="Redundancy", bad=3, good=1),
    Scale(name="language_consistency", title="Language Consistency", bad=0, good=1, binary=True),
    Scale(name="refusal_alignment", title="Refusal Alignment", bad=0, good=1, binary=True),
)

SCALES: Final[dict[str, Scale]] = {scale.name: scale for scale in GENERATION}


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationRating:
    """What the five metrics of one answer add up to.

    `relevancy_rating`, `score` and `binary_score` are None where a metric errored or none was
    scored; `avg_score` is the mean of the normalized scores, None where none was scored.
    """

    relevancy_rating: Rating | None
    score: float | None
    binary_score: int | None
    avg_score: float | None
    possible_issues: tuple[str, ...]
    global_explanation: str


def rate(parts: Sequence[Part]) -> GenerationRating:
    """Rate one answer by its generation metrics.

    Args:
        parts: the enabled metrics in the table's order, scored, skipped or errored. A mean of several replies
            counts as the level nearest to it; only `avg_score` and what is shown keep the mean itself.
    """
    scored = [(SCALES[part.name], part.score) for part in parts if part.score is not None]
    errored = [part for part in parts if part.status == "errored"]
    rating = _relevancy(scored) if scored and not errored else None
    normalized = [scale.normalize(score) for scale, score in scored]
    return GenerationRating(
        relevancy_rating=rating,
        score=RATING_SCORE[rating] if rating else None,
        binary_score=int(rating == "good") if rating else None,
        avg_score=round(sum(normalized) / len(normalized), 6) if normalized else None,
        possible_issues=_issues(scored),
        global_explanation=_explain(scored, errored),
    )


def worst(ratings: Sequence[Rating]) -> Rating | None:
    """The worst of some ratings, None of none."""
    return min(ratings, key=RATING_ORDER.index, default=None)


def _relevancy(scored: Sequence[tuple[Scale, float]]) -> Rating:
    if any(scale.level(score) == scale.bad for scale, score in scored):
        return "bad"
    return "incomplete" if any(_missed(scale, score) for scale, score in scored) else "good"


def _missed(scale: Scale, score: float) -> bool:
    return scale.level(score) != scale.good


def _issues(scored: Sequence[tuple[Scale, float]]) -> tuple[str, ...]:
    missed = [scale for scale, score in scored if _missed(scale, score)]
    if not missed:
        return ()
    retrieval = ("Retrieval Issue",) if any(scale.retrieval for scale in missed) else ()
    return (*retrieval, "Generation Issue")


def _explain(scored: Sequence[tuple[Scale, float]], errored: Sequence[Part]) -> str:
    """A header and a numbered line a failed metric: errors first, then the worst gap, then table order."""
    missed = [(scale, score) for scale, score in scored if _missed(scale, score)]
    missed.sort(key=lambda item: item[0].normalize(item[1]))
    lines = [f"{SCALES[part.name].title} could not be judged: {part.explanation}" for part in errored]
    lines += [f"{scale.title} is {round(score, 2):g} (should be {scale.good})" for scale, score in missed]
    if not lines:
        return "All metrics met the expected values." if scored else "No metric could be judged."
    numbered = "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))
    return f"The following metrics failed to meet expectations:\n{numbered}"
