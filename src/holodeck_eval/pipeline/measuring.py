"""Every case measured by every metric that applies to it."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from holodeck_eval.domain.agent import MetricSpec
from holodeck_eval.domain.case import Case, Turn
from holodeck_eval.domain.outcome import Errored, Evaluator, Outcome, Skipped
from holodeck_eval.domain.result import Measurement
from holodeck_eval.pipeline.bounded import bounded

Progress = Callable[[int, int], None]
"""Told how many cases are done, and of how many."""

Evaluators = Mapping[MetricSpec, Evaluator]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How much judging a run may do.

    Attributes:
        at_once: cases, or evaluations that are repeated, held open at a time.
        repeats: judgements that everything rests on.
        max_rejudge: how many more what is in doubt may rest on.
    """

    at_once: int
    repeats: int = 1
    max_rejudge: int = 0

    @property
    def most(self) -> int:
        """The most judgements anything is asked for."""
        return self.repeats + self.max_rejudge


async def measure(
    cases: Sequence[Case], evaluators: Evaluators, *, at_once: int, progress: Progress, replies: int = 1
) -> tuple[Measurement, ...]:
    """Measure every case, `at_once` at a time, in the order given.

    The judges bound their own calls; `at_once` only bounds how many cases are held open. Where there are that
    many, each is measured metric by metric: they fill the judges' line, and tasks of their own cost more
    than it takes to recall a recorded verdict.

    Args:
        cases: what is measured.
        evaluators: that of every metric of the cases.
        at_once: cases held open at a time.
        progress: told after each case.
        replies: judgements that each outcome is to rest on, recorded ones included. An outcome is an error
            where one of them could not be had.
    """
    in_order = len(cases) >= at_once
    done = 0

    async def of(case: Case) -> tuple[Measurement, ...]:
        nonlocal done
        made = await _measure_case(case, evaluators, replies, in_order=in_order)
        done += 1
        progress(done, len(cases))
        return made

    made = await bounded([partial(of, case) for case in cases], at_once)
    return tuple(measurement for of_case in made for measurement in of_case)


async def measure_one(
    turn: Turn, metric: MetricSpec, evaluator: Evaluator, replies: int = 1
) -> tuple[Outcome, float]:
    """The outcome of one metric on one turn, and how many seconds it took."""
    start = time.perf_counter()
    outcome = await _outcome(turn, metric, evaluator, replies)
    return outcome, time.perf_counter() - start


def has_errored(outcome: Outcome) -> bool:
    """Whether an evaluation, or a part of it, errored."""
    return isinstance(outcome, Errored) or any(part.status == "errored" for part in outcome.parts)


async def _measure_case(
    case: Case, evaluators: Evaluators, replies: int, *, in_order: bool
) -> tuple[Measurement, ...]:
    tasks = [(turn, metric) for turn in case.turns for metric in turn.metrics]
    if in_order or any(metric.fail_on_error for _, metric in tasks):
        return await _measure_in_order(case, tasks, evaluators, replies)
    return tuple(
        await asyncio.gather(*(_measured(case, turn, metric, evaluators, replies) for turn, metric in tasks))
    )


async def _measure_in_order(
    case: Case, tasks: Sequence[tuple[Turn, MetricSpec]], evaluators: Evaluators, replies: int
) -> tuple[Measurement, ...]:
    """One evaluation after the other, stopping where a metric with `fail_on_error` errors."""
    made: list[Measurement] = []
    stopped: Skipped | None = None
    for turn, metric in tasks:
        if stopped:
            made.append(_measurement(case, turn, metric, stopped))
            continue
        made.append(await _measured(case, turn, metric, evaluators, replies))
        if metric.fail_on_error and has_errored(made[-1].outcome):
            stopped = Skipped(cause="stopped", reason=f"{metric.name} errored and has fail_on_error: true")
    return tuple(made)


async def _measured(
    case: Case, turn: Turn, metric: MetricSpec, evaluators: Evaluators, replies: int
) -> Measurement:
    return _measurement(case, turn, metric, *await measure_one(turn, metric, evaluators[metric], replies))


async def _outcome(turn: Turn, metric: MetricSpec, evaluator: Evaluator, replies: int) -> Outcome:
    if turn.no_answer is not None and metric.kind != "expected_tools":
        return Skipped(cause="no_answer", reason=turn.no_answer)
    try:
        return await evaluator.measure(turn, replies=replies)
    except Exception as error:  # noqa: BLE001 - one evaluation's fault must not take the others with it
        return Errored(kind="internal", message=f"{type(error).__name__}: {error}")


def _measurement(
    case: Case, turn: Turn, metric: MetricSpec, outcome: Outcome, duration_s: float = 0.0
) -> Measurement:
    return Measurement(
        case_id=case.id,
        agent=case.agent,
        turn=turn.index,
        metric=metric,
        outcome=outcome,
        duration_s=round(duration_s, 3),
    )
