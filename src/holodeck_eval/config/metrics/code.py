"""`type: code`: a grader of the checkout. It is named here, and never imported."""

from typing import Annotated, ClassVar, Literal

from pydantic import StringConstraints

from holodeck_eval.config.base import Text, Unit
from holodeck_eval.config.metrics.base import DEFAULT_THRESHOLD, MetricModel, Shape
from holodeck_eval.domain.agent import CodeOptions

GRADER = r"^[\w.]+:\w+$"


class CodeMetric(MetricModel):
    """A function of the agent's own, written `module:function`."""

    noun: ClassVar[str] = "a code metric"

    type: Literal["code"] = "code"
    grader: Annotated[str, StringConstraints(pattern=GRADER, max_length=200)]
    name: Text | None = None
    bad_below: Unit | None = None

    def shape(self) -> Shape:
        """What this metric is to the rest of the program."""
        return Shape(
            kind="code",
            type="code",
            name=self.name or self.grader,
            threshold=DEFAULT_THRESHOLD,
            options=CodeOptions(grader=self.grader),
            named_by="name" if self.name else "grader",
        )
