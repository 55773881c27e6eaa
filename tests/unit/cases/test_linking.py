"""Which test case a transcript belongs to, and what a case is called."""

from typing import Any

import pytest

from holodeck_eval.cases import link
from holodeck_eval.domain.agent import Agent
from holodeck_eval.domain.judgement import sha256_of
from holodeck_eval.domain.transcript import Transcript
from holodeck_eval.errors import Place, TranscriptError
from tests.unit.cases.make import agent, transcript, wanted


def linked(bot: Agent, *transcripts: Transcript, **options: Any) -> Any:
    return link([bot], transcripts, assigned={}, **options)


def pairs(bot: Agent, *transcripts: Transcript, **options: Any) -> Any:
    """Of each case its id, the line of its test case and the line of its transcript."""
    return [
        (case.id, case.test_case and case.test_case.line, case.transcript and case.transcript.line)
        for case in linked(bot, *transcripts, **options).cases
    ]


def refused(bot: Agent, *transcripts: Transcript, **options: Any) -> Any:
    with pytest.raises(TranscriptError) as caught:
        linked(bot, *transcripts, **options)
    return [str(problem) for problem in caught.value.problems]


def digest(*inputs: str) -> Any:
    return sha256_of(list(inputs))[:12]


REFUND, HOURS = wanted(10, "Refund?", name="refund"), wanted(20, "Open when?")


def test_a_transcript_is_linked_by_the_test_cases_name_before_its_input() -> None:
    assert pairs(agent(REFUND, HOURS), transcript(1, "Open when?", test_case="refund")) == [
        ("refund", 10, 1),
        (digest("Open when?"), 20, None),
    ]


def test_without_a_name_the_exact_input_links() -> None:
    assert pairs(agent(REFUND, HOURS), transcript(1, "Open when?"), transcript(2, "Refund?")) == [
        ("refund", 10, 2),
        (digest("Open when?"), 20, 1),
    ]


def test_the_transcripts_own_id_is_the_cases_and_its_name_the_test_cases() -> None:
    (case,) = linked(agent(REFUND), transcript(1, "Refund?", id="r1")).cases
    assert (case.id, case.name, case.agent, case.transcript) == (
        "r1",
        "refund",
        "bot",
        Place(file="t.jsonl", line=1),
    )


def test_a_chat_is_linked_by_its_last_question() -> None:
    assert pairs(agent(REFUND), transcript(1, "Hello", "Refund?")) == [("refund", 10, 1)]


def test_several_turns_are_linked_by_all_their_inputs() -> None:
    bot = agent(wanted(1, "a", "b", name="ab"), wanted(2, "b", multi_turn=True))
    assert pairs(bot, transcript(1, "a", "b"), transcript(2, "x", "b"))[0] == ("ab", 1, 1)
    assert pairs(bot, transcript(2, "x", "b"))[2] == (digest("x", "b"), None, 2)


def test_position_links_only_when_asked_and_only_what_nothing_else_does() -> None:
    bot = agent(REFUND, HOURS)
    answers = transcript(1, None, id="x"), transcript(2, "Open when?"), transcript(3, None, id="z")
    assert pairs(bot, *answers, by_position=True) == [
        ("x", 10, 1),
        (digest("Open when?"), 20, 2),
        ("z", None, 3),
    ]
    assert [line for _, line, _ in pairs(bot, *answers)] == [10, 20, None, None]


def test_a_test_case_without_a_transcript_is_a_case_without_turns() -> None:
    (case,) = linked(agent(REFUND)).cases
    assert (case.id, case.turns, case.transcript, case.test_case) == (
        "refund",
        (),
        None,
        Place(file="a.yaml", line=10),
    )


def test_a_transcript_of_an_unknown_test_case_is_scored_on_its_own_with_a_warning() -> None:
    result = linked(agent(REFUND), transcript(1, "Refund?", test_case="refnd"), transcript(2, "x"))
    assert [case.id for case in result.cases] == ["refund", "refnd", digest("x")]
    assert result.warnings == (
        (
            "agent 'bot': 2 transcript(s) belong to no test case and are scored with the agent's metrics: "
            "t.jsonl:1 ('refnd', did you mean 'refund'?), t.jsonl:2"
        ),
    )


def test_only_some_of_many_unlinked_transcripts_are_listed() -> None:
    many = [transcript(number, f"x{number}", test_case=f"x{number}") for number in range(1, 6)]
    (warning,) = linked(agent(REFUND), *many).warnings
    assert warning.endswith("t.jsonl:3 ('x3') and 2 more")


def test_without_test_cases_a_name_is_simply_the_cases_name() -> None:
    result = linked(agent(), transcript(1, "q", test_case="t"))
    assert [(case.id, case.name, case.test_case) for case in result.cases] == [("t", "t", None)]
    assert result.warnings == ()


def test_a_second_transcript_for_a_test_case_is_refused_with_both_places() -> None:
    (problem,) = refused(agent(REFUND), transcript(1, "Refund?"), transcript(2, "Refund?", id="other"))
    assert problem == (
        "t.jsonl:2: this is a second transcript for the test case 'refund' at a.yaml:10; "
        "the first is at t.jsonl:1. Keep one"
    )


def test_a_second_transcript_for_an_unnamed_test_case_is_refused_too() -> None:
    (problem,) = refused(agent(HOURS), transcript(1, "Open when?"), transcript(2, "Open when?"))
    assert "for the test case at a.yaml:20" in problem


def test_an_id_given_twice_is_refused_with_both_places() -> None:
    (problem,) = refused(agent(), transcript(1, "q", id="x"), transcript(2, "p", id="x"))
    assert problem == (
        "t.jsonl:2: the case id 'x' of agent 'bot' is already that of t.jsonl:1; "
        "give each its own `id` or name, or keep one run of it"
    )


def test_an_id_that_is_another_test_cases_name_is_refused() -> None:
    (problem,) = refused(agent(REFUND, HOURS), transcript(1, "Open when?", id="refund"))
    assert problem.startswith("t.jsonl:1: the case id 'refund' of agent 'bot' is already that of a.yaml:10")


def test_two_unnamed_test_cases_with_one_input_are_refused_with_both_places() -> None:
    twins = agent(HOURS, wanted(30, "Open when?"))
    assert refused(twins) == [
        "a.yaml:30: this test case has the same input as the one at a.yaml:20, and neither has a name; name them"
    ]
    assert refused(twins, transcript(1, "Open when?", id="x")) == [
        (
            "t.jsonl:1: this transcript fits the test cases at a.yaml:20 and at a.yaml:30; "
            "give them different names and say which with `test_case`"
        )
    ]


def test_two_test_cases_of_one_name_are_told_apart_by_the_input() -> None:
    bot = agent(wanted(1, "a", name="same"), wanted(2, "b", name="same"))
    assert pairs(bot, transcript(1, "b", test_case="same", id="x"))[1] == ("x", 2, 1)
    assert (
        "fits the test cases at a.yaml:1 and at a.yaml:2"
        in refused(bot, transcript(1, "c", test_case="same"))[0]
    )


def test_ids_do_not_change_when_something_is_inserted() -> None:
    before = {case.id for case in linked(agent(REFUND, HOURS), transcript(1, "z")).cases}
    more = agent(wanted(1, "new"), REFUND, HOURS)
    after = {case.id for case in linked(more, transcript(1, "y"), transcript(2, "z")).cases}
    assert before < after
