"""The project's own record: everything that scoring needs, expected and recorded kept apart."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from holodeck_eval.domain.agent import ArgumentMatch, ToolExpectation
from holodeck_eval.domain.transcript import ContextChunk, RecordedTurn, Reference, Transcript
from holodeck_eval.domain.wording import quoted
from holodeck_eval.transcripts._fields import (
    as_flag,
    as_id,
    as_text,
    chunks,
    ended_in_error,
    no_answer,
    one_text,
    texts,
    tool_calls,
)
from holodeck_eval.transcripts._messages import turns_of
from holodeck_eval.transcripts._record import Job, Record, RecordError, Sample
from holodeck_eval.transcripts._schema import KEYS, check
from holodeck_eval.transcripts.dialects.chat import messages

MARKERS = frozenset(
    {"test_case", "agent", "agent_digest", "status", "stop_reason", "origin", "extra", "version"}
)
_MORE_MARKERS = frozenset({"context", "tool_calls", "output", "input", "error", "usage"})
_KEPT = ("status", "stop_reason", "usage", "origin")


def recognises(sample: Sample) -> bool:
    """Whether the records have native keys alone, and some record one that only native records have.

    A record that says what only a native one can, of how its run ended or what it retrieved, is native
    whatever else it holds: read as another format it would lose just that.
    """
    if sample.container == "csv" or not sample.records:
        return False
    if any(_is_wrapped(record) or _is_telling(record) for record in sample.records):
        return True
    native = [record for record in sample.mappings() if _has_native_keys(record)]
    # One key that is misspelt must not turn the whole file into another format, so with messages, where
    # nothing but a native record has these keys, one of them tells.
    enough = len(native) == len(sample.records) or any("messages" in record for record in native)
    return enough and any(_is_marked(record) for record in native)


def _has_native_keys(record: Mapping[str, object]) -> bool:
    return record.keys() <= KEYS and not record.keys().isdisjoint(("messages", "output", "status"))


def _is_telling(record: object) -> bool:
    if not isinstance(record, Mapping) or record.keys().isdisjoint(("messages", "output")):
        return False
    ended = record.get("status") in ("ok", "error", "incomplete")
    told = ended or "agent_digest" in record or isinstance(record.get("reference"), Mapping)
    return told or ("messages" in record and not record.keys().isdisjoint(("context", "test_case")))


def _is_wrapped(record: object) -> bool:
    return isinstance(record, Mapping) and isinstance(record.get("transcripts"), list)


def _is_marked(record: Mapping[str, object]) -> bool:
    keys = record.keys()
    marked = bool(keys & MARKERS) or isinstance(record.get("reference"), Mapping)
    return marked or ("messages" in keys and bool(keys & _MORE_MARKERS))


def read(records: Iterator[Record], job: Job) -> Iterator[Transcript]:
    """One transcript a record; a record with `transcripts` holds a list of them."""
    return job.each(_unwrapped(records, job), _transcripts)


def _unwrapped(records: Iterator[Record], job: Job) -> Iterator[Record]:
    for record in records:
        value = record.value
        if not isinstance(value, Mapping) or not isinstance(value.get("transcripts"), list):
            yield record
            continue
        _check_wrapper(value, record, job)
        for number, item in enumerate(value["transcripts"], start=1):
            yield Record(value=item, place=replace(record.place, record=number))


def _check_wrapper(value: Mapping[str, object], record: Record, job: Job) -> None:
    for key in value:
        if key not in ("version", "transcripts"):
            job.problems.add(f"{quoted(key)} is not known beside `transcripts`", record.place)
    if value.get("version", 1) != 1:
        job.problems.add("the native version must be 1", record.place)


def _transcripts(record: Record) -> Iterable[Transcript]:
    raw = record.value
    if not isinstance(raw, Mapping):
        raise RecordError("a transcript must be an object")
    check(raw)
    turns, warnings = _turns(raw)
    turns = _with_context(turns, raw)
    yield Transcript(
        format="native",
        place=record.place,
        turns=(*turns[:-1], replace(turns[-1], reference=_reference(raw.get("reference")))),
        id=as_id(raw.get("id"), "id"),
        test_case=as_id(raw.get("test_case"), "test_case"),
        agent=as_id(raw.get("agent"), "agent"),
        agent_digest=as_text(raw.get("agent_digest")),
        model=as_text(raw.get("model")),
        extra=_extra(raw),
        warnings=tuple(warnings),
    )


def _extra(raw: Mapping[str, object]) -> dict[str, object]:
    kept: dict[str, object] = {name: raw[name] for name in _KEPT if raw.get(name) is not None}
    extra = raw.get("extra")
    return {**extra, **kept} if isinstance(extra, Mapping) else kept


def _turns(raw: Mapping[str, object]) -> tuple[tuple[RecordedTurn, ...], list[str]]:
    ended = _ended(raw)
    if raw.get("messages") is None:
        if not raw.keys() & {"output", "error", "status"}:
            raise RecordError("a transcript needs `messages`, or `input` and `output`")
        empty = RecordedTurn(input=None, output=None, no_answer=no_answer(None))
        return (_overridden(empty, raw, ended),), []
    turns, warnings = turns_of(messages(raw["messages"], "messages"))
    return (*turns[:-1], _overridden(turns[-1], raw, ended)), warnings


def _overridden(turn: RecordedTurn, raw: Mapping[str, object], ended: str | None) -> RecordedTurn:
    """The last turn, where `input`, `output`, `tool_calls` or `status` say more than the messages."""
    if raw.get("input") is not None:
        turn = replace(turn, input=as_text(raw["input"]))
    if "output" in raw:
        output = as_text(raw["output"])
        turn = replace(turn, output=output, no_answer=no_answer(output))
    if raw.get("tool_calls") is not None:
        turn = replace(turn, tool_calls=tool_calls(raw["tool_calls"], "tool_calls"))
    return replace(turn, no_answer=ended) if ended else turn


def _ended(raw: Mapping[str, object]) -> str | None:
    """Why the run has no answer, where its status or error says so."""
    status, error = raw.get("status", "ok"), raw.get("error")
    if status == "incomplete":
        return "the run is recorded as incomplete"
    if status == "ok" and error is None:
        return None
    text = (error.get("message") or error.get("type")) if isinstance(error, Mapping) else error
    return ended_in_error(str(text or "none was given"))


def _with_context(turns: tuple[RecordedTurn, ...], raw: Mapping[str, object]) -> tuple[RecordedTurn, ...]:
    """Each chunk at its turn. Once a chunk names its turn, a turn without any retrieved nothing."""
    value = raw.get("context")
    given = chunks(value, "context")
    if given is None:
        return turns
    last = len(turns) - 1
    places = [_turn_of(item) for item in value] if isinstance(value, list) else [None]
    found: dict[int, list[ContextChunk]] = {last: []}
    for chunk, place in zip(given, places, strict=True):
        at = last if place is None else place
        if at > last:
            raise RecordError(f"`context` names turn {at}, but the last one is {last} (counted from 0)")
        found.setdefault(at, []).append(chunk)
    others = None if set(places) <= {None} else ()
    return tuple(
        replace(turn, context=tuple(found[index]) if index in found else others)
        for index, turn in enumerate(turns)
    )


def _turn_of(item: object) -> int | None:
    turn = item.get("turn") if isinstance(item, Mapping) else None
    return turn if isinstance(turn, int) else None


def _expected_tools(value: object) -> tuple[ToolExpectation, ...] | None:
    return tuple(_expected_tool(item) for item in value) if isinstance(value, list) else None


def _expected_tool(item: object) -> ToolExpectation:
    if not isinstance(item, Mapping):
        return ToolExpectation(name=str(item))
    arguments = {
        name: ArgumentMatch(how="exact", value=value) for name, value in item.get("args", {}).items()
    }
    return ToolExpectation(name=item["name"], arguments=arguments, count=item.get("count", 1))


def _reference(value: object) -> Reference | None:
    if not isinstance(value, Mapping):
        return None
    expected = value.get("expected_output")
    expected = value.get("answer") if expected is None else expected
    return Reference(
        expected_output=one_text(expected, "reference.expected_output"),
        expected_tools=_expected_tools(value.get("tools")),
        context=texts(value.get("context"), "reference.context"),
        is_refusal=as_flag(value.get("is_refusal"), "reference.is_refusal"),
    )
