"""What is so near its threshold that one more judgement could turn it is judged again."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import sqrt
from typing import Final

from holodeck_eval.aggregate import reaches_rating
from holodeck_eval.aggregate.noise import Name, noise_within, sample_of
from holodeck_eval.domain.agent import MetricSpec
from holodeck_eval.domain.case import Case
from holodeck_eval.domain.noise import DEFAULT_NOISE, Noise
from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.rating import rate
from holodeck_eval.domain.result import Measurement
from holodeck_eval.pipeline.failures import Failures
from holodeck_eval.pipeline.ledger import Ledger, ledger_of
from holodeck_eval.pipeline.measuring import Effort, Evaluators

NO_NOISE: Final[Mapping[Name, Noise]] = {}


async def settle_doubts(
    measurements: Sequence[Measurement],
    cases: Sequence[Case],
    evaluators: Evaluators,
    effort: Effort,
    *,
    noise: Mapping[Name, Noise] = NO_NOISE,
) -> tuple[tuple[Measurement, ...], tuple[str, ...]]:
    """Judge what is in doubt again, one judgement more at a time, until it is not or the effort is spent.

    A result is in doubt while the mean of its replies is nearer to its threshold than the mean's standard
    error, the noise of its metric over the root of the number of replies. Rounds go over everything that is
    in doubt, so that the result does not depend on which judge answers first.

    Noise is measured on the planned replies alone: so a later run, which finds all of them recorded, has the
    same doubts and asks nothing.

    Args:
        measurements: what was measured.
        cases: of what.
        evaluators: that of every metric.
        effort: how many judgements were planned and how many more there may be.
        noise: what is known of metrics whose noise this run did not measure, by agent and metric name.

    Returns:
        The measurements, in their order, and sentences on what could not be judged again.
    """
    failures = Failures("in doubt")
    ledger = ledger_of(measurements, cases, evaluators, at_once=effort.at_once, failures=failures)
    measured = _planned_noise(measurements, effort.repeats)
    while wanted := _in_doubt(ledger, {**noise, **measured}, effort.most):
        await ledger.extend(wanted)
    return tuple(ledger.measurements), tuple(failures.sentences())


def _planned_noise(measurements: Sequence[Measurement], repeats: int) -> dict[Name, Noise]:
    """The noise of the metrics that this run measured it of."""
    if repeats == 1:
        return {}
    samples = (
        replace(sample, replies=sample.replies[:repeats])
        for made in measurements
        if (sample := sample_of(made.agent, made.metric.name, made.metric.threshold, made.outcome))
    )
    return {name: noise for name, noise in noise_within(samples).items() if noise.source != "default"}


def _in_doubt(ledger: Ledger, noise: Mapping[Name, Noise], most: int) -> dict[int, int]:
    """The places of what is in doubt, and how many judgements it is to rest on next."""
    wanted: dict[int, int] = {}
    for place, made, outcome in ledger.scored():
        known = noise.get((made.agent, made.metric.name))
        replies = len(outcome.replies)
        if place in ledger.closed or replies >= most:
            continue
        if is_in_doubt(made.metric, outcome, known.sd if known else DEFAULT_NOISE):
            wanted[place] = replies + 1
    return wanted


def is_in_doubt(metric: MetricSpec, outcome: Scored, sd: float) -> bool:
    """Whether one more judgement could well turn a result.

    Without a threshold a rating decides. Then what counts is whether the single replies reach it: they are in
    doubt while the share that does is nearer to a half than its standard error. That takes two replies.

    Args:
        metric: what the outcome is held against.
        outcome: a score that rests on at least one reply.
        sd: standard deviation of a reply.
    """
    replies = len(outcome.replies)
    if metric.threshold is not None:
        return abs(outcome.score - metric.threshold) < sd / sqrt(replies)
    reached = sum(_reaches(metric, outcome, number) for number in range(replies)) / replies
    return abs(reached - 0.5) < sqrt(reached * (1 - reached) / replies)


def _reaches(metric: MetricSpec, outcome: Scored, number: int) -> bool:
    """Whether the parts' replies of this number, by themselves, are rated well enough."""
    parts = [
        replace(part, score=part.replies[number] if number < len(part.replies) else part.score)
        for part in outcome.parts
    ]
    return reaches_rating(metric, rate(parts).relevancy_rating) is True
