"""Which turns are judged, with what, and by which metrics."""

import datetime as dt
from typing import Any

import pytest

from holodeck_eval.cases import link
from holodeck_eval.domain.agent import Agent, ArgumentMatch, ToolExpectation, TurnExpectation
from holodeck_eval.domain.transcript import ContextChunk, Reference, ToolCall, Transcript
from holodeck_eval.errors import TranscriptError
from tests.fakes.keys import KEYS
from tests.unit.cases.make import agent, metric, transcript, turn, wanted


def built(bot: Agent, *transcripts: Transcript, **options: Any) -> Any:
    return link([bot], transcripts, assigned={}, **options)


def only(bot: Agent, *transcripts: Transcript, **options: Any) -> Any:
    (case,) = built(bot, *transcripts, **options).cases
    return case


def expect(question: str, **fields: Any) -> Any:
    return TurnExpectation(input=question, **fields)


def test_a_turn_holds_what_was_recorded_and_what_was_expected() -> None:
    calls = (ToolCall(name="t"),)
    recorded = turn(
        "q",
        "said",
        documents=("doc",),
        context=(ContextChunk(text="c"),),
        tool_calls=calls,
        reference=Reference(expected_output="stale", context=("ideal",), is_refusal=True),
    )
    (made,) = only(
        agent(wanted(1, expect("q", ground_truth="g"), name="n")), transcript(1, recorded, id="x")
    ).turns
    assert (made.case_id, made.index, made.input, made.actual_output, made.no_answer) == (
        "x",
        0,
        "q",
        "said",
        None,
    )
    assert (made.expected_output, made.context, made.retrieval_context) == ("g", ("doc",), ("c",))
    assert (made.tool_calls, made.expected_tools, made.is_refusal, made.several) == (calls, None, True, False)
    assert [spec.name for spec in made.metrics] == ["m"]


def test_what_a_file_expects_is_not_mixed_into_a_test_case() -> None:
    reference = Reference(expected_output="stale")
    (made,) = only(agent(wanted(1, "q")), transcript(1, turn("q", reference=reference))).turns
    assert made.expected_output is None


def test_without_a_test_case_the_file_says_what_is_expected() -> None:
    reference = Reference(expected_output="r", context=("ideal",))
    case = only(agent(), transcript(1, "hello", turn("q", reference=reference)))
    (made,) = case.turns
    assert (made.input, made.expected_output, made.context, made.index) == ("q", "r", ("ideal",), 0)


def test_the_reason_for_no_answer_is_handed_on() -> None:
    (made,) = only(agent(), transcript(1, turn("q", None, no_answer="the answer is null"))).turns
    assert (made.actual_output, made.no_answer) == (None, "the answer is null")


def test_a_single_test_case_judges_the_last_turn_of_a_chat() -> None:
    (made,) = only(agent(wanted(1, "q")), transcript(1, "hello", "q")).turns
    assert (made.input, made.index, made.several) == ("q", 0, False)


def test_where_the_file_holds_no_question_the_test_cases_is_used() -> None:
    (made,) = only(agent(wanted(1, "q", name="n")), transcript(1, None, test_case="n")).turns
    assert made.input == "q"


def test_another_question_than_the_test_cases_is_judged_as_recorded_with_a_warning() -> None:
    result = built(agent(wanted(1, "q", name="n")), transcript(1, "other", test_case="n"))
    assert result.cases[0].turns[0].input == "other"
    assert result.warnings == (
        "t.jsonl:1: the question is not what the test case asks; the recorded one is judged",
    )


def test_warnings_of_a_transcript_are_handed_on_with_its_place() -> None:
    assert built(agent(), transcript(1, "q", warnings=("odd",))).warnings == ("t.jsonl:1: odd",)


def conversation(*expectations: Any, **fields: Any) -> Any:
    return agent(wanted(1, *expectations, name="n", multi_turn=True), **fields)


def test_of_several_turns_those_with_expectations_are_judged() -> None:
    bot = conversation(
        expect("1"),
        expect("2", ground_truth="g"),
        expect("3", expected_tools=()),
        expect("4", metrics=(metric("own"),)),
        expect("5", metrics=()),
    )
    case = only(bot, transcript(1, "1", "2", "3", "4", "5"))
    assert [(made.index, made.input, made.several) for made in case.turns] == [
        (1, "2", True),
        (2, "3", True),
        (3, "4", True),
    ]


def test_where_nothing_is_expected_of_any_turn_all_are_judged() -> None:
    assert [
        made.index for made in only(conversation(expect("1"), expect("2")), transcript(1, "1", "2")).turns
    ] == [0, 1]


def test_a_turn_that_was_not_recorded_has_no_answer() -> None:
    bot = conversation(expect("1"), expect("2"), expect("3"))
    made = only(bot, transcript(1, "1", "2", test_case="n")).turns[2]
    assert (made.input, made.actual_output, made.no_answer) == ("3", None, "turn 3 was not recorded")
    assert (made.tool_calls, made.retrieval_context) == (None, None)


def test_turns_beyond_the_test_cases_are_left_out_with_a_warning() -> None:
    result = built(conversation(expect("1"), expect("2")), transcript(1, "1", "x", "3", test_case="n"))
    assert len(result.cases[0].turns) == 2
    assert result.warnings == (
        "t.jsonl:1: 1 turn(s) beyond the test case's are left out",
        "t.jsonl:1: turn 2 is not what the test case asks; the recorded one is judged",
    )


def test_a_recorded_multi_turn_test_without_a_test_case_judges_its_own_turns() -> None:
    turns = turn("1"), turn("2", reference=Reference(expected_output="g"))
    case = only(agent(), transcript(1, *turns, multi_turn=True))
    assert [(made.index, made.expected_output, made.several) for made in case.turns] == [(1, "g", True)]


@pytest.mark.parametrize(
    ("of_turn", "of_case", "names"),
    [
        (None, None, ["m"]),
        ((), (), ["m"]),
        (None, (metric("case"),), ["case"]),
        ((), (metric("case"),), ["case"]),
        ((metric("turn"),), (metric("case"),), ["turn"]),
        ((metric("off", enabled=False), metric("turn")), None, ["turn"]),
        (None, (metric("off", enabled=False),), []),
    ],
)
def test_metrics_of_a_turn_replace_the_cases_and_those_the_agents(
    of_turn: Any, of_case: Any, names: Any
) -> None:
    bot = agent(wanted(1, expect("q", metrics=of_turn), metrics=of_case))
    (made,) = only(bot, transcript(1, "q")).turns
    assert [spec.name for spec in made.metrics] == names


def test_expected_tools_are_a_metric_of_their_own_also_when_none_is_expected() -> None:
    bot = agent(wanted(7, expect("q", expected_tools=())), metrics=(metric("off", enabled=False),))
    (spec,) = only(bot, transcript(1, "q")).turns[0].metrics
    assert (spec.kind, spec.type, spec.name, spec.threshold, spec.place.line) == (
        "expected_tools",
        "expected_tools",
        "expected_tools",
        1.0,
        7,
    )


def retrieved(
    *calls: Any, tools: Any = ("kb",), given: Any = None, context: Any = None, from_tools: Any = ()
) -> Any:
    bot = agent(wanted(1, expect("q", retrieval_context=given)), retrieval_tools=tools)
    recorded = turn("q", tool_calls=calls if calls != (None,) else None, context=context)
    return only(bot, transcript(1, recorded), context_from_tools=from_tools).turns[0].retrieval_context


@pytest.mark.parametrize(
    "name",
    ["kb", "vectorstore-kb", "hierarchical_document-kb", "mcp__holodeck_tools__kb_search", "kb_search"],
)
def test_results_of_retrieval_tools_are_what_was_retrieved(name: str) -> None:
    assert retrieved(ToolCall(name=name, result="x"), ToolCall(name="other_" + name, result="y")) == ("x",)


def test_tools_named_by_the_user_are_retrieval_tools_too() -> None:
    assert retrieved(ToolCall(name="web", result="x"), tools=(), from_tools=("web",)) == ("x",)


def test_a_list_of_results_is_one_chunk_an_item() -> None:
    items = ["a", {"text": "b"}, {"content": "c"}, {"page_content": "d"}, {"n": "é"}, " ", 4]
    assert retrieved(ToolCall(name="kb", result=items)) == ("a", "b", "c", "d", '{"n": "é"}', "4")


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ((None,), None),
        ((), ()),
        ((ToolCall(name="other", result="x"),), ()),
        ((ToolCall(name="kb"),), None),
        ((ToolCall(name="kb", result="x"), ToolCall(name="kb")), None),
        ((ToolCall(name="kb", error="down"),), ()),
        ((ToolCall(name="kb", result="x"), ToolCall(name="kb", result="Error", error="down")), ("x",)),
        ((ToolCall(name="kb", result=[]),), ()),
    ],
)
def test_not_recorded_and_retrieved_nothing_stay_different(calls: Any, expected: Any) -> None:
    assert retrieved(*calls) == expected


def test_an_agent_without_retrieval_tools_recorded_no_context() -> None:
    assert retrieved(ToolCall(name="kb", result="x"), tools=()) is None


def test_recorded_context_wins_over_the_test_cases_and_that_over_tools() -> None:
    call = ToolCall(name="kb", result="tool")
    assert retrieved(call, given=("given",), context=(ContextChunk(text="own"),)) == ("own",)
    assert retrieved(call, given=("given",), context=()) == ()
    assert retrieved(call, given=("given",)) == ("given",)


def session(*calls: Any) -> Any:
    bot = conversation(*(expect(str(number)) for number in range(len(calls))), retrieval_tools=("kb",))
    turns = [turn(str(number), tool_calls=made) for number, made in enumerate(calls)]
    return [made.retrieval_context for made in only(bot, transcript(1, *turns)).turns]


def test_what_was_retrieved_adds_up_over_the_session() -> None:
    first, second = ToolCall(name="kb", result="x"), ToolCall(name="kb", result="y")
    assert session((first,), (), (second,)) == [("x",), ("x",), ("x", "y")]


def test_a_session_with_a_part_unrecorded_is_unrecorded_from_there_on() -> None:
    assert session((), None, (ToolCall(name="kb", result="y"),)) == [(), None, None]


def test_a_single_test_case_counts_only_its_own_turns_retrieval() -> None:
    bot = agent(wanted(1, "q"), retrieval_tools=("kb",))
    earlier = turn("hello", tool_calls=(ToolCall(name="kb", result="x"),))
    assert only(bot, transcript(1, earlier, turn("q", tool_calls=()))).turns[0].retrieval_context == ()


def digest_of(*inputs: str, recorded: Any = None, **fields: Any) -> Any:
    bot = agent(wanted(1, *(expect(text, **fields) for text in inputs), name="n"))
    return only(bot, *([transcript(1, recorded, test_case="n")] if recorded else [])).digest


def tool(value: Any, count: Any = 1) -> Any:
    return (ToolExpectation(name="t", count=count, arguments={"a": ArgumentMatch(how="exact", value=value)}),)


def test_the_digest_is_of_what_is_asked_and_expected_not_of_what_was_recorded() -> None:
    assert (
        digest_of("q")
        == digest_of("q", recorded=turn("q", "one"))
        == digest_of("q", recorded=turn("other", "two"))
    )
    changed = [
        digest_of("q"),
        digest_of("p"),
        digest_of("q", "p"),
        digest_of("q", ground_truth="g"),
        digest_of("q", retrieval_context=("c",)),
        digest_of("q", retrieval_context=()),
        digest_of("q", expected_tools=()),
        digest_of("q", expected_tools=(ToolExpectation(name="t"),)),
        digest_of("q", expected_tools=tool(1)),
        digest_of("q", expected_tools=tool(1, count=2)),
        digest_of("q", expected_tools=tool(dt.date(2026, 1, 1))),
        digest_of("q", expected_tools=tool(float("nan"))),
    ]
    assert len(set(changed)) == len(changed)


def test_the_digest_has_what_a_file_expects_beside_its_test_case() -> None:
    """A test case does not say whether to refuse: a file that says otherwise expects something else."""

    def digest(**reference: Any) -> Any:
        return digest_of("q", recorded=turn("q", "one", reference=Reference(**reference)))

    assert digest() == digest(expected_output="g") == digest_of("q")
    said = [digest(is_refusal=True), digest(is_refusal=False), digest(context=()), digest(context=("c",))]
    assert len({digest_of("q"), *said}) == 5


def test_the_digest_of_a_transcript_without_a_test_case_is_of_its_question_and_reference() -> None:
    def digest(answer: Any = "a", reference: Any = None) -> Any:
        return only(agent(), transcript(1, turn("\ud800", answer, reference=reference))).digest

    assert digest("a") == digest("b")
    kinds = [
        digest(),
        digest(reference=Reference(context=("c",))),
        digest(reference=Reference(is_refusal=True)),
    ]
    assert len(set(kinds)) == 3


def test_an_id_that_is_a_key_is_not_shown_as_one_and_pairs_with_that_of_a_later_run() -> None:
    key = KEYS["GitHub token"][0]
    made = only(agent(), transcript(1, "q", id=f"run of {key}"))
    assert made.id == made.turns[0].case_id == "run of *** (GitHub token)"
    lost = only(agent(wanted(1, "q", name=key)))
    assert lost.id == "*** (GitHub token)"


def test_two_ids_that_differ_in_their_keys_alone_are_given_twice() -> None:
    first, second = KEYS["GitHub token"][:2]
    with pytest.raises(TranscriptError, match="give each its own `id` or name"):
        built(agent(), transcript(1, "p", id=first), transcript(2, "q", id=second))
