"""From a list of messages to turns: one for each question a user asked.

Formats turn their own shape of message into `Message`; what a conversation means is decided here.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from holodeck_eval.domain.transcript import ContextChunk, RecordedTurn, ToolCall
from holodeck_eval.domain.wording import quoted
from holodeck_eval.transcripts._fields import ended_in_error, no_answer

Role = Literal["system", "user", "assistant", "tool"]
ENDED_IN_CALL = "the run ended in a tool call"
NO_ASSISTANT = "there is no assistant message"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of any format.

    `text` None is null. `calls` are an assistant's; `call_id`, `name`, `result` and `error` a tool's reply.
    `context` is what was retrieved with this message, whoever says it; None where it tells of no retrieval.
    """

    role: Role
    text: str | None = None
    calls: tuple[ToolCall, ...] = ()
    call_id: str | None = None
    name: str | None = None
    result: object = None
    error: str | None = None
    context: tuple[ContextChunk, ...] | None = None


@dataclass(slots=True)
class _Call:
    """A call that waits for its result."""

    call: ToolCall
    answered: bool = False


@dataclass(slots=True)
class _Segment:
    """What follows one question, up to the next."""

    question: str | None
    asked: bool = True
    assistant: Message | None = None
    calls: list[_Call] = field(default_factory=list)
    context: tuple[ContextChunk, ...] | None = None


@dataclass(slots=True)
class _Waiting:
    """Calls that wait for their results: those of the last step in order, all by their id."""

    step: deque[_Call] = field(default_factory=deque)
    by_id: dict[str | None, deque[_Call]] = field(default_factory=dict)

    def begin(self, step: Sequence[_Call]) -> None:
        """Take up the calls of a step."""
        self.step = deque(step)
        for call in step:
            self.by_id.setdefault(call.call.id, deque()).append(call)

    def take(self, call_id: str | None) -> _Call | None:
        """The call a result belongs to: by id the latest one, without an id the next one of the step."""
        calls = self.step if call_id is None else self.by_id.get(call_id, deque())
        while calls:
            call = calls.popleft() if call_id is None else calls.pop()
            if not call.answered:
                return call
        return None


def turns_of(
    messages: Sequence[Message], error: str | None = None
) -> tuple[tuple[RecordedTurn, ...], list[str]]:
    """The turns of a conversation, at least one, and warnings about what does not pair.

    Args:
        messages: in the order they were said.
        error: why the run ended, where it ended in an error; then the last turn has no answer.
    """
    segments, warnings = _segments(messages)
    turns = [_turn(segment, None) for segment in segments[:-1]]
    return (*turns, _turn(segments[-1], error)), warnings


def _segments(messages: Sequence[Message]) -> tuple[list[_Segment], list[str]]:
    opening = _Segment(question=None, asked=False)
    segments: list[_Segment] = [opening]
    waiting = _Waiting()
    warnings: list[str] = []
    for message in messages:
        if message.role == "user":
            segments.append(_Segment(question=message.text))
        elif message.role == "assistant":
            step = [_Call(call=call) for call in message.calls]
            segments[-1].assistant = message
            segments[-1].calls.extend(step)
            waiting.begin(step)
        elif message.role == "tool":
            _pair(message, waiting, warnings)
        if message.context is not None:
            segments[-1].context = (*(segments[-1].context or ()), *message.context)
    asked = [segment for segment in segments if segment.asked] or [opening]
    warnings += [_without_result(call) for segment in asked for call in segment.calls if not call.answered]
    return asked, warnings


def _pair(message: Message, waiting: _Waiting, warnings: list[str]) -> None:
    call = waiting.take(message.call_id)
    if call is None:
        warnings.append(f"a tool result{_named(message)} belongs to no call and is left out")
        return
    call.answered = True
    call.call = ToolCall(
        name=call.call.name,
        arguments=call.call.arguments,
        result=message.result,
        error=message.error,
        id=call.call.id,
    )


def _named(message: Message) -> str:
    given = message.call_id or message.name
    return f" ({quoted(given, 40)})" if given else ""


def _without_result(call: _Call) -> str:
    return f"the call of the tool {quoted(call.call.name, 40)} has no recorded result"


def _turn(segment: _Segment, error: str | None) -> RecordedTurn:
    last = segment.assistant
    output = last.text if last is not None and not last.calls else None
    return RecordedTurn(
        input=segment.question,
        output=output,
        no_answer=_why(last, output, error),
        context=segment.context,
        tool_calls=tuple(call.call for call in segment.calls),
    )


def _why(last: Message | None, output: str | None, error: str | None) -> str | None:
    if error:
        return ended_in_error(error)
    if last is None:
        return NO_ASSISTANT
    return ENDED_IN_CALL if last.calls else no_answer(output)
