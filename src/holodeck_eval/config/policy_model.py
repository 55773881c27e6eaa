"""The policy file as it is written."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from holodeck_eval.config.base import EXPONENT, Text, Unit, Written
from holodeck_eval.config.judge_model import JudgeModel
from holodeck_eval.config.metrics import AnyMetric

Alpha = Annotated[float, Field(gt=0, le=0.5), EXPONENT]
"""How often a run may be blocked with nothing changed. Of 0, nothing would ever be blocked."""


class PolicyEvaluations(Written):
    """Metrics every agent is measured by besides its own, and who judges them."""

    noun: ClassVar[str] = "the policy's `evaluations`"

    model: JudgeModel | None = None
    metrics: list[AnyMetric] | None = None


class OverrideModel(Written):
    """What the policy changes of a metric that is called so."""

    noun: ClassVar[str] = "an override of a metric"

    threshold: Unit | None = None
    bad_below: Unit | None = None
    guardrail: bool | None = None
    enabled: bool | None = None
    model: JudgeModel | None = None


class PolicyModel(Written):
    """What a run must reach, and what is measured besides the agents' own metrics."""

    noun: ClassVar[str] = "a policy file"

    min_pass_rate: Unit | None = None
    min_avg_score: Unit | None = None
    min_score: Unit | None = None
    min_binary_score: Unit | None = None
    min_cases: Annotated[int, Field(ge=1)] | None = None
    max_error_rate: Unit | None = None
    on_missing_input: Literal["inconclusive", "skip"] | None = None
    on_inconclusive: Literal["fail", "pass"] | None = None
    allow_missing: bool | None = None
    max_drop: Unit | None = None
    metrics_alpha: Alpha | None = None
    cases_alpha: Alpha | None = None
    allow_removed_cases: bool | None = None
    on_missing_baseline: Literal["inconclusive", "report"] | None = None
    on_gate_change: Literal["block", "report"] | None = None
    on_stale: Literal["block", "report"] | None = None
    evaluations: PolicyEvaluations | None = None
    metrics: dict[str, OverrideModel] | None = None
    mapping: dict[str, Text] | None = None
    context_from_tools: list[Text] | None = None
