"""Reads cases.jsonl back: what was judged, as a judge saw it. A hostile line is refused in one clause."""

from dataclasses import dataclass, replace

from holodeck_eval.domain.agent import ArgumentMatch, ToolExpectation
from holodeck_eval.domain.case import Turn
from holodeck_eval.domain.result import CaseResult, TurnResult
from holodeck_eval.domain.transcript import ToolCall
from holodeck_eval.reports._line_values import (
    BadCaseError,
    Record,
    as_object,
    children,
    count_of,
    flag_of,
    items_of,
    name_of,
    required,
    shown,
    text_of,
    texts_of,
    value_of,
)
from holodeck_eval.reports._text import encodable
from holodeck_eval.reports.cases import TEXT_LIMIT

__all__ = ["BadCaseError", "KeptCase", "fits", "parse_case"]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptCase:
    """A case as its line holds it.

    Attributes:
        id, agent, digest: as in `Case`.
        turns: those that were kept whole, without their metrics.
        shortened: how many were not: a judge would see other texts than before.
    """

    id: str
    agent: str
    digest: str
    turns: tuple[Turn, ...]
    shortened: int = 0


def parse_case(line: str) -> KeptCase:
    """The case of a line that `render_case` wrote. Fields this version does not know are passed over.

    Raises:
        BadCaseError: for anything else.
    """
    record = as_object(value_of(line), "it")
    case_id = name_of(record, "id")
    items = [as_object(item, "a turn") for item in required(items_of(record, "turns"), "turns")]
    turns = [_turn(item, case_id) for item in items]
    indexes = {turn.index for turn in turns}
    if len(indexes) < len(turns):
        raise BadCaseError("two of its turns have one index")
    several = len(turns) > 1 or any(indexes)
    long = len(line) > TEXT_LIMIT
    whole = [turn for turn, item in zip(turns, items, strict=True) if not (long and _is_cut(item))]
    return KeptCase(
        id=case_id,
        agent=name_of(record, "agent"),
        digest=name_of(record, "digest"),
        turns=tuple(replace(turn, several=several) for turn in whole),
        shortened=len(turns) - len(whole),
    )


def fits(kept: KeptCase, case: CaseResult) -> bool:
    """Whether a case is the one that results show: asked and expected the same, answered as they show it."""
    results = {turn.index: turn for turn in case.turns}
    return kept.digest == case.digest and all(
        turn.index in results and _is_shown(turn, results[turn.index]) for turn in kept.turns
    )


def _is_shown(turn: Turn, result: TurnResult) -> bool:
    return all(
        _begins(whole, head)
        for whole, head in (
            (turn.input, result.input),
            (turn.actual_output, result.actual_output),
            (turn.expected_output, result.expected_output),
            (turn.no_answer, result.no_answer),
        )
    )


def _begins(whole: str | None, head: str | None) -> bool:
    """Whether a text is the one whose head is shown."""
    if whole is None or head is None:
        return whole is head
    whole = encodable(whole)  # as results.json shows what UTF-8 cannot hold
    return whole == head or (head.endswith("…") and whole.startswith(head[:-1]))


def _turn(record: Record, case_id: str) -> Turn:
    calls, tools = items_of(record, "tool_calls"), items_of(record, "expected_tools")
    return Turn(
        case_id=case_id,
        index=count_of(record, "index"),
        input=text_of(record, "input"),
        actual_output=text_of(record, "actual_output"),
        no_answer=text_of(record, "no_answer"),
        expected_output=text_of(record, "expected_output"),
        context=texts_of(record, "context"),
        retrieval_context=texts_of(record, "retrieval_context"),
        tool_calls=None if calls is None else tuple(_tool_call(item) for item in calls),
        expected_tools=None if tools is None else tuple(_expected(item) for item in tools),
        is_refusal=flag_of(record, "is_refusal"),
    )


def _tool_call(item: object) -> ToolCall:
    record = as_object(item, "a tool call")
    return ToolCall(
        name=required(text_of(record, "name"), "name"),
        arguments=record.get("arguments"),
        result=record.get("result"),
        error=text_of(record, "error"),
        id=text_of(record, "id"),
    )


def _expected(item: object) -> ToolExpectation:
    record = as_object(item, "an expected tool")
    written = record.get("arguments")
    arguments = None if written is None else as_object(written, "the arguments of an expected tool")
    return ToolExpectation(
        name=required(text_of(record, "name"), "name"),
        arguments=None if arguments is None else {key: _match(value) for key, value in arguments.items()},
        count=count_of(record, "count"),
    )


def _match(item: object) -> ArgumentMatch:
    record = as_object(item, "an expected argument")
    match record.get("how"):
        case "exact" | "fuzzy" | "regex" as how:
            return ArgumentMatch(how=how, value=record.get("value"))
        case other:
            raise BadCaseError(f'"how" must be exact, fuzzy or regex, not {shown(other)}')


def _is_cut(value: object) -> bool:
    """Whether a text in it was cut. No other is over `TEXT_LIMIT`: a mark stands at its end."""
    if isinstance(value, str):
        return len(value) > TEXT_LIMIT
    return any(_is_cut(item) for item in children(value))
