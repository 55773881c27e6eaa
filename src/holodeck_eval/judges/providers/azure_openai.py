"""Judges at Azure OpenAI."""

from collections.abc import Mapping
from typing import Any

from holodeck_eval.judges._deepeval import DeepEval
from holodeck_eval.judges.call import Question, Reply
from holodeck_eval.judges.providers.openai import OpenAI, ask, http_client
from holodeck_eval.judges.settings import JudgeSettings


class AzureOpenAI(OpenAI):
    """OpenAI's chat completions at a deployment; what the model can do goes by its real name."""

    key_variable = "AZURE_OPENAI_API_KEY"

    def native(self, door: DeepEval) -> Any:  # noqa: ANN401, D102  # said by the protocol
        return door.AzureOpenAIModel

    def arguments(self, settings: JudgeSettings, key: str) -> Mapping[str, Any]:  # noqa: D102
        return {
            "model": settings.model_name,
            "api_key": key,
            "base_url": settings.endpoint,
            "deployment_name": settings.deployment_name,
            "api_version": settings.api_version,
            "temperature": settings.temperature,
        }

    def open(self, settings: JudgeSettings, key: str, connections: int) -> Any:  # noqa: ANN401, D102
        import openai

        return openai.AsyncAzureOpenAI(
            api_key=key,
            azure_endpoint=settings.endpoint or "",
            azure_deployment=settings.deployment_name,
            api_version=settings.api_version,
            max_retries=0,
            timeout=None,
            http_client=http_client(openai, settings, connections),
        )

    async def ask(self, client: Any, model: Any, question: Question) -> Reply:  # noqa: ANN401, D102
        return await ask(client, model, model.deployment_name, question)
