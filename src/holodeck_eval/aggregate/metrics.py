"""Holds outcomes against their metrics' thresholds."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

from holodeck_eval.aggregate.numbers import PLACES
from holodeck_eval.domain.agent import GenerationOptions, MetricSpec, Rating
from holodeck_eval.domain.case import Turn
from holodeck_eval.domain.fingerprint import digest_of
from holodeck_eval.domain.outcome import Errored, Outcome, Part, Scored, Skipped
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.rating import RATING_ORDER
from holodeck_eval.domain.result import Measurement, MetricResult

BLOCKING: Final = frozenset({"missing_input", "offline", "unlabelled", "deadline", "budget", "stopped"})
"""Causes for which a skipped evaluation leaves its case open; `missing_input` unless the policy waives it."""


def metric_results(
    turn: Turn, measurements: Sequence[Measurement], policy: Policy
) -> tuple[MetricResult, ...]:
    """The turn's metrics in their order, then what was measured beyond them."""
    made = {
        measurement.metric.name: measurement for measurement in measurements if measurement.turn == turn.index
    }
    results = []
    for spec in turn.metrics:
        measurement = made.pop(spec.name, None)
        outcome = measurement.outcome if measurement else _unmeasured(turn)
        results.append(held(spec, outcome, policy, measurement.duration_s if measurement else 0.0))
    results += [held(rest.metric, rest.outcome, policy, rest.duration_s) for rest in made.values()]
    return tuple(results)


def _unmeasured(turn: Turn) -> Outcome:
    if turn.no_answer is not None:
        return Skipped(cause="no_answer", reason=turn.no_answer)
    return Errored(kind="internal", message="it was never measured; please report this")


def held(spec: MetricSpec, outcome: Outcome, policy: Policy, duration_s: float = 0.0) -> MetricResult:
    """An outcome held against its metric's threshold.

    Args:
        spec: the metric.
        outcome: what was measured by it.
        policy: says whether missing inputs leave it open.
        duration_s: how long that took.
    """
    outcome = _checked(outcome)
    blocks = _blocks(outcome, policy)
    passed = _passed(spec, outcome, blocks=blocks) if isinstance(outcome, Scored) else None
    blocks = blocks or (isinstance(outcome, Scored) and passed is None)
    return MetricResult(
        name=spec.name,
        type=spec.type,
        threshold=spec.threshold,
        outcome=outcome,
        passed=passed,
        rating=_rating(spec, outcome, passed=passed) if isinstance(outcome, Scored) else None,
        guardrail=spec.guardrail,
        blocks=blocks,
        place=spec.place,
        duration_s=duration_s,
        digest=digest_of(spec),
        bad_below=_bad_below(spec),
        min_rating=_min_rating(spec) if spec.threshold is None else None,
    )


def _checked(outcome: Outcome) -> Outcome:
    """The outcome with its score rounded; a score that is none (NaN, out of range) is an error of ours."""
    if not isinstance(outcome, Scored):
        return outcome
    for number in (outcome.score, *outcome.replies):
        if not 0.0 <= number <= 1.0:
            return Errored(kind="internal", message=f"its score was {number}, not a number from 0 to 1")
    return replace(outcome, score=round(outcome.score, PLACES))


def _blocks(outcome: Outcome, policy: Policy) -> bool:
    if isinstance(outcome, Errored):
        return True
    if isinstance(outcome, Skipped):
        return _is_blocking(outcome.cause, policy)
    return any(part_blocks(part, policy) for part in outcome.parts)


def status_of(outcome: Outcome) -> Literal["scored", "skipped", "errored"]:
    """The outcome's status as it is counted: a score that lacks a part because of an error is an error."""
    if isinstance(outcome, Scored) and any(part.status == "errored" for part in outcome.parts):
        return "errored"
    return outcome.status


def part_blocks(part: Part, policy: Policy) -> bool:
    """Whether a part of a scored evaluation leaves it open."""
    return part.status == "errored" or (part.status == "skipped" and _is_blocking(part.cause, policy))


def _is_blocking(cause: str | None, policy: Policy) -> bool:
    if cause == "missing_input":
        return policy.on_missing_input != "skip"
    return cause is None or cause in BLOCKING


def _passed(spec: MetricSpec, scored: Scored, *, blocks: bool) -> bool | None:
    """Whether a score reaches its threshold. None where a part still open could change the answer.

    A threshold on a mean stays open, since the missing part could lift it. A rating can only get
    worse by more parts: what is under `min_rating` already has failed.
    """
    if spec.threshold is not None:
        return None if blocks else scored.score >= spec.threshold
    reached = reaches_rating(spec, scored.rating)
    return None if blocks and reached is not False else reached


def reaches_rating(spec: MetricSpec, rating: Rating | None) -> bool | None:
    """Whether a rating is good enough. Unknown for none; without options, only good is."""
    if rating is None:
        return None
    return RATING_ORDER.index(rating) >= RATING_ORDER.index(_min_rating(spec))


def _min_rating(spec: MetricSpec) -> Rating:
    return spec.options.min_rating if isinstance(spec.options, GenerationOptions) else "good"


def _rating(spec: MetricSpec, scored: Scored, *, passed: bool | None) -> Rating | None:
    """The rating `generation` gave itself; for others by threshold and `bad_below`."""
    bad_below = _bad_below(spec)
    if bad_below is None:
        return scored.rating
    if passed:
        return "good"
    return "bad" if scored.score < bad_below else "incomplete"


def _bad_below(spec: MetricSpec) -> float | None:
    """Under which score a metric is bad; None for one that is not rated by its score."""
    if spec.kind == "generation" or spec.threshold is None:
        return None
    return spec.threshold / 2 if spec.bad_below is None else spec.bad_below
