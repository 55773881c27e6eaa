import pytest

from holodeck_eval.domain.agent import JudgeSpec, Secret
from tests.unit.config.support import Folder, agent_of

JUDGED = "type: faithfulness"


def judge(folder: Folder, model: str) -> JudgeSpec:
    """The judge of an agent whose `evaluations.model` this is."""
    found = folder.agent(agent_of(JUDGED, model=model)).metrics[0].judge
    assert found is not None
    return found


def problem(folder: Folder, model: str) -> str:
    return folder.problem(agent_of(JUDGED, model=model))


def test_without_any_model_ollama_judges_on_this_machine(folder: Folder) -> None:
    spec = folder.metric(JUDGED).judge
    assert spec == JudgeSpec(provider="ollama", name="gpt-oss:20b", endpoint="http://localhost:11434")
    assert spec is not None
    assert spec.temperature == 0.0


def test_the_model_of_a_metric_wins_over_that_of_the_evaluations(folder: Folder) -> None:
    own, other = folder.agent(
        agent_of(
            "{type: faithfulness, model: {provider: ollama, name: own}}",
            "type: answer_relevancy",
            model="{provider: ollama, name: common}",
        )
    ).metrics
    assert own.judge is not None
    assert other.judge is not None
    assert (own.judge.name, other.judge.name) == ("own", "common")


def test_a_judge_has_what_was_written(folder: Folder) -> None:
    folder.variables = {
        "AZURE_OPENAI_ENDPOINT": "https://lamp.example",
        "AZURE_OPENAI_API_KEY": "azure-key",
        "AZURE_OPENAI_API_VERSION": "2025-01-01",
        "JUDGE_DEPLOYMENT": "prod",
    }
    spec = judge(
        folder,
        "{provider: azure_openai, name: gpt-4o, temperature: 1, endpoint: '${AZURE_OPENAI_ENDPOINT}/x', "
        "api_key: '${AZURE_OPENAI_API_KEY}', api_version: '${AZURE_OPENAI_API_VERSION}', "
        "deployment_name: 'eu-${JUDGE_DEPLOYMENT}', max_tokens: 9, top_p: 0.5, auth_provider: x}",
    )
    assert spec.provider == "azure_openai"
    assert spec.name == "gpt-4o"
    assert spec.temperature == 1.0
    assert spec.endpoint == "https://lamp.example/x"
    assert spec.api_key == Secret("azure-key")
    assert spec.api_version == "2025-01-01"
    assert spec.deployment_name == "eu-prod"
    assert str(spec.place) == "agent.yaml:3:10"


def test_a_variable_is_put_in_once_and_not_read_again(folder: Folder) -> None:
    folder.variables = {"JUDGE_MODEL": "${OPENAI_API_KEY}: {a: 1}", "OPENAI_API_KEY": "secret"}
    assert judge(folder, "{provider: openai, name: '${JUDGE_MODEL}'}").name == "${OPENAI_API_KEY}: {a: 1}"


def test_what_is_no_variable_stays_text(folder: Folder) -> None:
    assert judge(folder, "{provider: openai, name: '$A ${ B } ${C:-d}'}").name == "$A ${ B } ${C:-d}"


def test_without_a_written_key_the_vendors_own_variable_is_taken(folder: Folder) -> None:
    folder.variables = {"OPENAI_API_KEY": "own", "ANTHROPIC_API_KEY": "other", "AZURE_API_KEY": "azure"}
    assert judge(folder, "{provider: openai, name: m}").api_key == Secret("own")
    azure = judge(folder, "{provider: azure_openai, name: m, endpoint: https://e.example}")
    assert azure.api_key == Secret("azure")
    assert judge(folder, "{provider: ollama, name: m}").api_key is None


def test_a_key_that_is_not_set_is_a_warning_because_recorded_verdicts_need_none(folder: Folder) -> None:
    agent = folder.agent(agent_of(JUDGED, model="{provider: openai, name: m, api_key: '${OPENAI_API_KEY}'}"))
    assert agent.metrics[0].judge is not None
    assert agent.metrics[0].judge.api_key is None
    assert agent.warnings == (
        "agent.yaml:3:47: `OPENAI_API_KEY` is not set, so this judge can only use recorded verdicts",
    )


def test_a_key_written_out_is_used_with_a_warning_that_does_not_show_it(folder: Folder) -> None:
    agent = folder.agent(agent_of(JUDGED, model="{provider: openai, name: m, api_key: sk-written-out}"))
    assert agent.metrics[0].judge is not None
    assert agent.metrics[0].judge.api_key == Secret("sk-written-out")
    assert agent.warnings == (
        "agent.yaml:3:47: `api_key` is written out in the file; take it from the environment",
    )
    assert "sk-written-out" not in repr(agent)


def test_any_other_variable_that_is_not_set_is_refused_where_the_judge_is_used(folder: Folder) -> None:
    model = "{provider: openai, name: '${JUDGE_MODEL}'}"
    assert problem(folder, model) == (
        "agent.yaml:3:35: the variable `JUDGE_MODEL` is not set; set it, or write the name here"
    )


@pytest.mark.parametrize(
    "metric",
    [
        "{type: standard, metric: equality}",
        "{type: faithfulness, enabled: false}",
        "{type: code, grader: 'a:b'}",
    ],
)
def test_a_judge_that_nobody_asks_may_be_incomplete(folder: Folder, metric: str) -> None:
    spec = folder.agent(agent_of(metric, model="{provider: azure_openai, name: '${JUDGE_MODEL}'}")).metrics[0]
    assert spec.judge is None


def test_the_key_of_another_vendor_is_refused_by_name_alone(folder: Folder) -> None:
    folder.variables = {"OPENAI_API_KEY": "sk-value"}
    sentence = problem(folder, "{provider: anthropic, name: c, api_key: '${OPENAI_API_KEY}'}")
    assert sentence == (
        "agent.yaml:3:50: `OPENAI_API_KEY` is a key for openai and never goes to anthropic; use ANTHROPIC_API_KEY"
    )


def test_a_key_as_the_name_of_the_model_is_refused(folder: Folder) -> None:
    folder.variables = {"OPENAI_API_KEY": "sk-value"}
    assert problem(folder, "{provider: openai, name: '${OPENAI_API_KEY}'}") == (
        "agent.yaml:3:35: `OPENAI_API_KEY` looks like a secret and is never put into `name`; use another variable"
    )


def test_a_variable_let_in_by_name_may_go_into_any_field_it_is_written_in(folder: Folder) -> None:
    folder.variables = {"TEAM_JUDGE": "gpt-4o", "TEAM_KEY": "k"}
    folder.allow_env = ("TEAM_JUDGE", "TEAM_KEY")
    spec = judge(folder, "{provider: openai, name: '${TEAM_JUDGE}', api_key: '${TEAM_KEY}'}")
    assert (spec.name, spec.api_key) == ("gpt-4o", Secret("k"))


def test_a_key_in_the_criteria_stays_text(folder: Folder) -> None:
    folder.variables = {"OPENAI_API_KEY": "sk-value"}
    spec = folder.metric("{type: geval, name: n, criteria: 'Is ${OPENAI_API_KEY} said?'}")
    assert getattr(spec.options, "criteria", None) == "Is ${OPENAI_API_KEY} said?"


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        ("{provider: openai}", "`name` is missing in a judge of openai"),
        ("{provider: azure_openai, name: m}", "`endpoint` is missing in a judge of azure_openai"),
        ("{provider: human}", "`name` is missing in a judge of human"),
    ],
)
def test_a_judge_needs_a_name_and_on_azure_an_endpoint(folder: Folder, model: str, sentence: str) -> None:
    assert problem(folder, model) == f"agent.yaml:3:10: {sentence}"


def test_a_person_can_judge(folder: Folder) -> None:
    spec = judge(folder, "{provider: human, name: Ada}")
    assert (spec.provider, spec.name, spec.endpoint, spec.api_key) == ("human", "Ada", None, None)


@pytest.mark.parametrize(
    "field", ["endpoint: e", "api_key: k", "api_version: v", "deployment_name: d", "temperature: 0"]
)
def test_a_person_has_neither_key_nor_endpoint(folder: Folder, field: str) -> None:
    name = field.partition(":")[0]
    assert problem(folder, f"{{provider: human, name: Ada, {field}}}") == (
        f"agent.yaml:3:39: `{name}` means nothing for `provider: human`; remove it"
    )


@pytest.mark.parametrize(
    ("model", "sentences"),
    [
        (
            "{provider: opnai, name: m}",
            [
                (
                    "agent.yaml:3:21: `provider` must be one of openai, azure_openai, anthropic, ollama, human, "
                    "not the text 'opnai'; did you mean `openai`?"
                )
            ],
        ),
        ("{name: m}", ["agent.yaml:3:10: `provider` is missing in a judge's model"]),
        (
            "{provider: openai, name: m, temperature: 2.5}",
            ["agent.yaml:3:51: `temperature` must be at most 2, not the number 2.5"],
        ),
        (
            "{provider: openai, model_name: m}",
            ["agent.yaml:3:29: unknown key 'model_name' in a judge's model; did you mean `name`?"],
        ),
    ],
)
def test_a_judge_that_is_miswritten_is_told_where(folder: Folder, model: str, sentences: list[str]) -> None:
    assert folder.problems(agent_of(JUDGED, model=model)) == sentences


def test_a_miswritten_key_is_never_repeated(folder: Folder) -> None:
    text = agent_of(JUDGED, model="{provider: openai, name: m, api_key: [sk-a], endpoint: 12345}")
    assert folder.problems(text) == [
        "agent.yaml:3:47: `api_key` must be a text",
        "agent.yaml:3:65: `endpoint` must be a text; put it in quotes",
    ]
    assert (
        folder.problem(agent_of(JUDGED, model="sk-whole-key")) == "agent.yaml:3:10: `model` must be a mapping"
    )
