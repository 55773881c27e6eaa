"""Counts what judging costs."""

from dataclasses import dataclass
from typing import Any

from holodeck_eval.domain.result import Usage


@dataclass(slots=True, kw_only=True)
class Meter:
    """Adds up calls. Sums are of what is known; a flag falls for good once a part of them is not.

    `silent` is set once a judge answered without saying what it used.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    tokens_known: bool = True
    cost_known: bool = True
    silent: bool = False

    @property
    def tokens(self) -> int:
        """Input and output tokens that are known of."""
        return self.input_tokens + self.output_tokens

    def add(self, input_tokens: int | None, output_tokens: int | None, cost_usd: float | None) -> None:
        """Count a call; None is what is unknown of it."""
        self.calls += 1
        self.input_tokens += input_tokens or 0
        self.output_tokens += output_tokens or 0
        self.cost_usd += cost_usd or 0.0
        self.tokens_known &= input_tokens is not None and output_tokens is not None
        self.cost_known &= cost_usd is not None

    def usage(self) -> Usage:
        """The sums, None where a part is unknown."""
        return Usage(
            calls=self.calls,
            input_tokens=self.input_tokens if self.tokens_known else None,
            output_tokens=self.output_tokens if self.tokens_known else None,
            cost_usd=self.cost_usd if self.cost_known else None,
        )


def price(model: Any, input_tokens: int | None, output_tokens: int | None) -> float | None:
    """USD of some tokens by the price table behind a DeepEval model; None where either is unknown."""
    if input_tokens is None or output_tokens is None or not hasattr(model, "calculate_cost"):
        return None
    cost = model.calculate_cost(input_tokens, output_tokens)
    return None if cost is None else float(cost)
