"""What shards add up to, before it is compared and decided."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import inf
from operator import itemgetter
from typing import TypeVar

from holodeck_eval.aggregate import summarize
from holodeck_eval.application.merging.parts import Part
from holodeck_eval.application.steps import is_steps_warning
from holodeck_eval.domain.comparison import Rejudged
from holodeck_eval.domain.result import Usage
from holodeck_eval.domain.run import MetricUsage, Run
from holodeck_eval.domain.verdict import EXIT_CODES, Verdict

T = TypeVar("T")
N = TypeVar("N", int, float)


def added_up(parts: Sequence[Part]) -> Run:
    """The run of all cases as far as it goes before it is compared: it has no comparison, and no verdict yet.

    Args:
        parts: all shards of one run, in the order of their numbers.
    """
    runs = [part.run for part in parts]
    cases = _in_order((part.shard.cases, part.run.cases) for part in parts)
    return replace(
        runs[0],
        started_at=min(run.started_at for run in runs),
        duration_s=max(run.duration_s for run in runs),
        verdict=Verdict(status="inconclusive", causes=(), exit_code=EXIT_CODES["inconclusive"]),
        summary=summarize(cases),
        cases=cases,
        waived_cases=_in_order((part.shard.waived, part.run.waived_cases) for part in parts),
        usage=_sum([run.usage for run in runs]),
        usage_by_metric=_by_metric(runs),
        warnings=_warnings(runs),
        comparison=None,
        shard=None,
    )


def judged_again(parts: Sequence[Part]) -> tuple[Rejudged, ...]:
    """What the shards judged again of the baseline."""
    return tuple(one for part in parts if part.run.comparison for one in part.run.comparison.rejudged)


def _in_order(parts: Iterable[tuple[Sequence[int], Sequence[T]]]) -> tuple[T, ...]:
    """The items of all parts by their places."""
    placed = [pair for places, items in parts for pair in zip(places, items, strict=True)]
    return tuple(item for _, item in sorted(placed, key=itemgetter(0)))


def _warnings(runs: Sequence[Run]) -> tuple[str, ...]:
    """Every warning once. What a shard says of its own steps is settled once those of all are known."""
    every = dict.fromkeys(warning for run in runs for warning in run.warnings)
    return tuple(warning for warning in every if not is_steps_warning(warning))


def _by_metric(runs: Sequence[Run]) -> tuple[MetricUsage, ...]:
    found: dict[str, list[Usage]] = {}
    for run in runs:
        for used in run.usage_by_metric:
            found.setdefault(used.metric, []).append(used.usage)
    return tuple(MetricUsage(metric=metric, usage=_sum(usages)) for metric, usages in found.items())


def _sum(usages: Sequence[Usage]) -> Usage:
    """What several cost together; what is unknown of one of them is unknown of all."""
    return Usage(
        calls=sum(usage.calls for usage in usages),
        input_tokens=_known([usage.input_tokens for usage in usages]),
        output_tokens=_known([usage.output_tokens for usage in usages]),
        cost_usd=_known([usage.cost_usd for usage in usages]),
    )


def _known(numbers: Sequence[N | None]) -> N | None:
    known = [number for number in numbers if number is not None]
    total = sum(known)
    return total if len(known) == len(numbers) and total < inf else None
