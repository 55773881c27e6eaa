"""What all calls of a pool share: the in-flight limit, the SDK clients, the run's limits and meters."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from holodeck_eval.judges.call import Provider
from holodeck_eval.judges.limits import Limits
from holodeck_eval.judges.settings import JudgeSettings
from holodeck_eval.judges.usage import Meter

_REACHED_BY = ("provider", "endpoint", "api_key", "api_version", "deployment_name")


@dataclass(slots=True, kw_only=True)
class _Bound:
    """What belongs to one event loop and is of no use in another."""

    loop: asyncio.AbstractEventLoop
    slots: asyncio.Semaphore
    clients: dict[Hashable, tuple[Provider, Any]] = field(default_factory=dict)


class Line:
    """The line every call stands in.

    Args:
        max_concurrency: calls in flight at once.
        limits: the run's.
    """

    def __init__(self, *, max_concurrency: int, limits: Limits) -> None:
        self.limits = limits
        self.total = Meter()
        self.by_metric: defaultdict[str, Meter] = defaultdict(Meter)
        self._max_concurrency = max_concurrency
        self._bound: _Bound | None = None

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """A place in flight.

        Raises:
            LimitReachedError: where the run's time or budget is used up by then.
        """
        async with self._here().slots:
            self.limits.check(self.total)
            yield

    def client(self, provider: Provider, settings: JudgeSettings) -> Any:
        """The one client for a provider's endpoint and key, opened at its first call."""
        clients = self._here().clients
        reached = tuple(getattr(settings, name) for name in _REACHED_BY)
        if reached not in clients:
            clients[reached] = provider, provider.open(settings, self._max_concurrency)
        return clients[reached][1]

    def count(
        self, metric: str, input_tokens: int | None, output_tokens: int | None, cost: float | None
    ) -> None:
        """Count a call, for the run and for its metric."""
        for meter in (self.total, self.by_metric[metric]):
            meter.add(input_tokens, output_tokens, cost)

    async def close(self) -> None:
        """Close the clients, so that no connection is left open."""
        bound, self._bound = self._bound, None
        if bound is not None and bound.loop is asyncio.get_running_loop():
            for provider, client in bound.clients.values():
                await provider.close(client)

    def _here(self) -> _Bound:
        loop = asyncio.get_running_loop()
        if self._bound is None or self._bound.loop is not loop:
            self._bound = _Bound(loop=loop, slots=asyncio.Semaphore(self._max_concurrency))
        return self._bound
