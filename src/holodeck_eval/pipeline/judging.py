"""Everything of a run that a judge is asked for, one thing after the other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from holodeck_eval.domain.baseline import Baseline
from holodeck_eval.domain.case import Case
from holodeck_eval.domain.comparison import Rejudged
from holodeck_eval.domain.noise import Noise
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import Measurement
from holodeck_eval.domain.run import AgentRun
from holodeck_eval.pipeline.concluding import provisional_run
from holodeck_eval.pipeline.doubts import settle_doubts
from holodeck_eval.pipeline.measuring import Effort, Evaluators, Progress, measure


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Judged:
    """What was measured, what of the baseline was judged again, and sentences on what could not be.

    Shown by its class alone: asyncio shows a task's result to itself, and every measurement takes a while.
    """

    measurements: tuple[Measurement, ...]
    rejudged: tuple[Rejudged, ...] = ()
    warnings: tuple[str, ...] = ()


async def judge(
    cases: Sequence[Case],
    evaluators: Evaluators,
    effort: Effort,
    *,
    policy: Policy,
    agents: Sequence[AgentRun],
    progress: Progress,
    baseline: Baseline | None = None,
) -> Judged:
    """Measure every case, then judge again what is in doubt, then what newly fails against the baseline.

    Args:
        cases: all of the run.
        evaluators: that of every metric.
        effort: how much may be judged.
        policy: what outcomes are held against.
        agents: the run's agents as they were configured.
        progress: told after each case that was measured the first time.
        baseline: the run that was asked to be compared with.
    """
    planned = await measure(
        cases, evaluators, at_once=effort.at_once, progress=progress, replies=effort.repeats
    )
    if not effort.max_rejudge:
        return Judged(measurements=planned)
    made, warnings = await settle_doubts(planned, cases, evaluators, effort, noise=_noise(baseline))
    if baseline is None or baseline.run is None or baseline.problem is not None:
        return Judged(measurements=made, warnings=warnings)
    from holodeck_eval.compare import doubtful  # noqa: PLC0415 - a run without a baseline needs none of it
    from holodeck_eval.pipeline.flips import judge_flips  # noqa: PLC0415 - as above

    head = provisional_run(cases, made, policy, agents, repeats=effort.repeats)
    looks = doubtful(baseline.run, head)
    flips = await judge_flips(looks, made, cases, evaluators, effort, baseline=baseline, policy=policy)
    return Judged(
        measurements=flips.measurements, rejudged=flips.rejudged, warnings=(*warnings, *flips.warnings)
    )


def _noise(baseline: Baseline | None) -> Mapping[tuple[str, str], Noise]:
    """The noise that the baseline measured."""
    metrics = baseline.run.summary.metrics if baseline and baseline.run else ()
    return {(metric.agent, metric.name): metric.noise for metric in metrics if metric.noise is not None}
