"""Chat-completions messages: a request's list, with the response where it stands beside it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from holodeck_eval.domain.transcript import Transcript
from holodeck_eval.errors import Place
from holodeck_eval.transcripts import native
from holodeck_eval.transcripts._fields import as_id, as_text
from holodeck_eval.transcripts._messages import Message, turns_of
from holodeck_eval.transcripts._record import Job, Record, RecordError, Sample
from holodeck_eval.transcripts.dialects.chat import claims, is_message, messages

_IDS = ("id", "conversation_id", "session_id")
_KEPT = ("usage", "created", "tools", "functions", "metadata")


def recognises(sample: Sample) -> bool:
    """Whether the records are messages, lists of messages, or objects with `messages` or `choices`."""
    if sample.container == "csv" or not sample.records or native.recognises(sample):
        return False
    return _is_one_chat(sample) or all(_is_chat(record) for record in sample.records)


def _is_one_chat(sample: Sample) -> bool:
    """Whether each record is one message, so that the file is one chat."""
    return _are_messages(list(sample.records))


def _is_chat(record: object) -> bool:
    if not isinstance(record, Mapping):
        return _are_messages(record)
    return _are_messages(record.get("messages")) or _choices(record) != []


def _are_messages(value: object) -> bool:
    """Whether a value is a list of such messages."""
    return isinstance(value, list) and bool(value) and claims(value)


def read(records: Iterator[Record], job: Job) -> Iterator[Transcript]:
    """One transcript a record; one for the whole file where the records are messages."""
    if _is_one_chat(job.sample):
        whole = Record(value=[record.value for record in records], place=Place(file=job.file))
        return job.each([whole], _transcripts)
    return job.each(records, _transcripts)


def _transcripts(record: Record) -> Iterable[Transcript]:
    value = record.value
    if isinstance(value, list):
        yield _transcript(messages(value, "messages"), {}, record)
    elif isinstance(value, Mapping):
        yield _transcript(_said(value), value, record)
    else:
        raise RecordError("a transcript must be an object with `messages`, or a list of messages")


def _said(value: Mapping[str, object]) -> list[Message]:
    """The request's messages, then the response's first choice."""
    held = value.get("messages")
    choices = _choices(value)
    said = [] if held is None and choices else messages(held, "messages")
    return said + messages(choices[:1], "choices.message") if choices else said


def _choices(value: Mapping[str, object]) -> list[object]:
    """The messages of `choices`, also of a response kept whole under `response`."""
    inner = value.get("response")
    holder = inner if isinstance(inner, Mapping) else value
    found = holder.get("choices")
    if not isinstance(found, list):
        return []
    return [
        item["message"] for item in found if isinstance(item, Mapping) and is_message(item.get("message"))
    ]


def _transcript(said: list[Message], value: Mapping[str, object], record: Record) -> Transcript:
    turns, warnings = turns_of(said, _error(value))
    if len(_choices(value)) > 1:
        warnings.append("the response has several choices; the first is read")
    ids = (as_id(value.get(name), name) for name in _IDS)
    made = Transcript(
        format="messages",
        place=record.place,
        turns=turns,
        id=next((found for found in ids if found is not None), None),
        test_case=as_id(value.get("test_case"), "test_case"),
        agent=as_id(value.get("agent"), "agent") if not isinstance(value.get("agent"), Mapping) else None,
        model=as_text(value.get("model")),
        extra={name: value[name] for name in _KEPT if value.get(name) is not None},
    )
    return replace(made, warnings=tuple(warnings))


def _error(value: Mapping[str, object]) -> str | None:
    error = value.get("error")
    if isinstance(error, Mapping):
        return as_text(error.get("message") or error.get("type") or dict(error))
    return as_text(error) or None
