"""What a metric's differences mean."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from holodeck_eval.compare.cells import Cells
from holodeck_eval.compare.power import Sight, smallest_drop
from holodeck_eval.compare.scores import MICRO, to_micro
from holodeck_eval.compare.statistics import FUZZ, Tails, upper_quantile, variance
from holodeck_eval.domain.comparison import MetricComparison, MetricVerdict
from holodeck_eval.domain.noise import Noise
from holodeck_eval.domain.policy import ComparisonPolicy

_BEYOND: Final = 0.025
"""The probability beyond each end of a 95% interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A metric of an agent, before it is judged.

    Attributes:
        agent, name: whose it is, and which.
        cells: its scores, by pair.
        noise: its judge's.
        noise_sd: standard deviation that the judge's noise gives a pair's difference.
        why: why it cannot be compared; "" where it can.
        weight: its share of the family's error. An agent's average weighs as much as all of its metrics: what
            moves them all a little shows there first.
    """

    agent: str
    name: str
    cells: Cells
    noise: Noise | None = None
    noise_sd: float = 0.0
    why: str = ""
    weight: int = 1

    @property
    def is_tested(self) -> bool:
        """Whether there is something to test."""
        return bool(self.cells) and not self.why


def unjudged(row: Row) -> MetricComparison:
    """A row that cannot be compared, or that has no pair."""
    cells = row.cells.values()
    return MetricComparison(
        agent=row.agent,
        name=row.name,
        pairs=len(cells),
        unchanged=sum(cell.unchanged for cell in cells),
        baseline=_mean([cell.before for cell in cells]),
        now=_mean([cell.now for cell in cells]),
        difference=None,
        verdict="not_comparable" if row.why else "underpowered",
        noise=row.noise,
        why=row.why,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """Judges rows.

    Attributes:
        policy: the rules.
        draws: how many arrangements of signs the tests try.
        share: the p value that the strictest step of Holm's correction needs, for each unit of weight.
    """

    policy: ComparisonPolicy
    draws: int
    share: float

    def judged(self, row: Row, tails: Tails) -> MetricComparison:
        """A row that has pairs, with its adjusted p values."""
        cells = row.cells.values()
        differences = [cell.difference for cell in cells]
        low, high = _interval(differences)
        smallest = self._smallest(row)
        return MetricComparison(
            agent=row.agent,
            name=row.name,
            pairs=len(cells),
            unchanged=sum(cell.unchanged for cell in cells),
            baseline=_mean([cell.before for cell in cells]),
            now=_mean([cell.now for cell in cells]),
            difference=_mean(differences),
            verdict=self._moved(differences, tails) or self._seen(row, smallest),
            low=low,
            high=high,
            p_worse=round(tails.low, 6),
            p_better=round(tails.high, 6),
            smallest_drop=smallest,
            noise=row.noise,
        )

    def _smallest(self, row: Row) -> float | None:
        changed = [cell.difference for cell in row.cells.values() if not cell.unchanged]
        sight = Sight(
            pairs=len(row.cells),
            changed=len(changed),
            spread=max(sqrt(variance(changed) or 0.0) / MICRO, row.noise_sd),
            level=self.share * row.weight,
            draws=self.draws,
            max_drop=self.policy.max_drop,
        )
        return smallest_drop(sight)

    def _moved(self, differences: Sequence[int], tails: Tails) -> MetricVerdict | None:
        """Worse or better: significantly so, and by more than the policy lets go."""
        alpha = self.policy.metrics_alpha * FUZZ
        change, least = round(sum(differences) / len(differences)), to_micro(self.policy.max_drop)
        if tails.low <= alpha and change < -least:
            return "worse"
        return "better" if tails.high <= alpha and change > least else None

    def _seen(self, row: Row, smallest: float | None) -> MetricVerdict:
        """The same, where a drop would have been seen or there is nothing that could hide one."""
        hides = any(cell.difference or (cell.judged and not cell.unchanged) for cell in row.cells.values())
        seen = smallest is not None and smallest <= self.policy.relevant_drop
        return "same" if seen or not hides else "underpowered"


def _mean(values: Sequence[int]) -> float | None:
    """The mean of millionths as a score; None of none."""
    return round(sum(values) / len(values)) / MICRO if values else None


def _interval(differences: Sequence[int]) -> tuple[float | None, float | None]:
    """The 95% interval of the mean by Student's t, from -1 to 1 at most; none of fewer than two pairs."""
    spread = variance(differences)
    if spread is None:
        return None, None
    centre = sum(differences) / len(differences)
    half = upper_quantile(_BEYOND, len(differences) - 1) * sqrt(spread / len(differences))
    return round(max(centre - half, -MICRO)) / MICRO, round(min(centre + half, MICRO)) / MICRO
