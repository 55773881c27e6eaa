"""What was retrieved: as recorded, as the test case gives it, or from the results of retrieval tools."""

import json
from collections.abc import Collection, Mapping, Sequence

from holodeck_eval.domain.agent import Agent
from holodeck_eval.domain.transcript import RecordedTurn, ToolCall

_TEXT_KEYS = ("text", "content", "page_content")
_CALLED_AS = (
    "{}",
    "vectorstore-{}",
    "hierarchical_document-{}",
    "mcp__holodeck_tools__{}_search",
    "{}_search",
)
"""The names HoloDeck's backends call a retrieval tool by."""


def retrieval_names(agent: Agent, from_tools: Collection[str]) -> frozenset[str]:
    """Every name under which a tool's results are retrieval context."""
    own = {form.format(tool) for tool in agent.retrieval_tools for form in _CALLED_AS}
    return frozenset(own | set(from_tools))


def retrieval_context(
    recorded: RecordedTurn,
    given: tuple[str, ...] | None,
    session: Sequence[RecordedTurn],
    names: frozenset[str],
) -> tuple[str, ...] | None:
    """The retrieved texts of a turn. None is "not recorded", () is "retrieved nothing".

    Args:
        recorded: the turn.
        given: what the test case says was retrieved.
        session: the turns whose tool results count, this one last.
        names: of the tools whose results are retrieval context.
    """
    if recorded.context is not None:
        return tuple(chunk.text for chunk in recorded.context)
    if given is not None:
        return given
    found = [_from_tools(turn.tool_calls, names) for turn in session]
    known = [texts for texts in found if texts is not None]
    if not names or len(known) < len(found):
        return None  # a part of what was retrieved would make the answer look worse than it is
    return tuple(text for texts in known for text in texts)


def _from_tools(calls: Sequence[ToolCall] | None, names: frozenset[str]) -> tuple[str, ...] | None:
    if calls is None:
        return None
    mine = [call for call in calls if call.name in names]
    if any(call.result is None and call.error is None for call in mine):
        return None
    return tuple(text for call in mine if call.error is None for text in _chunks(call.result))


def _chunks(result: object) -> list[str]:
    items = result if isinstance(result, list) else [result]
    return [text for item in items if (text := _text(item)).strip()]


def _text(item: object) -> str:
    held = [item.get(key) for key in _TEXT_KEYS] if isinstance(item, Mapping) else [item]
    return next((text for text in held if isinstance(text, str)), None) or json.dumps(
        item, ensure_ascii=False
    )
