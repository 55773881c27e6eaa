"""`type: rag`: the five metrics of retrieval-augmented answers."""

from typing import ClassVar, Final, Literal, Self, get_args

from pydantic import model_validator

from holodeck_eval.config.base import said
from holodeck_eval.config.metrics.base import DEFAULT_THRESHOLD, RatedMetric, Shape
from holodeck_eval.domain.agent import RagOptions

RagName = Literal[
    "faithfulness", "answer_relevancy", "contextual_relevancy", "contextual_precision", "contextual_recall"
]
RAG_NAMES: Final[tuple[str, ...]] = get_args(RagName)


class RagMetric(RatedMetric):
    """One of five metrics, named by `metric_type`, or shorter by `type` itself (`type: faithfulness`)."""

    noun: ClassVar[str] = "a rag metric"

    type: Literal["rag"] | RagName = "rag"
    metric_type: RagName | None = None
    include_reason: bool = True

    @model_validator(mode="after")
    def _named_once(self) -> Self:
        if self.type == "rag" and self.metric_type is None:
            raise said(f"`metric_type` is missing in a rag metric: one of {', '.join(RAG_NAMES)}")
        if self.type != "rag" and self.metric_type not in {None, self.type}:
            raise said(
                f"`type: {self.type}` and `metric_type: {self.metric_type}` name two metrics; keep one"
            )
        return self

    def shape(self) -> Shape:
        """What this metric is to the rest of the program."""
        name = self.metric_type or self.type
        options = RagOptions(include_reason=self.include_reason)
        named_by = "metric_type" if self.metric_type else "type"
        return Shape(
            kind="rag", type=name, name=name, threshold=DEFAULT_THRESHOLD, options=options, named_by=named_by
        )
