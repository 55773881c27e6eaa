"""`type: generation`: five judged parts that add up to one rating."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from holodeck_eval.config.metrics.base import JudgedMetric, Shape
from holodeck_eval.domain.agent import GenerationOptions, Rating
from holodeck_eval.domain.rating import GENERATION

PartName = Literal["completeness", "groundedness", "redundancy", "language_consistency", "refusal_alignment"]


class GenerationMetric(JudgedMetric):
    """The rating of an answer. `metrics` names some of the five parts; then their inputs must be there.

    A case passes with a rating of `min_rating`, or where `threshold` is written with that avg_score.
    """

    noun: ClassVar[str] = "a generation metric"

    type: Literal["generation"] = "generation"
    metrics: Annotated[list[PartName], Field(min_length=1)] | None = None
    min_rating: Rating = "good"

    def shape(self) -> Shape:
        """What this metric is to the rest of the program."""
        named = set(self.metrics) if self.metrics else None
        options = GenerationOptions(
            metrics=tuple(scale.name for scale in GENERATION if named is None or scale.name in named),
            named=named is not None,
            min_rating=self.min_rating,
        )
        return Shape(
            kind="generation",
            type="generation",
            name="generation",
            threshold=None,
            options=options,
            named_by="type",
        )
