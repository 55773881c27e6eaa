"""action.yml, the README's tables, the command line and the domain's Options say the same."""

import re
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from holodeck_eval.action import outputs_of
from holodeck_eval.action.inputs import ROLES
from holodeck_eval.application import failed
from holodeck_eval.application.commenting import RIGHTS
from holodeck_eval.arguments import COMMENT_MODES, LISTS, run_options
from holodeck_eval.cli import program
from holodeck_eval.domain.options import Environment, Options
from holodeck_eval.domain.policy import PolicyOptions
from holodeck_eval.errors import Problem
from holodeck_eval.github.events import EVENTS

ROOT = Path(__file__).resolve().parents[2]


def read_yaml(path: Path) -> dict[Any, Any]:
    loaded: dict[Any, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return loaded


ACTION = read_yaml(ROOT / "action.yml")
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGE = (ROOT / "docs" / "github.md").read_text(encoding="utf-8")


def table_under(heading: str, page: str) -> dict[str, str]:
    """The rows of the first table under a heading of a page: name to meaning."""
    section = page.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"^\| `(\w+)` \| (?:.* \| )?(.*) \|$", section, flags=re.MULTILINE)
    return dict(rows)


def snippets(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)


def descriptions(kind: str) -> dict[str, str]:
    return {name: entry["description"] for name, entry in ACTION[kind].items()}


def test_each_field_of_the_options_is_an_input_and_the_other_way_round() -> None:
    named = {field.name for field in fields(Options)} - {"rules", "write_cases"} | {"no_cases"}
    assert set(ACTION["inputs"]) == named | {field.name for field in fields(PolicyOptions)} | set(ROLES)


def test_each_option_of_the_command_line_is_an_input_and_the_other_way_round() -> None:
    assert set(ACTION["inputs"]) == {str(param.name) for param in run_options()} | set(ROLES)


def test_what_else_the_action_can_do_is_a_command_of_the_same_name() -> None:
    assert set(ROLES) <= set(program.commands)


def test_an_option_is_spelt_as_its_input_with_hyphens() -> None:
    flags = {flag for param in run_options() for flag in param.opts}
    assert flags == {f"--{name.replace('_', '-')}" for name in ACTION["inputs"] if name not in ROLES}


def test_inputs_that_take_several_values_say_how_to_write_them() -> None:
    several = {name for name, text in descriptions("inputs").items() if "one on a line" in text}
    assert several == {*LISTS, "merge"}


def test_every_input_is_unset_by_default_but_for_the_jobs_own_token() -> None:
    """None is required: what must be given depends on what the step is to do."""
    assert not any(entry.get("required") for entry in ACTION["inputs"].values())
    defaults = {name: entry["default"] for name, entry in ACTION["inputs"].items()}
    assert defaults.pop("github_token") == "${{ github.token }}"
    assert set(defaults.values()) == {""}


@pytest.mark.parametrize("name", ACTION["inputs"])
def test_an_input_is_readable_from_a_shell_as_well(name: str) -> None:
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", name)


def test_the_readme_lists_each_input_with_the_words_of_action_yml() -> None:
    assert table_under("Inputs", README) == descriptions("inputs")


def test_the_page_on_github_lists_each_output_with_the_words_of_action_yml() -> None:
    assert table_under("Outputs", PAGE) == descriptions("outputs")


def test_the_page_on_github_tells_of_each_mode_of_the_comment() -> None:
    assert tuple(table_under("The comment", PAGE)) == COMMENT_MODES


def test_the_page_on_github_tells_of_each_event() -> None:
    section = PAGE.split("\n## Events\n", 1)[1].split("\n## ", 1)[0]
    named = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (.*?) \|", section, flags=re.MULTILINE)))
    assert set(named) == set(EVENTS)


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


def workflows_to_copy() -> tuple[dict[Any, Any], dict[Any, Any]]:
    """The README's two: the gate's, and the one that comments for forks."""
    gate, comment = (yaml.safe_load(text) for text in snippets("yaml") if "jobs:" in text)
    return gate, comment


def steps_of(workflow: Mapping[Any, Any]) -> list[dict[str, Any]]:
    (job,) = workflow["jobs"].values()
    steps: list[dict[str, Any]] = job["steps"]
    return steps


def uses(steps: list[dict[str, Any]], action: str) -> dict[str, Any]:
    """What the step that uses an action is given."""
    (step,) = [step for step in steps if step.get("uses", "").partition("@")[0] == action]
    given: dict[str, Any] = step["with"]
    return given


def test_the_second_workflow_publishes_the_artifact_that_the_first_one_uploads() -> None:
    gate, comment = workflows_to_copy()
    assert comment[True]["workflow_run"] == {"workflows": [gate["name"]], "types": ["completed"]}
    uploaded = uses(steps_of(gate), "actions/upload-artifact")
    downloaded = uses(steps_of(comment), "actions/download-artifact")
    assert downloaded["name"] == uploaded["name"]
    assert uploaded["path"] == Options(agent=(), transcripts=()).out
    assert uses(steps_of(comment), "holodeck/eval-action") == {"publish": downloaded["path"]}


def test_the_second_workflow_touches_no_code_and_has_no_other_rights_than_it_says() -> None:
    _, comment = workflows_to_copy()
    assert [step["uses"].partition("@")[0] for step in steps_of(comment)] == [
        "actions/download-artifact",
        "holodeck/eval-action",
    ]
    (job,) = comment["jobs"].values()
    assert job["permissions"] == {"actions": "read", "pull-requests": "write"}


def test_the_first_workflow_has_the_rights_that_the_warning_asks_for() -> None:
    gate, _ = workflows_to_copy()
    (job,) = gate["jobs"].values()
    asked = yaml.safe_load(RIGHTS[RIGHTS.index("permissions:") :])
    assert job["permissions"] == asked["permissions"]
    assert gate["permissions"] == {}
