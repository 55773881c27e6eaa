"""Values of a record as the domain's types: texts, chunks, tool calls."""

import json
from collections.abc import Mapping
from typing import Final

from holodeck_eval.domain.transcript import ContextChunk, ToolCall
from holodeck_eval.domain.wording import quoted
from holodeck_eval.transcripts import _json
from holodeck_eval.transcripts._record import RecordError

_TEXT_KEYS: Final = ("text", "content", "page_content")
_ARGUMENT_DEPTH: Final = 64
IS_NULL: Final = "the answer is null"
IS_EMPTY: Final = "the answer is empty"
_HEAD: Final = 300


def as_text(value: object) -> str | None:
    """Text as it is, null as None, anything else as its JSON."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def as_id(value: object, field: str) -> str | None:
    """A name or id as text: numbers are written out, blank and null are None.

    Raises:
        RecordError: for a list, an object, true or false.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float | None):
        raise RecordError(f"`{field}` must be text or a number")
    text = "" if value is None else str(value)
    return text if text.strip() else None


def as_flag(value: object, field: str) -> bool | None:
    """True, false or null; also as a table's cell writes them (`true`, `no`, `1`, blank).

    Raises:
        RecordError: for anything else.
    """
    if value is None or isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    known = {"true": True, "false": False, "1": True, "0": False, "yes": True, "no": False, "": None}
    if word not in known:
        raise RecordError(f"`{field}` must be true or false, not {quoted(word, 20)}")
    return known[word]


def no_answer(output: str | None, error: str | None = None) -> str | None:
    """The clause that says why there is no answer; None where there is one."""
    if output is not None and output.strip():
        return None
    if error:
        return ended_in_error(error)
    return IS_NULL if output is None else IS_EMPTY


def ended_in_error(error: str) -> str:
    """The clause for a run that ended in an error, with the head of what it said."""
    return f"the run ended in an error: {head(error)}"


def head(text: str) -> str:
    """The first characters of a text that stands inside a sentence."""
    return text if len(text) <= _HEAD else text[: _HEAD - 1] + "…"


def chunks(value: object, field: str) -> tuple[ContextChunk, ...] | None:
    """Retrieved chunks. Null is not recorded; one text is one chunk; a list is one chunk an item.

    Raises:
        RecordError: for an item that is neither text nor an object with a text in it.
    """
    if value is None:
        return None
    items = value if isinstance(value, list) else [value]
    return tuple(_chunk(item, f"{field}[{index}]") for index, item in enumerate(items))


def _chunk(item: object, field: str) -> ContextChunk:
    if isinstance(item, str):
        return ContextChunk(text=item)
    if isinstance(item, Mapping):
        text = next((item[key] for key in _TEXT_KEYS if isinstance(item.get(key), str)), None)
        if text is not None:
            return ContextChunk(text=text, source=as_text(item.get("source")))
    raise RecordError(f"`{field}` must be text, or an object with `text`")


def texts(value: object, field: str) -> tuple[str, ...] | None:
    """A list of texts; None where there is none."""
    found = chunks(value, field)
    return None if found is None else tuple(chunk.text for chunk in found)


def one_text(value: object, field: str) -> str | None:
    """An expected answer: text, or a list of exactly one; other scalars and objects as their JSON.

    Raises:
        RecordError: for a list of several, of which nobody could say which one counts.
    """
    if isinstance(value, list):
        if len(value) > 1:
            raise RecordError(f"`{field}` holds {len(value)} texts, expected is one")
        value = value[0] if value else None
    return as_text(value)


def tool_calls(value: object, field: str) -> tuple[ToolCall, ...] | None:
    """Tool calls of a flat record: names, or objects with name, arguments, result, error.

    Raises:
        RecordError: for anything else.
    """
    if value is None:
        return None
    if not isinstance(value, list):
        raise RecordError(f"`{field}` must be a list of tool calls")
    return tuple(_tool_call(item, f"{field}[{index}]") for index, item in enumerate(value))


def _tool_call(item: object, field: str) -> ToolCall:
    if isinstance(item, str) and item.strip():
        return ToolCall(name=item)
    if not isinstance(item, Mapping):
        raise RecordError(f"`{field}` must be a tool's name or an object with `name`")
    inner = item.get("function")
    call = inner if isinstance(inner, Mapping) else item
    name = call.get("name")
    if not isinstance(name, str) or not name.strip():
        raise RecordError(f"`{field}` has no `name`")
    return ToolCall(
        name=name,
        arguments=arguments(_first(call, "arguments", "args", "inputParameters", "input_parameters")),
        result=_first(item, "result", "output"),
        error=failure(item.get("error")),
        id=as_id(item.get("id"), f"{field}.id"),
    )


def _first(item: Mapping[str, object], *names: str) -> object:
    return next((item[name] for name in names if item.get(name) is not None), None)


def failure(value: object) -> str | None:
    """A tool's error: its text; a bare true says only that it failed."""
    if value is None or value is False or value == "":
        return None
    return "the tool failed" if value is True else as_text(value)


def arguments(value: object) -> object:
    """Arguments as a mapping where they are one or are its JSON, else as recorded."""
    if not isinstance(value, str):
        return value
    try:
        parsed = _json.loads(value, _ARGUMENT_DEPTH)
    except _json.JsonError:
        return value
    return parsed if isinstance(parsed, Mapping) else value
