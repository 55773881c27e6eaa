"""The A/A self-check: the same transcripts judged more than once, and how far the scores lie apart."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from holodeck_eval.application.gating import judge_plan
from holodeck_eval.application.noise import noise_report
from holodeck_eval.assemble import assemble
from holodeck_eval.domain.options import Environment, Options
from holodeck_eval.pipeline import Progress, provisional_run

TWICE: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfCheck:
    """What was found, in lines for people, and whether any noise was measured at all."""

    lines: tuple[str, ...]
    measured: bool


def measure_noise(
    options: Options, environment: Environment, progress: Progress, *, now: Callable[[], str]
) -> SelfCheck:
    """Judge everything at least twice, and report each metric's noise. Writes no reports.

    Args:
        options: as for a run; the baseline and what is in doubt play no part.
        environment: the process's environment, read once.
        progress: told how many cases are done.
        now: gives the date that new verdicts carry, ISO 8601.

    Raises:
        InputError: when the configuration or the transcripts are wrong.
    """
    options = replace(options, repeats=max(TWICE, options.repeats), max_rejudge=0, baseline=None)
    plan = assemble(options, environment, now=now)
    judged = asyncio.run(judge_plan(plan, options, progress))
    run = provisional_run(plan.cases, judged.measurements, plan.policy, plan.agents, repeats=options.repeats)
    return SelfCheck(
        lines=tuple(noise_report(run, plan.policy)),
        measured=any(metric.noise and metric.noise.source != "default" for metric in run.summary.metrics),
    )
