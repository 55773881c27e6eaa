"""How much the judge's scores differ from one judgement of the same texts to the next.

Measured within the texts that were judged more than once, never between cases. Scores that share their
key are one measurement, however many cases they stand in, and people are left out: nobody asks them twice.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import comb, fsum, sqrt
from typing import Final

from holodeck_eval.aggregate.numbers import PLACES, mean
from holodeck_eval.domain.noise import DEFAULT_NOISE, Noise, NoiseSource
from holodeck_eval.domain.outcome import Outcome, Scored
from holodeck_eval.domain.result import CaseResult

MIN_DEGREES: Final = 5
"""Degrees of freedom under which a standard deviation is no measurement.

With 5, six in a hundred come out at less than half of the true one (chi-square); with 2, twenty-two.
"""

Name = tuple[str, str]
"""An agent's name and its metric's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """What a judge said of one turn by one metric, once or several times."""

    agent: str
    metric: str
    threshold: float | None
    key: str | None
    replies: tuple[float, ...]

    @property
    def name(self) -> Name:
        """The metric and whose it is."""
        return self.agent, self.metric

    @property
    def degrees(self) -> int:
        """How many replies there are beyond the first."""
        return len(self.replies) - 1

    @property
    def squares(self) -> float:
        """The sum of the squared distances of the replies from their mean."""
        middle = sum(self.replies) / len(self.replies)
        return sum((reply - middle) ** 2 for reply in self.replies)

    @property
    def flips(self) -> float | None:
        """Share of the pairs of replies of which one reaches the threshold and the other does not."""
        if self.threshold is None or not self.degrees:
            return None
        reached = sum(reply >= self.threshold for reply in self.replies)
        return reached * (len(self.replies) - reached) / comb(len(self.replies), 2)


def sample_of(agent: str, metric: str, threshold: float | None, outcome: Outcome) -> Sample | None:
    """The sample an outcome is; None for one without replies on the scale, NaN among them, or of a person."""
    if not isinstance(outcome, Scored) or not _is_sample(outcome):
        return None
    return _sample(agent, metric, threshold, outcome)


def _sample(agent: str, metric: str, threshold: float | None, outcome: Scored) -> Sample:
    return Sample(agent=agent, metric=metric, threshold=threshold, key=outcome.key, replies=outcome.replies)


def _is_sample(outcome: Scored) -> bool:
    replies = outcome.replies
    return bool(replies) and not outcome.by_person and all(0.0 <= reply <= 1.0 for reply in replies)


def noise_of(cases: Sequence[CaseResult]) -> dict[Name, Noise]:
    """The noise of every metric that a judge scored, by agent and metric name.

    What was judged once tells nothing but that there is such a metric; of most runs that is nearly all.
    """
    judged: dict[Name, None] = {}
    samples = []
    for case in cases:
        for turn in case.turns:
            for result in turn.metrics:
                outcome = result.outcome
                if not isinstance(outcome, Scored) or not _is_sample(outcome):
                    continue
                judged[case.agent, result.name] = None
                if len(outcome.replies) > 1:
                    samples.append(_sample(case.agent, result.name, result.threshold, outcome))
    return noise_within(samples, judged)


def noise_within(samples: Iterable[Sample], judged: Iterable[Name] = ()) -> dict[Name, Noise]:
    """The noise of every metric that has samples.

    A metric's own is the standard deviation pooled over its samples, sqrt(Σ(reply - mean)² / Σ(k - 1)) with
    k the replies of a sample. With fewer degrees of freedom than MIN_DEGREES it is pooled over all metrics,
    and with fewer of these too it is DEFAULT_NOISE.

    Args:
        samples: what was judged; samples of one reply may be left out.
        judged: metrics that are to be told of though they may have no sample.
    """
    samples = tuple(samples)
    by_metric: dict[Name, list[Sample]] = {name: [] for name in judged}
    for sample in samples:
        by_metric.setdefault(sample.name, []).append(sample)
    measured = {name: _measured("metric", of_metric) for name, of_metric in by_metric.items()}
    lacking = any(noise is None for noise in measured.values())
    instead = (_measured("run", samples) if lacking else None) or Noise(sd=DEFAULT_NOISE, source="default")
    return {
        name: replace(measured[name] or instead, flip_rate=_flip_rate(of_metric))
        for name, of_metric in by_metric.items()
    }


def _measured(source: NoiseSource, samples: Iterable[Sample]) -> Noise | None:
    """The pooled noise of some samples; None with too few repeats to be a measurement."""
    repeated = [sample for sample in _once_a_key(samples) if sample.degrees]
    degrees = sum(sample.degrees for sample in repeated)
    if degrees < MIN_DEGREES:
        return None
    squares = fsum(sample.squares for sample in repeated)
    return Noise(sd=round(sqrt(squares / degrees), PLACES), source=source, degrees=degrees)


def _flip_rate(samples: Iterable[Sample]) -> float | None:
    return mean(sample.flips for sample in _once_a_key(samples))


def _once_a_key(samples: Iterable[Sample]) -> tuple[Sample, ...]:
    """One sample for each key, that with the most replies; those without a key all count."""
    kept: dict[str | int, Sample] = {}
    for number, sample in enumerate(samples):
        place = number if sample.key is None else sample.key
        if place not in kept or kept[place].degrees < sample.degrees:
            kept[place] = sample
    return tuple(kept.values())
