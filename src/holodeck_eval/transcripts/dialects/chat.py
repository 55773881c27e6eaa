"""Messages as chat-completions writes them, its older and neighbouring spellings included."""

from collections.abc import Callable, Mapping, Sequence

from holodeck_eval.domain.transcript import ToolCall
from holodeck_eval.domain.wording import nearest, quoted
from holodeck_eval.transcripts._fields import arguments, as_id, as_text, failure
from holodeck_eval.transcripts._messages import Message, Role
from holodeck_eval.transcripts._record import RecordError

ROLES: Mapping[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}

_TEXT_PARTS = ("text", "input_text", "output_text")
_OTHER_PARTS = {"image_url": "image", "input_image": "image", "input_audio": "audio", "input_file": "file"}


_BODY = frozenset({"content", "tool_calls", "function_call", "refusal"})
_FOREIGN = frozenset(
    {"tool_use", "tool_result", "tool_call", "tool-call", "tool-result", "server_tool_use", "thinking"}
)
"""Parts that hold what chat-completions keeps elsewhere: to skip them would lose a call or its result."""


def is_message(value: object) -> bool:
    """Whether a value is a message of chat-completions, and not of one of its relatives."""
    if not isinstance(value, Mapping) or value.get("type") == "message" or _BODY.isdisjoint(value):
        return False
    role = value.get("role")
    return isinstance(role, str) and role in ROLES and not is_foreign(value)


def is_foreign(value: object) -> bool:
    """Whether a message has parts that a relative of chat-completions puts into its content."""
    parts = value.get("content") if isinstance(value, Mapping) else None
    return isinstance(parts, list) and any(_kind(part) in _FOREIGN for part in parts)


def claims(items: Sequence[object]) -> bool:
    """Whether a list starts with a message, and none of its messages is of a relative's kind."""
    return is_message(items[0]) and not any(is_foreign(item) for item in items)


def _kind(part: object) -> str | None:
    kind = part.get("type") if isinstance(part, Mapping) else None
    return kind if isinstance(kind, str) else None


def messages(value: object, field: str) -> list[Message]:
    """A list of messages.

    Raises:
        RecordError: with one sentence for each message that is none.
    """
    if not isinstance(value, list) or not value:
        raise RecordError(f"`{field}` must be a list of at least one message")
    made: list[Message] = []
    wrong: list[str] = []
    for index, item in enumerate(value):
        try:
            made.append(message(item, f"{field}[{index}]"))
        except RecordError as error:
            wrong.extend(error.messages)
    if wrong:
        raise RecordError(*wrong)
    return made


def message(item: object, field: str) -> Message:
    """One message.

    Raises:
        RecordError: where it is no object, or its role or a tool call cannot be understood.
    """
    if not isinstance(item, Mapping):
        raise RecordError(f"`{field}` must be an object with `role` and `content`")
    role = item.get("role")
    if not isinstance(role, str) or role not in ROLES:
        raise RecordError(
            f"`{field}.role` is {quoted(str(role), 20)}; known are {', '.join(ROLES)}{_near(role)}"
        )
    return _MAKERS[ROLES[role]](item, field)


def _near(role: object) -> str:
    return nearest(role, ROLES) if isinstance(role, str) else ""


def _said(item: Mapping[str, object], field: str, role: Role) -> Message:
    return Message(role=role, text=content(item.get("content"), f"{field}.content"))


def _system(item: Mapping[str, object], field: str) -> Message:
    return _said(item, field, "system")


def _user(item: Mapping[str, object], field: str) -> Message:
    return _said(item, field, "user")


def _assistant(item: Mapping[str, object], field: str) -> Message:
    text = content(item.get("content"), f"{field}.content")
    refusal = item.get("refusal")
    if not (text or "").strip() and isinstance(refusal, str):
        text = refusal
    return Message(role="assistant", text=text, calls=_calls(item, field))


def _tool(item: Mapping[str, object], field: str) -> Message:
    raw = item.get("content")
    result = content(raw, f"{field}.content") if isinstance(raw, list) and _are_parts(raw) else raw
    failed = failure(item.get("error")) or failure(item.get("is_error"))
    return Message(
        role="tool",
        result=result,
        call_id=as_id(item.get("tool_call_id"), f"{field}.tool_call_id"),
        name=as_text(item.get("name")),
        error=failed,
    )


_MAKERS: Mapping[Role, Callable[[Mapping[str, object], str], Message]] = {
    "system": _system,
    "user": _user,
    "assistant": _assistant,
    "tool": _tool,
}


def content(value: object, field: str) -> str | None:
    """The text of a message: null stays None, the text parts of a list are joined by line ends.

    Raises:
        RecordError: for anything but text, null or a list of parts.
    """
    if value is None or isinstance(value, str):
        return value
    if not isinstance(value, list):
        raise RecordError(f"`{field}` must be text, null or a list of parts")
    return "\n".join(_part(part, f"{field}[{index}]") for index, part in enumerate(value))


def _are_parts(value: list[object]) -> bool:
    return all(isinstance(part, Mapping) and isinstance(part.get("type"), str) for part in value)


def _part(part: object, field: str) -> str:
    if isinstance(part, str):
        return part
    kind = _kind(part)
    if not isinstance(part, Mapping) or kind is None:
        raise RecordError(f"`{field}` must be text or an object with `type`")
    if kind in _FOREIGN:
        raise RecordError(f"`{field}` is a {quoted(kind)} part, which chat-completions messages do not have")
    body = part.get("refusal") if kind == "refusal" else part.get("text") if kind in _TEXT_PARTS else None
    return body if isinstance(body, str) else f"[{_OTHER_PARTS.get(kind, kind)}]"


def _calls(item: Mapping[str, object], field: str) -> tuple[ToolCall, ...]:
    listed = item.get("tool_calls")
    if listed is not None and not isinstance(listed, list):
        raise RecordError(f"`{field}.tool_calls` must be a list")
    made = tuple(_call(call, f"{field}.tool_calls[{index}]") for index, call in enumerate(listed or ()))
    legacy = item.get("function_call")
    return made if legacy is None else (*made, _call(legacy, f"{field}.function_call"))


def _call(item: object, field: str) -> ToolCall:
    if not isinstance(item, Mapping):
        raise RecordError(f"`{field}` must be an object")
    inner = next((item[key] for key in ("function", "custom") if isinstance(item.get(key), Mapping)), item)
    name = inner.get("name")
    if not isinstance(name, str) or not name.strip():
        raise RecordError(f"`{field}` has no tool name")
    given = inner.get("arguments", inner.get("input"))
    return ToolCall(name=name, arguments=arguments(given), id=as_id(item.get("id"), f"{field}.id"))
