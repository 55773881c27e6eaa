"""The configuration of a judge, as the seeds' contract names it."""

from typing import Any, Self

from pydantic import model_validator

from holodeck_eval.domain.agent import JudgeSpec
from holodeck_eval.judges._deepeval import variable
from holodeck_eval.judges.failures import no_key
from holodeck_eval.judges.kinds import ProviderEnum
from holodeck_eval.judges.providers import PROVIDERS
from holodeck_eval.judges.scheduler import JudgePool
from holodeck_eval.judges.settings import JudgeSettings


class DeepEvalModelConfig(JudgeSettings):
    """A judge for DeepEval's metrics.

    Azure needs `endpoint`, `deployment_name` and `api_key`. OpenAI and Anthropic need a key when the
    judge is first built: `api_key`, else the variable OPENAI_API_KEY or ANTHROPIC_API_KEY.
    """

    @model_validator(mode="after")
    def validate_provider_requirements(self) -> Self:
        """Refuse what a provider cannot do without.

        Raises:
            ValueError: naming every field that is missing.
        """
        if self.provider is ProviderEnum.AZURE_OPENAI:
            needed = {
                "endpoint": self.endpoint,
                "deployment_name": self.deployment_name,
                "api_key": self.api_key,
            }
            missing = [name for name, value in needed.items() if not value]
            if missing:
                raise ValueError(f"a judge at azure_openai needs {', '.join(missing)}")
        return self

    @classmethod
    def from_spec(cls, spec: JudgeSpec) -> "DeepEvalModelConfig":
        """The configuration of a judge as the agent YAML has it, its endpoint already resolved.

        Azure's `deployment_name` defaults to the model's name.

        Raises:
            JudgeError: kind `no_key`, where Azure's key is nowhere.
            ValueError: for the provider `human`, which nothing is asked.
        """
        provider = ProviderEnum(spec.provider)
        azure = provider is ProviderEnum.AZURE_OPENAI
        key = spec.api_key.reveal() if spec.api_key else None
        if azure and not key:
            key_variable = PROVIDERS[provider].key_variable
            key = variable(key_variable or "")
            if not key:
                raise no_key(JudgeSettings(provider=provider, model_name=spec.name), key_variable or "")
        written: dict[str, Any] = {"api_version": spec.api_version} if spec.api_version else {}
        return cls(
            provider=provider,
            model_name=spec.name,
            api_key=key,
            endpoint=spec.endpoint,
            deployment_name=(spec.deployment_name or spec.name) if azure else None,
            temperature=spec.temperature,
            **written,
        )

    def to_deepeval_model(self) -> Any:
        """A DeepEval model of this judge: OpenAIModel, AzureOpenAIModel, AnthropicModel or OllamaModel.

        It is asked with `await metric.a_measure(…)`, with this program's retries and timeouts, through a
        pool of its own; `await model.aclose()` closes that. For many metrics share a `JudgePool` instead.

        Raises:
            JudgeError: kind `no_key`, where the provider needs a key and there is none.
        """
        return JudgePool().model(self, metric="")
