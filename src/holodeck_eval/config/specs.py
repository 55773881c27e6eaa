"""From written metrics to MetricSpecs, with the policy's overrides applied."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from pydantic import TypeAdapter

from holodeck_eval.config.document import Section
from holodeck_eval.config.findings import Findings, quoted
from holodeck_eval.config.metrics import TELLING_KEYS, AnyMetric, MetricModel
from holodeck_eval.config.metrics.base import JudgedMetric, Shape
from holodeck_eval.config.overrides import MetricOverride
from holodeck_eval.config.problems import quiet
from holodeck_eval.config.sentences import TOOLS_METRIC
from holodeck_eval.domain.agent import GenerationOptions, JudgeSpec, MetricSpec
from holodeck_eval.domain.comparison import AVERAGE

JUDGED_KINDS: Final = frozenset({"geval", "rag", "generation"})
_METRIC: Final[TypeAdapter[MetricModel]] = TypeAdapter(AnyMetric)


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricReader:
    """Turns written metrics into MetricSpecs; what is wrong with one goes to `findings`.

    Args:
        judge_of: the judge for a metric's `model` section, or for None the judge of metrics without
            one. Asked only for metrics that are enabled and judged.
        findings: where problems are noted.
        overrides: the policy's, by the name of the metric.
    """

    judge_of: Callable[[Section | None], JudgeSpec | None]
    findings: Findings
    overrides: Mapping[str, MetricOverride] = field(default_factory=dict)

    def read_all(self, section: Section | None) -> tuple[MetricSpec, ...]:
        """The metrics of a list, without those that do not fit their model. Names must be unique."""
        specs = tuple(self._read(section)) if section is not None else ()
        self.require_unique(specs)
        self._refuse_average(specs)
        return specs

    def require_unique(self, specs: tuple[MetricSpec, ...]) -> None:
        """Note metrics that are called like an earlier one."""
        seen: dict[str, MetricSpec] = {}
        for spec in specs:
            first = seen.setdefault(spec.name, spec)
            if first is not spec:
                advice = (
                    "give one of them another name"
                    if spec.kind in {"geval", "code"}
                    else "remove one of them"
                )
                self.findings.problem(
                    spec.place,
                    f"two metrics are called {quoted(spec.name)}, the first at {first.place}; {advice}",
                )

    def _refuse_average(self, specs: tuple[MetricSpec, ...]) -> None:
        for spec in specs:
            if spec.name == AVERAGE:
                message = (
                    f"{quoted(AVERAGE)} is what the mean over a case's metrics is called; take another name"
                )
                self.findings.problem(spec.place, message)

    def _read(self, section: Section) -> Iterator[MetricSpec]:
        for child in section.children():
            written = quiet(_METRIC, child)
            if written is not None:
                yield self._spec(written, child)

    def _spec(self, written: MetricModel, section: Section) -> MetricSpec:
        shape = written.shape()
        self._check_name(shape, section)
        judged = written if isinstance(written, JudgedMetric) else JudgedMetric()
        spec = MetricSpec(
            kind=shape.kind,
            type=shape.type,
            name=shape.name,
            threshold=shape.threshold if written.threshold is None else written.threshold,
            place=section.place,
            bad_below=getattr(written, "bad_below", None),
            guardrail=written.guardrail,
            enabled=written.enabled,
            fail_on_error=written.fail_on_error,
            retries=judged.retry_on_failure,
            timeout_s=None if judged.timeout_ms is None else judged.timeout_ms / 1000,
            options=shape.options,
        )
        self._check_pass_mark(spec, section)
        return self._judged(self._overridden(spec, section), section)

    def _overridden(self, spec: MetricSpec, section: Section) -> MetricSpec:
        override = self.overrides.get(spec.name)
        changed = override.of(spec) if override is not None else spec
        if (
            changed.bad_below is not None
            and changed.threshold is not None
            and changed.bad_below >= changed.threshold
        ):
            place = override.place if override is not None else section.locate(("bad_below",))
            self.findings.problem(
                place,
                f"`bad_below` of {quoted(spec.name)} is {changed.bad_below:g}; it must be under "
                f"its threshold of {changed.threshold:g}",
            )
        return changed

    def _judged(self, spec: MetricSpec, section: Section) -> MetricSpec:
        override = self.overrides.get(spec.name)
        written = override.judge if override is not None else None
        if spec.kind not in JUDGED_KINDS:
            if written is not None and override is not None:
                self.findings.problem(override.place, f"{quoted(spec.name)} needs no judge; remove `model`")
            return spec
        if not spec.enabled:
            return spec
        return replace(spec, judge=written or self.judge_of(section.child("model")))

    def _check_name(self, shape: Shape, section: Section) -> None:
        if shape.name == TOOLS_METRIC:
            self.findings.problem(
                section.locate((shape.named_by,)),
                f"the name {quoted(shape.name)} is taken by the check of expected tools; choose another one",
            )
        for option in shape.ignored:
            self.findings.warn(section.key_place(option), f"`{option}` means nothing to {shape.name}")

    def _check_pass_mark(self, spec: MetricSpec, section: Section) -> None:
        if spec.threshold == 0:
            self.findings.warn(
                section.locate(("threshold",)), f"with a threshold of 0 {quoted(spec.name)} can never fail"
            )
        if isinstance(spec.options, GenerationOptions) and spec.options.min_rating == "bad":
            self.findings.warn(
                section.locate(("min_rating",)), "with a `min_rating` of bad every answer passes"
            )


def require_types(section: Section | None, findings: Findings) -> None:
    """Note metrics whose family can be told but is not written: HoloDeck refuses them in `evaluations`."""
    for child in section.children() if section is not None else ():
        if isinstance(child.value, dict) and "type" not in child.value:
            family = next((name for key, name in TELLING_KEYS.items() if key in child.value), None)
            if family is not None:
                findings.problem(child.place, f"`type` is missing in a metric; write `type: {family}`")
