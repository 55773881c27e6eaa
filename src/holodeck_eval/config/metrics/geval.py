"""`type: geval`: a judge and the criteria it is given."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from holodeck_eval.config.base import Text
from holodeck_eval.config.metrics.base import DEFAULT_THRESHOLD, RatedMetric, Shape
from holodeck_eval.domain.agent import GEvalOptions

Param = Literal["input", "actual_output", "expected_output", "context", "retrieval_context"]


class GEvalMetric(RatedMetric):
    """A judge scores what `criteria` ask for.

    `evaluation_params` are the fields it is shown, `actual_output` alone where they are not written.
    Without `evaluation_steps` the judge writes them once. `strict_mode` knows only 0 and 1.
    """

    noun: ClassVar[str] = "a geval metric"

    type: Literal["geval"] = "geval"
    name: Text
    criteria: Text
    evaluation_steps: list[Text] | None = None
    evaluation_params: Annotated[list[Param], Field(min_length=1)] | None = None
    strict_mode: bool = False

    def shape(self) -> Shape:
        """What this metric is to the rest of the program."""
        options = GEvalOptions(
            criteria=self.criteria,
            evaluation_steps=tuple(self.evaluation_steps) if self.evaluation_steps else None,
            evaluation_params=tuple(dict.fromkeys(self.evaluation_params or ("actual_output",))),
            strict_mode=self.strict_mode,
        )
        return Shape(kind="geval", type="geval", name=self.name, threshold=DEFAULT_THRESHOLD, options=options)
