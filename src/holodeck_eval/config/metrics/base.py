"""What every written metric has, and what the rest of the program needs to know of one."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

from pydantic import Field

from holodeck_eval.config.base import EXPONENT, Unit, Written
from holodeck_eval.config.judge_model import JudgeModel
from holodeck_eval.domain.agent import MetricKind, MetricOptions

DEFAULT_THRESHOLD: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What a written metric is: its family, its key in the METRICS table, its name and its options.

    `threshold` is the one it has where none is written. `named_by` is the key its name comes from.
    `ignored` are written options that mean nothing to it.
    """

    kind: MetricKind
    type: str
    name: str
    threshold: float | None
    options: MetricOptions = None
    named_by: str = "name"
    ignored: tuple[str, ...] = ()


class MetricModel(Written):
    """A metric. Scores and thresholds run from 0 to 1."""

    noun: ClassVar[str] = "a metric"

    enabled: bool = True
    fail_on_error: bool = False
    guardrail: bool = False
    threshold: Unit | None = None

    def shape(self) -> Shape:
        """What this metric is to the rest of the program."""
        raise NotImplementedError


class JudgedMetric(MetricModel):
    """A metric a judge scores. `timeout_ms` and `retry_on_failure` concern one call of the judge."""

    model: JudgeModel | None = None
    retry_on_failure: Annotated[int, Field(ge=1, le=3)] | None = None
    timeout_ms: Annotated[float, Field(gt=0), EXPONENT] | None = None


class RatedMetric(JudgedMetric):
    """A metric rated by its threshold: good from it on, bad under `bad_below`."""

    bad_below: Unit | None = None
