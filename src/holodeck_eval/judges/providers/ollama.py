"""Judges at Ollama."""

from collections.abc import Mapping
from typing import Any, Final

from holodeck_eval.errors import JudgeError
from holodeck_eval.judges._deepeval import DeepEval
from holodeck_eval.judges.call import Question, Reply, as_count, as_name
from holodeck_eval.judges.kinds import own_endpoint
from holodeck_eval.judges.settings import JudgeSettings
from holodeck_eval.judges.trust import is_loopback

CONTEXT: Final = 16_384
"""Tokens of context asked for: Ollama's own default is smaller, and cuts longer prompts in silence."""

LARGEST_CONTEXT: Final = 131_072
_BYTES_A_TOKEN = 3
_TOKENS_FOR_THE_REPLY = 2_048


class Ollama:
    """Ollama's chat. It needs no key; one that is configured is sent as a bearer token."""

    key_variable: str | None = None

    def native(self, door: DeepEval) -> Any:
        return door.OllamaModel

    def arguments(self, settings: JudgeSettings) -> Mapping[str, Any]:
        endpoint = settings.endpoint or own_endpoint(settings.provider)
        return {"model": settings.model_name, "base_url": endpoint, "temperature": settings.temperature}

    def errors(self) -> tuple[type[Exception], ...]:
        import httpx
        import ollama

        return (ollama.ResponseError, ollama.RequestError, httpx.HTTPError)

    def open(self, settings: JudgeSettings, connections: int) -> Any:
        import httpx
        import ollama

        client = ollama.AsyncClient(
            host=settings.endpoint or own_endpoint(settings.provider),
            follow_redirects=False,
            timeout=None,
            limits=httpx.Limits(
                max_connections=connections, max_keepalive_connections=connections, keepalive_expiry=30
            ),
            trust_env=not is_loopback(settings.host),
        )
        headers = client._client.headers  # noqa: SLF001  # the SDK adds OLLAMA_API_KEY, whatever the host
        headers.pop("authorization", None)
        if settings.api_key:
            headers["authorization"] = f"Bearer {settings.api_key}"
        return client

    async def ask(self, client: Any, model: Any, question: Question) -> Reply:
        context = context_for(question.prompt)
        try:
            response = await client.chat(
                model=model.name,
                messages=[{"role": "user", "content": question.prompt}],
                format=question.schema.model_json_schema() if question.schema else None,
                options={"temperature": model.temperature, "num_ctx": context},
            )
        except TypeError:  # the SDK unpacks whatever JSON comes back
            return Reply(text=None, raw=None, input_tokens=None, output_tokens=None, fault="is not Ollama's")
        read = as_count(response.prompt_eval_count)
        return Reply(
            text=response.message.content,
            raw=response,
            input_tokens=read,
            output_tokens=as_count(response.eval_count),
            fault=_fault(response.done_reason, read, context),
            version=as_name(response.model),
        )

    async def close(self, client: Any) -> None:
        await client._client.aclose()  # noqa: SLF001  # the oldest SDK we take has no close of its own


def context_for(prompt: str) -> int:
    """Tokens of context for a prompt: 16,384, doubled until it fits, three bytes counted as a token.

    Raises:
        JudgeError: kind `context_too_long`, above 131,072.
    """
    needed = len(prompt.encode("utf-8", "surrogatepass")) // _BYTES_A_TOKEN + _TOKENS_FOR_THE_REPLY
    context = CONTEXT
    while context < needed:
        context *= 2
    if context > LARGEST_CONTEXT:
        raise JudgeError(
            f"the prompt is too long for Ollama: about {needed:,} tokens", kind="context_too_long"
        )
    return context


def _fault(ended: str | None, read: int | None, context: int) -> str | None:
    if ended == "length":
        return "was cut off at its greatest length"
    return "is to a prompt that Ollama cut" if read is not None and read >= context else None
