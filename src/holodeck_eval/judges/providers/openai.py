"""Judges at OpenAI."""

from collections.abc import Mapping
from typing import Any

from holodeck_eval.judges._deepeval import DeepEval
from holodeck_eval.judges.call import Question, Reply, as_count
from holodeck_eval.judges.schemas import strict_schema
from holodeck_eval.judges.settings import JudgeSettings, own_endpoint
from holodeck_eval.judges.trust import is_loopback


class OpenAI:
    """OpenAI's chat completions, and whatever speaks them at a trusted endpoint."""

    key_variable: str | None = "OPENAI_API_KEY"

    def native(self, door: DeepEval) -> Any:  # noqa: ANN401, D102  # said by the protocol
        return door.OpenAIModel

    def arguments(self, settings: JudgeSettings, key: str) -> Mapping[str, Any]:  # noqa: D102
        return {"model": settings.model_name, "api_key": key, "temperature": settings.temperature}

    def errors(self) -> tuple[type[Exception], ...]:  # noqa: D102
        import openai

        return (openai.OpenAIError,)

    def open(self, settings: JudgeSettings, key: str, connections: int) -> Any:  # noqa: ANN401, D102
        import openai

        endpoint = settings.endpoint or own_endpoint(settings.provider)
        http = http_client(openai, settings, connections)
        return openai.AsyncOpenAI(api_key=key, base_url=endpoint, max_retries=0, timeout=None, http_client=http)

    async def ask(self, client: Any, model: Any, question: Question) -> Reply:  # noqa: ANN401, D102
        return await ask(client, model, model.name, question)

    async def close(self, client: Any) -> None:  # noqa: ANN401, D102
        await client.close()


def http_client(sdk: Any, settings: JudgeSettings, connections: int) -> Any:  # noqa: ANN401  # an SDK's own client
    """The HTTP client under an SDK: as many connections as calls, no redirects, no proxy to this machine."""
    import httpx2

    return sdk.DefaultAsyncHttpxClient(
        limits=httpx2.Limits(max_connections=connections, max_keepalive_connections=connections, keepalive_expiry=30),
        follow_redirects=False,
        timeout=None,
        trust_env=not is_loopback(settings.host),
    )


async def ask(client: Any, model: Any, name: str, question: Question) -> Reply:  # noqa: ANN401  # an SDK's client
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
    )


def _options(model: Any, question: Question) -> dict[str, Any]:  # noqa: ANN401  # a DeepEval model
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


def _fault(choice: Any, message: Any) -> str | None:  # noqa: ANN401  # parts of an SDK's response
    if message is None:
        return "holds no message"
    if getattr(message, "refusal", None):
        return "is a refusal"
    ended = getattr(choice, "finish_reason", None)
    return {"length": "was cut off at its greatest length", "content_filter": "was filtered"}.get(str(ended))
