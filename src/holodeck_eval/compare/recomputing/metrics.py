"""A metric's result as its outcome makes it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from holodeck_eval.aggregate import held
from holodeck_eval.compare.scores import is_number
from holodeck_eval.domain.agent import GenerationOptions, MetricSpec
from holodeck_eval.domain.outcome import Outcome, Scored
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import MetricResult
from holodeck_eval.domain.wording import quoted
from holodeck_eval.errors import Place

NEAR: Final = 2e-6
"""What rounding may make two ways to one number differ by."""

_NOWHERE: Final = Place(file="")


def computed_metric(result: MetricResult, policy: Policy) -> tuple[MetricResult, tuple[str, ...]]:
    """The result, and a clause for each contradiction in it; without one the result is as it was."""
    if _is_plain(result):
        return result, ()
    outcome = _by_replies(result.outcome)
    made = held(_spec(result), outcome, policy, result.duration_s)
    made = replace(
        made,
        digest=result.digest,
        place=result.place,
        bad_below=result.bad_below,
        min_rating=result.min_rating,
    )
    made = _as_far_as_known(made, result)
    clauses = tuple(_contradictions(result, outcome, made))
    return (made, clauses) if clauses else (result, ())


def _is_plain(result: MetricResult) -> bool:
    """Whether a result is a score held against its threshold, as most are, without a contradiction."""
    outcome = result.outcome
    if not isinstance(outcome, Scored) or outcome.parts or result.threshold is None or result.blocks:
        return False
    passed = outcome.score >= result.threshold
    rated = result.rating is None or (result.rating == "good") == passed
    return rated and result.passed is passed and is_number(outcome) and _keeps_to_replies(outcome)


def _keeps_to_replies(outcome: Scored) -> bool:
    """Whether a score is the mean of its replies. Of one made of parts, some may have more of them."""
    replies = outcome.replies
    return not replies or bool(outcome.parts) or abs(sum(replies) / len(replies) - outcome.score) <= NEAR


def _by_replies(outcome: Outcome) -> Outcome:
    if not isinstance(outcome, Scored) or not is_number(outcome) or _keeps_to_replies(outcome):
        return outcome
    return replace(outcome, score=sum(outcome.replies) / len(outcome.replies))


def _spec(result: MetricResult) -> MetricSpec:
    """The metric as far as its result tells."""
    options = GenerationOptions(metrics=(), min_rating=result.min_rating or "good")
    generation = result.type == "generation"
    return MetricSpec(
        kind="generation" if generation else "geval",
        type=result.type,
        name=result.name,
        threshold=result.threshold,
        place=result.place or _NOWHERE,
        bad_below=result.bad_below,
        guardrail=result.guardrail,
        options=options,
    )


def _as_far_as_known(made: MetricResult, result: MetricResult) -> MetricResult:
    """The result with what cannot be told again from a file that does not say how it rates."""
    if made.threshold is None:
        settled = made.passed is not None and result.passed is not None
        trusted = result.min_rating is None and settled and (made.rating != "good" or result.passed)
        return replace(made, passed=result.passed) if trusted else made
    both_failed = made.passed is False and result.passed is False
    trusted = result.bad_below is None and both_failed and result.rating != "good"
    return replace(made, rating=result.rating) if trusted else made


def _contradictions(result: MetricResult, outcome: Outcome, made: MetricResult) -> Iterator[str]:
    """Clauses on what a result says, beside what was made of its outcome."""
    name = quoted(result.name, 40)
    if made.outcome.status != result.outcome.status:
        yield f"the score of {name} is not a number from 0 to 1"
    elif outcome is not result.outcome:
        yield f"the score of {name} is {_score(result.outcome)}, and its replies give {_score(outcome)}"
    if made.passed is not result.passed:
        against = "" if made.threshold is None else f" by {_score(made.outcome)} against {made.threshold:g}"
        yield f"{name} is said to have {_said(result.passed)}, and {_said(made.passed)}{against}"
    elif made.blocks != result.blocks:
        yield f"{name} is {'open' if made.blocks else 'settled'}, and said not to be"
    elif made.rating != result.rating:
        yield f"{name} is said to be rated {result.rating}, and is {made.rating}"


def _said(passed: bool | None) -> str:  # noqa: FBT001 - a metric's three states
    return "decided nothing" if passed is None else "passed" if passed else "failed"


def _score(outcome: Outcome) -> str:
    return f"{outcome.score:g}" if isinstance(outcome, Scored) else "no score"
