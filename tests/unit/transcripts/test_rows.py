"""Flat rows under the names people give their columns."""

import json
from typing import Any

import pytest

from holodeck_eval.domain.transcript import ContextChunk, Reference, ToolCall
from holodeck_eval.transcripts._aliases import ALIASES
from tests.unit.transcripts.kinds import Reads, Refused

Q = {"question": "q", "answer": "a"}


def turn_of(reading: Any) -> Any:
    return reading.transcripts[0].turns[0]


@pytest.mark.parametrize("name", ALIASES["input"])
def test_every_known_name_of_the_question_is_read(reads: Reads, name: str) -> None:
    assert turn_of(reads([{name: "q", "answer": "a"}])).input == "q"


@pytest.mark.parametrize("name", ALIASES["output"])
def test_every_known_name_of_the_answer_is_read(reads: Reads, name: str) -> None:
    assert turn_of(reads([{"question": "q", name: "a"}])).output == "a"


@pytest.mark.parametrize("name", ALIASES["context"])
def test_every_known_name_of_the_context_is_read(reads: Reads, name: str) -> None:
    assert turn_of(reads([{**Q, name: ["c"]}])).context == (ContextChunk(text="c"),)


@pytest.mark.parametrize("name", ALIASES["reference"])
def test_every_known_name_of_the_reference_is_read(reads: Reads, name: str) -> None:
    assert turn_of(reads([{**Q, name: "r"}])).reference == Reference(expected_output="r")


def test_names_ids_and_the_model_are_read(reads: Reads) -> None:
    row = {**Q, "question_id": 4, "test_name": "t", "agent_name": "bot", "model": "m"}
    (read,) = reads([row]).transcripts
    assert (read.id, read.test_case, read.agent, read.model) == ("4", "t", "bot", "m")


@pytest.mark.parametrize("field", ["id", "name", "agent"])
def test_a_name_that_is_no_text_is_refused_under_the_name_it_has(refused: Refused, field: Any) -> None:
    assert refused([{**Q, field: [1]}]) == [f"t.json: record 1: `{field}` must be text or a number"]


@pytest.mark.parametrize(
    ("output", "kept", "clause"),
    [
        (None, None, "the answer is null"),
        ("", "", "the answer is empty"),
        (False, "false", None),
        (0, "0", None),
        ({"name": "f"}, '{"name": "f"}', None),
        ("None", "None", None),
    ],
)
def test_the_answer_is_kept_as_recorded(reads: Reads, output: Any, kept: Any, clause: str | None) -> None:
    turn = turn_of(reads([{"question": "q", "answer": output}]))
    assert (turn.output, turn.no_answer) == (kept, clause)


def test_a_row_with_an_error_gave_no_answer_whatever_stands_beside_it(reads: Reads) -> None:
    rows = [{**Q, "answer": None, "error": "boom"}, {**Q, "error": "boom"}, {**Q, "error": ""}]
    turns = [read.turns[0].no_answer for read in reads(rows).transcripts]
    assert turns == ["the run ended in an error: boom", "the run ended in an error: boom", None]


@pytest.mark.parametrize("status", ["error", "Failed", " timeout "])
def test_a_row_whose_run_did_not_end_well_gave_no_answer(reads: Reads, status: str) -> None:
    (read,) = reads([{**Q, "status": status}]).transcripts
    assert read.turns[0].no_answer == f"the run ended with the status {status.strip()!r}"


def test_a_row_without_an_answer_among_others_has_none(reads: Reads) -> None:
    turns = [read.turns[0] for read in reads([Q, {"question": "p"}]).transcripts]
    assert (turns[1].output, turns[1].no_answer) == (None, "no answer was recorded")


@pytest.mark.parametrize(
    ("context", "expected"),
    [
        (None, None),
        ([], ()),
        ("a | b", (ContextChunk(text="a | b"),)),
        (["a | b", "c"], (ContextChunk(text="a | b"), ContextChunk(text="c"))),
        ([{"page_content": "p", "source": "s"}], (ContextChunk(text="p", source="s"),)),
        ({"content": "p"}, (ContextChunk(text="p"),)),
    ],
)
def test_context_is_none_empty_or_chunks(reads: Reads, context: Any, expected: Any) -> None:
    assert turn_of(reads([{**Q, "contexts": context}])).context == expected


def test_an_object_without_a_text_in_it_is_refused_as_context(refused: Refused) -> None:
    assert refused([{**Q, "contexts": [{"score": 1}]}]) == [
        "t.json: record 1: `contexts[0]` must be text, or an object with `text`"
    ]


def test_context_that_is_no_text_is_refused(refused: Refused) -> None:
    assert refused([{**Q, "contexts": ["a", 3]}]) == [
        "t.json: record 1: `contexts[1]` must be text, or an object with `text`"
    ]


def test_beside_a_retrieved_context_the_plain_one_is_the_ideal_one(reads: Reads) -> None:
    turn = turn_of(reads([{**Q, "retrieval_context": ["r"], "context": ["ideal"]}]))
    assert turn.context == (ContextChunk(text="r"),)
    assert turn.reference == Reference(context=("ideal",))


def test_two_names_of_a_retrieved_context_without_a_plain_one_give_no_ideal(reads: Reads) -> None:
    turn = turn_of(reads([{**Q, "retrieved_contexts": ["r"], "contexts": ["s"]}]))
    assert (turn.context, turn.reference) == ((ContextChunk(text="r"),), None)


def test_a_reference_may_be_a_list_of_one(reads: Reads, refused: Refused) -> None:
    rows = [{**Q, "ground_truths": ["Paris"]}, {**Q, "ground_truths": []}, {**Q, "ground_truths": 4}]
    turns = [read.turns[0].reference for read in reads(rows).transcripts]
    assert turns == [Reference(expected_output="Paris"), None, Reference(expected_output="4")]
    assert refused([{**Q, "ground_truths": ["a", "b"]}]) == [
        "t.json: record 1: `ground_truths` holds 2 texts, expected is one"
    ]


def test_tool_calls_are_read_in_the_spellings_people_use(reads: Reads) -> None:
    calls = [
        "search",
        {"name": "a", "args": {"x": 1}, "output": "r"},
        {"name": "b", "inputParameters": '{"y": 2}', "error": False},
        {"type": "function", "id": "c", "function": {"name": "c", "arguments": "{}"}},
    ]
    assert turn_of(reads([{**Q, "tools_called": calls}])).tool_calls == (
        ToolCall(name="search"),
        ToolCall(name="a", arguments={"x": 1}, result="r"),
        ToolCall(name="b", arguments={"y": 2}),
        ToolCall(name="c", arguments={}, id="c"),
    )


@pytest.mark.parametrize(
    ("calls", "said"),
    [
        ("a;b", "`tool_calls` must be a list of tool calls"),
        ([3], "`tool_calls[0]` must be a tool's name or an object with `name`"),
        ([{"args": 1}], "`tool_calls[0]` has no `name`"),
        ([" "], "`tool_calls[0]` must be a tool's name or an object with `name`"),
    ],
)
def test_tool_calls_that_are_none_are_refused(refused: Refused, calls: Any, said: str) -> None:
    assert refused([{**Q, "tool_calls": calls}]) == [f"t.json: record 1: {said}"]


@pytest.mark.parametrize(
    ("value", "flag"), [(True, True), ("No", False), (1, True), ("", None), (None, None)]
)
def test_is_refusal_is_a_flag(reads: Reads, value: Any, flag: Any) -> None:
    reference = turn_of(reads([{**Q, "reference": "r", "is_refusal": value}])).reference
    assert reference.is_refusal is flag


def test_another_is_refusal_is_refused(refused: Refused) -> None:
    assert refused([{**Q, "is_refusal": "maybe"}]) == [
        "t.json: record 1: `is_refusal` must be true or false, not 'maybe'"
    ]


def test_two_different_answers_in_a_row_are_refused_and_two_equal_ones_are_one(
    reads: Reads, refused: Refused
) -> None:
    assert turn_of(reads([{**Q, "response": "a"}])).output == "a"
    (problem,) = refused([{**Q, "response": "b"}])
    assert "there are several answers, under 'answer', 'response'; name the right one" in problem


def test_a_choice_between_two_questions_is_told_once(reads: Reads) -> None:
    reading = reads([{**Q, "prompt": "p"}] * 3)
    assert turn_of(reading).input == "q"
    assert reading.warnings == ("rows have 'question', 'prompt'; 'question' is read as the input",)


def test_rows_under_a_key_are_numbered_through(reads: Reads) -> None:
    reading = reads({"name": "x", "rows": [Q, Q]})
    assert [str(read.place) for read in reading.transcripts] == ["t.json: record 1", "t.json: record 2"]


def test_a_question_or_record_of_another_shape_is_refused(refused: Refused) -> None:
    problems = refused([Q, {"question": ["x"], "answer": "a"}, 3])
    assert problems == [
        "t.json: record 2: `question` is no text; rows hold one question each",
        "t.json: record 3: a row must be an object",
    ]


MAPPING = {"input": "vars.q", "output": "outputs.0.text", "context": "ctx.x", "id": "a.b"}


def test_a_mapping_leads_to_fields_wherever_they_are(reads: Reads) -> None:
    row = {"vars": {"q": "Q"}, "outputs": [{"text": "A"}], "ctx.x": "C", "a": {"b": 3}, "answer": "not this"}
    (read,) = reads([row], mapping=MAPPING).transcripts
    turn = read.turns[0]
    assert (turn.input, turn.output, turn.context, read.id) == ("Q", "A", (ContextChunk(text="C"),), "3")


def test_a_mapping_that_leads_nowhere_is_refused_with_the_keys(refused: Refused) -> None:
    (problem,) = refused([Q], mapping={"output": "outputs.9.text"}, format="rows")
    assert problem == (
        "t.json: no row has anything at `outputs.9.text`, where the mapping looks for the answer; "
        "the keys are 'question', 'answer'"
    )


@pytest.mark.parametrize("path", ["outputs.x", "outputs.5", "question.a"])
def test_a_path_through_a_list_or_text_that_leads_nowhere_is_absent(reads: Reads, path: Any) -> None:
    row = {**Q, "outputs": ["x"]}
    assert reads([row], mapping={"id": path}).transcripts[0].id is None


def test_a_mapping_of_an_unknown_field_is_refused_with_the_nearest(refused: Refused) -> None:
    (problem,) = refused([Q], mapping={"outptu": "answer"})
    assert problem.startswith("t.json: the mapping's field 'outptu' is not known")
    assert problem.endswith("did you mean 'output'?")


def test_rows_asked_for_without_any_answer_are_refused_once(refused: Refused) -> None:
    assert refused([{"question": "q"}] * 30, format="rows") == [
        "t.json: no row has anything under any known name of an answer; the keys are 'question'"
    ]


def table(*rows: str) -> Any:
    return "\r\n".join(rows) + "\r\n"


def test_a_table_is_read_with_the_line_of_each_row(reads: Reads) -> None:
    reading = reads(table("question,answer", 'q,"a\nb"', "", "p,c"), "t.csv")
    assert [(read.place.line, read.turns[0].output) for read in reading.transcripts] == [
        (2, "a\nb"),
        (5, "c"),
    ]


@pytest.mark.parametrize("mark", [";", "\t"])
def test_a_table_may_be_parted_by_semicolons_or_tabs(reads: Reads, mark: Any) -> None:
    assert turn_of(reads(f"question{mark}answer\nq{mark}a, b\n", "t.csv")).output == "a, b"


@pytest.mark.parametrize(
    ("cell", "texts"),
    [
        (json.dumps(["a | b", "c"]), ("a | b", "c")),
        ("['it\\'s', \"b\"]", ("it's", "b")),
        ("['a',\n 'b', ]", ("a", "b")),
        ("['\\d']", ("\\d",)),
        ("[]", ()),
        ("a|b", ("a|b",)),
        ("[1] says so", ("[1] says so",)),
        ("['a' 'b']", ("['a' 'b']",)),
        ("[__import__('os')]", ("[__import__('os')]",)),
        ("['\\N{none}']", ("['\\N{none}']",)),
        ("['open", ("['open",)),
        ("{'a': 1}", ("{'a': 1}",)),
    ],
)
def test_a_cell_is_split_only_where_it_is_a_list_of_texts(reads: Reads, cell: Any, texts: Any) -> None:
    quoted = '"' + cell.replace('"', '""') + '"'
    turn = turn_of(reads(f"question,answer,contexts\nq,a,{quoted}\n", "t.csv"))
    assert tuple(chunk.text for chunk in turn.context) == texts


def test_a_blank_cell_is_not_recorded_but_a_blank_answer_is_empty(reads: Reads) -> None:
    (read,) = reads("question,answer,contexts,id,reference\nq,,,,\n", "t.csv").transcripts
    turn = read.turns[0]
    assert (turn.output, turn.no_answer) == ("", "the answer is empty")
    assert (turn.context, read.id, turn.reference) == (None, None, None)


def test_a_reference_cell_with_brackets_stays_text(reads: Reads) -> None:
    turn = turn_of(reads('question,answer,reference\nq,a,"[1, 2]"\n', "t.csv"))
    assert turn.reference.expected_output == "[1, 2]"


def test_a_tool_cell_that_is_no_list_names_its_row(refused: Refused) -> None:
    assert refused("question,answer,tools_called\nq,a,get;search\n", "t.csv") == [
        "t.csv:2: `tools_called` must be a list of tool calls"
    ]


def test_a_mapped_column_of_a_table_is_split_too(reads: Reads) -> None:
    text = 'Frage,Antwort,Quellen\nq,,"[""c""]"\n'
    mapping = {"input": "Frage", "output": "Antwort", "context": "Quellen"}
    turn = turn_of(reads(text, "t.csv", mapping=mapping))
    assert (turn.input, turn.output, turn.context) == ("q", "", (ContextChunk(text="c"),))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("question,answer,answer\nq,a,b\n", "t.csv:1: the header names a column twice: 'answer'"),
        ("question,answer\nq,a,b\n", "t.csv:2: this row has 3 cells, the header has 2"),
        ('question,answer\nq,"a"b\n', "t.csv:2: this is no CSV: ',' expected after '\"'"),
        ('question,answer\nq,"a\n', "t.csv:2: this is no CSV: unexpected end of data"),
        ("question,answer\n", "t.csv: the file holds no records (read as csv)"),
        ("question,answer", "t.csv: the file holds no records (read as csv)"),
    ],
)
def test_a_broken_table_is_refused_with_its_line(refused: Refused, text: str, said: str) -> None:
    assert refused(text, "t.csv")[0] == said


def test_a_long_cell_is_within_the_limits_and_a_longer_one_is_not(reads: Reads, refused: Refused) -> None:
    assert len(turn_of(reads("question,answer\nq," + "a" * 500_000 + "\n", "t.csv")).output) == 500_000
    assert (
        "the limit of --max-text-chars" in refused("question,answer\nq," + "a" * 1_048_577 + "\n", "t.csv")[0]
    )
