"""Counts what could not be judged again, and says so in a few sentences."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from holodeck_eval.domain.outcome import Errored, Outcome, Scored, Skipped
from holodeck_eval.domain.text import log_line
from holodeck_eval.domain.wording import quoted

REASON_HEAD: Final = 200
"""Characters of an error, or of a reason, that a sentence quotes."""


@dataclass(slots=True)
class Failures:
    """What could not be judged again, by agent and metric. `which` says whose results: "in doubt"."""

    which: str
    _reasons: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def add(self, agent: str, metric: str, reason: str) -> None:
        """Count one result."""
        self._reasons.setdefault((agent, metric), []).append(reason)

    def sentences(self) -> Iterator[str]:
        """One a metric, which tells the first reason."""
        for (agent, metric), reasons in self._reasons.items():
            results = f"{len(reasons)} results" if len(reasons) > 1 else "1 result"
            yield (
                f"{quoted(metric)} of agent {quoted(agent)}: {results} {self.which} could not be judged again"
                f" ({log_line(reasons[0], REASON_HEAD)}); what was judged before stands"
            )


def as_whole(outcome: Outcome, before: Outcome) -> Scored | str:
    """The score that takes an earlier one's place; a clause that says why it cannot, as for a lost part."""
    if isinstance(outcome, Errored):
        return f"{outcome.kind}: {outcome.message}"
    if isinstance(outcome, Skipped):
        return f"{outcome.cause}: {outcome.reason}"
    had = {part.name for part in before.parts if part.status == "scored"}
    lost = (part for part in outcome.parts if part.name in had and part.status != "scored")
    return next((f"{part.cause}: {part.explanation}" for part in lost), outcome)
