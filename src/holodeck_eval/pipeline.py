"""The story of a run: measure every case, add up, hold it against the policy."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from holodeck_eval.aggregate import aggregate_case, summarize
from holodeck_eval.domain.agent import MetricSpec
from holodeck_eval.domain.case import Case, Turn
from holodeck_eval.domain.outcome import Errored, Evaluator, Outcome, Skipped
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import CaseResult, Measurement, Summary, WaivedCase
from holodeck_eval.domain.run import AgentRun
from holodeck_eval.domain.verdict import Verdict
from holodeck_eval.gate import decide

Progress = Callable[[int, int], None]
"""Told how many cases are done, and of how many."""

Evaluators = Mapping[MetricSpec, Evaluator]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """What the cases of a run add up to."""

    cases: tuple[CaseResult, ...]
    waived_cases: tuple[WaivedCase, ...]
    summary: Summary
    verdict: Verdict


def conclude(
    cases: Sequence[Case],
    measurements: Sequence[Measurement],
    policy: Policy,
    agents: Sequence[AgentRun],
) -> Conclusion:
    """Aggregate the measurements and decide. Pure."""
    by_case: dict[tuple[str, str], list[Measurement]] = {(case.agent, case.id): [] for case in cases}
    for measurement in measurements:
        by_case[measurement.agent, measurement.case_id].append(measurement)
    results = [aggregate_case(case, by_case[case.agent, case.id], policy) for case in cases]
    judged = tuple(result for result in results if isinstance(result, CaseResult))
    summary = summarize(judged)
    return Conclusion(
        cases=judged,
        waived_cases=tuple(result for result in results if isinstance(result, WaivedCase)),
        summary=summary,
        verdict=decide(summary, judged, policy, agents),
    )


async def measure(
    cases: Sequence[Case], evaluators: Evaluators, *, at_once: int, progress: Progress
) -> tuple[Measurement, ...]:
    """Measure every case, `at_once` at a time, in the order given.

    The judges bound their own calls; `at_once` only bounds how many cases are held open. Where there are that
    many, each is measured metric by metric: they fill the judges' line, and tasks of their own cost more
    than it takes to recall a recorded verdict.
    """
    in_order = len(cases) >= at_once
    results: list[tuple[Measurement, ...]] = [()] * len(cases)
    waiting = iter(range(len(cases)))
    done = 0

    async def work() -> None:
        nonlocal done
        for number in waiting:
            results[number] = await _measure_case(cases[number], evaluators, in_order=in_order)
            done += 1
            progress(done, len(cases))

    async with asyncio.TaskGroup() as group:
        for _ in range(min(at_once, len(cases))):
            group.create_task(work())
    return tuple(measurement for result in results for measurement in result)


async def _measure_case(case: Case, evaluators: Evaluators, *, in_order: bool) -> tuple[Measurement, ...]:
    tasks = [(turn, metric) for turn in case.turns for metric in turn.metrics]
    if in_order or any(metric.fail_on_error for _, metric in tasks):
        return await _measure_in_order(case, tasks, evaluators)
    return tuple(
        await asyncio.gather(*(_measure_one(case, turn, metric, evaluators) for turn, metric in tasks))
    )


async def _measure_in_order(
    case: Case, tasks: Sequence[tuple[Turn, MetricSpec]], evaluators: Evaluators
) -> tuple[Measurement, ...]:
    """One evaluation after the other, stopping where a metric with `fail_on_error` errors."""
    made: list[Measurement] = []
    stopped: Skipped | None = None
    for turn, metric in tasks:
        if stopped:
            made.append(_measurement(case, turn, metric, stopped))
            continue
        made.append(await _measure_one(case, turn, metric, evaluators))
        if metric.fail_on_error and _errored(made[-1].outcome):
            stopped = Skipped(cause="stopped", reason=f"{metric.name} errored and has fail_on_error: true")
    return tuple(made)


def _errored(outcome: Outcome) -> bool:
    """Whether an evaluation, or a part of it, errored."""
    return isinstance(outcome, Errored) or any(part.status == "errored" for part in outcome.parts)


async def _measure_one(case: Case, turn: Turn, metric: MetricSpec, evaluators: Evaluators) -> Measurement:
    start = time.perf_counter()
    outcome = await _outcome(turn, metric, evaluators[metric])
    return _measurement(case, turn, metric, outcome, time.perf_counter() - start)


async def _outcome(turn: Turn, metric: MetricSpec, evaluator: Evaluator) -> Outcome:
    if turn.no_answer is not None and metric.kind != "expected_tools":
        return Skipped(cause="no_answer", reason=turn.no_answer)
    try:
        return await evaluator.measure(turn)
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
