"""Several jobs that post at the same time, one request after the other, in an order that a test chooses."""

import random
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from tests.fakes.comments import Call, Job, Thread

T = TypeVar("T")


class Turns:
    """Lets jobs run in threads of their own, of which only one is awake: until its next request.

    Args:
        thread: what all of them write to.
        seed: decides whose turn it is.
    """

    def __init__(self, thread: Thread, seed: int) -> None:
        self.thread = thread
        self.order: list[tuple[int, Call]] = []
        self._random = random.Random(seed)  # noqa: S311 - an order that can be had again

    def run(self, jobs: Sequence[Callable[[Job], T]]) -> list[T]:
        """Run them to their ends; what each of them gives. An error of one is raised once all have ended."""
        seats = [_Seat(self, number) for number in range(len(jobs))]

        def work(seat: _Seat) -> T:
            try:
                return jobs[seat.number](seat)
            finally:
                seat.is_done = True
                seat.asleep.release()

        with ThreadPoolExecutor(max_workers=len(jobs)) as pool:
            futures = []
            for seat in seats:
                futures.append(pool.submit(work, seat))
                seat.asleep.acquire()
            while waiting := [seat for seat in seats if not seat.is_done]:
                seat = self._random.choice(waiting)
                seat.awake.release()
                seat.asleep.acquire()
        return [future.result() for future in futures]


class _Seat(Job):
    """A job that waits for its turn before each request."""

    def __init__(self, turns: Turns, number: int) -> None:
        super().__init__(turns.thread)
        self.turns = turns
        self.number = number
        self.is_done = False
        self.awake = threading.Semaphore(0)
        self.asleep = threading.Semaphore(0)

    def _do(self, call: Call, act: Callable[[], T]) -> T:
        self.asleep.release()
        self.awake.acquire()
        self.turns.order.append((self.number, call))
        return super()._do(call, act)
