"""The configuration of a judge."""

from typing import Any

import pytest
from pydantic import ValidationError

from holodeck_eval.domain.agent import JudgeSpec, Secret
from holodeck_eval.errors import JudgeError
from holodeck_eval.judges import DeepEvalModelConfig, ProviderEnum

AZURE: dict[str, Any] = {
    "provider": "azure_openai",
    "model_name": "gpt-4o",
    "endpoint": "https://mine.openai.azure.com",
    "deployment_name": "judge-1",
    "api_key": "sk-made-up",
}


def test_the_default_judge_is_gpt_oss_on_ollama() -> None:
    judge = DeepEvalModelConfig()
    assert judge.model_dump() == {
        "provider": ProviderEnum.OLLAMA,
        "model_name": "gpt-oss:20b",
        "api_key": None,
        "endpoint": None,
        "api_version": "2024-02-15-preview",
        "deployment_name": None,
        "temperature": 0.0,
    }
    assert judge.host == "localhost:11434"


@pytest.mark.parametrize("field", ["endpoint", "deployment_name", "api_key"])
def test_azure_needs_endpoint_deployment_and_key(field: str) -> None:
    with pytest.raises(ValidationError, match=f"azure_openai needs {field}$|azure_openai needs {field} "):
        DeepEvalModelConfig(**AZURE | {field: None})


def test_everything_azure_lacks_is_named_at_once() -> None:
    with pytest.raises(ValidationError, match="needs endpoint, deployment_name, api_key"):
        DeepEvalModelConfig(provider=ProviderEnum.AZURE_OPENAI, model_name="gpt-4o")


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_key_may_come_later(provider: str) -> None:
    assert DeepEvalModelConfig(provider=ProviderEnum(provider), model_name="any").api_key is None


@pytest.mark.parametrize(
    "change",
    [
        {"temperature": -0.1},
        {"temperature": 2.1},
        {"temperature": float("nan")},
        {"model_name": ""},
        {"provider": "human"},
        {"modle_name": "x"},
        {"endpoint": "ftp://x"},
        {"endpoint": "localhost:11434"},
        {"endpoint": "https://"},
    ],
)
def test_what_no_judge_can_be_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        DeepEvalModelConfig(**change)


def test_a_key_is_neither_in_the_repr_nor_in_an_error() -> None:
    judge = DeepEvalModelConfig(**AZURE)
    assert "sk-made-up" not in repr(judge)
    assert "sk-made-up" not in str(judge)
    with pytest.raises(ValidationError) as caught:
        DeepEvalModelConfig(**AZURE | {"endpoint": None})
    assert "sk-made-up" not in str(caught.value)


def test_a_host_is_shown_without_a_user_s_name() -> None:
    assert DeepEvalModelConfig(endpoint="https://me:secret@host:8443/path").host == "host:8443"


def test_a_spec_of_the_agent_yaml_becomes_a_configuration() -> None:
    spec = JudgeSpec(
        provider="azure_openai",
        name="gpt-4o",
        temperature=0.2,
        endpoint="https://mine.openai.azure.com",
        api_key=Secret("sk-made-up"),
        api_version="2025-01-01",
    )
    judge = DeepEvalModelConfig.from_spec(spec)
    assert judge == DeepEvalModelConfig(
        **AZURE | {"deployment_name": "gpt-4o", "temperature": 0.2, "api_version": "2025-01-01"}
    )


def test_a_spec_leaves_what_was_not_written_to_the_defaults() -> None:
    judge = DeepEvalModelConfig.from_spec(JudgeSpec(provider="openai", name="gpt-4o"))
    assert (judge.api_version, judge.deployment_name, judge.endpoint) == ("2024-02-15-preview", None, None)


def test_an_azure_key_may_lie_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "sk-outside")
    spec = JudgeSpec(provider="azure_openai", name="gpt-4o", endpoint="https://mine.openai.azure.com")
    assert DeepEvalModelConfig.from_spec(spec).api_key == "sk-outside"


def test_an_azure_key_that_is_nowhere_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AZURE_OPENAI_API_KEY", raising=False)
    spec = JudgeSpec(provider="azure_openai", name="gpt-4o", endpoint="https://mine.openai.azure.com")
    with pytest.raises(JudgeError, match="set AZURE_OPENAI_API_KEY") as caught:
        DeepEvalModelConfig.from_spec(spec)
    assert caught.value.kind == "no_key"


def test_a_person_is_no_model() -> None:
    with pytest.raises(ValueError, match="human"):
        DeepEvalModelConfig.from_spec(JudgeSpec(provider="human", name="Ada"))


@pytest.mark.parametrize(
    ("settings", "native"),
    [
        ({"provider": "openai", "model_name": "gpt-4o", "api_key": "k"}, "OpenAIModel"),
        (AZURE, "AzureOpenAIModel"),
        ({"provider": "anthropic", "model_name": "claude-opus-5", "api_key": "k"}, "AnthropicModel"),
        ({}, "OllamaModel"),
    ],
)
def test_a_configuration_becomes_a_model_deepeval_knows(settings: dict[str, Any], native: str) -> None:
    model = DeepEvalModelConfig(**settings).to_deepeval_model()
    assert [base.__name__ for base in type(model).__mro__].count(native) == 1
    assert model.load_model() is None
