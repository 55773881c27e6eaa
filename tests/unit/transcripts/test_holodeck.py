"""HoloDeck's reports, old and new, of single questions and of several turns."""

from typing import Any

import pytest

from holodeck_eval.domain.behaviour import Behaviour, Instructions
from holodeck_eval.domain.transcript import ContextChunk, Reference, ToolCall
from tests.unit.transcripts.kinds import Reads, Refused


def result(**fields: Any) -> Any:
    return {"test_name": "t", "test_input": "q", "agent_response": "a", **fields}


def report(*results: Any, **fields: Any) -> Any:
    return {"agent_name": "bot", "results": list(results), "summary": {}, **fields}


def run(*results: Any, cases: Any = (), **metadata: Any) -> Any:
    config = {"model": {"name": "m"}, "test_cases": list(cases)}
    return {"report": report(*results), "metadata": {"agent_config": config, **metadata}}


def test_an_old_report_is_read_with_bare_tool_names_and_documents(reads: Reads) -> None:
    old = result(
        tool_calls=["search", "fetch"],
        processed_files=[{"markdown_content": "# Doc"}, {"markdown_content": None}],
        ground_truth="g",
        errors=[],
        execution_time_ms=5,
    )
    (read,) = reads(report(old)).transcripts
    (turn,) = read.turns
    assert (read.format, read.agent, read.test_case, read.id) == ("holodeck", "bot", "t", None)
    assert (turn.input, turn.output, turn.documents, turn.context) == ("q", "a", ("# Doc",), None)
    assert turn.tool_calls == (ToolCall(name="search"), ToolCall(name="fetch"))
    assert (turn.reference, read.extra) == (Reference(expected_output="g"), {"execution_time_ms": 5})


def test_a_saved_run_also_knows_the_model(reads: Reads) -> None:
    first, second = reads(run(result(), result(test_name=None))).transcripts
    assert (first.model, first.agent_digest, first.multi_turn) == ("m", None, False)
    assert (second.test_case, second.place.record) == (None, 2)


def test_a_saved_run_keeps_what_shaped_its_agent_and_nothing_else_of_it(reads: Reads) -> None:
    saved = run(result(), result())
    saved["metadata"] = {
        "agent_config": {
            "name": "bot",
            "author": "me",
            "model": {"provider": "openai", "name": "m"},
            "instructions": {"file": None, "inline": "Be brief."},
            "tools": None,
            "evaluations": {"metrics": []},
            "response_format": "schema.json",
            "claude": {"web_search": True},
            "openai": None,
        }
    }
    first, second = reads(saved).transcripts
    assert first.recorded_agent == Behaviour(
        model={"provider": "openai", "name": "m"},
        instructions=Instructions(text="Be brief."),
        tools=(),
        settings={"response_format": "schema.json", "claude": {"web_search": True}},
    )
    assert first.recorded_agent is second.recorded_agent


def test_of_instructions_in_a_file_a_saved_run_keeps_a_hash_and_their_front_matter(reads: Reads) -> None:
    version = {
        "version": "v2",
        "source": "file",
        "file_path": "p.md",
        "body_hash": "0" * 64,
        "extra": {"k": 1},
    }
    (read,) = reads(run(result(), prompt_version=version)).transcripts
    assert read.recorded_agent is not None
    assert read.recorded_agent.instructions == Instructions(
        text=None,
        bodies=("0" * 64,),
        front={"version": "v2", "author": None, "description": None, "tags": [], "extra": {"k": 1}},
    )


@pytest.mark.parametrize(
    ("config", "version", "known"),
    [
        ({}, {}, {"settings": {}}),
        ({"model": "m", "tools": {"a": 1}, "claude": "on"}, {"body_hash": "0" * 64 + "\n"}, {}),
        ({"model": [], "tools": [1], "openai": [], "instructions": "Hi"}, {"body_hash": 7}, {}),
        ({"tools": [{"name": "t"}], "embedding_provider": 1}, [], {"tools": ({"name": "t"},)}),
        ({"instructions": {"inline": ["Hi"]}, "tools": []}, None, {"tools": (), "settings": {}}),
    ],
)
def test_what_has_the_wrong_type_in_a_saved_run_is_not_known(
    reads: Reads, config: Any, version: Any, known: Any
) -> None:
    saved = {"report": report(result()), "metadata": {"agent_config": config, "prompt_version": version}}
    assert reads(saved).transcripts[0].recorded_agent == Behaviour(**known)


@pytest.mark.parametrize("metadata", [None, {}, {"agent_config": None}, {"agent_config": "bot"}, []])
def test_a_report_without_its_agent_says_nothing_of_it(reads: Reads, metadata: Any) -> None:
    assert reads({"report": report(result()), "metadata": metadata}).transcripts[0].recorded_agent is None


def test_several_runs_in_a_file_are_numbered_through(reads: Reads) -> None:
    reading = reads([run(result()), report(result())])
    assert [str(read.place) for read in reading.transcripts] == ["t.json: record 1", "t.json: record 2"]


def test_several_runs_of_one_test_have_ids_of_their_own_by_the_time_of_the_run(reads: Reads) -> None:
    runs = [
        report(result(), timestamp="2026-01-01T00:00:00Z"),
        report(result(), timestamp="2026-01-02T00:00:00Z"),
    ]
    reading = reads(runs)
    assert [read.id for read in reading.transcripts] == [
        "t @ 2026-01-01T00:00:00Z",
        "t @ 2026-01-02T00:00:00Z",
    ]
    assert [read.id for read in reads(runs[:1]).transcripts] == [None]
    assert [read.id for read in reads([report(result(test_name=None)), report(result())]).transcripts] == [
        None,
        None,
    ]


def test_invocations_give_arguments_results_and_errors(reads: Reads) -> None:
    calls = [
        {"name": "search", "args": {"q": 1}, "result": [{"text": "x"}], "error": None},
        {"name": "fetch", "args": {}, "result": None, "error": "404"},
        {"name": "slow", "args": {}, "result": None, "error": "no result received"},
    ]
    (read,) = reads(report(result(tool_calls=["search"], tool_invocations=calls))).transcripts
    assert read.turns[0].tool_calls == (
        ToolCall(name="search", arguments={"q": 1}, result=[{"text": "x"}]),
        ToolCall(name="fetch", arguments={}, error="404"),
        ToolCall(name="slow", arguments={}),
    )
    assert read.warnings == ("a call of the tool 'slow' has no recorded result",)


@pytest.mark.parametrize(
    ("fields", "calls"),
    [
        ({}, None),
        ({"tool_calls": []}, ()),
        ({"tool_invocations": []}, ()),
        ({"tool_invocations": [], "tool_calls": ["a"]}, (ToolCall(name="a"),)),
    ],
)
def test_no_tool_called_is_not_the_same_as_not_recorded(reads: Reads, fields: Any, calls: Any) -> None:
    assert reads(report(result(**fields))).transcripts[0].turns[0].tool_calls == calls


@pytest.mark.parametrize(
    ("fields", "clause", "warnings"),
    [
        ({"agent_response": None}, "the answer is null", 0),
        ({"agent_response": ""}, "the answer is empty", 0),
        ({"agent_response": None, "errors": ["timeout", "x"]}, "the run ended in an error: timeout; x", 0),
        ({"errors": ["a file was unreadable"]}, None, 1),
    ],
)
def test_errors_explain_a_missing_answer_and_are_told_beside_one(
    reads: Reads, fields: Any, clause: str | None, warnings: Any
) -> None:
    (read,) = reads(report(result(**fields))).transcripts
    assert (read.turns[0].no_answer, len(read.warnings)) == (clause, warnings)


def test_a_long_error_is_cut_inside_the_sentence(reads: Reads) -> None:
    turn = reads(report(result(agent_response="", errors=["x" * 5000]))).transcripts[0].turns[0]
    assert turn.no_answer == "the run ended in an error: " + "x" * 299 + "…"


def test_turns_are_read_one_by_one(reads: Reads) -> None:
    turns = [
        {"turn_index": 0, "input": "q1", "response": "a1", "ground_truth": "g", "tool_calls": ["x"]},
        {"turn_index": 1, "input": "q2", "response": None, "skipped": True, "errors": ["stop"]},
    ]
    whole = result(
        test_input="q1\n---\nq2",
        agent_response=None,
        turns=turns,
        processed_files=[{"markdown_content": "d"}],
    )
    (read,) = reads(report(whole)).transcripts
    assert read.multi_turn is True
    assert [(turn.input, turn.output, turn.no_answer, turn.documents) for turn in read.turns] == [
        ("q1", "a1", None, ("d",)),
        ("q2", None, "the turn was skipped", ("d",)),
    ]
    assert read.turns[0].reference == Reference(expected_output="g")


def contexts(reads: Reads, *results: Any, cases: Any) -> Any:
    reading = reads(run(*results, cases=cases))
    return [[turn.context and turn.context[0].text for turn in read.turns] for read in reading.transcripts]


def test_context_comes_from_the_snapshots_test_case_of_that_name_or_input(reads: Reads) -> None:
    cases = [
        {"name": "other", "input": "q", "retrieval_context": ["by name"]},
        {"name": None, "input": "p", "retrieval_context": ["by input"]},
        {"name": "t", "input": "q", "retrieval_context": []},
        {"name": "twice", "input": "x", "retrieval_context": ["no"]},
        {"name": "twice", "input": "y", "retrieval_context": ["both"]},
        "no mapping",
    ]
    found = contexts(
        reads,
        result(test_name="other"),
        result(test_name=None, test_input="p"),
        result(),
        result(test_name="twice", test_input="y"),
        result(test_name="twice", test_input="z"),
        cases=cases,
    )
    assert found == [["by name"], ["by input"], [None], ["both"], [None]]


def test_context_of_turns_comes_from_the_snapshots_turns(reads: Reads) -> None:
    turns = [
        {"input": "q1", "response": "a"},
        {"input": "q2", "response": "b"},
        {"input": "q3", "response": "c"},
    ]
    cases = [{"turns": [{"input": "q1"}, {"input": "q2", "retrieval_context": ["c2"]}]}]
    whole = result(test_name=None, test_input="q1\n---\nq2", turns=turns)
    assert contexts(reads, whole, cases=cases) == [[None, "c2", None]]


def test_a_snapshot_without_test_cases_gives_no_context(reads: Reads) -> None:
    saved = {"report": report(result()), "metadata": {"agent_config": {"test_cases": None}}}
    assert reads(saved).transcripts[0].turns[0].context is None


def test_context_is_kept_as_chunks(reads: Reads) -> None:
    cases = [{"name": "t", "input": "q", "retrieval_context": ["a", "b"]}]
    turn = reads(run(result(), cases=cases)).transcripts[0].turns[0]
    assert turn.context == (ContextChunk(text="a"), ContextChunk(text="b"))


def test_a_structured_answer_is_kept_as_json(reads: Reads) -> None:
    assert reads(report(result(agent_response={"n": 1}))).transcripts[0].turns[0].output == '{"n": 1}'


def test_results_that_are_none_are_refused_one_by_one(refused: Refused) -> None:
    bad = [3, {"test_name": "x"}, result(turns=[3]), result(tool_calls=[None]), result(tool_invocations=[{}])]
    assert refused(report(*bad)) == [
        "t.json: record 1: a test result must be an object",
        "t.json: record 2: this test result has no `agent_response`",
        "t.json: record 3: a turn of a test result must be an object",
        "t.json: record 4: a tool call has no name",
        "t.json: record 5: a tool call has no name",
    ]


def test_a_report_asked_for_that_is_none_is_refused(refused: Refused) -> None:
    assert refused([{"x": 1}], format="holodeck") == [
        "t.json: record 1: this is no HoloDeck report: `agent_name` and `results` are missing"
    ]


def test_a_report_without_results_holds_no_records(refused: Refused) -> None:
    assert refused(report()) == ["t.json: the file holds no records (read as holodeck)"]
