"""Evaluators that answer as told, for tests of what stands above them."""

import asyncio
from dataclasses import dataclass, field

from holodeck_eval.domain.case import Turn
from holodeck_eval.domain.outcome import Outcome


@dataclass(slots=True)
class FakeEvaluator:
    """Gives `outcome` for every turn, or raises `error`; keeps the turns it was asked for, and how many at once."""

    outcome: Outcome | None = None
    error: Exception | None = None
    asked: list[Turn] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0

    async def measure(self, turn: Turn) -> Outcome:
        self.asked.append(turn)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0)
        self.at_once -= 1
        if self.error is not None:
            raise self.error
        assert self.outcome is not None
        return self.outcome
