"""A run's metrics, each with its noise and what came of it on every case."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from holodeck_eval.domain.noise import Noise
from holodeck_eval.domain.outcome import Outcome, Scored
from holodeck_eval.domain.result import MetricSummary
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.text import log_line

_NAME: Final = 48
"""Characters of a metric's name that are shown."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric's numbers, what it is called, and what came of it on each case."""

    label: str
    numbers: MetricSummary
    outcomes: Mapping[str, Sequence[Outcome]]

    @property
    def scored(self) -> list[Scored]:
        """Its scores on all cases."""
        return [
            outcome
            for outcomes in self.outcomes.values()
            for outcome in outcomes
            if isinstance(outcome, Scored)
        ]

    @property
    def cases(self) -> int:
        """On how many cases it was scored."""
        return sum(any(isinstance(one, Scored) for one in outcomes) for outcomes in self.outcomes.values())

    @property
    def noise(self) -> Noise | None:
        """Its noise, where it was measured and the metric has any."""
        noise = self.numbers.noise
        by_model = any(outcome.judge and not outcome.by_person for outcome in self.scored)
        return noise if by_model and noise and noise.source != "default" else None


def metrics_of(run: Run) -> list[Metric]:
    """The metrics of all agents, with what came of them by case."""
    outcomes: dict[tuple[str, str], dict[str, list[Outcome]]] = {}
    for case in run.cases:
        for turn in case.turns:
            for result in turn.metrics:
                of_metric = outcomes.setdefault((case.agent, result.name), {})
                of_metric.setdefault(case.id, []).append(result.outcome)
    several = len({numbers.agent for numbers in run.summary.metrics}) > 1
    return [
        Metric(_label(numbers, several=several), numbers, outcomes.get((numbers.agent, numbers.name), {}))
        for numbers in run.summary.metrics
    ]


def _label(numbers: MetricSummary, *, several: bool) -> str:
    name = f"{numbers.agent}: {numbers.name}" if several else numbers.name
    return log_line(name, _NAME) or "(no name)"


def counted(cases: int) -> str:
    """`1 case`, `2 cases`."""
    return "1 case" if cases == 1 else f"{cases} cases"
