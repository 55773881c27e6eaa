"""An agent as it is configured beside the one that a HoloDeck run kept: the same, another, or None: unknown.

HoloDeck keeps its whole configuration, with defaults filled in, variables put in and secrets starred out.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from holodeck_eval.domain.behaviour import Behaviour, Instructions, Part
from holodeck_eval.domain.shapes import MODEL, SETTINGS, Shape, normal, plain, tool_shape

_VARIABLE: Final = re.compile(r"\$\{[A-Za-z_][A-Za-z0-9_]*\}")
_MISSING: Final = object()


def same_behaviour(part: Part, now: Behaviour, then: Behaviour) -> bool | None:
    """Whether a part of an agent is what was recorded of it; None where that cannot be told."""
    if part == "instructions":
        return _same_instructions(now.instructions, then.instructions)
    if part == "tools":
        return _same_tools(now.tools, then.tools)
    if part == "model":
        return _same_mapping(now.model, then.model, MODEL)
    return _same_mapping(now.settings, then.settings, SETTINGS)


def _same_mapping(
    now: Mapping[str, object] | None, then: Mapping[str, object] | None, shape: Shape
) -> bool | None:
    if now is None or then is None:
        return None
    return _same(normal(now, shape), normal(then, shape), shape)


def _same_instructions(now: Instructions | None, then: Instructions | None) -> bool | None:
    if now is None or then is None or now.text is None:
        return None
    if then.text is not None:
        told, recorded = (str(plain(text)).strip() for text in (now.text, then.text))
        return _same_text(told, recorded) if now.inline else told == recorded
    if not now.bodies or not then.bodies or (now.inline and _VARIABLE.search(now.text)):
        return None
    if set(now.bodies).isdisjoint(then.bodies):
        return False
    # Front matter is told to the agent too, but HoloDeck's record of it is not exact enough to blame anyone.
    return True if now.front is not None and now.front == then.front else None


def _same_tools(
    now: Sequence[Mapping[str, object]] | None, then: Sequence[Mapping[str, object]] | None
) -> bool | None:
    if now is None or then is None:
        return None
    mine, recorded = _by_name(now), _by_name(then)
    if mine is None or recorded is None:
        return None
    return _all(_same_tool(mine.get(name), recorded.get(name)) for name in dict.fromkeys((*mine, *recorded)))


def _by_name(tools: Sequence[Mapping[str, object]]) -> dict[str, Mapping[str, object]] | None:
    """The tools by name; None where one has none, or two have one."""
    named = {name: tool for tool in tools if isinstance(name := tool.get("name"), str)}
    return named if len(named) == len(tools) else None


def _same_tool(now: Mapping[str, object] | None, then: Mapping[str, object] | None) -> bool | None:
    """MCP servers that only the record has may come from a configuration that is not the agent's."""
    if now is None:
        return None if then is not None and then.get("type") == "mcp" else False
    if then is None:
        return False
    return _same_mapping(now, then, tool_shape(now))


def _same(now: object, then: object, shape: Shape | None = None) -> bool | None:
    if isinstance(now, str):
        return _same_text(now, then)
    if isinstance(now, Mapping) and isinstance(then, Mapping):
        return _all(
            _same_value(key, now.get(key, _MISSING), then.get(key, _MISSING), shape)
            for key in dict.fromkeys((*now, *then))
        )
    if isinstance(now, list) and isinstance(then, list) and len(now) == len(then):
        return _all(_same(*pair) for pair in zip(now, then, strict=True))
    return now == then and isinstance(now, bool) == isinstance(then, bool)


def _same_value(key: str, now: object, then: object, shape: Shape | None) -> bool | None:
    """A key that the record alone has, and that is not known here, may be a newer HoloDeck's default."""
    if now is _MISSING and shape is not None and not shape.knows(key):
        return None
    return _same(now, then, shape.at(key) if shape is not None else None)


def _same_text(now: str, then: object) -> bool | None:
    """A written text beside the one recorded, in which HoloDeck put values in the place of `${NAME}`."""
    first, *others = _VARIABLE.split(now)
    if not others:
        return now == then
    if not isinstance(then, str):
        return None
    return None if _fits(then, first, others) else False


def _fits(text: str, first: str, others: Sequence[str]) -> bool:
    """Whether a text is these pieces in order, with anything between them."""
    if not text.startswith(first):
        return False
    at = len(first)
    for piece in others[:-1]:
        found = text.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return text.endswith(others[-1]) and len(text) - len(others[-1]) >= at


def _all(found: Iterable[bool | None]) -> bool | None:
    every = set(found)
    return False if False in every else None if None in every else True
