"""Judges at OpenAI."""

from collections.abc import Mapping
from typing import Any

from holodeck_eval.judges._deepeval import DeepEval
from holodeck_eval.judges.call import Question, Reply, as_count, as_name
from holodeck_eval.judges.kinds import own_endpoint
from holodeck_eval.judges.schemas import strict_schema
from holodeck_eval.judges.settings import JudgeSettings
from holodeck_eval.judges.trust import is_loopback


class OpenAI:
    """OpenAI's chat completions, and whatever speaks them at a trusted endpoint."""

    key_variable: str | None = "OPENAI_API_KEY"

    def native(self, door: DeepEval) -> Any:
        return door.OpenAIModel

    def arguments(self, settings: JudgeSettings) -> Mapping[str, Any]:
        return {
            "model": settings.model_name,
            "api_key": settings.api_key,
            "temperature": settings.temperature,
        }

    def errors(self) -> tuple[type[Exception], ...]:
        import openai

        return (openai.OpenAIError,)

    def open(self, settings: JudgeSettings, connections: int) -> Any:
        import openai

        endpoint = settings.endpoint or own_endpoint(settings.provider)
        http = http_client(openai, settings, connections)
        return openai.AsyncOpenAI(
            api_key=settings.api_key, base_url=endpoint, max_retries=0, timeout=None, http_client=http
        )

    async def ask(self, client: Any, model: Any, question: Question) -> Reply:
        return await ask(client, model, model.name, question)

    async def close(self, client: Any) -> None:
        await client.close()


def http_client(sdk: Any, settings: JudgeSettings, connections: int) -> Any:
    """The HTTP client under an SDK: as many connections as calls, no redirects, no proxy to this machine."""
    import httpx2

    return sdk.DefaultAsyncHttpxClient(
        limits=httpx2.Limits(
            max_connections=connections, max_keepalive_connections=connections, keepalive_expiry=30
        ),
        follow_redirects=False,
        timeout=None,
        trust_env=not is_loopback(settings.host),
    )


async def ask(client: Any, model: Any, name: str, question: Question) -> Reply:
    """Ask a chat completions endpoint once. `name` is the model's, or the deployment's."""
    completion = await client.chat.completions.create(
        model=name,
        messages=[{"role": "user", "content": [{"type": "text", "text": question.prompt}]}],
        **_options(model, question),
        **model.generation_kwargs,
    )
    choice = next(iter(getattr(completion, "choices", None) or ()), None)
    message = getattr(choice, "message", None)
    usage = getattr(completion, "usage", None)
    return Reply(
        text=getattr(message, "content", None),
        raw=completion,
        input_tokens=as_count(getattr(usage, "prompt_tokens", None)),
        output_tokens=as_count(getattr(usage, "completion_tokens", None)),
        fault=_fault(choice, message),
        version=as_name(getattr(completion, "model", None)),
    )


def _options(model: Any, question: Question) -> dict[str, Any]:
    data = model.model_data
    options: dict[str, Any] = {}
    if data.supports_temperature is not False:
        options["temperature"] = model.temperature
    if question.top_logprobs:
        most = data.max_log_probs or question.top_logprobs
        return options | {"logprobs": True, "top_logprobs": min(most, question.top_logprobs)}
    if question.schema is None:
        return options
    if data.supports_structured_outputs:
        wanted = {"name": question.schema.__name__, "strict": True, "schema": strict_schema(question.schema)}
        options["response_format"] = {"type": "json_schema", "json_schema": wanted}
    elif data.supports_json:
        options["response_format"] = {"type": "json_object"}
    return options


def _fault(choice: Any, message: Any) -> str | None:
    if message is None:
        return "holds no message"
    if getattr(message, "refusal", None):
        return "is a refusal"
    ended = getattr(choice, "finish_reason", None)
    return {"length": "was cut off at its greatest length", "content_filter": "was filtered"}.get(str(ended))
