"""Judges at Anthropic."""

from collections.abc import Mapping
from typing import Any

from holodeck_eval.judges._deepeval import DeepEval
from holodeck_eval.judges.call import Question, Reply, as_count, as_name
from holodeck_eval.judges.kinds import own_endpoint
from holodeck_eval.judges.providers.openai import http_client
from holodeck_eval.judges.settings import JudgeSettings

_FAULTS = {
    "max_tokens": "was cut off at its greatest length",
    "refusal": "is a refusal",
    "model_context_window_exceeded": "was cut off at the end of the context window",
}


class Anthropic:
    """Anthropic's messages. Its SDK has no `temperature` from 1.0 on, so it goes in the body."""

    key_variable: str | None = "ANTHROPIC_API_KEY"

    def native(self, door: DeepEval) -> Any:
        return door.AnthropicModel

    def arguments(self, settings: JudgeSettings) -> Mapping[str, Any]:
        return {
            "model": settings.model_name,
            "api_key": settings.api_key,
            "temperature": settings.temperature,
        }

    def errors(self) -> tuple[type[Exception], ...]:
        import anthropic

        return (anthropic.AnthropicError,)

    def open(self, settings: JudgeSettings, connections: int) -> Any:
        import anthropic

        endpoint = settings.endpoint or own_endpoint(settings.provider)
        http = http_client(anthropic, settings, connections)
        return anthropic.AsyncAnthropic(
            api_key=settings.api_key, base_url=endpoint, max_retries=0, timeout=None, http_client=http
        )

    async def ask(self, client: Any, model: Any, question: Question) -> Reply:
        message = await client.messages.create(
            model=model.name,
            max_tokens=model._max_tokens,  # noqa: SLF001  # DeepEval knows the model's limit, nothing else does
            messages=[{"role": "user", "content": [{"type": "text", "text": question.prompt}]}],
            **_options(model, question),
        )
        texts = [block.text for block in getattr(message, "content", None) or () if block.type == "text"]
        usage = getattr(message, "usage", None)
        return Reply(
            text=texts[0] if texts else None,
            raw=message,
            input_tokens=as_count(getattr(usage, "input_tokens", None)),
            output_tokens=as_count(getattr(usage, "output_tokens", None)),
            fault=_FAULTS.get(str(getattr(message, "stop_reason", None))),
            version=as_name(getattr(message, "model", None)),
        )

    async def close(self, client: Any) -> None:
        await client.close()


def _options(model: Any, question: Question) -> dict[str, Any]:
    import anthropic

    data = model.model_data
    options: dict[str, Any] = {}
    if data.supports_temperature is not False:
        options["extra_body"] = {"temperature": model.temperature}
    if data.supports_thinking is True:
        options["thinking"] = {"type": "disabled"}
    if question.schema is not None and data.supports_structured_outputs is True:
        schema = anthropic.transform_schema(question.schema)
        options["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
    return options
