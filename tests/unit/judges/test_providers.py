"""What each provider is sent."""

import pytest
from pydantic import BaseModel, Field

from holodeck_eval.errors import JudgeError
from holodeck_eval.judges import PROVIDERS as TABLE
from holodeck_eval.judges import JudgePool, ProviderEnum
from holodeck_eval.judges.providers.ollama import context_for
from holodeck_eval.judges.schemas import strict_schema
from tests.fakes.judge_double import JudgeDouble
from tests.fakes.judge_wire import Asked, Reply
from tests.unit.judges.support import PROVIDERS, QUICK, Ping, ask, config


async def sent(double: JudgeDouble, provider: str, **changes: object) -> Asked:
    pool = JudgePool(retry=QUICK)
    await pool.model(config(double, provider, **changes), metric="m").a_generate("How?", schema=Ping)
    await pool.aclose()
    return double.last


def test_every_provider_is_in_the_table() -> None:
    assert list(TABLE) == list(ProviderEnum)


async def test_openai_is_sent_the_form_of_the_answer(judge_double: JudgeDouble) -> None:
    asked = await sent(judge_double, "openai", temperature=0.5)
    form = {"name": "Ping", "strict": True, "schema": strict_schema(Ping)}
    assert (asked.method, asked.path, asked.key) == ("POST", "/v1/chat/completions", "sk-made-up")
    assert asked.body == {
        "model": "gpt-4o",
        "messages": [{"role": "user", "content": [{"type": "text", "text": "How?"}]}],
        "temperature": 0.5,
        "response_format": {"type": "json_schema", "json_schema": form},
    }


@pytest.mark.parametrize(
    ("name", "form", "temperature"),
    [
        ("gpt-3.5-turbo", {"type": "json_object"}, True),
        ("somebodys-model", None, True),
        ("gpt-5-mini", "json_schema", False),
    ],
)
async def test_openai_models_are_asked_for_what_they_can_do(
    judge_double: JudgeDouble, name: str, form: object, *, temperature: bool
) -> None:
    body = (await sent(judge_double, "openai", model_name=name)).body
    wanted = body.get("response_format")
    assert (wanted["type"] if form == "json_schema" else wanted) == form
    assert ("temperature" in body) is temperature


async def test_azure_is_sent_the_deployment_and_asked_by_the_real_name(judge_double: JudgeDouble) -> None:
    asked = await sent(judge_double, "azure_openai", api_version="2025-01-01")
    assert asked.path == "/openai/deployments/judge-1/chat/completions?api-version=2025-01-01"
    assert asked.headers["api-key"] == "sk-made-up"
    assert "authorization" not in asked.headers
    assert asked.body["model"] == "judge-1"
    assert asked.schema_name == "Ping"


@pytest.mark.parametrize(
    ("name", "form", "temperature", "thinking"),
    [
        ("claude-3-5-sonnet-latest", None, 0.3, None),
        ("claude-opus-5", "Ping", None, {"type": "disabled"}),
        ("claude-of-tomorrow", None, 0.3, None),
    ],
)
async def test_anthropic_is_sent_the_temperature_in_the_body(
    judge_double: JudgeDouble,
    name: str,
    form: str | None,
    temperature: float | None,
    thinking: object,
) -> None:
    asked = await sent(judge_double, "anthropic", model_name=name, temperature=0.3)
    assert (asked.path, asked.key) == ("/v1/messages", "sk-made-up")
    assert asked.headers["anthropic-version"]
    assert asked.schema_name == form
    assert asked.body.get("temperature") == temperature
    assert asked.body.get("thinking") == thinking
    assert asked.body["max_tokens"] == 8192


async def test_anthropic_s_first_text_is_its_answer(judge_double: JudgeDouble) -> None:
    judge_double.answer(Reply(text=None))
    with pytest.raises(JudgeError, match="is empty"):
        await ask(judge_double, "anthropic")


async def test_ollama_is_sent_the_form_and_a_context_that_holds_the_prompt(judge_double: JudgeDouble) -> None:
    asked = await sent(judge_double, "ollama")
    assert (asked.path, asked.schema) == ("/api/chat", Ping.model_json_schema())
    assert asked.body["options"] == {"temperature": 0.0, "num_ctx": 16_384}
    assert asked.body["stream"] is False


@pytest.mark.parametrize(("key", "header"), [("sk-own", "Bearer sk-own"), (None, None)])
async def test_ollama_gets_a_key_only_where_one_is_configured(
    judge_double: JudgeDouble, monkeypatch: pytest.MonkeyPatch, key: str | None, header: str | None
) -> None:
    monkeypatch.setenv("OLLAMA_API_KEY", "sk-of-the-machine")
    asked = await sent(judge_double, "ollama", api_key=key)
    assert asked.headers.get("authorization") == header


async def test_a_prompt_that_ollama_cut_has_no_answer(judge_double: JudgeDouble) -> None:
    judge_double.answer(Reply(text='{"reason": "r", "score": 1}', tokens=(16_384, 10)))
    with pytest.raises(JudgeError, match="is to a prompt that Ollama cut"):
        await ask(judge_double, "ollama")


@pytest.mark.parametrize(
    ("length", "context"), [(10, 16_384), (43_000, 16_384), (43_100, 32_768), (380_000, 131_072)]
)
def test_the_context_grows_with_the_prompt(length: int, context: int) -> None:
    assert context_for("x" * length) == context


async def test_a_prompt_longer_than_any_context_is_not_sent(judge_double: JudgeDouble) -> None:
    pool = JudgePool()
    model = pool.model(config(judge_double, "ollama"), metric="m")
    with pytest.raises(JudgeError, match="too long for Ollama") as caught:
        await model.a_generate("ü" * 200_000, schema=Ping)
    assert caught.value.kind == "context_too_long"
    assert judge_double.requests == []
    assert pool.usage()[0].calls == 0


async def test_a_proxy_is_not_asked_for_this_machine(
    judge_double: JudgeDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    with JudgeDouble() as proxy:
        for variable in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"):
            monkeypatch.setenv(variable, proxy.url)
        for provider in ("openai", "azure_openai", "anthropic", "ollama"):
            assert (await ask(judge_double, provider)).score == 8
        assert proxy.connections == 0


async def test_base_urls_of_the_environment_are_not_asked(
    judge_double: JudgeDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    with JudgeDouble() as elsewhere:
        for variable in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "OLLAMA_HOST", "AZURE_OPENAI_ENDPOINT"):
            monkeypatch.setenv(variable, elsewhere.url)
        for provider in ("openai", "azure_openai", "anthropic", "ollama"):
            await ask(judge_double, provider)
        assert elsewhere.connections == 0


def test_a_strict_form_closes_every_object_and_needs_every_key() -> None:
    class Inner(BaseModel):
        word: str = Field(default="x")

    class Outer(BaseModel):
        inner: list[Inner]
        maybe: str | None = None

    schema = strict_schema(Outer)
    assert schema["required"] == ["inner", "maybe"]
    assert schema["additionalProperties"] is False
    assert schema["$defs"]["Inner"]["required"] == ["word"]
    assert "default" not in schema["$defs"]["Inner"]["properties"]["word"]
    assert "default" not in schema["properties"]["maybe"]


async def versions(double: JudgeDouble, provider: str, *replies: Reply) -> frozenset[str]:
    """What a judge of some provider was called by these replies."""
    double.answer_next(*replies)
    pool = JudgePool(retry=QUICK)
    model = pool.model(config(double, provider), metric="m")
    for _ in replies:
        await model.a_generate("How?", schema=Ping)
    await pool.aclose()
    found: frozenset[str] = model.versions
    return found


PONG = '{"reason": "r", "score": 1}'


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_what_a_reply_calls_the_judge_is_kept(judge_double: JudgeDouble, provider: str) -> None:
    replies = [Reply(text=PONG, model=name) for name in ("judge-b", "judge-a", "judge-b")]
    assert await versions(judge_double, provider, *replies) == {"judge-a", "judge-b"}


async def test_a_hostile_name_of_the_judge_is_one_short_line_without_the_key(
    judge_double: JudgeDouble,
) -> None:
    (name,) = await versions(
        judge_double, "openai", Reply(text=PONG, model="::error::sk-made-up\n\x1b[31m" + "x" * 500)
    )
    assert name.startswith(": :error::*** [31mxxx")
    assert len(name) == 100


async def test_a_judge_that_has_no_name_has_no_version(judge_double: JudgeDouble) -> None:
    assert await versions(judge_double, "openai", Reply(text=PONG, model=" \n ")) == frozenset()
