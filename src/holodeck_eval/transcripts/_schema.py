"""The native record's schema: what is checked, and what `transcript_schema()` publishes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError
from pydantic_core import ErrorDetails

from holodeck_eval.domain.wording import nearest, quoted
from holodeck_eval.transcripts._record import RecordError

Id = str | int | float
Named = Annotated[str, Field(pattern=r"\S")]


class NativeContext(BaseModel):
    """A retrieved text. `turn` counts from 0; without it the text belongs to the last turn."""

    model_config = ConfigDict(extra="allow", defer_build=True)

    text: str
    source: str | None = None
    turn: Annotated[int, Field(ge=0)] | None = None


class NativeCall(BaseModel):
    """A tool call, for records without messages. `arguments` is an object, or text where it did not parse."""

    model_config = ConfigDict(extra="allow", defer_build=True)

    name: str
    id: Id | None = None
    arguments: JsonValue = None
    result: JsonValue = None
    error: str | bool | None = None


class NativeMessage(BaseModel):
    """A chat-completions message. What else it holds is left alone."""

    model_config = ConfigDict(extra="allow", defer_build=True)

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: JsonValue = None


class NativeError(BaseModel):
    """Why a run ended in an error."""

    model_config = ConfigDict(extra="allow", defer_build=True)

    type: str | None = None
    message: str | None = None


class NativeTool(BaseModel):
    """A tool that was expected to be called, with exactly these arguments, at least so often."""

    model_config = ConfigDict(extra="forbid", defer_build=True)

    name: Named
    args: dict[str, JsonValue] = Field(default_factory=dict)
    count: Annotated[int, Field(ge=1)] = 1


class NativeReference(BaseModel):
    """The expected side, where the record carries one; never what was recorded."""

    model_config = ConfigDict(extra="forbid", defer_build=True)

    expected_output: JsonValue = None
    answer: JsonValue = None
    context: list[str] | str | None = None
    tools: list[Named | NativeTool] | None = None
    is_refusal: bool | None = None


class NativeTranscript(BaseModel):
    """One recorded run: `messages`, or `input` with `output`.

    Both where the answer is not the last message: then `output` wins.
    """

    model_config = ConfigDict(extra="forbid", defer_build=True)

    version: Literal[1] = 1
    id: Id | None = None
    test_case: Id | None = None
    agent: str | None = None
    agent_digest: str | None = None
    messages: list[NativeMessage] | None = None
    input: str | None = None
    output: JsonValue = None
    context: list[str | NativeContext] | str | None = None
    tool_calls: list[str | NativeCall] | None = None
    status: Literal["ok", "error", "incomplete"] = "ok"
    error: str | NativeError | None = None
    stop_reason: str | None = None
    model: str | None = None
    usage: dict[str, JsonValue] | None = None
    reference: NativeReference | None = None
    origin: JsonValue = None
    extra: dict[str, JsonValue] = Field(default_factory=dict)


KEYS = frozenset(NativeTranscript.model_fields)
_BRANCHES = ("str", "int", "float", "bool", "json-value")


_MOST_VALUES = 250_000
_TOLD = 10


def check(record: Mapping[str, object]) -> None:
    """See that a record has the shape of `NativeTranscript`.

    Raises:
        RecordError: with a sentence for each thing that is wrong.
    """
    if _holds_more(record, _MOST_VALUES):
        raise RecordError(f"a transcript may hold at most {_MOST_VALUES:,} values")
    errors = _errors(record)
    if any(error["type"] == "string_unicode" for error in errors):
        errors = _errors(
            _without_surrogates(record)
        )  # such texts are kept; only the checker cannot take them
    if errors:
        rest = [f"{len(errors) - _TOLD:,} more things are wrong in it"] if len(errors) > _TOLD else []
        raise RecordError(*dict.fromkeys(_sentence(error) for error in errors[:_TOLD]), *rest)


def _holds_more(record: object, most: int) -> bool:
    """Whether a record holds more values than the checker, which notes each error, should look at."""
    waiting, count = [record], 0
    while waiting and count <= most:
        value = waiting.pop()
        parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
        count += len(parts)
        if count <= most:
            waiting.extend(part for part in parts if isinstance(part, Mapping | list))
    return count > most


def _errors(record: object) -> list[ErrorDetails]:
    try:
        NativeTranscript.model_validate(record, strict=True)
    except ValidationError as error:
        return error.errors(include_url=False, include_input=False)
    return []


def _without_surrogates(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, Mapping):
        return {_without_surrogates(key): _without_surrogates(item) for key, item in value.items()}
    return [_without_surrogates(item) for item in value] if isinstance(value, list) else value


def _sentence(error: ErrorDetails) -> str:
    *outer, last = error["loc"]
    unknown = error["type"] == "extra_forbidden"
    path = [part for part in outer if not _is_branch(part)]
    path += [last] if unknown or not path or not _is_branch(last) else []
    name = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")
    if unknown:
        known = KEYS if len(path) == 1 else _known_inside(error["loc"])
        return f"{quoted(name)} is not known{nearest(str(last), known)}"
    return f"{quoted(name)}: {error['msg'][:1].lower()}{error['msg'][1:]}"


def _known_inside(steps: Sequence[int | str]) -> Iterable[str]:
    return NativeTool.model_fields if "tools" in steps else NativeReference.model_fields


def _is_branch(part: object) -> bool:
    """Whether a step of a path is pydantic's name for a branch of a union, not one of the file's."""
    return isinstance(part, str) and (part in _BRANCHES or "[" in part or part.startswith("Native"))
