"""What a call to a judge does when it goes wrong, over each provider's real SDK."""

import json

import pytest

from holodeck_eval.errors import JudgeError
from holodeck_eval.judges import JudgePool, RetryConfig
from tests.fakes.judge_double import JudgeDouble
from tests.fakes.judge_wire import Reply
from tests.unit.judges.support import PROVIDERS, QUICK, FakeTime, Ping, ask, config

GOOD = json.dumps({"reason": "fine", "score": 3})
FENCED = f"```json\n{GOOD}\n```"
MALFORMED = {
    "prose": "I would rather not say.",
    "truncated": '{"reason": "fi',
    "wrong type": '{"reason": "fine", "score": "high"}',
    "missing key": '{"reason": "fine"}',
    "empty": "",
    "not a number": '{"reason": "fine", "score": NaN}',
    "infinite": '{"reason": "fine", "score": 1e999}',
    "a list": "[1, 2]",
    "a key twice": '{"reason": "fine", "score": 1, "score": 3}',
    "true for a number": '{"reason": "fine", "score": true}',
}


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_judge_answers(judge_double: JudgeDouble, provider: str) -> None:
    judge_double.answer(GOOD)
    assert await ask(judge_double, provider) == Ping(reason="fine", score=3)
    assert len(judge_double.requests) == 1


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("text", [FENCED, '{"reason": "fine", "score": 3,}', f"Here it is:\n{GOOD}\nBye."])
async def test_fences_commas_and_words_around_json_are_read(
    judge_double: JudgeDouble, provider: str, text: str
) -> None:
    judge_double.answer(text)
    assert (await ask(judge_double, provider)).score == 3
    assert len(judge_double.requests) == 1


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("text", MALFORMED.values(), ids=MALFORMED)
async def test_a_malformed_reply_is_asked_for_again(
    judge_double: JudgeDouble, provider: str, text: str
) -> None:
    judge_double.answer(GOOD)
    judge_double.answer_next(text)
    assert (await ask(judge_double, provider)).score == 3
    assert len(judge_double.requests) == 2


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_malformed_replies_to_the_end_are_an_error_that_keeps_the_reply(
    judge_double: JudgeDouble, provider: str
) -> None:
    judge_double.answer("Nonsense " * 100)
    with pytest.raises(JudgeError, match=r"is not JSON \(asked 3 times\)") as caught:
        await ask(judge_double, provider)
    assert caught.value.kind == "invalid_reply"
    assert caught.value.reply_head == ("Nonsense " * 100)[:200]
    assert len(judge_double.requests) == 3


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_key_the_reply_echoes_is_gone_before_the_reply_is_cut(
    judge_double: JudgeDouble, provider: str
) -> None:
    key = "sk-" + "made-up-" * 5
    judge_double.answer("x" * 170 + f" {key} is no answer")
    pool = JudgePool(retry=RetryConfig(max_retries=1))
    model = pool.model(config(judge_double, provider, api_key=key), metric="ping")
    with pytest.raises(JudgeError) as caught:
        await model.a_generate("How is it?", schema=Ping)
    await pool.aclose()
    assert caught.value.reply_head == "x" * 170 + " *** is no answer"


@pytest.mark.parametrize("content", [[{"type": "text", "text": GOOD}], {"score": 8}, 8, True])
async def test_a_content_that_is_no_text_is_an_invalid_reply(
    judge_double: JudgeDouble, content: object
) -> None:
    body = {"choices": [{"message": {"content": content}, "finish_reason": "stop"}]}
    judge_double.answer(Reply(body=json.dumps(body).encode()))
    with pytest.raises(JudgeError, match=r"is not a text \(asked 3 times\)") as caught:
        await ask(judge_double)
    assert caught.value.kind == "invalid_reply"


async def test_a_malformed_reply_is_asked_for_again_at_once(judge_double: JudgeDouble) -> None:
    time = FakeTime()
    judge_double.answer(GOOD)
    judge_double.answer_next("Nonsense")
    pool = JudgePool(sleep=time.sleep)
    await ask(judge_double, pool=pool)
    await pool.aclose()
    assert time.slept == [0.0]


@pytest.mark.parametrize("provider", ["openai", "azure_openai"])
async def test_a_refusal_is_an_invalid_reply(judge_double: JudgeDouble, provider: str) -> None:
    judge_double.answer(Reply(refusal="I must not."))
    with pytest.raises(JudgeError, match="is a refusal") as caught:
        await ask(judge_double, provider)
    assert caught.value.kind == "invalid_reply"


async def test_a_refusal_of_claude_is_an_invalid_reply(judge_double: JudgeDouble) -> None:
    judge_double.answer(Reply(text=GOOD, finish="refusal"))
    with pytest.raises(JudgeError, match="is a refusal"):
        await ask(judge_double, "anthropic")


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_reply_cut_at_its_length_is_invalid_even_where_it_parses(
    judge_double: JudgeDouble, provider: str
) -> None:
    judge_double.answer(Reply(text=GOOD, finish="length"))
    with pytest.raises(JudgeError, match="was cut off at its greatest length"):
        await ask(judge_double, provider)


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("body", [b"not json", b"{}", b"[]", b'"words"', b'{"choices": []}', b"null"])
async def test_a_body_of_another_make_is_an_invalid_reply(
    judge_double: JudgeDouble, provider: str, body: bytes
) -> None:
    judge_double.answer(Reply(body=body))
    with pytest.raises(JudgeError) as caught:
        await ask(judge_double, provider)
    assert caught.value.kind == "invalid_reply"
    assert len(judge_double.requests) == 3


async def test_a_reply_the_caller_finds_wrong_is_asked_for_again(judge_double: JudgeDouble) -> None:
    judge_double.answer(GOOD)
    judge_double.answer_next({"reason": "great", "score": 15})

    def in_range(parsed: object) -> str | None:
        assert isinstance(parsed, Ping)
        return None if parsed.score <= 10 else f"has a score of {parsed.score:g}, beyond 10"

    assert (await ask(judge_double, check=in_range)).score == 3
    assert len(judge_double.requests) == 2


async def test_a_reply_the_caller_finds_wrong_to_the_end_says_why(judge_double: JudgeDouble) -> None:
    with pytest.raises(JudgeError, match=r"openai/gpt-4o has a score of 8") as caught:
        await ask(judge_double, check=lambda _: "has a score of 8")
    assert caught.value.kind == "invalid_reply"


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "refused_request"),
        (401, "auth"),
        (403, "auth"),
        (404, "refused_request"),
        (422, "refused_request"),
    ],
)
async def test_what_cannot_get_better_is_asked_once(
    judge_double: JudgeDouble, provider: str, status: int, kind: str
) -> None:
    judge_double.answer(Reply(status=status, error="key sk-made-up is bad\n::error::boo"))
    with pytest.raises(JudgeError) as caught:
        await ask(judge_double, provider)
    assert caught.value.kind == kind
    assert len(judge_double.requests) == 1
    assert f"HTTP {status}" in caught.value.message
    assert "127.0.0.1" in caught.value.message
    assert "sk-made-up" not in caught.value.message
    assert "\n" not in caught.value.message


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("status", [500, 503, 529])
async def test_a_failing_server_is_asked_again_and_then_unavailable(
    judge_double: JudgeDouble, provider: str, status: int
) -> None:
    judge_double.answer(Reply(status=status))
    with pytest.raises(JudgeError, match=r"asked 3 times") as caught:
        await ask(judge_double, provider)
    assert caught.value.kind == "judge_unavailable"
    assert len(judge_double.requests) == 3


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_failing_server_that_recovers_is_forgiven(judge_double: JudgeDouble, provider: str) -> None:
    judge_double.answer(GOOD)
    judge_double.answer_next(Reply(status=500), Reply(fault="drop"))
    assert (await ask(judge_double, provider)).score == 3
    assert len(judge_double.requests) == 3


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_dropped_connections_are_unavailable(judge_double: JudgeDouble, provider: str) -> None:
    judge_double.answer(Reply(fault="drop"))
    with pytest.raises(JudgeError) as caught:
        await ask(judge_double, provider)
    assert caught.value.kind == "judge_unavailable"


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    ("headers", "seconds"),
    [({"retry-after": "7"}, 7.0), ({"retry-after-ms": "250", "retry-after": "9"}, 0.25), ({}, 2.0)],
)
async def test_a_rate_limit_waits_as_long_as_it_is_told(
    judge_double: JudgeDouble, provider: str, headers: dict[str, str], seconds: float
) -> None:
    time = FakeTime()
    judge_double.answer(GOOD)
    judge_double.answer_next(Reply(status=429, headers=headers))
    pool = JudgePool(sleep=time.sleep, clock=time.clock)
    await ask(judge_double, provider, pool=pool)
    await pool.aclose()
    assert seconds / 2 <= time.slept[0] <= seconds + 1
    assert headers == {} or time.slept[0] >= seconds


async def test_a_rate_limit_may_name_a_date(judge_double: JudgeDouble) -> None:
    judge_double.answer(Reply(status=429, headers={"retry-after": "Fri, 01 Jan 2100 00:00:00 GMT"}))
    with pytest.raises(JudgeError, match="longer than 60 s"):
        await ask(judge_double)


async def test_a_date_in_the_past_means_now(judge_double: JudgeDouble) -> None:
    time = FakeTime()
    judge_double.answer(GOOD)
    judge_double.answer_next(Reply(status=429, headers={"retry-after": "Fri, 01 Jan 2010 00:00:00 GMT"}))
    pool = JudgePool(sleep=time.sleep)
    await ask(judge_double, pool=pool)
    await pool.aclose()
    assert time.slept == [0.0]


@pytest.mark.parametrize("header", ["soon", "nan", "-3", "inf", "Wed, 21 Oct 99999999999 07:28:00 GMT"])
async def test_a_wait_that_is_none_is_not_heeded(judge_double: JudgeDouble, header: str) -> None:
    time = FakeTime()
    judge_double.answer(GOOD)
    judge_double.answer_next(Reply(status=429, headers={"retry-after": header}))
    pool = JudgePool(sleep=time.sleep)
    await ask(judge_double, pool=pool)
    await pool.aclose()
    assert 1.0 <= time.slept[0] <= 2.0


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_wait_beyond_the_longest_ends_the_call(judge_double: JudgeDouble, provider: str) -> None:
    judge_double.answer(Reply(status=429, headers={"retry-after": "3600"}))
    with pytest.raises(JudgeError, match=r"asks to wait 3600 s, longer than 60 s") as caught:
        await ask(judge_double, provider)
    assert caught.value.kind == "rate_limited"
    assert len(judge_double.requests) == 1


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_used_up_quota_is_not_asked_again(judge_double: JudgeDouble, provider: str) -> None:
    error = "You exceeded your current quota, please check your plan."
    judge_double.answer(Reply(status=429, code="insufficient_quota", error=error))
    with pytest.raises(JudgeError, match=r"the quota at the judge .* is used up") as caught:
        await ask(judge_double, provider)
    assert caught.value.kind == "rate_limited"
    assert len(judge_double.requests) == 1


@pytest.mark.parametrize(
    ("provider", "code", "error"),
    [
        ("openai", "context_length_exceeded", "This model's maximum context length is 8192 tokens."),
        ("azure_openai", "context_length_exceeded", "This model's maximum context length is 8192 tokens."),
        ("anthropic", "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
        ("ollama", None, "the input length exceeds the context length"),
    ],
)
async def test_a_prompt_too_long_is_not_asked_again(
    judge_double: JudgeDouble, provider: str, code: str | None, error: str
) -> None:
    judge_double.answer(Reply(status=400, code=code, error=error))
    with pytest.raises(JudgeError) as caught:
        await ask(judge_double, provider)
    assert caught.value.kind == "context_too_long"
    assert len(judge_double.requests) == 1


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_redirect_is_not_followed(judge_double: JudgeDouble, provider: str) -> None:
    with JudgeDouble() as elsewhere:
        judge_double.answer(Reply(status=307, headers={"location": f"{elsewhere.url}/v1/chat/completions"}))
        with pytest.raises(JudgeError, match="redirect") as caught:
            await ask(judge_double, provider)
        assert elsewhere.connections == 0
    assert caught.value.kind == "refused_request"
    assert len(judge_double.requests) == 1


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_judge_that_hangs_times_out_and_is_asked_again(
    judge_double: JudgeDouble, provider: str
) -> None:
    await ask(judge_double, provider)  # an SDK's first call imports some of it
    judge_double.answer(Reply(fault="hang"))
    with pytest.raises(JudgeError, match=r"did not answer within 0.5 s \(asked 2 times\)") as caught:
        await ask(judge_double, provider, timeout=0.5, retry=RetryConfig(max_retries=2, base_delay=0))
    assert caught.value.kind == "timeout"
    assert len(judge_double.requests) == 3


@pytest.mark.parametrize("provider", ["openai", "azure_openai", "anthropic"])
async def test_nobody_there_is_unavailable(judge_double: JudgeDouble, provider: str) -> None:
    pool = JudgePool(retry=RetryConfig(max_retries=1))
    endpoint = {"openai": "http://127.0.0.1:1/v1"}.get(provider, "http://127.0.0.1:1")
    model = pool.model(config(judge_double, provider, endpoint=endpoint), metric="m")
    with pytest.raises(JudgeError, match=r"could not be reached at 127\.0\.0\.1:1") as caught:
        await model.a_generate("?", schema=Ping)
    await pool.aclose()
    assert caught.value.kind == "judge_unavailable"


async def test_ollama_not_running_says_what_to_do(judge_double: JudgeDouble) -> None:
    pool = JudgePool(retry=RetryConfig(max_retries=0))
    model = pool.model(config(judge_double, "ollama", endpoint="http://127.0.0.1:1"), metric="m")
    with pytest.raises(
        JudgeError, match=r"^Ollama not available at 127\.0\.0\.1:1: start Ollama or set OLLAMA_HOST"
    ):
        await model.a_generate("?", schema=Ping)
    await pool.aclose()


async def test_a_missing_ollama_model_says_how_to_get_it(judge_double: JudgeDouble) -> None:
    judge_double.answer(Reply(status=404, error="model 'gpt-oss:20b' not found"))
    with pytest.raises(JudgeError, match="run `ollama pull gpt-oss:20b`"):
        await ask(judge_double, "ollama")


async def test_waits_between_attempts_grow_and_are_capped(judge_double: JudgeDouble) -> None:
    time = FakeTime()
    judge_double.answer(Reply(status=500))
    pool = JudgePool(sleep=time.sleep, retry=RetryConfig(max_retries=5, base_delay=2, max_delay=5))
    with pytest.raises(JudgeError):
        await ask(judge_double, pool=pool)
    await pool.aclose()
    for slept, full in zip(time.slept, [2, 4, 5, 5], strict=True):
        assert full / 2 <= slept <= full


async def test_text_without_a_form_is_given_as_it_is(judge_double: JudgeDouble) -> None:
    pool = JudgePool(retry=QUICK)
    judge_double.answer("Just words.")
    model = pool.model(config(judge_double), metric="m")
    assert await model.a_generate("?") == ("Just words.", pytest.approx(100 * 2.5e-6 + 20 * 1e-5))
    await pool.aclose()


async def test_asking_in_a_blocking_way_is_refused(judge_double: JudgeDouble) -> None:
    model = JudgePool().model(config(judge_double), metric="m")
    for blocking in (model.generate, model.generate_raw_response):
        with pytest.raises(JudgeError, match=r"await metric\.a_measure"):
            blocking("?")
