"""What shapes an agent's behaviour, out of its YAML, its `config.yaml` and the prompts it names."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from holodeck_eval.config.document import Section
from holodeck_eval.config.findings import Findings
from holodeck_eval.config.instructions import read_instructions, read_named
from holodeck_eval.config.providers import provider_entry
from holodeck_eval.config.source import AgentSource
from holodeck_eval.domain.behaviour import Behaviour
from holodeck_eval.domain.options import Environment
from holodeck_eval.domain.shapes import MODEL

_SETTINGS: Final = ("claude", "openai", "embedding_provider")
_FILLED: Final = tuple(key for key in MODEL.known if key != "provider")
"""Keys of `model` that HoloDeck takes from the provider of `config.yaml` where they are not written."""


def load_behaviour(path: Path, *, environment: Environment, shown_as: str | None = None) -> Behaviour:
    """Read what shapes an agent's behaviour, and nothing else of the agent.

    Args:
        path: the agent YAML.
        environment: its `workspace` holds the files that are read inside; no variable is put in anywhere.
        shown_as: the file's name in messages, if not the path.

    Raises:
        ConfigError: with every reason why a part of it cannot be told.
    """
    findings = Findings()
    shown = shown_as or path.as_posix()
    source = AgentSource(path=path, shown_as=shown, environment=environment, findings=findings)
    behaviour = read_behaviour(source.read_root(), source)
    findings.problems.extend(behaviour.problems)
    findings.raise_if_any()
    return behaviour


def read_behaviour(root: Section, source: AgentSource) -> Behaviour:
    """What shapes the behaviour of an agent whose YAML has been read.

    A part that cannot be told is None, with the reason among its `problems`: that alone refuses no run.
    """
    findings = Findings()
    return Behaviour(
        model=_model(root, source, findings),
        instructions=read_instructions(root, source, findings),
        tools=_tools(root, findings),
        settings=_settings(root, source, findings),
        problems=tuple(findings.problems),
    )


def _model(root: Section, source: AgentSource, findings: Findings) -> Mapping[str, object] | None:
    """The written model, filled as HoloDeck fills it."""
    section = root.child("model")
    if section is None or not isinstance(section.value, dict):
        findings.problem(root.key_place("model"), "`model` must be a mapping with `provider` and `name`")
        return None
    written = section.value
    provider = written.get("provider")
    if not isinstance(provider, str) or written.keys() >= set(_FILLED):
        return written
    own = Findings()
    entry = provider_entry(source.path, source.shown_as, provider, source.environment.workspace, own)
    findings.include(own)
    if own.problems:
        return None
    given = entry.value if entry is not None and isinstance(entry.value, dict) else {}
    return {**{key: given[key] for key in _FILLED if key in given}, **written}


def _tools(root: Section, findings: Findings) -> tuple[Mapping[str, object], ...] | None:
    section = root.child("tools")
    if section is None:
        return ()
    tools = tuple(tool.value for tool in section.children() if isinstance(tool.value, dict))
    if not isinstance(section.value, list) or len(tools) < len(section.value):
        findings.problem(section.place, "`tools` must be a list of mappings")
        return None
    return tools


def _settings(root: Section, source: AgentSource, findings: Findings) -> Mapping[str, object] | None:
    """The other settings, the prompts of subagents in the place of the files that hold them."""
    found: dict[str, object] = {}
    known = len(findings.problems)
    response = root.child("response_format")
    if response is not None:
        found["response_format"] = response.value
    for key in _SETTINGS:
        section = root.child(key)
        if section is not None and not isinstance(section.value, dict):
            findings.problem(section.place, f"`{key}` must be a mapping")
        elif section is not None:
            found[key] = _claude(section, source, findings) if key == "claude" else section.value
    return found if len(findings.problems) == known else None


def _claude(section: Section, source: AgentSource, findings: Findings) -> object:
    agents = section.child("agents")
    if agents is None or not isinstance(agents.value, dict) or not isinstance(section.value, dict):
        return section.value
    read = {name: _subagent(agents.child(name), source, findings) for name in agents.value}
    return {**section.value, "agents": read}


def _subagent(section: Section | None, source: AgentSource, findings: Findings) -> object:
    """A subagent as HoloDeck loads it: the text of its `prompt_file` as its `prompt`."""
    if section is None or not isinstance(section.value, dict):
        return None
    named = section.child("prompt_file")
    if named is None or not isinstance(named.value, str):
        return section.value
    text = read_named(named, "prompt_file", source, findings)
    rest = {key: value for key, value in section.value.items() if key != "prompt_file"}
    return {**rest, "prompt": text}
