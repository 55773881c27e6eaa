"""Which format a file is in; each file has at most one."""

from typing import Any

import pytest

from holodeck_eval.transcripts import FORMATS, transcript_schema
from holodeck_eval.transcripts._detect import claiming
from holodeck_eval.transcripts._record import Sample
from tests.unit.transcripts.kinds import Reads, Refused

CHAT = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]
REPORT = {"agent_name": "bot", "results": [{"test_name": "t", "test_input": "q", "agent_response": "a"}]}
NATIVE = {"test_case": "t", "input": "q", "output": "a"}
SAMPLES = [
    ("rows", [{"question": "q", "answer": "a"}]),
    ("rows", [{"input": "q", "output": "a"}]),
    ("rows", {"data": [{"query": "q", "response": "a", "conversation": None}]}),
    ("rows", [{"id": 1, "prompt": "q", "final_answer": "a", "agent": "bot"}]),
    ("native", [NATIVE]),
    ("native", {"version": 1, "transcripts": [NATIVE]}),
    ("native", [{"messages": CHAT, "reference": {"answer": "a"}}]),
    ("native", [{"messages": CHAT, "test_case": "t"}, {"messages": CHAT, "test_cse": "u"}]),
    ("native", [{"id": "x", "input": "q", "status": "error", "error": "boom"}]),
    ("holodeck", REPORT),
    ("holodeck", [{"report": REPORT, "metadata": {}}, REPORT]),
    ("messages", CHAT),
    ("messages", [CHAT, CHAT]),
    ("messages", {"messages": CHAT}),
    ("messages", [{"messages": CHAT, "tools": []}]),
    ("messages", {"messages": CHAT[:1], "choices": [{"message": CHAT[1]}]}),
    ("messages", {"request": {}, "response": {"choices": [{"message": CHAT[1]}]}}),
]
NOBODYS = [
    [{"role": "assistant", "type": "message", "content": []}],
    [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x"}]}],
    [CHAT[0], {"role": "assistant", "content": [{"type": "tool_use", "name": "x", "input": {}}]}],
    [{"query": CHAT, "response": CHAT}],
    [{"gen_ai.tool.name": "x", "input": "q", "output": "a"}],
    [{"role": "narrator", "content": "once"}],
    [{"role": ["user"], "content": "q"}],
    [{"messages_display": "user: q\nassistant: None"}],
    ["text", 42],
]


@pytest.mark.parametrize(("name", "value"), SAMPLES)
def test_exactly_one_format_claims_a_file(name: str, value: Any) -> None:
    sample = Sample(container="json", records=tuple(value) if isinstance(value, list) else (value,))
    assert claiming(FORMATS, sample) == [name]


@pytest.mark.parametrize("value", NOBODYS)
def test_what_only_looks_alike_is_claimed_by_none(value: Any) -> None:
    sample = Sample(container="json", records=tuple(value))
    assert claiming(FORMATS, sample) == []


def test_a_sample_of_nothing_is_claimed_by_none() -> None:
    assert not any(module.recognises(Sample(container="json", records=())) for module in FORMATS.values())


def test_a_table_is_rows_whatever_its_columns_are_called(reads: Reads) -> None:
    assert reads("input,output,test_case\nq,a,t\n", "t.csv").format == "rows"


def test_an_unknown_file_names_the_keys_that_were_seen(refused: Refused) -> None:
    (problem,) = refused([{"spans": [], "trace\n": {}}])
    assert "no format is recognised; the top-level keys are 'spans', 'trace\\n'." in problem
    assert "native, rows, holodeck, messages: pick one with --format" in problem


def test_only_so_many_keys_are_named(refused: Refused) -> None:
    (problem,) = refused({f"key{number}": number for number in range(30)})
    assert "'key11' and 18 more" in problem


def test_records_that_are_no_objects_are_refused(refused: Refused) -> None:
    assert refused(["text", 42]) == [
        "t.json: the records are no objects; each must be one with a question and an answer"
    ]


def test_a_wrong_format_names_the_nearest(refused: Refused) -> None:
    (problem,) = refused([NATIVE], format="natve")
    assert problem.endswith("known are native, rows, holodeck, messages; did you mean 'native'?")


def test_a_named_format_reads_what_detection_would_give_to_another(reads: Reads) -> None:
    assert reads([NATIVE], format="rows").format == "rows"


def test_two_claims_are_an_error_that_names_both(refused: Refused) -> None:
    value = [{"question": "q", "response": {"choices": [{"message": CHAT[1]}]}}]
    assert refused(value) == ["t.json: this could be rows or messages; say which with --format"]


@pytest.mark.parametrize(
    "value",
    [
        [{"query": "q", "ground_truth": "a", "context": "c"}] * 40,
        {"name": "set", "data": [{"query": "q"}]},
        [{"name": "x", "data": [{"query": "q", "reference": "a"}]}],
    ],
)
def test_a_file_of_expectations_gets_one_sentence(refused: Refused, value: Any) -> None:
    (problem,) = refused(value)
    assert "this file holds questions and expectations but no recorded answers" in problem


def test_a_file_of_scores_gets_one_sentence(refused: Refused) -> None:
    (problem,) = refused("model,Faithfulness,Answer Relevancy\nx,0.5,0.6\n", "t.csv")
    assert "this file holds scores but no recorded answers" in problem


def test_a_conversation_of_an_unknown_kind_is_not_called_expectations(refused: Refused) -> None:
    (problem,) = refused({"samples": [{"input": "q", "turns": [], "target": "a"}]})
    assert "no format is recognised" in problem


def test_the_schema_describes_a_native_record() -> None:
    schema = transcript_schema()
    assert schema["additionalProperties"] is False
    assert {"messages", "input", "output", "reference", "context"} <= set(schema["properties"])
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
