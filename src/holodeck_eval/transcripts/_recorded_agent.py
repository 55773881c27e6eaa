"""The agent that a saved HoloDeck run was made with, as its `metadata` keeps it."""

import re
from collections.abc import Mapping
from typing import Final

from holodeck_eval.domain.behaviour import Behaviour, Instructions

_SETTINGS: Final = ("response_format", "claude", "openai", "embedding_provider")
_SECTIONS: Final = _SETTINGS[1:]
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


def recorded_agent(metadata: Mapping[str, object]) -> Behaviour | None:
    """What shaped the agent of a run; None where the run does not say. What has a wrong type is not known.

    Args:
        metadata: the run's, with `agent_config`, the whole agent with defaults filled in, and
            `prompt_version`, which tells of its instructions where they lay in a file.
    """
    config = metadata.get("agent_config")
    if not isinstance(config, Mapping):
        return None
    model = config.get("model")
    return Behaviour(
        model=model if isinstance(model, Mapping) else None,
        instructions=_instructions(config.get("instructions"), metadata.get("prompt_version")),
        tools=_tools(config),
        settings=_settings(config),
    )


def _instructions(written: object, version: object) -> Instructions | None:
    inline = written.get("inline") if isinstance(written, Mapping) else None
    if isinstance(inline, str):
        return Instructions(text=inline)
    body = version.get("body_hash") if isinstance(version, Mapping) else None
    if not isinstance(version, Mapping) or not isinstance(body, str) or not _SHA256.fullmatch(body):
        return None
    front = {
        "version": version.get("version"),
        "author": version.get("author"),
        "description": version.get("description"),
        "tags": version.get("tags") or [],
        "extra": version.get("extra") or {},
    }
    return Instructions(text=None, bodies=(body,), front=front)


def _tools(config: Mapping[str, object]) -> tuple[Mapping[str, object], ...] | None:
    tools = config.get("tools", ...)
    if tools is None:
        return ()
    if not isinstance(tools, list) or not all(isinstance(tool, Mapping) for tool in tools):
        return None
    return tuple(tools)


def _settings(config: Mapping[str, object]) -> Mapping[str, object] | None:
    if any(not isinstance(config.get(key), Mapping | None) for key in _SECTIONS):
        return None
    return {key: config[key] for key in _SETTINGS if config.get(key) is not None}
