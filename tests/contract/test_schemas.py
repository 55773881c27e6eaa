import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from holodeck_eval.application import SCHEMAS

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "support-agent"


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_published_schema_is_the_models_own(name: str) -> None:
    kept = json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))
    assert kept == SCHEMAS[name]()


def test_every_schema_that_is_published_is_one_of_the_table() -> None:
    published = {path.name.removesuffix(".schema.json") for path in (ROOT / "schemas").iterdir()}
    assert published == set(SCHEMAS)


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_a_valid_schema(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[name]())


def test_the_example_agrees_with_the_schemas() -> None:
    agent = yaml.safe_load((EXAMPLE / "agent.yaml").read_text(encoding="utf-8"))
    jsonschema.validate(agent, SCHEMAS["agent"]())
    for line in (EXAMPLE / "transcripts.jsonl").read_text(encoding="utf-8").splitlines():
        jsonschema.validate(json.loads(line), SCHEMAS["transcript"]())


@pytest.mark.parametrize(("key", "valid"), [("threshold", True), ("treshold", False)])
def test_a_misspelt_key_of_a_metric_does_not_agree_with_the_agents_schema(key: str, valid: bool) -> None:  # noqa: FBT001
    metric = {"type": "geval", "name": "n", "criteria": "c", key: 1}
    agent = {"name": "a", "evaluations": {"metrics": [metric]}}
    assert jsonschema.Draft202012Validator(SCHEMAS["agent"]()).is_valid(agent) is valid
