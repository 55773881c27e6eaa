"""Outcomes to results: which cases passed, failed or stay open, and what a run adds up to. Pure."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from holodeck_eval.domain.agent import GenerationOptions, MetricSpec, Rating
from holodeck_eval.domain.case import Case, Turn
from holodeck_eval.domain.outcome import Errored, Outcome, Part, Scored, Skipped
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.rating import RATING_ORDER, RATING_SCORE, worst
from holodeck_eval.domain.result import (
    CaseResult,
    CaseStatus,
    Measurement,
    MetricResult,
    MetricSummary,
    Summary,
    TurnResult,
    WaivedCase,
)

HEAD: Final = 2000
"""Characters of a judged text that a result holds; the whole is in cases.jsonl."""

REASON_HEAD: Final = 300
"""Characters of a judge's reason that a sentence quotes."""

PLACES: Final = 6
"""Decimal places of every number in a report, and of a score before it is held against a threshold."""

BLOCKING: Final = frozenset({"missing_input", "offline", "unlabelled", "deadline", "budget", "stopped"})
"""Causes for which a skipped evaluation leaves its case open; `missing_input` unless the policy waives it."""

_STATUSES: Final[tuple[CaseStatus, ...]] = ("failed", "inconclusive", "passed")


def aggregate_case(
    case: Case, measurements: Sequence[Measurement], policy: Policy
) -> CaseResult | WaivedCase:
    """A case's result out of its measurements.

    Args:
        case: the case; without a transcript it failed, or is waived under `allow_missing`.
        measurements: those of this case. A metric of a turn that lacks one is an error of ours.
        policy: says whether missing inputs and missing transcripts block.
    """
    if case.transcript is None:
        return _without_transcript(case, policy)
    by_turn = {turn.index: _metric_results(turn, measurements, policy) for turn in case.turns}
    metrics = [metric for results in by_turn.values() for metric in results]
    scored = [metric.outcome for metric in metrics if isinstance(metric.outcome, Scored)]
    turns = tuple(_turn_result(turn, by_turn[turn.index], measured=bool(scored)) for turn in case.turns)
    rating = _case_rating(turns)
    return CaseResult(
        id=case.id,
        agent=case.agent,
        name=case.name,
        status=min((turn.status for turn in turns), key=_STATUSES.index, default="inconclusive"),
        reasons=_reasons(turns, several=len(turns) > 1 or any(turn.several for turn in case.turns)),
        turns=turns,
        digest=case.digest,
        rating=rating,
        score=RATING_SCORE[rating] if rating else None,
        binary_score=int(rating == "good") if rating else None,
        avg_score=_mean(outcome.score for outcome in scored),
        transcript=case.transcript,
        test_case=case.test_case,
    )


def head(text: str | None) -> str | None:
    """The beginning of a text, at most `HEAD` characters, never ending in half a surrogate pair."""
    if text is None or len(text) <= HEAD:
        return text
    kept = text[: HEAD - 1]
    return (kept[:-1] if "\ud800" <= kept[-1] <= "\udbff" else kept) + "…"


def summarize(cases: Sequence[CaseResult], *, agents: Sequence[str] = ()) -> Summary:
    """A run's numbers.

    Args:
        cases: all results of the run; waived cases are none.
        agents: the order in which agents' metrics are listed; others follow as they appear.
    """
    counts = Counter(case.status for case in cases)
    metrics = [metric for case in cases for turn in case.turns for metric in turn.metrics]
    scored = [metric.outcome for metric in metrics if isinstance(metric.outcome, Scored)]
    skipped = [metric.outcome for metric in metrics if isinstance(metric.outcome, Skipped)]
    errored = len(metrics) - len(scored) - len(skipped)
    return Summary(
        cases=len(cases),
        passed=counts["passed"],
        failed=counts["failed"],
        inconclusive=counts["inconclusive"],
        pass_rate=_share(counts["passed"], counts["passed"] + counts["failed"]),
        error_rate=_share(errored, errored + len(scored)),
        score=_mean(case.score for case in cases),
        binary_score=_mean(case.binary_score for case in cases),
        avg_score=_mean(case.avg_score for case in cases),
        rating=worst([case.rating for case in cases if case.rating]),
        evaluations_scored=len(scored),
        evaluations_skipped=len(skipped),
        evaluations_errored=errored,
        evaluations_recorded=sum(outcome.recorded > 0 for outcome in scored),
        verdicts_from_checkout=sum(outcome.from_checkout for outcome in scored),
        skipped_by_cause=_skipped_by_cause(scored, skipped),
        metrics=_metric_summaries(cases, agents),
    )


def _without_transcript(case: Case, policy: Policy) -> CaseResult | WaivedCase:
    reason = "no transcript was recorded for this test case"
    if policy.allow_missing:
        return WaivedCase(id=case.id, agent=case.agent, reason=reason, test_case=case.test_case)
    return CaseResult(
        id=case.id,
        agent=case.agent,
        name=case.name,
        status="failed",
        reasons=(reason,),
        turns=(),
        digest=case.digest,
        test_case=case.test_case,
    )


def _metric_results(
    turn: Turn, measurements: Sequence[Measurement], policy: Policy
) -> tuple[MetricResult, ...]:
    """The turn's metrics in their order, then what was measured beyond them."""
    made = {measurement.metric.name: measurement for measurement in measurements if measurement.turn == turn.index}
    results = []
    for spec in turn.metrics:
        measurement = made.pop(spec.name, None)
        outcome = measurement.outcome if measurement else _unmeasured(turn)
        results.append(_held(spec, outcome, measurement.duration_s if measurement else 0.0, policy))
    results += [_held(rest.metric, rest.outcome, rest.duration_s, policy) for rest in made.values()]
    return tuple(results)


def _unmeasured(turn: Turn) -> Outcome:
    if turn.no_answer is not None:
        return Skipped(cause="no_answer", reason=turn.no_answer)
    return Errored(kind="internal", message="it was never measured; please report this")


def _held(spec: MetricSpec, outcome: Outcome, duration_s: float, policy: Policy) -> MetricResult:
    """An outcome held against its metric's threshold."""
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
    )


def _checked(outcome: Outcome) -> Outcome:
    """The outcome with its score rounded; a score that is none (NaN, out of range) is an error of ours."""
    if not isinstance(outcome, Scored):
        return outcome
    if not 0.0 <= outcome.score <= 1.0:
        return Errored(kind="internal", message=f"its score was {outcome.score}, not a number from 0 to 1")
    return replace(outcome, score=round(outcome.score, PLACES))


def _blocks(outcome: Outcome, policy: Policy) -> bool:
    if isinstance(outcome, Errored):
        return True
    if isinstance(outcome, Skipped):
        return _is_blocking(outcome.cause, policy)
    return any(_part_blocks(part, policy) for part in outcome.parts)


def _part_blocks(part: Part, policy: Policy) -> bool:
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
    reached = _reaches_rating(spec, scored.rating)
    return None if blocks and reached is not False else reached


def _reaches_rating(spec: MetricSpec, rating: Rating | None) -> bool | None:
    """Whether a rating is good enough. Unknown for none; without options, only good is."""
    if rating is None:
        return None
    least: Rating = spec.options.min_rating if isinstance(spec.options, GenerationOptions) else "good"
    return RATING_ORDER.index(rating) >= RATING_ORDER.index(least)


def _rating(spec: MetricSpec, scored: Scored, *, passed: bool | None) -> Rating | None:
    """The rating `generation` gave itself; for others by threshold and `bad_below`."""
    if spec.kind == "generation" or spec.threshold is None:
        return scored.rating
    bad_below = spec.threshold / 2 if spec.bad_below is None else spec.bad_below
    if passed:
        return "good"
    return "bad" if scored.score < bad_below else "incomplete"


def _turn_result(turn: Turn, metrics: tuple[MetricResult, ...], *, measured: bool) -> TurnResult:
    """A turn's result; `measured` says whether anything of its case was scored."""
    return TurnResult(
        index=turn.index,
        input=head(turn.input),
        actual_output=head(turn.actual_output),
        expected_output=head(turn.expected_output),
        status=_turn_status(turn, metrics, measured=measured),
        metrics=metrics,
        no_answer=turn.no_answer,
    )


def _turn_status(turn: Turn, metrics: Sequence[MetricResult], *, measured: bool) -> CaseStatus:
    if turn.no_answer is not None or any(metric.passed is False for metric in metrics):
        return "failed"
    if not measured or any(metric.blocks for metric in metrics):
        return "inconclusive"
    return "passed"


def _case_rating(turns: Sequence[TurnResult]) -> Rating | None:
    """The worst of its parts; None unless every evaluation that applies was scored."""
    metrics = [metric for turn in turns for metric in turn.metrics]
    scored = [metric for metric in metrics if isinstance(metric.outcome, Scored)]
    ratings = [metric.rating for metric in scored if metric.rating is not None]
    unknown = any(metric.blocks for metric in metrics) or len(ratings) < len(scored)
    return None if unknown or any(turn.no_answer is not None for turn in turns) else worst(ratings)


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(sum(known) / len(known), PLACES) if known else None


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, PLACES) if whole else None


def _skipped_by_cause(scored: Iterable[Scored], skipped: Iterable[Skipped]) -> dict[str, int]:
    """How many evaluations were skipped, by cause; parts of a scored one as `generation.CAUSE`."""
    counts = Counter[str](outcome.cause for outcome in skipped)
    parts = (part for outcome in scored for part in outcome.parts if part.status == "skipped")
    counts.update(f"generation.{part.cause}" for part in parts)
    return dict(sorted(counts.items()))


def _metric_summaries(cases: Sequence[CaseResult], agents: Sequence[str]) -> tuple[MetricSummary, ...]:
    groups: dict[tuple[str, str], list[MetricResult]] = {}
    for case in cases:
        for turn in case.turns:
            for metric in turn.metrics:
                groups.setdefault((case.agent, metric.name), []).append(metric)
    order = {agent: number for number, agent in enumerate(agents)}
    keys = sorted(groups, key=lambda key: order.get(key[0], len(order)))
    return tuple(_metric_summary(agent, name, groups[agent, name]) for agent, name in keys)


def _metric_summary(agent: str, name: str, results: Sequence[MetricResult]) -> MetricSummary:
    """One metric's numbers; its threshold is None where cases have different ones."""
    outcomes = Counter(result.outcome.status for result in results)
    thresholds = {result.threshold for result in results}
    return MetricSummary(
        agent=agent,
        name=name,
        type=results[0].type,
        threshold=results[0].threshold if len(thresholds) == 1 else None,
        mean=_mean(result.outcome.score for result in results if isinstance(result.outcome, Scored)),
        scored=outcomes["scored"],
        passed=sum(result.passed is True for result in results),
        failed=sum(result.passed is False for result in results),
        skipped=outcomes["skipped"],
        errored=outcomes["errored"],
    )
