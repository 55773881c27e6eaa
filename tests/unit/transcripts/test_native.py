"""The project's own record."""

import json
from typing import Any

import pytest

from holodeck_eval.domain.agent import ToolExpectation
from holodeck_eval.domain.transcript import ContextChunk, Reference, ToolCall
from tests.unit.transcripts.kinds import Reads, Refused

CHAT = [
    {"role": "user", "content": "Can I get a refund?"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "name": "lookup", "arguments": {"order": 7}}],
    },
    {"role": "tool", "tool_call_id": "c1", "name": "lookup", "content": "30 days", "error": False},
    {"role": "assistant", "content": "Yes, within 30 days."},
]
FULL = {
    "version": 1,
    "id": 7,
    "test_case": "refund policy",
    "agent": "support",
    "agent_digest": "abc",
    "messages": CHAT,
    "context": [{"text": "30 days.", "source": "policy.md", "turn": 0}, "More."],
    "status": "ok",
    "model": "gpt-5-mini",
    "usage": {"input_tokens": 1, "cost_usd": None},
    "reference": {"answer": "30 days", "context": ["ideal"], "tools": ["lookup"], "is_refusal": False},
    "extra": {"note": "x"},
}


def test_every_field_of_a_record_is_kept(reads: Reads) -> None:
    (read,) = reads([FULL]).transcripts
    assert (read.format, read.id, read.test_case, read.agent) == ("native", "7", "refund policy", "support")
    assert (read.agent_digest, read.model, read.multi_turn) == ("abc", "gpt-5-mini", False)
    assert read.extra == {"note": "x", "status": "ok", "usage": {"input_tokens": 1, "cost_usd": None}}
    (turn,) = read.turns
    assert (turn.input, turn.output, turn.no_answer) == ("Can I get a refund?", "Yes, within 30 days.", None)
    assert turn.context == (ContextChunk(text="30 days.", source="policy.md"), ContextChunk(text="More."))
    assert turn.tool_calls == (ToolCall(name="lookup", arguments={"order": 7}, result="30 days", id="c1"),)
    assert turn.reference == Reference(
        expected_output="30 days",
        expected_tools=(ToolExpectation(name="lookup"),),
        context=("ideal",),
        is_refusal=False,
    )


@pytest.mark.parametrize("name", ["t.json", "t.jsonl", "t.yaml"])
def test_a_record_reads_the_same_from_json_json_lines_and_yaml(reads: Reads, name: str) -> None:
    (read,) = reads(json.dumps([FULL]) if name != "t.jsonl" else [FULL], name).transcripts
    assert (read.turns, read.extra["note"]) == (reads([FULL]).transcripts[0].turns, "x")


def test_a_file_may_hold_its_records_under_transcripts(reads: Reads) -> None:
    reading = reads({"version": 1, "transcripts": [FULL, {**FULL, "id": "b"}]})
    assert [(read.id, read.place.record) for read in reading.transcripts] == [("7", 1), ("b", 2)]


def test_a_wrapper_of_another_version_or_with_more_keys_is_refused(refused: Refused) -> None:
    assert refused({"version": 2, "transcripts": [FULL], "name": "x"}) == [
        "t.json: 'name' is not known beside `transcripts`",
        "t.json: the native version must be 1",
    ]


@pytest.mark.parametrize(
    ("output", "kept", "clause"),
    [
        (None, None, "the answer is null"),
        ("", "", "the answer is empty"),
        (" \n", " \n", "the answer is empty"),
        ("None", "None", None),
        (False, "false", None),
        (0, "0", None),
        ({"a": "é"}, '{"a": "é"}', None),
    ],
)
def test_null_empty_and_blank_answers_stay_different_and_are_no_answer(
    reads: Reads, output: Any, kept: Any, clause: str | None
) -> None:
    (turn,) = reads([{"test_case": "t", "input": "q", "output": output}]).transcripts[0].turns
    assert (turn.output, turn.no_answer) == (kept, clause)


def test_what_stands_beside_the_messages_wins_over_them(reads: Reads) -> None:
    record = {**FULL, "input": "Q", "output": "A", "tool_calls": ["search"]}
    (turn,) = reads([record]).transcripts[0].turns
    assert (turn.input, turn.output, turn.tool_calls) == ("Q", "A", (ToolCall(name="search"),))


@pytest.mark.parametrize(
    ("fields", "clause"),
    [
        ({"status": "error"}, "the run ended in an error: none was given"),
        ({"status": "error", "error": "boom"}, "the run ended in an error: boom"),
        ({"error": {"type": "Timeout", "message": None}}, "the run ended in an error: Timeout"),
        ({"status": "error", "error": {"message": "late"}}, "the run ended in an error: late"),
        ({"status": "incomplete"}, "the run is recorded as incomplete"),
    ],
)
def test_a_run_that_did_not_end_well_has_no_answer_but_keeps_its_text(
    reads: Reads, fields: Any, clause: str | None
) -> None:
    (turn,) = reads([{**FULL, **fields}]).transcripts[0].turns
    assert (turn.output, turn.no_answer) == ("Yes, within 30 days.", clause)


def test_a_run_that_broke_off_needs_no_answer_to_be_a_record(reads: Reads) -> None:
    (turn,) = reads([{"test_case": "t", "input": "q", "status": "error"}]).transcripts[0].turns
    assert (turn.input, turn.output, turn.no_answer) == (
        "q",
        None,
        "the run ended in an error: none was given",
    )


@pytest.mark.parametrize(
    ("context", "expected"),
    [
        (None, (None, None)),
        ([], (None, ())),
        ("one", (None, (ContextChunk(text="one"),))),
        ([{"text": "a", "turn": 0}], ((ContextChunk(text="a"),), ())),
        ([{"text": "b", "turn": 1}], ((), (ContextChunk(text="b"),))),
        (["b"], (None, (ContextChunk(text="b"),))),
    ],
)
def test_context_belongs_to_the_turn_it_names_else_to_the_last(
    reads: Reads, context: Any, expected: Any
) -> None:
    record = {**FULL, "messages": [*CHAT, {"role": "user", "content": "ok?"}, CHAT[3]], "context": context}
    turns = reads([record]).transcripts[0].turns
    assert tuple(turn.context for turn in turns) == expected


def test_context_of_a_turn_that_is_not_there_is_refused(refused: Refused) -> None:
    assert refused([{**FULL, "context": [{"text": "a", "turn": 3}]}]) == [
        "t.json: record 1: `context` names turn 3, but the last one is 0 (counted from 0)"
    ]


def test_every_wrong_field_is_told_with_the_nearest_name(refused: Refused) -> None:
    record = {
        "test_cse": "t",
        "output": 1,
        "status": "fine",
        "reference": {"anser": "x"},
        "context": [{"txt": 1}],
    }
    problems = refused([record], format="native")
    assert problems[0].startswith("t.json: record 1: 'context[0]': input should be a valid string")
    assert "t.json: record 1: 'context[0].text': field required" in problems
    assert "t.json: record 1: 'status': input should be 'ok', 'error' or 'incomplete'" in problems
    assert "t.json: record 1: 'reference.anser' is not known; did you mean 'answer'?" in problems
    assert "t.json: record 1: 'test_cse' is not known; did you mean 'test_case'?" in problems


@pytest.mark.parametrize("key", ["[", "str", "Native", "\ud800"])
def test_an_unknown_key_is_told_whatever_it_is_called(refused: Refused, key: str) -> None:
    assert refused([{"output": "a", key: 1}], format="native") == [
        f"t.json: record 1: {key!r} is not known" if key != "\ud800" else "t.json: record 1: '?' is not known"
    ]


def test_a_record_that_is_no_object_or_holds_nothing_is_refused(refused: Refused) -> None:
    assert refused([3, {"id": "x"}], format="native") == [
        "t.json: record 1: a transcript must be an object",
        "t.json: record 2: a transcript needs `messages`, or `input` and `output`",
    ]


def test_lone_surrogates_are_kept_wherever_they_stand(reads: Reads, refused: Refused) -> None:
    record = {**FULL, "input": "\ud800", "messages": [{"role": "user", "content": "\udcb2"}, CHAT[3]]}
    (read,) = reads([{**record, "extra": {"k": ["\ud800"]}}]).transcripts
    assert (read.turns[0].input, read.extra["k"]) == ("\ud800", ["\ud800"])
    assert refused([{**record, "status": "\ud800"}]) == [
        "t.json: record 1: 'status': input should be 'ok', 'error' or 'incomplete'"
    ]


def test_tool_calls_of_a_flat_record_are_names_or_objects(reads: Reads) -> None:
    calls = ["a", {"name": "b", "arguments": "[1]", "result": [1], "id": 3}, {"name": "c", "error": True}]
    (turn,) = (
        reads([{"test_case": "t", "input": "q", "output": "x", "tool_calls": calls}]).transcripts[0].turns
    )
    assert turn.tool_calls == (
        ToolCall(name="a"),
        ToolCall(name="b", arguments="[1]", result=[1], id="3"),
        ToolCall(name="c", error="the tool failed"),
    )
