"""action.yml, the README's tables, the command line and the domain's Options say the same."""

import re
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from holodeck_eval.action import outputs_of
from holodeck_eval.application import failed
from holodeck_eval.arguments import LISTS, run_options
from holodeck_eval.domain.options import Environment, Options
from holodeck_eval.domain.policy import PolicyOptions
from holodeck_eval.errors import Problem

ROOT = Path(__file__).resolve().parents[2]
WORKFLOW = ROOT / ".github" / "workflows" / "dogfood.yml"
SHA_PINNED = re.compile(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")


def read_yaml(path: Path) -> dict[Any, Any]:
    loaded: dict[Any, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return loaded


ACTION = read_yaml(ROOT / "action.yml")
README = (ROOT / "README.md").read_text(encoding="utf-8")


def table_under(heading: str) -> dict[str, str]:
    """The rows of the first table under a heading of the README: name to meaning."""
    section = README.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"^\| `(\w+)` \| (?:.* \| )?(.*) \|$", section, flags=re.MULTILINE)
    return dict(rows)


def snippets(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)


def descriptions(kind: str) -> dict[str, str]:
    return {name: entry["description"] for name, entry in ACTION[kind].items()}


def test_each_field_of_the_options_is_an_input_and_the_other_way_round() -> None:
    named = {field.name for field in fields(Options)} - {"rules", "write_cases"} | {"no_cases"}
    assert set(ACTION["inputs"]) == named | {field.name for field in fields(PolicyOptions)}


def test_each_option_of_the_command_line_is_an_input_and_the_other_way_round() -> None:
    assert set(ACTION["inputs"]) == {str(param.name) for param in run_options()}


def test_an_option_is_spelt_as_its_input_with_hyphens() -> None:
    flags = {flag for param in run_options() for flag in param.opts}
    assert flags == {f"--{name.replace('_', '-')}" for name in ACTION["inputs"]}


def test_inputs_that_take_several_values_say_how_to_write_them() -> None:
    several = {name for name, text in descriptions("inputs").items() if "one on a line" in text}
    assert several == set(LISTS)


def test_only_what_must_be_given_is_required_and_all_else_is_unset_by_default() -> None:
    required = {name for name, entry in ACTION["inputs"].items() if entry.get("required")}
    assert required == {str(param.name) for param in run_options() if param.required}
    defaults = {
        name: entry.get("default") for name, entry in ACTION["inputs"].items() if name not in required
    }
    assert set(defaults.values()) == {""}


@pytest.mark.parametrize("name", ACTION["inputs"])
def test_an_input_is_readable_from_a_shell_as_well(name: str) -> None:
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", name)


def test_the_readme_lists_each_input_with_the_words_of_action_yml() -> None:
    assert table_under("Inputs") == descriptions("inputs")


def test_the_readme_lists_each_output_with_the_words_of_action_yml() -> None:
    assert table_under("Outputs") == descriptions("outputs")


def test_each_declared_output_is_written_even_when_nothing_could_run() -> None:
    options = Options(agent=("agent.yaml",), transcripts=("runs.jsonl",))
    run = failed(options, Environment(), [Problem(message="the file is empty")])
    assert set(outputs_of(run, "eval-report")) == set(ACTION["outputs"])


def test_the_action_runs_the_dockerfile_beside_it() -> None:
    assert ACTION["runs"] == {"using": "docker", "image": "Dockerfile"}
    assert (ROOT / ACTION["runs"]["image"]).is_file()


def test_the_marketplace_finds_what_it_asks_for() -> None:
    assert set(ACTION["branding"]) == {"icon", "color"}
    assert len(ACTION["description"]) <= 125
    assert ACTION["name"]


def steps_of(workflow: Mapping[Any, Any]) -> list[dict[str, Any]]:
    (job,) = workflow["jobs"].values()
    steps: list[dict[str, Any]] = job["steps"]
    return steps


def test_the_workflow_to_copy_is_the_one_this_repository_runs_on_its_own_example() -> None:
    """But for the reference to this action, and for the example's own end: it fails, on purpose."""
    (snippet,) = [text for text in snippets("yaml") if "jobs:" in text]
    shown = yaml.safe_load(snippet.replace("holodeck/eval-action@main", "./"))
    run = read_yaml(WORKFLOW)
    steps = [step for step in steps_of(run) if step.get("name") != "The example fails, as it should"]
    gate = next(step for step in steps if step.get("uses") == "./")
    assert gate.pop("continue-on-error") is True
    assert steps_of(shown) == steps
    (shown_job,), (run_job,) = shown.pop("jobs").values(), run.pop("jobs").values()
    assert shown == run
    assert shown_job["permissions"] == run_job["permissions"] == {"contents": "read"}


def test_the_workflow_names_only_inputs_the_action_has() -> None:
    gate = next(step for step in steps_of(read_yaml(WORKFLOW)) if step.get("uses") == "./")
    assert set(gate["with"]) <= set(ACTION["inputs"])


@pytest.mark.parametrize("path", sorted(WORKFLOW.parent.glob("*.yml")), ids=lambda path: path.name)
def test_workflows_give_no_right_but_reading_and_pin_what_they_use(path: Path) -> None:
    workflow = read_yaml(path)
    assert workflow["permissions"] == {}
    assert {tuple(job["permissions"].items()) for job in workflow["jobs"].values()} == {
        (("contents", "read"),)
    }
    used = re.findall(r"uses: (.*)", path.read_text(encoding="utf-8"))
    assert all(text == "./" or SHA_PINNED.fullmatch(text) for text in used), used
