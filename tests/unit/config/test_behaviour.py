"""What shapes an agent's behaviour: read from its YAML, `config.yaml` and the prompts it names."""

import os
from pathlib import Path

import pytest

from holodeck_eval.config import load_behaviour
from holodeck_eval.domain.behaviour import Behaviour
from holodeck_eval.domain.digest import digest_of
from holodeck_eval.errors import ConfigError
from tests.unit.config.support import Folder

AGENT = """\
name: lamp
model: {provider: openai, name: gpt-4o}
instructions:
  file: prompts/system.md
"""
INLINE = AGENT.replace("file: prompts/system.md", "inline: Be brief.")


def behaviour(folder: Folder, text: str) -> Behaviour:
    found = folder.agent(text).behaviour
    assert found is not None
    return found


def told(folder: Folder, text: str) -> list[str]:
    """Why parts of the agent are not known; the digest is refused for just the same."""
    problems = [str(problem) for problem in behaviour(folder, text).problems]
    with pytest.raises(ConfigError) as caught:
        load_behaviour(folder.root / "agent.yaml", environment=folder.environment, shown_as="agent.yaml")
    assert [str(problem) for problem in caught.value.problems] == problems
    return problems


def digest(folder: Folder, text: str) -> str:
    path = folder.write("agent.yaml", text)
    return digest_of(load_behaviour(path, environment=folder.environment))


def test_the_four_parts_are_as_they_were_written(folder: Folder) -> None:
    folder.write("prompts/system.md", "Be brief.\r\n")
    found = behaviour(
        folder, AGENT + "tools: [{type: mcp, name: a}]\nresponse_format: f.json\nclaude: {effort: low}\n"
    )
    assert found.model == {"provider": "openai", "name": "gpt-4o"}
    assert found.instructions is not None
    assert (found.instructions.text, found.instructions.inline) == ("Be brief.\n", False)
    assert found.tools == ({"type": "mcp", "name": "a"},)
    assert found.settings == {"response_format": "f.json", "claude": {"effort": "low"}}
    assert found.problems == ()


def test_a_digest_does_not_depend_on_how_the_yaml_is_written_or_on_what_is_measured(folder: Folder) -> None:
    folder.write("prompts/system.md", "Be brief.\n")
    other = """\
# another order, and other words for people
author: someone
description: something
instructions: {file: ./prompts/system.md}   # the same file
tools: []
model:
  max_tokens: 1000
  temperature: 0.30
  name: "gpt-4o"
  provider: openai
  api_key: ${OPENAI_API_KEY}
name: other
evaluations: {metrics: [{type: rag, metric_type: faithfulness}]}
test_cases: [{input: hi}]
observability: {enabled: true}
execution: {llm_timeout: 5}
"""
    assert digest(folder, other) == digest(folder, AGENT) == digest(folder, INLINE)


@pytest.mark.parametrize("text", ["Be long.\n", "---\nversion: 2\n---\nBe brief.\n", ""])
def test_another_text_in_the_file_of_instructions_is_another_digest(folder: Folder, text: str) -> None:
    folder.write("prompts/system.md", text)
    assert digest(folder, AGENT) != digest(folder, INLINE)


def test_no_variable_is_put_into_a_digest(folder: Folder) -> None:
    text = INLINE.replace("gpt-4o", "'${AGENT_MODEL}'").replace("Be brief.", "'Serve ${SHOP}.'")
    before = digest(folder, text)
    folder.variables = {"AGENT_MODEL": "gpt-4o", "SHOP": "Ottermoor"}
    assert digest(folder, text) == before
    assert behaviour(folder, text).model == {"provider": "openai", "name": "${AGENT_MODEL}"}


def test_what_the_model_leaves_out_is_filled_from_config_yaml(folder: Folder) -> None:
    folder.write(
        "config.yaml",
        "providers: {openai: {name: other, temperature: 0.7, top_p: null, endpoint: 'https://x.example'}}\n",
    )
    assert behaviour(folder, INLINE).model == {
        "provider": "openai",
        "name": "gpt-4o",
        "temperature": 0.7,
        "top_p": None,
    }
    written = INLINE.replace("gpt-4o", "gpt-4o, temperature: 0.1, max_tokens: 5, top_p: 1")
    assert behaviour(folder, written).model == {
        "provider": "openai",
        "name": "gpt-4o",
        "temperature": 0.1,
        "max_tokens": 5,
        "top_p": 1,
    }


def test_a_config_yaml_that_cannot_be_read_leaves_the_model_unknown(folder: Folder) -> None:
    folder.write("config.yaml", "providers: {openai: {temprature: 0.7}}\n")
    (problem,) = told(folder, INLINE)
    assert problem.startswith("config.yaml:1:")
    assert "temprature" in problem
    assert behaviour(folder, INLINE).model is None


def test_a_config_yaml_without_the_provider_fills_nothing(folder: Folder) -> None:
    folder.write("config.yaml", "providers: {anthropic: {temperature: 0.7}}\n")
    assert behaviour(folder, INLINE).model == {"provider": "openai", "name": "gpt-4o"}


@pytest.mark.parametrize("model", ["openai", "[openai]", "null"])
def test_a_model_that_is_no_mapping_is_told(folder: Folder, model: str) -> None:
    (problem,) = told(folder, INLINE.replace("{provider: openai, name: gpt-4o}", model))
    assert problem == "agent.yaml:2:1: `model` must be a mapping with `provider` and `name`"


def test_a_model_without_a_provider_is_taken_as_it_is(folder: Folder) -> None:
    assert behaviour(folder, INLINE.replace("provider: openai, ", "")).model == {"name": "gpt-4o"}


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ("", "1:1"),
        ("instructions: Be brief.\n", "3:15"),
        ("instructions: {}\n", "3:15"),
        ("instructions: {file: a.md, inline: Be brief.}\n", "3:15"),
        ("instructions: {inline: [Be brief.]}\n", "3:15"),
    ],
)
def test_instructions_are_a_file_or_a_text(folder: Folder, written: str, place: str) -> None:
    text = AGENT[: AGENT.index("instructions")] + written
    assert told(folder, text) == [
        f"agent.yaml:{place}: `instructions` must have a `file` or `inline` text, one of the two"
    ]


def refused(folder: Folder) -> str:
    """The one reason why the file of instructions is not used; the agent is loaded all the same."""
    (problem,) = told(folder, AGENT)
    assert behaviour(folder, AGENT).instructions is None
    assert problem.startswith("agent.yaml:4:9: `instructions.file` ")
    return problem.removeprefix("agent.yaml:4:9: `instructions.file` ")


def test_a_missing_file_of_instructions_is_told_at_its_name(folder: Folder) -> None:
    assert refused(folder) == "cannot be used: prompts/system.md: there is no such file"


def test_a_folder_or_a_pipe_is_no_file_of_instructions(folder: Folder) -> None:
    (folder.root / "prompts" / "system.md").mkdir(parents=True)
    assert refused(folder) == "cannot be used: prompts/system.md: this is not a file"
    (folder.root / "prompts" / "system.md").rmdir()
    os.mkfifo(folder.root / "prompts" / "system.md")
    assert refused(folder) == "cannot be used: prompts/system.md: this is not a file"


def test_a_file_of_instructions_is_at_most_a_mebibyte(folder: Folder) -> None:
    folder.write("prompts/system.md", b"x" * (1024 * 1024))
    assert behaviour(folder, AGENT).problems == ()
    folder.write("prompts/system.md", b"x" * (5 * 1024 * 1024))
    assert refused(folder) == "cannot be used: prompts/system.md: the file is larger than 1 MiB; split it"


def test_a_file_of_instructions_is_utf_8(folder: Folder) -> None:
    folder.write("prompts/system.md", b"ok\nna\xefve")
    assert refused(folder) == (
        "cannot be used: prompts/system.md:2:3: the file is not UTF-8 (byte 0xef here); save it as UTF-8"
    )


@pytest.mark.parametrize("link", [False, True])
def test_a_file_of_instructions_outside_the_workspace_is_not_read(folder: Folder, *, link: bool) -> None:
    outside = folder.root / "outside.md"
    outside.write_text("secret")
    checkout = Folder(folder.root / "checkout", workspace=str(folder.root / "checkout"))
    checkout.write("prompts/own.md", "Be brief.")
    text = AGENT
    if link:
        (checkout.root / "prompts" / "system.md").symlink_to(outside)
    else:
        text = AGENT.replace("prompts/system.md", "../outside.md")
    (problem,) = told(checkout, text)
    assert problem.endswith(" lies outside the workspace; put it beside the agent")
    assert problem.startswith("agent.yaml:4:9: `instructions.file` ")


def test_a_link_inside_the_workspace_is_followed(folder: Folder) -> None:
    folder.workspace = str(folder.root)
    folder.write("prompts/own.md", "Be brief.")
    (folder.root / "prompts" / "system.md").symlink_to("own.md")
    assert digest(folder, AGENT) == digest(folder, INLINE)


@pytest.mark.parametrize("name", ['"a\\nb.md"', '"a\\0.md"', "x" * 501])
def test_what_cannot_be_the_name_of_a_file_is_told_in_one_line(folder: Folder, name: str) -> None:
    (problem,) = told(folder, AGENT.replace("prompts/system.md", name))
    assert problem.endswith(" cannot be the name of a file")
    assert problem.isprintable()


def test_tools_that_are_no_list_of_mappings_are_not_known(folder: Folder) -> None:
    path = folder.write("agent.yaml", INLINE + "tools: [a]\n")
    with pytest.raises(ConfigError, match=r"^agent\.yaml:5:8: `tools` must be a list of mappings$"):
        load_behaviour(path, environment=folder.environment, shown_as="agent.yaml")
    folder.write("agent.yaml", INLINE + "tools: {a: {name: a}}\n")
    with pytest.raises(ConfigError, match=r"^agent\.yaml:5:8: `tools` must be a list of mappings$"):
        load_behaviour(path, environment=folder.environment, shown_as="agent.yaml")


@pytest.mark.parametrize("key", ["claude", "openai", "embedding_provider"])
def test_settings_that_are_no_mapping_are_not_known(folder: Folder, key: str) -> None:
    text = f"{INLINE}{key}: [a]\n"
    assert told(folder, text) == [f"agent.yaml:5:{len(key) + 3}: `{key}` must be a mapping"]
    assert behaviour(folder, text).settings is None


def test_a_key_given_twice_refuses_a_digest(folder: Folder) -> None:
    with pytest.raises(ConfigError, match=r"the key 'name' is given twice"):
        digest(folder, INLINE + "name: again\n")


SUBAGENT = INLINE + "claude:\n  agents:\n    helper: {description: d, prompt_file: helper.md}\n"


def test_the_prompt_of_a_subagent_counts_wherever_it_stands(folder: Folder) -> None:
    folder.write("helper.md", "Help.")
    assert behaviour(folder, SUBAGENT).settings == {
        "claude": {"agents": {"helper": {"description": "d", "prompt": "Help."}}}
    }
    written = digest(folder, SUBAGENT.replace("prompt_file: helper.md", "prompt: Help."))
    assert digest(folder, SUBAGENT) == written
    folder.write("helper.md", "Do not help.")
    assert digest(folder, SUBAGENT) != written


def test_a_prompt_of_a_subagent_that_cannot_be_read_leaves_the_settings_unknown(folder: Folder) -> None:
    assert told(folder, SUBAGENT) == [
        "agent.yaml:7:43: `prompt_file` cannot be used: helper.md: there is no such file"
    ]
    assert behaviour(folder, SUBAGENT).settings is None


@pytest.mark.parametrize("agents", ["[a]", "{a: null}", "{a: [b]}", "{a: {prompt_file: [b]}}", "null"])
def test_subagents_of_another_shape_break_nothing(folder: Folder, agents: str) -> None:
    assert behaviour(folder, f"{INLINE}claude: {{agents: {agents}}}\n").problems == ()
    assert digest(folder, f"{INLINE}claude: {{agents: {agents}}}\n").startswith("1.")


def test_an_agent_without_any_of_it_is_loaded_without_a_warning(folder: Folder) -> None:
    agent = folder.agent("name: lamp\n")
    assert agent.warnings == ()
    assert agent.behaviour is not None
    assert (agent.behaviour.model, agent.behaviour.instructions) == (None, None)
    assert (agent.behaviour.tools, agent.behaviour.settings) == ((), {})
    assert [str(problem) for problem in agent.behaviour.problems] == [
        "agent.yaml:1:1: `model` must be a mapping with `provider` and `name`",
        "agent.yaml:1:1: `instructions` must have a `file` or `inline` text, one of the two",
    ]


def test_a_file_is_called_by_its_path_where_no_name_is_given(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    path = folder.write("agent.yaml", "name: lamp\n")
    with pytest.raises(ConfigError, match=f"^{path}:1:1: `model`"):
        load_behaviour(path, environment=folder.environment)
