import json
import math
from datetime import date
from typing import Any

from holodeck_eval.domain.agent import ArgumentMatch, MetricSpec, ToolExpectation
from holodeck_eval.domain.case import Case, Turn
from holodeck_eval.domain.transcript import ToolCall
from holodeck_eval.errors import Place
from holodeck_eval.reports.cases import render_case

METRIC = MetricSpec(
    kind="rag",
    type="faithfulness",
    name="faithfulness",
    threshold=0.7,
    place=Place(file="agent.yaml", line=3),
)


def rendered(**turn: Any) -> str:
    made = Turn(
        **{"case_id": "a", "index": 0, "input": "Why?", "actual_output": "So.", "metrics": (METRIC,)} | turn
    )
    return render_case(Case(id="a", agent="support", name=None, turns=(made,), digest="d"))


def turn_of(line: str) -> dict[str, Any]:
    turn: dict[str, Any] = json.loads(line)["turns"][0]
    return turn


def test_a_line_holds_all_that_was_judged() -> None:
    call = ToolCall(name="search", arguments={"q": "laptop"}, result=["x"], id="1")
    wanted = ToolExpectation(name="search", arguments={"q": ArgumentMatch(how="fuzzy", value="Laptop")})
    line = rendered(
        expected_output="Since.",
        context=("c",),
        retrieval_context=(),
        tool_calls=(call,),
        expected_tools=(wanted,),
        is_refusal=False,
    )
    assert json.loads(line) == {
        "id": "a",
        "agent": "support",
        "name": None,
        "digest": "d",
        "turns": [
            {
                "index": 0,
                "input": "Why?",
                "actual_output": "So.",
                "no_answer": None,
                "expected_output": "Since.",
                "context": ["c"],
                "retrieval_context": [],
                "tool_calls": [
                    {
                        "name": "search",
                        "arguments": {"q": "laptop"},
                        "result": ["x"],
                        "error": None,
                        "id": "1",
                    }
                ],
                "expected_tools": [
                    {"name": "search", "arguments": {"q": {"how": "fuzzy", "value": "Laptop"}}, "count": 1}
                ],
                "is_refusal": False,
                "metrics": ["faithfulness"],
            }
        ],
    }


def test_what_was_not_recorded_is_not_an_empty_text() -> None:
    turn = turn_of(rendered(actual_output="", input=None))
    assert (turn["actual_output"], turn["input"], turn["context"]) == ("", None, None)


def test_a_line_is_one_line_for_every_reader_and_valid_utf_8() -> None:
    text = "a\n\r\u2028\u2029\x85\x0b\ud800 é"
    line = rendered(actual_output=text)
    assert len(line.splitlines()) == 1
    assert "é" in line
    assert turn_of(line.encode().decode())["actual_output"] == text


def test_a_long_text_is_cut_and_says_how_long_it_was() -> None:
    kept = turn_of(rendered(actual_output="x" * 1_000_000))["actual_output"]
    assert kept == "x" * 100_000 + "… [cut: 1,000,000 characters]"


def test_what_json_does_not_have_is_written_as_text() -> None:
    call = ToolCall(name="t", arguments={"nan": math.nan, "all": [math.inf, 1.5], "on": date(2026, 1, 2)})
    (written,) = turn_of(rendered(tool_calls=(call,)))["tool_calls"]
    assert written["arguments"] == {"all": ["inf", 1.5], "nan": "nan", "on": "2026-01-02"}
