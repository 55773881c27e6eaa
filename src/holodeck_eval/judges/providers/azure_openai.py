"""Judges at Azure OpenAI."""

from collections.abc import Mapping
from typing import Any

from holodeck_eval.judges._deepeval import DeepEval
from holodeck_eval.judges.call import Question, Reply
from holodeck_eval.judges.providers.openai import OpenAI, ask, http_client
from holodeck_eval.judges.settings import JudgeSettings


class AzureOpenAI(OpenAI):
    """OpenAI's chat completions at a deployment; what the model can do goes by its real name."""

    key_variable: str | None = "AZURE_OPENAI_API_KEY"

    def native(self, door: DeepEval) -> Any:
        return door.AzureOpenAIModel

    def arguments(self, settings: JudgeSettings) -> Mapping[str, Any]:
        return {
            "model": settings.model_name,
            "api_key": settings.api_key,
            "base_url": settings.endpoint,
            "deployment_name": settings.deployment_name,
            "api_version": settings.api_version,
            "temperature": settings.temperature,
        }

    def open(self, settings: JudgeSettings, connections: int) -> Any:
        import openai

        return openai.AsyncAzureOpenAI(
            api_key=settings.api_key,
            azure_endpoint=settings.endpoint or "",
            azure_deployment=settings.deployment_name,
            api_version=settings.api_version,
            max_retries=0,
            timeout=None,
            http_client=http_client(openai, settings, connections),
        )

    async def ask(self, client: Any, model: Any, question: Question) -> Reply:
        return await ask(client, model, model.deployment_name, question)
