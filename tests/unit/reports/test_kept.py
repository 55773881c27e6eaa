import contextlib
import json
import math
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holodeck_eval.domain.agent import ArgumentMatch, ToolExpectation
from holodeck_eval.domain.case import Case, Turn
from holodeck_eval.domain.transcript import ToolCall
from holodeck_eval.reports.cases import render_case
from holodeck_eval.reports.kept import BadCaseError, KeptCase, fits, parse_case
from tests.fakes.runs import build_case, build_turn


def a_turn(index: int = 0, **fields: Any) -> Turn:
    return Turn(**{"case_id": "a", "index": index, "input": "Why?", "actual_output": "So."} | fields)


def line_of(*turns: Turn) -> str:
    return render_case(Case(id="a", agent="support", name=None, turns=turns, digest="d"))


def record(**fields: object) -> dict[str, Any]:
    """A line's value with one turn, with these fields in it."""
    made: dict[str, Any] = json.loads(line_of(a_turn()))
    return made | fields


def with_turn(**fields: object) -> str:
    turn = record()["turns"][0]
    return json.dumps(record(turns=[turn | fields]))


def refusal(line: str) -> str:
    with pytest.raises(BadCaseError) as caught:
        parse_case(line)
    return str(caught.value)


FULL = a_turn(
    expected_output="Since.",
    context=("c", ""),
    retrieval_context=(),
    tool_calls=(
        ToolCall(name="search", arguments={"q": ["laptop", 1.5, None]}, result=["x"], error="late", id="1"),
        ToolCall(name="", arguments="{not JSON"),
    ),
    expected_tools=(
        ToolExpectation(name="search", arguments={"q": ArgumentMatch(how="fuzzy", value="Laptop")}, count=2),
        ToolExpectation(name="bare"),
    ),
    is_refusal=False,
)


def test_a_turn_is_read_back_as_it_was_judged() -> None:
    assert parse_case(line_of(FULL)) == KeptCase(id="a", agent="support", digest="d", turns=(FULL,))


def test_null_empty_and_absent_stay_different() -> None:
    turn = a_turn(input=None, actual_output="", no_answer="it is blank", context=(), retrieval_context=None)
    assert parse_case(line_of(turn)).turns == (turn,)


def test_turns_of_a_conversation_are_read_back_as_several() -> None:
    turns = (a_turn(several=True), a_turn(3, several=True))
    assert parse_case(line_of(*turns)).turns == turns
    assert parse_case(line_of(turns[1])).turns == (turns[1],)


def test_a_case_without_turns_is_a_case() -> None:
    assert parse_case(line_of()).turns == ()


texts = st.text(max_size=20) | st.sampled_from(["\ud800", "\u2028\x85\n", "\x00", "NaN", "…"])
maybe = st.none() | texts
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
calls = st.builds(ToolCall, name=texts, arguments=values, result=values, error=maybe, id=maybe)
matches = st.builds(ArgumentMatch, how=st.sampled_from(["exact", "fuzzy", "regex"]), value=values)
tools = st.builds(
    ToolExpectation,
    name=texts,
    arguments=st.none() | st.dictionaries(texts, matches, max_size=2),
    count=st.integers(min_value=1),
)
several_of = {"context": texts, "retrieval_context": texts, "tool_calls": calls, "expected_tools": tools}
turns_of_any_kind = st.builds(
    a_turn,
    input=maybe,
    actual_output=maybe,
    no_answer=maybe,
    expected_output=maybe,
    is_refusal=st.none() | st.booleans(),
    **{name: st.none() | st.lists(items, max_size=2).map(tuple) for name, items in several_of.items()},
)


@settings(max_examples=60, deadline=None)
@given(turns_of_any_kind)
def test_whatever_was_judged_is_read_back(turn: Turn) -> None:
    assert parse_case(line_of(turn)).turns == (turn,)


def test_a_turn_whose_text_was_cut_is_left_out() -> None:
    for fields in (
        {"actual_output": "x" * 100_001},
        {"context": ("c", "x" * 100_001)},
        {"tool_calls": (ToolCall(name="t", arguments={"deep": ["x" * 100_001]}),)},
        {"tool_calls": (ToolCall(name="t", result={"x" * 100_001: 1}),)},
    ):
        kept = parse_case(line_of(a_turn(several=True), a_turn(1, **fields)))
        assert ([turn.index for turn in kept.turns], kept.shortened) == ([0], 1)
    whole = a_turn(actual_output="x" * 100_000, context=("y" * 100_000,))
    assert parse_case(line_of(whole)).turns == (whole,)


def test_what_json_does_not_have_comes_back_as_the_text_it_was_written_as() -> None:
    call = ToolCall(name="t", arguments={"nan": math.nan, "on": date(2026, 1, 2)})
    (turn,) = parse_case(line_of(a_turn(tool_calls=(call,)))).turns
    assert turn.tool_calls == (replace(call, arguments={"nan": "nan", "on": "2026-01-02"}),)


def test_fields_of_a_later_version_are_passed_over() -> None:
    assert parse_case(with_turn(mood={"deep": 1})).turns == (a_turn(),)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "it is not JSON: Expecting value at column 1"),
        (line_of(FULL)[:-20], "it is not JSON: "),
        ("[" * 100_000, "it is nested more than 80 levels deep"),
        (with_turn(tool_calls=[{"name": "t", "arguments": json.loads("[" * 90 + "]" * 90)}]), "it is nested"),
        ("[]", "it must be an object, not a list"),
        ('"text"', "it must be an object, not 'text'"),
        ("{}", 'it has no "id"'),
        (json.dumps(record(id=7)), '"id" must be a text, not 7'),
        (json.dumps(record(agent=None)), 'it has no "agent"'),
        (json.dumps(record(digest=["d"])), '"digest" must be a text, not a list'),
        (json.dumps(record(turns=None)), 'it has no "turns"'),
        (json.dumps(record(turns={})), '"turns" must be a list, not an object'),
        (json.dumps(record(turns=[1])), "a turn must be an object, not 1"),
        (json.dumps(record(turns=record()["turns"] * 2)), "two of its turns have one index"),
        (with_turn(index=True), '"index" must be a whole number, not true'),
        (with_turn(index=-1), '"index" must be a whole number, not -1'),
        (with_turn(index=1.0), '"index" must be a whole number, not 1.0'),
        (with_turn(index=None), '"index" must be a whole number, not null'),
        (with_turn(actual_output={"a": 1}), '"actual_output" must be a text, not an object'),
        (with_turn(context=["a", None]), '"context" must be a list of texts'),
        (with_turn(retrieval_context="all"), "\"retrieval_context\" must be a list, not 'all'"),
        (with_turn(is_refusal=0), '"is_refusal" must be true or false, not 0'),
        (with_turn(tool_calls=["search"]), "a tool call must be an object, not 'search'"),
        (with_turn(tool_calls=[{}]), 'it has no "name"'),
        (with_turn(tool_calls=[{"name": "t", "error": 1}]), '"error" must be a text, not 1'),
        (with_turn(expected_tools=[None]), "an expected tool must be an object, not null"),
        (
            with_turn(expected_tools=[{"name": "t", "count": "2"}]),
            "\"count\" must be a whole number, not '2'",
        ),
        (
            with_turn(expected_tools=[{"name": "t", "count": 1, "arguments": []}]),
            "the arguments of an expected tool must be an object, not a list",
        ),
        (
            with_turn(expected_tools=[{"name": "t", "count": 1, "arguments": {"a": "b"}}]),
            "an expected argument must be an object, not 'b'",
        ),
        (
            with_turn(expected_tools=[{"name": "t", "count": 1, "arguments": {"a": {"how": ["x"]}}}]),
            '"how" must be exact, fuzzy or regex, not a list',
        ),
        (with_turn(is_refusal=math.nan), "it holds 'NaN', which is no number"),
        (with_turn(mood=-math.inf), "it holds '-Infinity', which is no number"),
        (with_turn().replace('"So."', "1e999"), "it holds '1e999', which is no number"),
        (with_turn().replace('"So."', "9" * 5000), "it holds a number of too many digits"),
        (with_turn(actual_output=10**4000), '"actual_output" must be a text, not 1' + "0" * 39),
    ],
)
def test_a_bad_line_is_refused_with_a_clause(line: str, why: str) -> None:
    assert refusal(line).startswith(why)
    assert len(refusal(line)) < 200


@settings(max_examples=60, deadline=None)
@given(st.fixed_dictionaries({}, optional=dict.fromkeys(record()["turns"][0], values)))
def test_no_hostile_turn_breaks_the_reader(fields: dict[str, Any]) -> None:
    with contextlib.suppress(BadCaseError):
        assert len(parse_case(with_turn(**fields)).turns) == 1


SHOWN = build_turn(actual_output="So.", input="Why?", expected_output=None)


@pytest.mark.parametrize(
    ("turns", "digest", "same"),
    [
        ((a_turn(),), "d", True),
        ((), "d", True),
        ((a_turn(),), "e", False),
        ((a_turn(1),), "d", False),
        ((a_turn(actual_output="So"),), "d", False),
        ((a_turn(actual_output=None),), "d", False),
        ((a_turn(input="Why"),), "d", False),
        ((a_turn(expected_output=""),), "d", False),
        ((a_turn(no_answer="late"),), "d", False),
    ],
)
def test_a_kept_case_must_be_the_one_that_the_results_show(
    turns: tuple[Turn, ...], digest: str, *, same: bool
) -> None:
    kept = KeptCase(id="a", agent="support", digest=digest, turns=turns)
    assert fits(kept, build_case("a", turns=(SHOWN,), digest="d")) is same
