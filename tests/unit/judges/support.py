"""What the tests of judges share: a question, judges at the double, and a clock that is told the time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from holodeck_eval.judges import DeepEvalModelConfig, JudgePool, ProviderEnum, RetryConfig

if TYPE_CHECKING:
    from tests.fakes.judge_double import JudgeDouble

PROVIDERS = tuple(provider.value for provider in ProviderEnum)
MODELS = {
    "openai": "gpt-4o",
    "azure_openai": "gpt-4o",
    "anthropic": "claude-3-5-sonnet-latest",
    "ollama": "gpt-oss:20b",
}
QUICK = RetryConfig(max_retries=3, base_delay=0.0)


class Ping(BaseModel):
    """A form of answer of our own."""

    reason: str
    score: float


class FakeTime:
    """Seconds that pass only when someone sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def config(double: JudgeDouble, provider: str = "openai", **changes: Any) -> DeepEvalModelConfig:
    """A judge at the double."""
    settings: dict[str, Any] = {
        "provider": provider,
        "model_name": MODELS[provider],
        "api_key": "sk-made-up",
        "endpoint": double.endpoint(provider),
        "deployment_name": "judge-1" if provider == "azure_openai" else None,
    }
    return DeepEvalModelConfig(**settings | changes)


async def ask(
    double: JudgeDouble, provider: str = "openai", *, pool: JudgePool | None = None, **options: Any
) -> Ping:
    """Ask one question of the double, through a pool of its own unless one is given."""
    used = pool or JudgePool(retry=QUICK)
    try:
        model = used.model(config(double, provider), metric="ping", **options)
        parsed, _ = await model.a_generate("How is it?", schema=Ping)
        assert isinstance(parsed, Ping)
        return parsed
    finally:
        if pool is None:
            await used.aclose()
