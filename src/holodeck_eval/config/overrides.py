"""What a policy changes of one metric."""

from dataclasses import dataclass, replace

from holodeck_eval.domain.agent import JudgeSpec, MetricSpec
from holodeck_eval.errors import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricOverride:
    """What the policy changes of a metric; None leaves a value as it is."""

    place: Place
    threshold: float | None = None
    bad_below: float | None = None
    guardrail: bool | None = None
    enabled: bool | None = None
    judge: JudgeSpec | None = None

    def of(self, spec: MetricSpec) -> MetricSpec:
        """The metric with these changes, the judge aside."""
        return replace(
            spec,
            threshold=spec.threshold if self.threshold is None else self.threshold,
            bad_below=spec.bad_below if self.bad_below is None else self.bad_below,
            guardrail=spec.guardrail if self.guardrail is None else self.guardrail,
            enabled=spec.enabled if self.enabled is None else self.enabled,
        )
