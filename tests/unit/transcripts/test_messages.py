"""Chat-completions messages, and what makes a turn of them."""

from typing import Any

import pytest

from holodeck_eval.domain.transcript import ToolCall
from tests.unit.transcripts.kinds import Reads, Refused

ASK = {"role": "user", "content": "Weather in Oslo?"}
SAY = {"role": "assistant", "content": "Rain."}


def call(name: str = "weather", arguments: Any = '{"city": "Oslo"}', number: Any = "c1") -> Any:
    return {"id": number, "type": "function", "function": {"name": name, "arguments": arguments}}


def calling(*calls: Any, content: Any = None) -> Any:
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


def result(content: Any = "rain", number: Any = "c1", **more: Any) -> Any:
    return {"role": "tool", "tool_call_id": number, "content": content, **more}


def test_a_bare_list_is_one_transcript(reads: Reads) -> None:
    reading = reads([ASK, SAY])
    (read,) = reading.transcripts
    assert (reading.format, str(read.place)) == ("messages", "t.json")
    assert [(turn.input, turn.output, turn.tool_calls) for turn in read.turns] == [
        ("Weather in Oslo?", "Rain.", ())
    ]


def test_a_file_of_message_lines_is_one_transcript(reads: Reads) -> None:
    assert len(reads([ASK, SAY, ASK, SAY], "t.jsonl").transcripts[0].turns) == 2


def test_an_object_with_messages_keeps_what_it_says_about_the_run(reads: Reads) -> None:
    record = {"messages": [ASK, SAY], "id": 9, "model": "m", "metadata": {"a": 1}, "tools": []}
    (read,) = reads([record], "t.jsonl").transcripts
    assert (read.id, read.model, read.extra) == ("9", "m", {"metadata": {"a": 1}, "tools": []})


def test_lists_of_messages_are_one_transcript_each(reads: Reads) -> None:
    assert [str(read.place) for read in reads([[ASK, SAY], [ASK, SAY]]).transcripts] == [
        "t.json: record 1",
        "t.json: record 2",
    ]


def test_a_call_with_null_content_is_kept_with_its_result(reads: Reads) -> None:
    (turn,) = reads([ASK, calling(call()), result(), SAY]).transcripts[0].turns
    assert turn.tool_calls == (ToolCall(name="weather", arguments={"city": "Oslo"}, result="rain", id="c1"),)
    assert (turn.output, turn.no_answer) == ("Rain.", None)


@pytest.mark.parametrize("arguments", ['query = "x"', "[1]", "42", "", None])
def test_arguments_that_are_no_object_are_kept_as_they_are(reads: Reads, arguments: Any) -> None:
    (turn,) = reads([ASK, calling(call(arguments=arguments)), result(), SAY]).transcripts[0].turns
    assert turn.tool_calls[0].arguments == arguments


def test_the_older_function_call_is_a_call_too(reads: Reads) -> None:
    chat = [
        ASK,
        {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": '{"a": 1}'}},
        {"role": "function", "name": "f", "content": "done"},
        SAY,
    ]
    (turn,) = reads({"messages": chat}).transcripts[0].turns
    assert turn.tool_calls == (ToolCall(name="f", arguments={"a": 1}, result="done"),)


def test_a_custom_tool_call_has_text_for_arguments(reads: Reads) -> None:
    chat = [
        ASK,
        calling({"id": "c1", "type": "custom", "custom": {"name": "sh", "input": "ls"}}),
        result(),
        SAY,
    ]
    assert reads(chat).transcripts[0].turns[0].tool_calls[0].arguments == "ls"


@pytest.mark.parametrize(
    ("chat", "output", "clause"),
    [
        ([ASK], None, "there is no assistant message"),
        ([ASK, calling(call())], None, "the run ended in a tool call"),
        ([ASK, calling(call(), content="Let me look."), result()], None, "the run ended in a tool call"),
        ([ASK, SAY, calling(call()), result()], None, "the run ended in a tool call"),
        ([ASK, {"role": "assistant", "content": None}], None, "the answer is null"),
        ([ASK, {"role": "assistant", "content": ""}], "", "the answer is empty"),
        ([ASK, {"role": "assistant", "content": []}], "", "the answer is empty"),
        ([ASK, {"role": "assistant", "content": "None"}], "None", None),
        ([ASK, {"role": "assistant", "content": None, "refusal": "I cannot."}], "I cannot.", None),
        ([ASK, calling(call()), result(), {"role": "assistant", "content": "A"}, SAY], "Rain.", None),
    ],
)
def test_the_answer_is_the_last_assistant_text_without_calls_of_its_own(
    reads: Reads, chat: Any, output: Any, clause: str | None
) -> None:
    turn = reads({"messages": chat, "tools": []}).transcripts[0].turns[-1]
    assert (turn.output, turn.no_answer) == (output, clause)


def test_each_question_starts_a_turn_and_what_comes_before_is_no_turn(reads: Reads) -> None:
    chat = [
        {"role": "system", "content": "Be brief."},
        SAY,
        ASK,
        SAY,
        {"role": "user", "content": "And now?"},
    ]
    turns = reads(chat).transcripts[0].turns
    assert [(turn.input, turn.output) for turn in turns] == [
        ("Weather in Oslo?", "Rain."),
        ("And now?", None),
    ]


def test_without_a_question_there_is_one_turn_without_input(reads: Reads) -> None:
    (turn,) = reads([{"role": "developer", "content": "x"}, SAY]).transcripts[0].turns
    assert (turn.input, turn.output) == (None, "Rain.")


def test_parts_are_joined_and_what_is_no_text_is_named(reads: Reads) -> None:
    parts = [
        {"type": "text", "text": "A"},
        {"type": "image_url", "image_url": {"url": "http://example.test/x.png"}},
        {"type": "input_audio"},
        {"type": "video"},
        "B",
    ]
    refusal = [{"type": "refusal", "refusal": "No."}]
    (turn,) = (
        reads([{"role": "user", "content": parts}, {"role": "assistant", "content": refusal}])
        .transcripts[0]
        .turns
    )
    assert (turn.input, turn.output) == ("A\n[image]\n[audio]\n[video]\nB", "No.")


def test_results_without_ids_pair_by_order_within_the_step(reads: Reads) -> None:
    first, second = call(number=None), call("news", number=None)
    chat = [ASK, calling(first, second), result("r1", None), result("r2", None), result("r3", None), SAY]
    (read,) = reads(chat).transcripts
    assert [tool.result for tool in read.turns[0].tool_calls] == ["r1", "r2"]
    assert read.warnings == ("a tool result belongs to no call and is left out",)


def test_an_id_used_again_pairs_with_the_latest_call(reads: Reads) -> None:
    chat = [
        ASK,
        calling(call(number="0")),
        result("r1", "0"),
        calling(call(number="0")),
        result("r2", "0"),
        SAY,
    ]
    assert [tool.result for tool in reads(chat).transcripts[0].turns[0].tool_calls] == ["r1", "r2"]


def test_a_result_after_the_next_question_still_finds_its_call(reads: Reads) -> None:
    chat = [ASK, calling(call()), {"role": "user", "content": "Yes, do."}, result("ok"), SAY]
    turns = reads(chat).transcripts[0].turns
    assert (turns[0].tool_calls[0].result, turns[1].tool_calls) == ("ok", ())


def test_a_call_without_a_result_and_a_result_without_a_call_are_warned_of(reads: Reads) -> None:
    chat = [ASK, calling(call()), result("x", "other"), SAY]
    (read,) = reads(chat).transcripts
    assert read.warnings == (
        "a tool result ('other') belongs to no call and is left out",
        "the call of the tool 'weather' has no recorded result",
    )
    assert read.turns[0].tool_calls[0].result is None


@pytest.mark.parametrize(
    ("more", "error"),
    [({"error": "boom"}, "boom"), ({"is_error": True}, "the tool failed"), ({"error": False}, None)],
)
def test_a_failed_tool_is_one_that_says_so(reads: Reads, more: Any, error: Any) -> None:
    chat = [ASK, calling(call()), result("Error: no such city", **more), SAY]
    assert reads(chat).transcripts[0].turns[0].tool_calls[0].error == error


def test_a_result_may_be_parts_or_any_value(reads: Reads) -> None:
    chat = [
        ASK,
        calling(call(), call(number="c2")),
        result([{"type": "text", "text": "r"}]),
        result([1, "x"], "c2"),
        SAY,
    ]
    assert [tool.result for tool in reads(chat).transcripts[0].turns[0].tool_calls] == ["r", [1, "x"]]


def test_a_response_beside_its_request_is_the_answer(reads: Reads) -> None:
    choices = [{"message": SAY}, {"message": {"role": "assistant", "content": "Sun."}}]
    (read,) = reads({"messages": [ASK], "choices": choices}).transcripts
    assert (read.turns[0].output, read.warnings) == (
        "Rain.",
        ("the response has several choices; the first is read",),
    )


def test_a_response_alone_has_no_question(reads: Reads) -> None:
    (turn,) = reads({"id": "chatcmpl-1", "choices": [{"message": SAY}], "usage": {}}).transcripts[0].turns
    assert (turn.input, turn.output) == (None, "Rain.")


@pytest.mark.parametrize("error", ["late", {"message": "late"}])
def test_an_error_beside_the_messages_ends_the_run(reads: Reads, error: Any) -> None:
    record = {"messages": [ASK, SAY], "error": error, "agent": {"name": "x"}, "tools": []}
    (read,) = reads(record).transcripts
    assert (read.turns[0].no_answer, read.agent) == ("the run ended in an error: late", None)


def test_every_message_that_is_none_is_told(refused: Refused) -> None:
    chat = [
        ASK,
        "hello",
        {"role": "bot", "content": "x"},
        {"role": "asistant", "content": "x"},
        {"role": "assistant", "content": 3},
        {"role": "assistant", "content": [3]},
        {"role": "assistant", "content": None, "tool_calls": {}},
        {"role": "assistant", "content": None, "tool_calls": ["x", {"id": "c"}]},
        {"role": "tool", "tool_call_id": True, "content": "x"},
    ]
    problems = [problem.removeprefix("t.json: record 1: ") for problem in refused([chat, [ASK, SAY]])]
    assert problems == [
        "`messages[1]` must be an object with `role` and `content`",
        "`messages[2].role` is 'bot'; known are system, developer, user, assistant, tool, function",
        (
            "`messages[3].role` is 'asistant'; known are system, developer, user, assistant, tool, function; "
            "did you mean 'assistant'?"
        ),
        "`messages[4].content` must be text, null or a list of parts",
        "`messages[5].content[0]` must be text or an object with `type`",
        "`messages[6].tool_calls` must be a list",
        "`messages[7].tool_calls[0]` must be an object",
        "`messages[8].tool_call_id` must be text or a number",
    ]


def test_a_call_without_a_name_or_a_part_of_another_format_is_refused(refused: Refused) -> None:
    nameless = [ASK, calling({"id": "c"})]
    foreign = [ASK, {"role": "assistant", "content": [{"type": "tool_use", "name": "x"}]}]
    assert refused([nameless, foreign], format="messages") == [
        "t.json: record 1: `messages[1].tool_calls[0]` has no tool name",
        "t.json: record 2: `messages[1].content[0]` is a 'tool_use' part, which chat-completions messages do not have",
    ]


def test_a_record_without_messages_among_others_is_told(refused: Refused) -> None:
    assert refused([{"messages": [ASK, SAY]}, 3, {"messages": []}], format="messages") == [
        "t.json: record 2: a transcript must be an object with `messages`, or a list of messages",
        "t.json: record 3: `messages` must be a list of at least one message",
    ]
