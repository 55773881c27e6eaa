import jsonschema
import pytest

from holodeck_eval.config import agent_schema

AGENT = {
    "name": "lamp",
    "anything": {"else": 1},
    "tools": [{"name": "s", "type": "vectorstore", "source": "x"}],
    "evaluations": {
        "model": {"provider": "openai", "name": "m"},
        "metrics": [
            {"type": "geval", "name": "n", "criteria": "c"},
            {"type": "faithfulness"},
            {"type": "standard", "metric": "numeric"},
            {"type": "generation", "metrics": ["redundancy"]},
            {"type": "code", "grader": "a:b"},
        ],
    },
    "test_cases": [
        {"input": "q", "expected_tools": ["a", {"name": "b", "args": {"x": 1}}]},
        {"turns": [{"input": "q", "evaluations": [{"metric": "equality"}]}]},
    ],
}


def test_the_schema_is_one_and_accepts_an_agent() -> None:
    schema = agent_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(AGENT)
    assert schema["title"] == "Agent"


@pytest.mark.parametrize(
    "change",
    [
        {"name": " "},
        {"evaluations": {"metrics": []}},
        {"evaluations": {"metrics": [{"type": "faithfulness", "threshold": 2}]}},
        {"evaluations": {"metrics": [{"type": "faithfulness", "treshold": 1}]}},
        {"test_cases": [{"input": "q", "expected_output": "x"}]},
    ],
)
def test_the_schema_refuses_what_is_refused_here(change: dict[str, object]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(agent_schema()).validate({**AGENT, **change})


def test_the_schema_describes_its_parts_in_words() -> None:
    definitions = agent_schema()["$defs"]
    assert isinstance(definitions, dict)
    assert all("description" in definition for definition in definitions.values())
