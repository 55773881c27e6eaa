"""What was recorded: one run of an agent, whatever format it was kept in."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from holodeck_eval.domain.agent import ToolExpectation
from holodeck_eval.domain.behaviour import Behaviour
from holodeck_eval.errors import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One call of a tool.

    `arguments` is a mapping where it parsed, else the text as recorded, or None where unrecorded.
    `result` None means that none was recorded. `error` is set where the tool is known to have failed.
    """

    name: str
    arguments: object = None
    result: object = None
    error: str | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextChunk:
    """One retrieved text, and where it came from."""

    text: str
    source: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """The expected side found in a transcript file, kept apart from what was recorded."""

    expected_output: str | None = None
    expected_tools: tuple[ToolExpectation, ...] | None = None
    context: tuple[str, ...] | None = None
    is_refusal: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedTurn:
    """A question and what came of it.

    Attributes:
        input: the question; None where the format does not hold it.
        output: the answer as recorded; None, "" and blank stay different.
        no_answer: why there is no answer, as a clause ("the run ended in a tool call"); None where
            there is one.
        context: retrieved chunks; None means not recorded, () that nothing was retrieved.
        documents: texts of files given to the agent; None where there were none.
        tool_calls: None means not recorded, () that no tool was called.
        reference: the expected side, where the file has one.
    """

    input: str | None
    output: str | None
    no_answer: str | None = None
    context: tuple[ContextChunk, ...] | None = None
    documents: tuple[str, ...] | None = None
    tool_calls: tuple[ToolCall, ...] | None = None
    reference: Reference | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """One recorded run of an agent.

    Attributes:
        format: the key of FORMATS that read it.
        place: the file and the line or record it starts at.
        turns: at least one, in order.
        id: the record's own id, as text.
        test_case: the name of the test case it belongs to, where the record says.
        agent: the agent's name, where the record says.
        agent_digest: what `holodeck-eval digest` said of the agent, where the record says.
        recorded_agent: what shaped the agent, where it was kept beside the record; nothing of it is shown.
        model: the agent's model, where recorded.
        extra: what else the record holds, untouched.
        multi_turn: whether it was recorded as several turns of one test, each to be judged; a chat
            with several questions is not.
    """

    format: str
    place: Place
    turns: tuple[RecordedTurn, ...]
    id: str | None = None
    test_case: str | None = None
    agent: str | None = None
    agent_digest: str | None = None
    recorded_agent: Behaviour | None = None
    model: str | None = None
    extra: Mapping[str, object] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    multi_turn: bool = False
