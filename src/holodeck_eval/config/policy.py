"""The policy file: the gate's rules, and metrics and changes of metrics for every agent."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter

from holodeck_eval.config.document import Section
from holodeck_eval.config.files import read_document, refuse_link
from holodeck_eval.config.findings import Findings
from holodeck_eval.config.judges import JudgeReader
from holodeck_eval.config.overrides import MetricOverride
from holodeck_eval.config.policy_model import OverrideModel, PolicyModel
from holodeck_eval.config.problems import check, quiet
from holodeck_eval.config.specs import MetricReader, require_types
from holodeck_eval.domain.agent import JudgeSpec, MetricSpec
from holodeck_eval.domain.options import Environment, PolicyOptions

_POLICY: Final = TypeAdapter(PolicyModel)
_OVERRIDE: Final = TypeAdapter(OverrideModel)
_NO_RULES: Final = PolicyOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyFile:
    """A policy file, read.

    Attributes:
        rules: the gate's rules; None where not written.
        judge: its `evaluations.model`, also for agents that name no judge.
        metrics: added to every agent's; `judge` None means the agent's own default.
        overrides: changes of metrics by their name; a name that no agent has is for the caller to refuse.
        mapping: names of transcript fields, as the transcript formats take them.
        context_from_tools: tools whose results are retrieval context.
        warnings: sentences that refuse nothing.
    """

    rules: PolicyOptions = _NO_RULES
    judge: JudgeSpec | None = None
    metrics: tuple[MetricSpec, ...] = ()
    overrides: Mapping[str, MetricOverride] = field(default_factory=dict)
    mapping: Mapping[str, str] = field(default_factory=dict)
    context_from_tools: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def load_policy(
    path: Path | str,
    *,
    environment: Environment,
    metric_types: Collection[str],
    allow_env: Collection[str] = (),
    shown_as: str | None = None,
) -> PolicyFile:
    """Read a policy file.

    Args:
        path: the YAML file.
        environment: feeds `${VAR}` in judges.
        metric_types: names of measurable metrics, to suggest the nearest from.
        allow_env: variables let in besides those a judge's field takes.
        shown_as: the file's name in messages, if not the path.

    Raises:
        ConfigError: with every problem of the file.
    """
    findings, shown = Findings(), shown_as or Path(path).as_posix()
    refuse_link(Path(path), shown_as=shown, workspace=environment.workspace)
    root = read_document(Path(path), shown_as=shown, findings=findings)
    check(PolicyModel, root, findings, metric_types)
    judges = JudgeReader(environment=environment, allow_env=allow_env, findings=findings)
    evaluations = root.child("evaluations")
    written_judge = evaluations.child("model") if evaluations is not None else None
    judge = judges.read(written_judge) if written_judge is not None else None
    overrides = _overrides(root.child("metrics"), judges)
    reader = MetricReader(
        judge_of=lambda section: judge if section is None else judges.read(section),
        findings=findings,
        overrides=overrides,
    )
    written_metrics = evaluations.child("metrics") if evaluations is not None else None
    require_types(written_metrics, findings)
    metrics = reader.read_all(written_metrics)
    policy = quiet(_POLICY, root)
    if policy is None or findings.problems:
        raise findings.error()
    return PolicyFile(
        rules=PolicyOptions(**{rule.name: getattr(policy, rule.name) for rule in fields(PolicyOptions)}),
        judge=judge,
        metrics=metrics,
        overrides=overrides,
        mapping=policy.mapping or {},
        context_from_tools=tuple(policy.context_from_tools or ()),
        warnings=findings.warnings,
    )


def _overrides(section: Section | None, judges: JudgeReader) -> dict[str, MetricOverride]:
    overrides: dict[str, MetricOverride] = {}
    for name in section.value if section is not None and isinstance(section.value, dict) else ():
        child = section.child(name) if section is not None else None
        written = quiet(_OVERRIDE, child) if child is not None else None
        if child is None or written is None or section is None:
            continue
        model = child.child("model")
        if written.threshold == 0:
            judges.findings.warn(
                child.locate(("threshold",)), "with a threshold of 0 a metric can never fail"
            )
        overrides[name] = MetricOverride(
            place=section.key_place(name),
            threshold=written.threshold,
            bad_below=written.bad_below,
            guardrail=written.guardrail,
            enabled=written.enabled,
            judge=judges.read(model) if model is not None else None,
        )
    return overrides
