"""The pool of judges of a run: one client each, and every call in one line."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from holodeck_eval.domain.result import Usage
from holodeck_eval.domain.run import MetricUsage
from holodeck_eval.errors import ConfigError, JudgeError, Problem
from holodeck_eval.judges._deepeval import variable
from holodeck_eval.judges.caller import VENDOR_FAULTS, Caller, Check
from holodeck_eval.judges.failures import no_key
from holodeck_eval.judges.kinds import RetryConfig
from holodeck_eval.judges.limits import Limits
from holodeck_eval.judges.line import Line
from holodeck_eval.judges.model import judge_model
from holodeck_eval.judges.providers import PROVIDERS
from holodeck_eval.judges.settings import JudgeSettings
from holodeck_eval.judges.usage import price

DEFAULT_RETRY = RetryConfig()


class JudgePool:
    """All judges of a run.

    A call takes a place in flight, then has `timeout` seconds; between two attempts it gives its place
    up. A pool belongs to one event loop and one thread. Close it with `aclose`.

    Args:
        max_concurrency: calls in flight at once, over all judges.
        retry: how calls are repeated, unless a metric says otherwise.
        timeout: seconds one call may take in flight; None for no end.
        max_cost: USD after which no call begins; those in flight end. Needs judges with a known price.
        max_tokens: input and output tokens after which no call begins.
        deadline: seconds from now after which no call begins and those in flight are cut.
        clock: monotonic seconds.
        sleep: waits some seconds between two attempts.
    """

    def __init__(
        self,
        *,
        max_concurrency: int = 16,
        retry: RetryConfig = DEFAULT_RETRY,
        timeout: float | None = 60.0,
        max_cost: float | None = None,
        max_tokens: int | None = None,
        deadline: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        until = None if deadline is None else clock() + deadline
        limits = Limits(until=until, max_cost=max_cost, max_tokens=max_tokens, clock=clock)
        self._line = Line(max_concurrency=max_concurrency, limits=limits)
        self._retry = retry
        self._timeout = timeout
        self._sleep = sleep

    def model(
        self,
        config: JudgeSettings,
        *,
        metric: str,
        timeout: float | None = None,
        retry: RetryConfig | None = None,
        check: Check | None = None,
        logprobs: bool = True,
    ) -> Any:
        """A DeepEval model of a judge, whose calls are counted for a metric. Cheap: make one a measurement.

        Args:
            config: who judges.
            metric: whose usage it is.
            timeout: seconds one call may take; None for the pool's.
            retry: how calls are repeated; None for the pool's.
            check: looks at each parsed reply; a reply it finds wrong is asked for again.
            logprobs: whether GEval may weight its score by token probabilities.

        Raises:
            JudgeError: kind `no_key`, or `internal` where the provider's SDK is not installed.
            ConfigError: under `max_cost`, where the judge's price is unknown.
        """
        provider = PROVIDERS[config.provider]
        caller = Caller(
            line=self._line,
            provider=provider,
            errors=(*_sdk_errors(config), *VENDOR_FAULTS),
            settings=config.model_copy(update={"api_key": _key(config)}),
            metric=metric,
            timeout=self._timeout if timeout is None else timeout,
            retry=retry or self._retry,
            check=check,
            sleep=self._sleep,
        )
        model = judge_model(caller, logprobs=logprobs)
        if self._line.limits.max_cost is not None and price(model, 1, 1) is None:
            raise ConfigError(
                Problem(message=f"the price of {config.title} is unknown: use --max-tokens, not --max-cost")
            )
        return model

    def usage(self) -> tuple[Usage, tuple[MetricUsage, ...]]:
        """What judging cost so far: in all, and by metric in the order of their first calls."""
        meters = self._line.by_metric.items()
        return self._line.total.usage(), tuple(
            MetricUsage(metric=name, usage=meter.usage()) for name, meter in meters
        )

    async def aclose(self) -> None:
        """Close all connections. The pool can be used again; it opens new ones."""
        await self._line.close()


def _key(config: JudgeSettings) -> str:
    """The judge's key; "" for a provider that needs none."""
    key_variable = PROVIDERS[config.provider].key_variable
    key = (config.api_key or (variable(key_variable) if key_variable else None) or "").strip()
    if key_variable and not key:
        raise no_key(config, key_variable)
    return key


def _sdk_errors(config: JudgeSettings) -> tuple[type[Exception], ...]:
    try:
        return PROVIDERS[config.provider].errors()
    except ImportError:
        message = (
            f"a judge at {config.provider} needs its SDK: pip install 'holodeck-eval[{config.provider}]'"
        )
        raise JudgeError(message, kind="internal") from None
