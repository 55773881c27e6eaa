"""The run's limits: how many calls at once, until when, and for how much."""

from collections.abc import Callable
from dataclasses import dataclass

from holodeck_eval.errors import LimitReachedError
from holodeck_eval.judges.usage import Meter


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What the run may use. `until` is a time of `clock` in seconds; None switches a limit off."""

    until: float | None
    max_cost: float | None
    max_tokens: int | None
    clock: Callable[[], float]

    def left(self) -> float | None:
        """Seconds until the deadline, None where there is none."""
        return None if self.until is None else self.until - self.clock()

    def check(self, spent: Meter) -> None:
        """Let a call begin.

        Raises:
            LimitReachedError: where the deadline is past or the budget used up.
        """
        left = self.left()
        if left is not None and left <= 0:
            raise self.over()
        if spent.silent and (self.max_cost is not None or self.max_tokens is not None):
            raise LimitReachedError(
                "a budget cannot be kept: the judge does not say what it used", cause="budget"
            )
        if self.max_cost is not None and spent.cost_usd >= self.max_cost:
            raise LimitReachedError(
                f"the budget of {self.max_cost:g} USD (--max-cost) is used up", cause="budget"
            )
        if self.max_tokens is not None and spent.tokens >= self.max_tokens:
            raise LimitReachedError(
                f"the budget of {self.max_tokens:,} tokens (--max-tokens) is used up", cause="budget"
            )

    def over(self) -> LimitReachedError:
        """The error of a run whose time is up."""
        return LimitReachedError("the run's deadline (--deadline) has passed", cause="deadline")
