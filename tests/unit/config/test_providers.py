from pathlib import Path

from holodeck_eval.domain.agent import JudgeSpec, Secret
from tests.unit.config.support import Folder, agent_of

AGENT = agent_of("type: faithfulness", model="{provider: openai}")
ENTRY = "{provider: openai, name: filled, endpoint: 'https://e.example'}"


def judge(folder: Folder, text: str = AGENT) -> JudgeSpec:
    found = folder.agent(text).metrics[0].judge
    assert found is not None
    return found


def test_what_the_judge_leaves_out_is_filled_from_the_provider(folder: Folder) -> None:
    folder.variables = {"OPENAI_API_KEY": "k"}
    folder.write("config.yaml", f"providers:\n  openai: {ENTRY[:-1]}, api_key: '${{OPENAI_API_KEY}}'}}\n")
    spec = judge(folder)
    assert (spec.name, spec.endpoint, spec.api_key) == ("filled", "https://e.example", Secret("k"))
    assert str(spec.place) == "agent.yaml:3:10"


def test_what_the_judge_writes_wins(folder: Folder) -> None:
    folder.write("config.yaml", f"providers:\n  openai: {ENTRY}\n")
    spec = judge(folder, agent_of("type: faithfulness", model="{provider: openai, name: own}"))
    assert (spec.name, spec.endpoint) == ("own", "https://e.example")


def test_the_entry_is_found_by_key_before_it_is_found_by_provider(folder: Folder) -> None:
    by_provider = "first: {provider: anthropic, name: a}\n  second: {provider: openai, name: b}"
    folder.write("config.yaml", f"providers:\n  {by_provider}\n")
    assert judge(folder).name == "b"
    folder.write("config.yaml", f"providers:\n  {by_provider}\n  openai: {{name: c}}\n")
    assert judge(folder).name == "c"


def test_config_yml_is_preferred(folder: Folder) -> None:
    folder.write("config.yaml", "providers: {openai: {name: yaml}}\n")
    folder.write("config.yml", "providers: {openai: {name: yml}}\n")
    assert judge(folder).name == "yml"


def test_the_model_of_a_metric_is_not_filled(folder: Folder) -> None:
    folder.write("config.yaml", f"providers:\n  openai: {ENTRY}\n")
    text = agent_of("{type: faithfulness, model: {provider: openai, name: own}}")
    assert judge(folder, text).endpoint is None


def test_a_temperature_that_comes_from_there_is_told(folder: Folder) -> None:
    folder.write("config.yaml", "providers:\n  openai: {name: m, temperature: 0.7}\n")
    agent = folder.agent(AGENT)
    assert agent.metrics[0].judge is not None
    assert agent.metrics[0].judge.temperature == 0.7
    assert agent.warnings == (
        (
            "config.yaml:2:34: the judge takes its temperature of 0.7 from here; "
            "write `temperature: 0` in `evaluations.model` for steady scores"
        ),
    )


def test_a_written_temperature_of_zero_is_written(folder: Folder) -> None:
    folder.write("config.yaml", "providers:\n  openai: {name: m, temperature: 0.7}\n")
    agent = folder.agent(agent_of("type: faithfulness", model="{provider: openai, temperature: 0}"))
    assert agent.metrics[0].judge is not None
    assert agent.metrics[0].judge.temperature == 0.0
    assert agent.warnings == ()


def test_everything_else_of_the_file_is_ignored(folder: Folder) -> None:
    folder.write(
        "config.yaml",
        "execution: {cache_directory: x}\nnonsense: [1]\n"
        "providers:\n  openai: {name: m}\n  anthropic: {nonsense: 1, api_key: '${OPENAI_API_KEY}'}\n",
    )
    assert judge(folder).name == "m"


def test_an_entry_that_is_used_must_be_well_written(folder: Folder) -> None:
    folder.write("config.yaml", "providers:\n  openai: {name: m, endpont: e, api_key: 5}\n")
    assert folder.problems(AGENT) == [
        "config.yaml:2:21: unknown key 'endpont' in a provider of config.yaml; did you mean `endpoint`?",
        "config.yaml:2:42: `api_key` must be a text; put it in quotes",
    ]


def test_an_entry_must_be_a_mapping_and_is_not_repeated(folder: Folder) -> None:
    folder.write("config.yaml", "providers:\n  openai: sk-secret\n")
    assert folder.problem(AGENT) == "config.yaml:2:11: a provider of config.yaml must be a mapping"
    folder.write("config.yaml", "providers: [sk-secret]\n")
    assert (
        folder.problems(AGENT)[0] == "config.yaml:1:12: `providers` must be a mapping of names to providers"
    )


def test_a_variable_in_an_entry_obeys_the_rules_of_the_judge(folder: Folder) -> None:
    folder.variables = {"ANTHROPIC_API_KEY": "k"}
    folder.write("config.yaml", "providers:\n  openai: {name: m, api_key: '${ANTHROPIC_API_KEY}'}\n")
    assert folder.problem(AGENT) == (
        "config.yaml:2:30: `ANTHROPIC_API_KEY` is a key for anthropic and never goes to openai; use OPENAI_API_KEY"
    )


def test_a_file_that_cannot_be_read_matters_only_when_it_is_used(folder: Folder) -> None:
    folder.write("config.yaml", "a: [\n")
    assert "config.yaml:2:1: this is not valid YAML" in folder.problems(AGENT)[0]
    assert folder.metric("type: faithfulness").judge is not None


def test_a_person_is_not_sought_in_the_file(folder: Folder) -> None:
    folder.write("config.yaml", "providers: {human: {endpoint: e}}\n")
    assert judge(folder, agent_of("type: faithfulness", model="{provider: human, name: Ada}")).name == "Ada"


def test_an_empty_file_or_one_without_the_provider_fills_nothing(folder: Folder) -> None:
    text = agent_of("type: faithfulness", model="{provider: openai, name: own}")
    for content in ("", "- a\n", "execution: {}\n", "providers: {anthropic: {name: a}, x: 3}\n"):
        folder.write("config.yaml", content)
        assert judge(folder, text).endpoint is None


def test_a_link_out_of_the_workspace_is_refused(folder: Folder, tmp_path: Path) -> None:
    outside = folder.write("outside.yaml", f"providers:\n  openai: {ENTRY}\n")
    folder = Folder(tmp_path / "work", workspace=str(tmp_path / "work"))
    folder.root.mkdir()
    (folder.root / "config.yaml").symlink_to(outside)
    assert folder.problems(AGENT)[0] == (
        "config.yaml: this is a link that leads out of the workspace; remove it"
    )
