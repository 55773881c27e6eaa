"""Many things at once, but not too many."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


async def bounded(jobs: Sequence[Callable[[], Awaitable[T]]], at_once: int) -> list[T]:
    """What the jobs give, in their order; `at_once` of them are under way at a time, the first ones first."""
    results: dict[int, T] = {}
    waiting = iter(enumerate(jobs))

    async def work() -> None:
        for number, job in waiting:
            results[number] = await job()

    async with asyncio.TaskGroup() as group:
        for _ in range(min(at_once, len(jobs))):
            group.create_task(work())
    return [results[number] for number in range(len(jobs))]
