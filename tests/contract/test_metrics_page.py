"""docs/metrics.md has a heading for every metric, and its YAML can be used as it stands."""

import re
from pathlib import Path

import pytest
import yaml

from holodeck_eval.config import load_agent
from holodeck_eval.domain.options import Environment
from holodeck_eval.domain.rating import GENERATION, SCALES
from holodeck_eval.evaluators import METRICS

PAGE = (Path(__file__).parents[2] / "docs" / "metrics.md").read_text(encoding="utf-8")
SNIPPETS = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("metric", METRICS)
def test_every_metric_has_a_heading_with_an_example(metric: str) -> None:
    _, found, section = PAGE.partition(f"\n## {metric}\n")
    assert found
    assert "```yaml" in section.partition("\n## ")[0]


def test_the_table_of_the_five_parts_is_the_rule() -> None:
    for scale in GENERATION:
        assert re.search(rf"^\| {scale.name} \| [^|]+ \| {scale.good} \| {scale.bad} \|", PAGE, re.MULTILINE)


def test_the_level_that_a_mean_counts_as_is_the_nearest_and_of_two_the_worse() -> None:
    scale = SCALES["completeness"]
    two_thirds, half = scale.level((3 + 3 + 2) / 3), scale.level((1 + 2) / 2)
    assert (
        f"completeness 3, 3 and 2 is 2.67 and counts as {two_thirds}; 1 and 2 is 1.5 and counts as {half}."
        in PAGE
    )


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_every_example_loads(snippet: str, tmp_path: Path) -> None:
    written = yaml.safe_load(snippet)
    case = {"name": "one", "input": "q", "ground_truth": "g"}
    expected = written if isinstance(written, dict) else {}
    agent: dict[str, object] = {
        "name": "agent",
        "model": {"provider": "ollama", "name": "m"},
        "instructions": {"inline": "Help."},
        "test_cases": [case | expected],
    }
    if isinstance(written, list):
        agent["evaluations"] = {"metrics": written}
    path = tmp_path / "agent.yaml"
    path.write_text(yaml.safe_dump(agent), encoding="utf-8")
    loaded = load_agent(path, environment=Environment(), metric_types=METRICS)
    assert {spec.type for spec in loaded.metrics} <= set(METRICS)
    assert loaded.metrics or loaded.test_cases[0].turns[0].expected_tools
