"""What differs in how cases on both sides were measured, whatever their agents' own lists say."""

from collections.abc import Iterator, Sequence

from holodeck_eval.compare.changes.differences import (
    Difference,
    judge_of,
    judged_by,
    mark_of,
    marked,
    removed,
    skipped,
)
from holodeck_eval.domain.outcome import Part, Scored, Skipped
from holodeck_eval.domain.result import CaseResult, MetricResult
from holodeck_eval.domain.wording import quoted

PASSED_OVER = frozenset({"missing_input", "not_applicable"})
"""Causes of a skip that come with how a case was recorded or configured, not with what was answered."""


def applied(before: CaseResult, now: CaseResult) -> Iterator[tuple[str, Difference]]:
    """What differs in the metrics of a case, each with the metric's name.

    A case that has no transcript any more fails for that, and says nothing about its metrics. One that was
    changed is compared with nothing else, so that an eased metric shows here alone; its turns may be others,
    and what no turn at the same place has is looked for in all of them.
    """
    if not now.turns:
        return
    results = {(turn.index, metric.name): metric for turn in now.turns for metric in turn.metrics}
    anywhere: dict[str, MetricResult] = {}
    if before.digest != now.digest:
        anywhere = {metric.name: metric for turn in reversed(now.turns) for metric in turn.metrics}
    for turn in before.turns:
        for metric in turn.metrics:
            found = results.get((turn.index, metric.name)) or anywhere.get(metric.name)
            for difference in _look(metric, found):
                yield metric.name, difference


def _look(before: MetricResult, now: MetricResult | None) -> Iterator[Difference]:
    counted = isinstance(before.outcome, Scored) or before.blocks
    if now is None:
        if counted:
            yield removed(before.name)
        return
    if counted and not now.blocks and isinstance(now.outcome, Skipped) and now.outcome.cause in PASSED_OVER:
        yield skipped(before.name, now.outcome.cause)
    yield from marked(before.name, mark_of(before), mark_of(now))
    yield from _shaped(before, now)
    if isinstance(before.outcome, Scored) and isinstance(now.outcome, Scored) and before.outcome.parts:
        yield from _parts(before, now, before.outcome.parts, now.outcome.parts)


def _shaped(before: MetricResult, now: MetricResult) -> Iterator[Difference]:
    judges = judge_of(before), judge_of(now)
    if judges[0] != judges[1] and None not in judges:
        yield judged_by(before.name, *judges)
    elif before.digest and now.digest and before.digest != now.digest:
        yield Difference(
            code="configuration",
            metric=before.name,
            key=(before.digest, now.digest),
            sentence=f"{quoted(before.name)} is configured in another way than in the baseline",
            loosens=False,
        )


def _parts(
    before: MetricResult, now: MetricResult, old: Sequence[Part], new: Sequence[Part]
) -> Iterator[Difference]:
    """Parts of `generation` that were scored and are not any more, with nothing to hold the case open."""
    current = {part.name: part for part in new}
    for name in (part.name for part in old if part.status == "scored"):
        part = current.get(name)
        if part is None:
            yield removed(f"{before.name}.{name}")
        elif part.cause in PASSED_OVER and not (now.blocks and part.cause == "missing_input"):
            yield skipped(f"{before.name}.{name}", part.cause)
