"""The pool: how many calls at once, which client, until when, for how much, and what was used."""

import asyncio
import json
import subprocess
import sys

import pytest

from holodeck_eval.domain.result import Usage
from holodeck_eval.errors import ConfigError, JudgeError, LimitReachedError
from holodeck_eval.judges import DeepEvalModelConfig, JudgePool, ProviderEnum, RetryConfig
from tests.fakes.judge_double import JudgeDouble
from tests.fakes.judge_wire import Reply
from tests.unit.judges.support import PROVIDERS, QUICK, FakeTime, Ping, ask, config

GOOD = json.dumps({"reason": "fine", "score": 3})


async def asked_at_once(double: JudgeDouble, pool: JudgePool, provider: str, times: int) -> list[object]:
    model = pool.model(config(double, provider), metric="ping")
    return await asyncio.gather(
        *(model.a_generate("?", schema=Ping) for _ in range(times)), return_exceptions=True
    )


async def arrived(double: JudgeDouble) -> None:
    """Wait until a request has arrived, in the double's own thread."""
    while not double.requests:  # noqa: ASYNC110  # the double sets no event of this loop
        await asyncio.sleep(0.001)


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_no_more_calls_are_in_flight_than_may_be(judge_double: JudgeDouble, provider: str) -> None:
    judge_double.latency = 0.02
    pool = JudgePool(max_concurrency=4)
    await asked_at_once(judge_double, pool, provider, 20)
    await pool.aclose()
    assert judge_double.max_in_flight == 4
    assert len(judge_double.requests) == 20


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_calls_share_the_connections_of_one_client(judge_double: JudgeDouble, provider: str) -> None:
    pool = JudgePool(max_concurrency=3)
    for metric in ("a", "b", "c", "d"):
        await ask(judge_double, provider, pool=pool)
        await asked_at_once(judge_double, pool, provider, 6)
        assert pool.model(config(judge_double, provider), metric=metric)
    await pool.aclose()
    assert judge_double.connections <= 3
    assert len(judge_double.requests) == 28


async def test_judges_with_other_keys_do_not_share_a_client(judge_double: JudgeDouble) -> None:
    pool = JudgePool()
    for key in ("sk-one", "sk-two", "sk-one"):
        model = pool.model(config(judge_double, api_key=key), metric="m")
        await model.a_generate("?", schema=Ping)
    await pool.aclose()
    assert [asked.key for asked in judge_double.requests] == ["sk-one", "sk-two", "sk-one"]


async def test_a_closed_pool_leaves_no_connection_and_can_be_used_again(judge_double: JudgeDouble) -> None:
    pool = JudgePool()
    await ask(judge_double, pool=pool)
    await pool.aclose()
    await pool.aclose()
    await ask(judge_double, pool=pool)
    await pool.aclose()
    assert judge_double.connections == 2


def test_a_pool_works_in_one_event_loop_after_another(judge_double: JudgeDouble) -> None:
    pool = JudgePool(max_concurrency=1)

    async def once() -> None:
        await asked_at_once(judge_double, pool, "openai", 2)
        await pool.aclose()

    asyncio.run(once())
    asyncio.run(once())
    assert len(judge_double.requests) == 4


async def test_a_pause_between_attempts_gives_the_place_up(judge_double: JudgeDouble) -> None:
    judge_double.answer(GOOD)
    judge_double.answer_next(Reply(status=429))
    slow = asyncio.Event()

    async def sleep(_: float) -> None:
        await slow.wait()

    pool = JudgePool(max_concurrency=1, sleep=sleep)
    paused = asyncio.create_task(ask(judge_double, pool=pool))
    await arrived(judge_double)
    assert (await ask(judge_double, pool=pool)).score == 3
    slow.set()
    assert (await paused).score == 3
    await pool.aclose()


async def test_the_time_of_a_call_begins_in_flight(judge_double: JudgeDouble) -> None:
    judge_double.latency = 0.25
    pool = JudgePool(max_concurrency=1, timeout=1.0)
    results = await asked_at_once(judge_double, pool, "openai", 5)
    await pool.aclose()
    assert [type(result) for result in results] == [tuple] * 5


async def test_an_interrupted_call_is_counted(judge_double: JudgeDouble) -> None:
    judge_double.answer(Reply(fault="hang"))
    pool = JudgePool()
    task = asyncio.create_task(ask(judge_double, pool=pool))
    await arrived(judge_double)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await pool.aclose()
    assert pool.usage()[0] == Usage(calls=1)


async def test_no_call_begins_after_the_deadline(judge_double: JudgeDouble) -> None:
    time = FakeTime()
    pool = JudgePool(deadline=5, clock=time.clock)
    await ask(judge_double, pool=pool)
    time.now += 5
    with pytest.raises(LimitReachedError, match="deadline") as caught:
        await ask(judge_double, pool=pool)
    await pool.aclose()
    assert caught.value.cause == "deadline"
    assert len(judge_double.requests) == 1


@pytest.mark.parametrize("seconds", [None, 60.0])
async def test_a_call_in_flight_is_cut_at_the_deadline(
    judge_double: JudgeDouble, seconds: float | None
) -> None:
    await ask(judge_double)  # an SDK's first call imports some of it
    judge_double.answer(Reply(fault="hang"))
    pool = JudgePool(deadline=1, timeout=seconds)
    results = await asked_at_once(judge_double, pool, "openai", 20)
    await pool.aclose()
    assert {type(result) for result in results} == {LimitReachedError}
    assert len(judge_double.requests) == 17


async def test_a_retry_the_deadline_leaves_no_time_for_is_not_made(judge_double: JudgeDouble) -> None:
    time = FakeTime()
    judge_double.answer(Reply(status=429, headers={"retry-after": "10"}))
    pool = JudgePool(deadline=5, clock=time.clock, sleep=time.sleep)
    with pytest.raises(JudgeError, match="deadline leaves no time") as caught:
        await ask(judge_double, pool=pool)
    await pool.aclose()
    assert caught.value.kind == "rate_limited"
    assert time.slept == []


async def test_a_spent_token_budget_ends_calls(judge_double: JudgeDouble) -> None:
    pool = JudgePool(max_tokens=240)
    await ask(judge_double, pool=pool)
    await ask(judge_double, pool=pool)
    with pytest.raises(LimitReachedError, match=r"240 tokens \(--max-tokens\)") as caught:
        await ask(judge_double, pool=pool)
    await pool.aclose()
    assert caught.value.cause == "budget"
    assert len(judge_double.requests) == 2


async def test_a_spent_cost_budget_ends_calls(judge_double: JudgeDouble) -> None:
    pool = JudgePool(max_cost=0.0004)
    await ask(judge_double, pool=pool)
    with pytest.raises(LimitReachedError, match=r"0.0004 USD \(--max-cost\)"):
        await ask(judge_double, pool=pool)
    await pool.aclose()


@pytest.mark.parametrize("limits", [{"max_tokens": 1000}, {"max_cost": 1.0}])
async def test_a_budget_ends_where_the_judge_does_not_count(
    judge_double: JudgeDouble, limits: dict[str, float]
) -> None:
    judge_double.answer(Reply(text=GOOD, tokens=None))
    pool = JudgePool(**limits)
    await ask(judge_double, pool=pool)
    with pytest.raises(LimitReachedError, match="does not say what it used"):
        await ask(judge_double, pool=pool)
    await pool.aclose()


async def test_a_cost_budget_needs_a_price(judge_double: JudgeDouble) -> None:
    pool = JudgePool(max_cost=1)
    for judge in (config(judge_double, model_name="nobodys-model"), config(judge_double, "ollama")):
        with pytest.raises(ConfigError, match="is unknown: use --max-tokens"):
            pool.model(judge, metric="m")


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_usage_is_counted_from_the_response(judge_double: JudgeDouble, provider: str) -> None:
    pool = JudgePool()
    await ask(judge_double, provider, pool=pool)
    await ask(judge_double, provider, pool=pool)
    await pool.aclose()
    prices = {"openai": 2 * (100 * 2.5e-6 + 20 * 1e-5), "anthropic": 2 * (100 * 3e-6 + 20 * 1.5e-5)}
    prices["azure_openai"] = prices["openai"]
    total, by_metric = pool.usage()
    assert (total.calls, total.input_tokens, total.output_tokens) == (2, 200, 40)
    assert total.cost_usd == (pytest.approx(prices[provider]) if provider in prices else None)
    assert [(one.metric, one.usage) for one in by_metric] == [("ping", total)]


async def test_usage_is_counted_by_metric(judge_double: JudgeDouble) -> None:
    pool = JudgePool()
    for metric in ("b", "a", "b"):
        await pool.model(config(judge_double), metric=metric).a_generate("?", schema=Ping)
    await pool.aclose()
    assert [(one.metric, one.usage.calls) for one in pool.usage()[1]] == [("b", 2), ("a", 1)]


async def test_refused_calls_count_as_calls_that_cost_nothing(judge_double: JudgeDouble) -> None:
    judge_double.answer_next(Reply(status=500), Reply(status=429))
    pool = JudgePool(retry=QUICK)
    await ask(judge_double, pool=pool)
    await pool.aclose()
    assert (pool.usage()[0].calls, pool.usage()[0].input_tokens) == (3, 100)


@pytest.mark.parametrize("lost", [Reply(text=GOOD, tokens=None), Reply(fault="drop"), Reply(fault="hang")])
async def test_usage_is_unknown_once_a_part_of_it_is(judge_double: JudgeDouble, lost: Reply) -> None:
    judge_double.answer_next(lost)
    pool = JudgePool(retry=QUICK, timeout=1.0)
    await ask(judge_double, pool=pool)
    await ask(judge_double, pool=pool)
    await pool.aclose()
    total = pool.usage()[0]
    assert (total.input_tokens, total.output_tokens, total.cost_usd) == (None, None, None)


@pytest.mark.parametrize("count", [-1, pytest.param(10**400, id="huge"), 1e308, "9", True, [1]])
async def test_a_count_that_is_none_is_unknown(judge_double: JudgeDouble, count: object) -> None:
    choice = {"message": {"content": GOOD}, "finish_reason": "stop"}
    usage = {"prompt_tokens": count, "completion_tokens": 1}
    judge_double.answer(Reply(body=json.dumps({"choices": [choice], "usage": usage}).encode()))
    pool = JudgePool()
    await ask(judge_double, pool=pool)
    await pool.aclose()
    assert pool.usage()[0] == Usage(calls=1)


def test_a_pool_that_was_not_asked_used_nothing() -> None:
    assert JudgePool().usage() == (Usage(calls=0, input_tokens=0, output_tokens=0, cost_usd=0.0), ())


@pytest.mark.parametrize(
    ("provider", "variable"),
    [(ProviderEnum.OPENAI, "OPENAI_API_KEY"), (ProviderEnum.ANTHROPIC, "ANTHROPIC_API_KEY")],
)
def test_a_judge_without_a_key_names_the_variable(
    monkeypatch: pytest.MonkeyPatch, provider: ProviderEnum, variable: str
) -> None:
    monkeypatch.delenv(variable, raising=False)
    judge = DeepEvalModelConfig(provider=provider, model_name="any")
    with pytest.raises(JudgeError, match=f"set {variable} in the environment") as caught:
        JudgePool().model(judge, metric="m")
    assert caught.value.kind == "no_key"


async def test_a_library_user_may_leave_the_key_in_the_environment(
    judge_double: JudgeDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", " sk-from-outside\n")
    pool = JudgePool()
    await pool.model(config(judge_double, api_key=None), metric="m").a_generate("?", schema=Ping)
    await pool.aclose()
    assert judge_double.last.key == "sk-from-outside"


def test_a_provider_whose_sdk_is_missing_says_how_to_get_it() -> None:
    code = (
        "import sys; sys.modules['ollama'] = None\n"
        "from holodeck_eval.judges import DeepEvalModelConfig, JudgePool\n"
        "try: JudgePool().model(DeepEvalModelConfig(), metric='m')\n"
        "except Exception as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603  # own code
    assert done.stdout == "a judge at ollama needs its SDK: pip install 'holodeck-eval[ollama]'\n"


def test_attempts_are_counted_in_all() -> None:
    assert [RetryConfig(max_retries=retries).attempts for retries in (0, 1, 3)] == [1, 1, 3]
    assert RetryConfig() == RetryConfig(max_retries=3, base_delay=2.0, max_delay=60.0, exponential_base=2.0)


async def test_a_model_of_its_own_closes_its_own_pool(judge_double: JudgeDouble) -> None:
    model = config(judge_double).to_deepeval_model()
    await model.a_generate("?", schema=Ping)
    await model.aclose()
    assert "OpenAIModel" in [base.__name__ for base in type(model).__mro__]
    assert judge_double.connections == 1
