import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from holodeck_eval.domain.agent import ArgumentMatch, MetricSpec, ToolExpectation
from holodeck_eval.domain.case import Turn
from holodeck_eval.domain.outcome import Errored, Outcome, Scored, Skipped
from holodeck_eval.domain.transcript import ToolCall
from holodeck_eval.errors import Place
from holodeck_eval.evaluators.expected_tools import build

SPEC = MetricSpec(
    kind="expected_tools",
    type="expected_tools",
    name="expected_tools",
    threshold=1.0,
    place=Place(file="agent.yaml"),
)


def measure(expected: Sequence[ToolExpectation] | None, calls: Sequence[ToolCall] | None) -> Outcome:
    turn = Turn(
        case_id="a",
        index=0,
        input="q",
        actual_output=None,
        tool_calls=None if calls is None else tuple(calls),
        expected_tools=None if expected is None else tuple(expected),
    )
    return asyncio.run(build(SPEC, None).measure(turn))


def score(expected: Sequence[ToolExpectation], calls: Sequence[ToolCall]) -> float:
    outcome = measure(expected, calls)
    assert isinstance(outcome, Scored)
    return outcome.score


def reason(expected: Sequence[ToolExpectation], calls: Sequence[ToolCall]) -> str:
    outcome = measure(expected, calls)
    assert isinstance(outcome, Scored)
    return outcome.reason


def tool(name: str, count: int = 1, **arguments: ArgumentMatch) -> ToolExpectation:
    return ToolExpectation(name=name, count=count, arguments=arguments or None)


def call(name: str, **arguments: Any) -> ToolCall:
    return ToolCall(name=name, arguments=arguments)


def exact(value: object) -> ArgumentMatch:
    return ArgumentMatch(how="exact", value=value)


def fuzzy(value: object) -> ArgumentMatch:
    return ArgumentMatch(how="fuzzy", value=value)


def regex(value: str) -> ArgumentMatch:
    return ArgumentMatch(how="regex", value=value)


@pytest.mark.parametrize(
    ("name", "points"), [("search", 1.0), ("kb_search", 1.0), ("Search", 0.0), ("kb_search2", 0.0)]
)
def test_a_bare_name_is_found_as_a_part_of_a_called_name_case_sensitively(name: str, points: float) -> None:
    assert score([tool(name)], [call("mcp__x__kb_search")]) == points


def test_order_and_further_calls_do_not_count() -> None:
    assert score([tool("b"), tool("a")], [call("a"), call("x"), call("b")]) == 1.0


def test_one_call_may_meet_several_expectations() -> None:
    assert score([tool("search"), tool("kb")], [call("kb_search")]) == 1.0


def test_the_score_is_the_share_that_is_met_and_the_reason_names_the_rest() -> None:
    outcome = measure([tool("a"), tool("b"), tool("c"), tool("d")], [call("a"), call("x")])
    assert outcome == Scored(
        score=0.25,
        reason="3 of 4 expected tools missed: 'b' was not called; 'c' was not called;"
        " 'd' was not called. Called: 'a', 'x'.",
    )


def test_that_nothing_was_called_is_said() -> None:
    assert reason([tool("a")], []) == ("1 of 1 expected tools missed: 'a' was not called. Called: nothing.")


def test_that_all_are_met_is_said() -> None:
    assert reason([tool("a")], [call("a")]) == "Every expected tool was called. Called: 'a'."


def test_an_empty_list_expects_no_tool_and_is_met_by_any_run() -> None:
    nothing_expected = Scored(score=1.0, reason="No tool was expected.", asserts=False)
    assert measure([], None) == nothing_expected
    assert measure([], [call("a")]) == nothing_expected


def test_calls_that_were_not_recorded_are_not_taken_for_none() -> None:
    outcome = measure([tool("a")], None)
    assert isinstance(outcome, Skipped)
    assert outcome.cause == "missing_input"
    assert outcome.reason.startswith("Tool calls were not recorded: ")


def test_a_turn_without_expectations_is_not_measured() -> None:
    outcome = measure(None, [call("a")])
    assert isinstance(outcome, Skipped)
    assert outcome.cause == "not_applicable"


def test_a_count_needs_that_many_calls() -> None:
    assert score([tool("a", 2)], [call("a"), call("a")]) == 1.0
    assert "'a' was called 1 times, not 2 times" in reason([tool("a", 2)], [call("a"), call("b")])


def test_a_count_counts_only_calls_whose_arguments_fit() -> None:
    expected = [tool("a", 2, x=exact(1))]
    assert score(expected, [call("a", x=1), call("a", x=1, y=2)]) == 1.0
    said = reason(expected, [call("a", x=1), call("a", x=2)])
    assert "'a' was called with fitting 'x' 1 times, not 2 times" in said


def test_every_expected_argument_must_match_in_one_call() -> None:
    expected = [tool("a", x=exact(1), y=exact(2))]
    assert score(expected, [call("a", x=1), call("a", y=2)]) == 0.0
    assert score(expected, [call("a", x=1, y=2)]) == 1.0
    assert "with fitting 'x', 'y' 0 times, not once" in reason(expected, [call("a", x=1)])


@pytest.mark.parametrize("arguments", [None, "x=1", ["x"]])
def test_arguments_that_were_not_recorded_as_an_object_match_none(arguments: object) -> None:
    assert score([tool("a", x=exact(1))], [ToolCall(name="a", arguments=arguments)]) == 0.0


def test_an_empty_object_of_arguments_asks_for_the_name_alone() -> None:
    assert score([ToolExpectation(name="a", arguments={})], [ToolCall(name="a")]) == 1.0


@pytest.mark.parametrize(
    ("expected", "actual", "points"),
    [
        (1, 1.0, 1.0),
        (1, 2, 0.0),
        (True, True, 1.0),
        (True, 1, 0.0),
        (0, False, 0.0),
        ("1", 1, 0.0),
        ("a", "A", 0.0),
        (None, None, 1.0),
        (None, "", 0.0),
        ([1, {"a": [2.0]}], [1.0, {"a": [2]}], 1.0),
        ([1, 2], [1], 0.0),
        ([1, 2], [2, 1], 0.0),
        ({"a": True}, {"a": 1}, 0.0),
        ({"a": 1}, {"a": 1, "b": 2}, 0.0),
        ({"a": 1}, [1], 0.0),
        ((1, 2), [1, 2], 1.0),
    ],
)
def test_an_exact_argument_is_compared_deeply(expected: object, actual: object, points: float) -> None:
    assert score([tool("a", x=exact(expected))], [call("a", x=actual)]) == points


@pytest.mark.parametrize(
    ("expected", "actual", "points"),
    [
        ("New  York", "new york ", 1.0),
        ("new york", "newyork", 1.0),
        ("new york", "york", 0.0),
        ("206,588", 206588, 1.0),
        ("50%", 0.5, 1.0),
        ("4", "4.0", 1.0),
        ("4", "4.1", 0.0),
        ("1e999", "1E999", 1.0),
        ("1e999", "2e999", 0.0),
        ("true", True, 1.0),
        ("4", "four", 0.0),
        (7, "7", 1.0),
    ],
)
def test_a_fuzzy_argument_ignores_case_white_space_and_how_a_number_is_written(
    expected: object, actual: object, points: float
) -> None:
    assert score([tool("a", x=fuzzy(expected))], [call("a", x=actual)]) == points


@pytest.mark.parametrize(
    ("pattern", "actual", "points"),
    [
        (r"\d+", "12", 1.0),
        (r"\d+", 12, 1.0),
        (r"\d", "12", 0.0),
        ("a.*", "a" * 10_000, 1.0),
        ("a.*", "a" * 10_001, 0.0),
        (r'\[1, "b"\]', [1, "b"], 1.0),
    ],
)
def test_a_regular_expression_must_match_the_whole_text(pattern: str, actual: object, points: float) -> None:
    assert score([tool("a", x=regex(pattern))], [call("a", x=actual)]) == points


def test_a_regular_expression_that_is_none_is_no_fault_of_the_agent() -> None:
    outcome = measure([tool("a", x=regex("("))], [call("a", x="b")])
    assert isinstance(outcome, Errored)
    assert outcome.kind == "internal"


def test_hostile_names_are_quoted_and_long_lists_cut() -> None:
    calls = [call(f"tool\n::error::{number}") for number in range(50)]
    said = reason([tool(f"missing{number}") for number in range(40)], calls)
    assert "\n" not in said
    assert "and 38 more" in said
    assert "missing11" in said
    assert "missing12" not in said
