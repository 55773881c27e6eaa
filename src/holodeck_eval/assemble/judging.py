"""The run's judges, made when the first of them is asked."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from holodeck_eval import judges
from holodeck_eval.domain.options import Options
from holodeck_eval.domain.result import Usage
from holodeck_eval.domain.run import NO_USAGE, MetricUsage
from holodeck_eval.errors import ConfigError, LimitReachedError


class JudgesWhenNeeded:
    """A JudgePool that a run whose verdicts are all recorded never makes.

    The deadline of the options counts from the first call that is needed.
    """

    def __init__(self, options: Options) -> None:
        self._options = options

    def model(self, config: judges.DeepEvalModelConfig, *, metric: str, **settings: Any) -> Any:  # noqa: ANN401 - DeepEval's classes are untyped
        """A DeepEval model of a judge; see JudgePool.model.

        Raises:
            JudgeError: as JudgePool.model does.
            LimitReachedError: where the judge's price is unknown, so that `max_cost` could not be kept.
        """
        try:
            return self._pool.model(config, metric=metric, **settings)
        except ConfigError as error:
            raise LimitReachedError(str(error), cause="budget") from error

    def usage(self) -> tuple[Usage, tuple[MetricUsage, ...]]:
        """What judging cost so far: in all, and by metric."""
        return self._pool.usage() if self._is_made else (NO_USAGE, ())

    async def aclose(self) -> None:
        """Close all connections."""
        if self._is_made:
            await self._pool.aclose()

    @cached_property
    def _pool(self) -> judges.JudgePool:
        options = self._options
        return judges.JudgePool(
            max_concurrency=options.max_concurrency,
            timeout=options.timeout,
            max_cost=options.max_cost,
            max_tokens=options.max_tokens,
            deadline=options.deadline,
        )

    @property
    def _is_made(self) -> bool:
        return "_pool" in vars(self)
