"""Where the gate is tighter than the judges' noise."""

from collections.abc import Iterator
from math import ceil, sqrt
from typing import Final

from holodeck_eval.application.noise.metrics import Metric, counted, metrics_of
from holodeck_eval.compare.power import Sight, smallest_drop
from holodeck_eval.compare.statistics import arrangements
from holodeck_eval.domain.noise import Noise
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.run import Run

MOST_FLIPS: Final = 0.05
"""Share of pairs of replies that may fall on both sides of a threshold before it is called too tight."""


def noise_warnings(run: Run, policy: Policy) -> list[str]:
    """Sentences on what cannot be told apart from noise: thresholds, and drops of a metric's mean."""
    metrics = metrics_of(run)
    share = policy.metrics_alpha / max(2 * len([metric for metric in metrics if metric.scored]), 1)
    warnings = [
        warning
        for metric in metrics
        if metric.noise
        for warning in (*_threshold(metric, metric.noise), *_drop(metric, metric.noise, policy, share))
    ]
    if not any(metric.noise for metric in metrics):
        warnings.append(
            "no noise was measured: it takes a judge, several cases, and two replies to each "
            "(--repeats 2 or more, and not --offline unless they are recorded)"
        )
    return warnings


def _threshold(metric: Metric, noise: Noise) -> Iterator[str]:
    threshold = metric.numbers.threshold
    at = "" if threshold is None else f" of {threshold:g}"
    if noise.flip_rate is not None and noise.flip_rate > MOST_FLIPS:
        yield (
            f"{metric.label}: of two replies to one case, one passes and the other fails in "
            f"{noise.flip_rate:.1%} of pairs: cases score too near its threshold{at}"
        )
    if threshold is not None and 1 - threshold < noise.sd:
        yield (
            f"{metric.label}: its threshold{at} is so near to 1 that noise alone (sd {noise.sd:.3f}) fails a "
            "good answer"
        )


def _drop(metric: Metric, noise: Noise, policy: Policy, share: float) -> Iterator[str]:
    """Warns where `max_drop` promises more than so many cases, judged once a run, can show.

    The drop is the least: what differs between two versions of an agent beside their means is not known
    here, and comes on top.
    """
    pairs = metric.cases
    sight = Sight(
        pairs=pairs,
        changed=pairs,
        spread=noise.sd * sqrt(2),
        level=share,
        draws=arrangements(share),
        max_drop=0.0,
    )
    smallest = smallest_drop(sight)
    if smallest is None:
        yield f"{metric.label}: {counted(pairs)} are too few for any drop of its mean to be seen"
    elif noise.sd > 0 and smallest > policy.max_drop:
        yield (
            f"{metric.label}: with {counted(pairs)} judged once a run, a drop of its mean under "
            f"{smallest:.3f} is not seen, and max_drop is {policy.max_drop:g}: it takes "
            f"{_remedy(smallest, policy)}"
        )


def _remedy(smallest: float, policy: Policy) -> str:
    """What brings the smallest drop down to `max_drop`: its error falls with the root of the replies."""
    if policy.max_drop <= 0:
        return "more cases or repeats"
    times = ceil((smallest / policy.max_drop) ** 2)
    return f"{times} times the cases, or --repeats {times}"
