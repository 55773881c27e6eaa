"""An agent YAML, with its test cases, its `config.yaml` and a policy, as an Agent."""

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Final

from holodeck_eval.config.agent_model import AgentFile
from holodeck_eval.config.behaviour import read_behaviour
from holodeck_eval.config.default_judge import DefaultJudge
from holodeck_eval.config.document import Section
from holodeck_eval.config.expectations import CaseReader
from holodeck_eval.config.findings import Findings, quoted
from holodeck_eval.config.judges import JudgeReader
from holodeck_eval.config.policy import PolicyFile
from holodeck_eval.config.problems import check
from holodeck_eval.config.providers import provider_entry
from holodeck_eval.config.sentences import nearest
from holodeck_eval.config.source import AgentSource
from holodeck_eval.config.specs import JUDGED_KINDS, MetricReader, require_types
from holodeck_eval.domain.agent import Agent, MetricSpec
from holodeck_eval.domain.options import Environment

_READ_KEYS: Final = ("evaluations", "test_cases", "test_cases_file")
_HOLODECK_KEYS: Final = frozenset(
    {
        *_READ_KEYS,
        "name",
        "description",
        "author",
        "model",
        "instructions",
        "response_format",
        "tools",
        "execution",
        "observability",
        "deployment",
        "embedding_provider",
        "claude",
        "openai",
    }
)
_RETRIEVAL_TYPES: Final = frozenset({"vectorstore", "hierarchical_document"})
_NO_POLICY: Final = PolicyFile()


def load_agent(
    path: Path | str,
    *,
    environment: Environment,
    metric_types: Collection[str],
    policy: PolicyFile | None = None,
    allow_env: Collection[str] = (),
    shown_as: str | None = None,
) -> Agent:
    """Read an agent with everything that belongs to it.

    Args:
        path: the agent YAML. `test_cases_file` and `config.yml` or `config.yaml` are sought beside it.
        environment: feeds `${VAR}` in judges; its `workspace` holds the files that are read inside.
        metric_types: names of measurable metrics, to suggest the nearest from.
        policy: adds its metrics and changes others by name.
        allow_env: variables let in besides those a judge's field takes.
        shown_as: the file's name in messages, if not the path.

    Raises:
        ConfigError: with every problem of these files.
    """
    source = AgentSource(
        path=Path(path),
        shown_as=shown_as or Path(path).as_posix(),
        environment=environment,
        findings=Findings(),
    )
    root = source.read_root()
    check(AgentFile, root, source.findings, metric_types)
    _check_keys(root, source.findings)
    evaluations = root.child("evaluations")
    judges = JudgeReader(environment=environment, allow_env=allow_env, findings=source.findings)
    policy = policy or _NO_POLICY
    default = _default_judge(evaluations, judges, source, policy)
    reader = MetricReader(
        judge_of=lambda section: default.get() if section is None else judges.read(section),
        findings=source.findings,
        overrides=policy.overrides,
    )
    added = _added(policy, default)
    metrics = _metrics(evaluations, reader, added)
    test_cases = CaseReader(metrics=reader, findings=source.findings, added=added).read_all(
        source.test_cases(root, metric_types)
    )
    source.findings.raise_if_any()
    return Agent(
        name=str(root.value["name"]) if isinstance(root.value, dict) else "",
        place=root.place,
        metrics=metrics,
        test_cases=test_cases,
        retrieval_tools=tuple(_retrieval_tools(root)),
        warnings=source.findings.warnings,
        behaviour=read_behaviour(root, source),
    )


def _default_judge(
    evaluations: Section | None, judges: JudgeReader, source: AgentSource, policy: PolicyFile
) -> DefaultJudge:
    """The judge of the metrics that name none."""
    workspace = source.environment.workspace
    return DefaultJudge(
        judges,
        evaluations.child("model") if evaluations is not None else None,
        lambda provider: provider_entry(source.path, source.shown_as, provider, workspace, source.findings),
        policy.judge,
    )


def _check_keys(root: Section, findings: Findings) -> None:
    """Note keys that are neither HoloDeck's nor far from one that is read: they are slips."""
    for key in root.value if isinstance(root.value, dict) else ():
        if findings.full:
            break
        meant = nearest(key, _READ_KEYS) if key not in _HOLODECK_KEYS else None
        if meant is not None and nearest(key, _HOLODECK_KEYS) == meant:
            findings.problem(root.key_place(key), f"unknown key {quoted(key)}; did you mean `{meant}`?")


def _added(policy: PolicyFile, default: DefaultJudge) -> tuple[MetricSpec, ...]:
    """The policy's metrics, judged by the agent's judge where the policy names none."""
    return tuple(
        replace(spec, judge=default.get())
        if spec.judge is None and spec.enabled and spec.kind in JUDGED_KINDS
        else spec
        for spec in policy.metrics
    )


def _metrics(
    evaluations: Section | None, reader: MetricReader, added: tuple[MetricSpec, ...]
) -> tuple[MetricSpec, ...]:
    written = evaluations.child("metrics") if evaluations is not None else None
    require_types(written, reader.findings)
    own = reader.read_all(written)
    if added:
        reader.require_unique((*own, *added))
    return (*own, *added)


def _retrieval_tools(root: Section) -> list[str]:
    tools = root.child("tools")
    found: list[str] = []
    for tool in tools.children() if tools is not None else ():
        value = tool.value
        if not isinstance(value, dict) or not isinstance(value.get("name"), str):
            continue
        kind = value.get("type")
        if kind in _RETRIEVAL_TYPES or (kind == "mcp" and value.get("is_retrieval") is True):
            found.append(value["name"])
    return found
