"""What a metric of the gate works with, beside its own configuration."""

import asyncio
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from holodeck_eval.domain.judgement import VerdictStore
from holodeck_eval.judges import JudgePool


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolbox:
    """Judges and recorded verdicts, shared by all metrics of a run.

    `pool` None means that no judge can be called; `offline` that none may be, though one could.
    """

    pool: JudgePool | None
    store: VerdictStore
    offline: bool = False
    _turns: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary, repr=False)

    def alone(self, key: str) -> asyncio.Lock:
        """The lock under which whoever needs the judgement of this key asks for it.

        Two cases that need one judgement at the same time then pay for it once.
        """
        lock = self._turns.get(key)
        if lock is None:
            lock = self._turns[key] = asyncio.Lock()
        return lock
