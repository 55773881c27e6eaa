from typing import Any

import pytest

from holodeck_eval.domain.shapes import MODEL, SETTINGS, normal, plain, tool_shape

WRITTEN = {"provider": "openai", "name": "gpt-4o"}
FULL = {**WRITTEN, "temperature": 0.3, "max_tokens": 1000}


def tool(**fields: Any) -> dict[str, object]:
    return normal(fields, tool_shape(fields))


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"temperature": 0.3},
        {"temperature": "0.3", "max_tokens": "1e3"},
        {"max_tokens": 1000.0, "top_p": None},
        {"endpoint": "https://x.example", "api_key": "k", "api_version": "1", "auth_provider": "vertex"},
    ],
)
def test_a_model_is_what_holodeck_makes_of_it(more: dict[str, object]) -> None:
    assert normal({**WRITTEN, **more}, MODEL) == FULL


def test_a_null_where_holodeck_has_a_default_is_not_the_default() -> None:
    assert "temperature" not in normal({**WRITTEN, "temperature": None}, MODEL)


@pytest.mark.parametrize("text", ["warm", "${HEAT}", "inf", "nan", ""])
def test_a_text_that_is_no_number_stays_one(text: str) -> None:
    assert normal({**WRITTEN, "temperature": text}, MODEL)["temperature"] == text


def test_a_tool_has_the_defaults_of_its_type() -> None:
    search = tool(type="vectorstore", name="a", source="s.md", database="chroma", is_retrieval=True)
    assert search == {
        "type": "vectorstore",
        "name": "a",
        "source": "s.md",
        "top_k": 5,
        "field_separator": "\n",
        "defer_loading": True,
    }


@pytest.mark.parametrize("kind", [None, "alien", ["mcp"]])
def test_of_a_tool_of_no_known_type_nothing_is_filled_in(kind: object) -> None:
    expected = {"name": "a", **({"type": kind} if kind else {})}
    assert tool(type=kind, name="a", url=None) == expected


def test_a_model_inside_a_tool_is_filled_where_there_is_one() -> None:
    document = tool(type="hierarchical_document", name="a", context_model={**WRITTEN, "api_key": "k"})
    assert document["context_model"] == FULL
    assert "reranker_model" not in document


def test_a_section_that_is_empty_is_the_same_as_none() -> None:
    none = normal({}, SETTINGS)
    written = {"claude": {"bash": {"enabled": False}, "agents": {}}, "openai": {"max_turns": 20}}
    assert normal(written, SETTINGS) == none
    assert normal({"claude": None, "openai": {"permissions": None}}, SETTINGS) == none
    assert normal({"claude": {"bash": {"enabled": True}}}, SETTINGS) != none


def test_how_an_agent_is_served_is_no_part_of_it() -> None:
    served = {"claude": {"session_memory_estimate_mib": 1, "max_concurrent_sessions": 2}}
    assert normal(served, SETTINGS) == normal({}, SETTINGS)


def test_a_response_format_is_kept_as_it_was_written() -> None:
    schema = {"type": "object", "timeout": 1, "default": None, "enum": [1.0, True, 1.5]}
    kept = normal({"response_format": schema}, SETTINGS)["response_format"]
    assert kept == {"type": "object", "timeout": 1, "default": None, "enum": [1, True, 1.5]}


def test_plain_values_are_written_in_one_way() -> None:
    assert plain({"a": (1.0, "x\r\ny", None, True)}) == {"a": [1, "x\ny", None, True]}
