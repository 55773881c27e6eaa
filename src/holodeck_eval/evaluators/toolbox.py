"""What a metric of the gate works with, beside its own configuration."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakValueDictionary

from holodeck_eval import judges
from holodeck_eval.domain.agent import MetricSpec
from holodeck_eval.domain.judgement import VerdictStore, versions_text
from holodeck_eval.errors import EvaluationError, JudgeError
from holodeck_eval.evaluators.ports import Judges


def retry_of(spec: MetricSpec) -> judges.RetryConfig | None:
    """How often a metric's calls and evaluations are made; None where it does not say."""
    return judges.RetryConfig(max_retries=spec.retries + 1) if spec.retries is not None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricJudges:
    """A pool as one judgement of a metric sees it: counted, timed and retried as the metric says."""

    pool: Judges
    spec: MetricSpec
    _models: list[Any] = field(default_factory=list, init=False, repr=False)

    @property
    def version(self) -> str | None:
        """What the replies called the judge; None where none has said so."""
        return versions_text(version for model in self._models for version in model.versions)

    def model(
        self,
        config: judges.DeepEvalModelConfig,
        *,
        metric: str,  # noqa: ARG002 - the configured name is the one that is counted
        timeout: float | None = None,
        retry: judges.RetryConfig | None = None,
        check: judges.Check | None = None,
        logprobs: bool = True,
    ) -> Any:  # noqa: ANN401 - an instance of one of DeepEval's untyped classes
        """A DeepEval model of a judge; see JudgePool.model."""
        model = self.pool.model(
            config,
            metric=self.spec.name,
            timeout=self.spec.timeout_s if self.spec.timeout_s is not None else timeout,
            retry=retry_of(self.spec) or retry,
            check=check,
            logprobs=logprobs,
        )
        self._models.append(model)
        return model

    async def aclose(self) -> None:
        """Nothing: the pool is the run's."""


@dataclass(slots=True, kw_only=True, weakref_slot=True)
class _Turn:
    """Whose turn it is to ask for something, how often that failed, and with what at last."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    failures: int = 0
    error: EvaluationError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolbox:
    """Judges and recorded verdicts, shared by all metrics of a run.

    `pool` None means that no judge can be called; `offline` that none may be, though one could.
    """

    pool: Judges | None
    store: VerdictStore
    offline: bool = False
    _turns: WeakValueDictionary[str, _Turn] = field(default_factory=WeakValueDictionary, repr=False)

    @asynccontextmanager
    async def alone(self, key: str) -> AsyncIterator[None]:
        """A place in which whoever needs the judgement of this key asks for it.

        Two cases that need one judgement at the same time then pay for it once. Those that waited while it
        failed share the failure: if each tried again, they would do so one after the other.

        Raises:
            EvaluationError: what the one before them failed with.
        """
        turn = self._turns.get(key)
        if turn is None:
            turn = self._turns[key] = _Turn()
        failures = turn.failures
        async with turn.lock:
            if turn.error is not None and turn.failures > failures:
                raise turn.error
            try:
                yield
            except EvaluationError as error:
                turn.failures, turn.error = turn.failures + 1, error
                raise

    def judges_for(self, spec: MetricSpec) -> MetricJudges:
        """The judges of one metric, for one judgement.

        Raises:
            JudgeError: kind `internal`, where no judge can be called.
        """
        if self.pool is None:
            raise JudgeError("no judge can be called in this run", kind="internal")
        return MetricJudges(pool=self.pool, spec=spec)
