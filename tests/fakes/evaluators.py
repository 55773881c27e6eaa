"""Evaluators that answer as told, for tests of what stands above them."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from holodeck_eval.domain.case import Turn
from holodeck_eval.domain.outcome import Errored, Outcome, Scored, Skipped

Reply = float | Errored | Skipped
"""What a judge says when it is asked once: a score, or why there is none."""


@dataclass(slots=True)
class FakeEvaluator:
    """Gives `outcome` for every turn, or raises `error`; keeps the turns it was asked for, and how many at once."""

    outcome: Outcome | None = None
    error: Exception | None = None
    asked: list[Turn] = field(default_factory=list)
    replies: list[int] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0

    async def measure(self, turn: Turn, *, replies: int = 1) -> Outcome:
        self.asked.append(turn)
        self.replies.append(replies)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0)
        self.at_once -= 1
        if self.error is not None:
            raise self.error
        assert self.outcome is not None
        return self.outcome


@dataclass(slots=True)
class ScriptedJudge:
    """A judged metric whose judge says, for each answer, one thing after the other, and keeps what it said.

    Attributes:
        script: what is said of an answer, in order. A failure is said once and not kept.
        recorded: scores that were kept before, by answer.
        offline: nothing may be asked.
        judge: who judges.
        version: what the judge is called by its provider.
        calls: the answers it was asked about, one a judgement.
    """

    script: Mapping[str, Sequence[Reply]]
    recorded: dict[str, list[float]] = field(default_factory=dict)
    offline: bool = False
    judge: str = "openai/gpt-4o"
    version: str | None = None
    calls: list[str] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    _lines: dict[str, list[Reply]] = field(default_factory=dict)

    async def measure(self, turn: Turn, *, replies: int = 1) -> Outcome:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0)
        self.at_once -= 1
        answer = str(turn.actual_output)
        kept = self.recorded.setdefault(answer, [])
        while len(kept) < replies and not self.offline:
            said = self._ask(answer)
            if isinstance(said, Errored | Skipped):
                return said
            kept.append(said)
        if not kept:
            return Skipped(cause="offline", reason="nothing is recorded")
        return Scored(
            score=fmean(kept),
            reason="because",
            judge=self.judge,
            replies=tuple(kept),
            key=f"key of {answer}",
            judge_version=self.version,
        )

    def _ask(self, answer: str) -> Reply:
        self.calls.append(answer)
        return self._lines.setdefault(answer, list(self.script[answer])).pop(0)
