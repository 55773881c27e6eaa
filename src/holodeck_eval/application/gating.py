"""One gate run: assemble, measure, conclude, report."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from holodeck_eval import __version__
from holodeck_eval.aggregate import summarize
from holodeck_eval.application.folder import ReportFolder
from holodeck_eval.application.rendering import case_lines, documents, not_named, secrets_of
from holodeck_eval.application.steps import steps_warning
from holodeck_eval.application.withheld import explained
from holodeck_eval.assemble import Plan, assemble
from holodeck_eval.assemble.sharding import shard_info
from holodeck_eval.domain.options import Environment, Options
from holodeck_eval.domain.policy import Policy, written_over
from holodeck_eval.domain.redaction import redact
from holodeck_eval.domain.result import Measurement
from holodeck_eval.domain.run import SCHEMA_VERSION, Run
from holodeck_eval.domain.verdict import Verdict
from holodeck_eval.errors import InputError, Problem
from holodeck_eval.gate import could_not_run
from holodeck_eval.pipeline import Effort, Judged, Progress, conclude, judge

HELD_OPEN = 2
"""Cases held open for each call in flight: enough that a slot never waits for a case to begin."""

EXPLAINED = 5
"""Misses in the recorded verdicts that are explained; the others are of the same kinds."""


def gate(options: Options, environment: Environment, progress: Progress) -> Run:
    """Run the gate and write every report.

    Args:
        options: what was asked for.
        environment: the process's environment, read once.
        progress: told how many cases are done.

    Raises:
        UsageError: when reports cannot be written, or would replace the baseline; everything else ends in the
            run's verdict.
    """
    _check_baseline(options)
    folder = ReportFolder.of(options.out, environment)
    folder.prepare()
    clock = _Clock(environment)
    try:
        plan = assemble(options, environment, now=clock.now)
    except InputError as error:
        run = explained(failed(options, environment, error.problems), environment.withheld)
        return report_failure(options, environment, run)
    judged = asyncio.run(judge_plan(plan, options, progress))
    run = explained(_run(plan, judged, options, clock, environment), environment.withheld)
    secrets = plan.secrets | secrets_of(environment)
    run, texts = documents(run, secrets)
    folder.write(texts)
    if options.write_cases:
        folder.write_cases(case_lines(plan.cases, not_named(run, secrets)))
    return run


def report_failure(options: Options, environment: Environment, run: Run) -> Run:
    """Write reports that say why a run could not be made.

    Raises:
        UsageError: when they cannot be written.
    """
    folder = ReportFolder.of(options.out, environment)
    folder.prepare()
    run, texts = documents(run, secrets_of(environment))
    folder.write(texts)
    return run


def failed(options: Options, environment: Environment, problems: Sequence[Problem]) -> Run:
    """A run that could not begin, for these problems."""
    return _without_cases(options, environment, could_not_run("error", problems))


def broken(options: Options, environment: Environment, error: Exception) -> Run:
    """A run that ended in a bug of this program."""
    problem = Problem(message=f"holodeck-eval broke, which is a bug in it: {type(error).__name__}: {error}")
    return _without_cases(options, environment, could_not_run("bug", [problem]))


def _check_baseline(options: Options) -> None:
    if options.baseline is not None:
        from holodeck_eval.assemble.baseline import check_apart  # noqa: PLC0415 - a run without one does without it

        check_apart(options)


class _Clock:
    """The run's time: real, or standing still at SOURCE_DATE_EPOCH for reproducible reports."""

    def __init__(self, environment: Environment) -> None:
        self._fixed = environment.source_date_epoch
        self._began = time.monotonic()
        self.started_at = self.now()

    @property
    def stands_still(self) -> bool:
        return self._fixed is not None

    def now(self) -> str:
        moment = datetime.now(UTC) if self._fixed is None else datetime.fromtimestamp(self._fixed, UTC)
        return moment.isoformat(timespec="seconds").replace("+00:00", "Z")

    def elapsed(self) -> float:
        return 0.0 if self.stands_still else round(time.monotonic() - self._began, 3)


async def judge_plan(plan: Plan, options: Options, progress: Progress) -> Judged:
    """Ask the judges for everything a plan needs, and let them go.

    Args:
        plan: what is judged.
        options: say how often, and how many calls may be in flight.
        progress: told how many cases are done.
    """
    effort = Effort(
        at_once=HELD_OPEN * options.max_concurrency, repeats=options.repeats, max_rejudge=options.max_rejudge
    )
    try:
        return await judge(
            plan.cases,
            plan.evaluators,
            effort,
            policy=plan.policy,
            agents=plan.agents,
            progress=progress,
            baseline=plan.baseline,
        )
    finally:
        await plan.pool.aclose()


def _run(plan: Plan, judged: Judged, options: Options, clock: _Clock, environment: Environment) -> Run:
    measurements: Sequence[Measurement] = judged.measurements
    if clock.stands_still:
        measurements = [_undated(measurement) for measurement in measurements]
    conclusion = conclude(
        plan.cases,
        measurements,
        plan.policy,
        plan.agents,
        baseline=plan.baseline,
        rejudged=judged.rejudged,
        repeats=options.repeats,
        partial=options.shard is not None,
    )
    usage, by_metric = plan.pool.usage()
    run = Run(
        schema_version=SCHEMA_VERSION,
        tool_version=__version__,
        started_at=clock.started_at,
        duration_s=clock.elapsed(),
        verdict=conclusion.verdict,
        policy=plan.policy,
        summary=conclusion.summary,
        agents=plan.agents,
        cases=conclusion.cases,
        waived_cases=conclusion.waived_cases,
        files=plan.files,
        usage=usage,
        usage_by_metric=by_metric,
        warnings=(
            *filter(None, [environment.caution]),
            *plan.warnings,
            *plan.store.warnings,
            *judged.warnings,
            *_misses(plan, options),
        ),
        head_sha=environment.head_sha,
        pull_request=environment.pull_request,
        repeats=options.repeats,
        comparison=conclusion.comparison,
    )
    return _as_shard(run, plan, options.shard) if options.shard else run


def _as_shard(run: Run, plan: Plan, shard: tuple[int, int]) -> Run:
    """The run with what a merge must know of it as a part."""
    part = replace(run, shard=shard_info(plan.every_case, shard, run.cases, run.waived_cases))
    return replace(part, warnings=(*part.warnings, *steps_warning(part, plan.store.generated_steps)))


def _misses(plan: Plan, options: Options) -> Iterator[str]:
    """For the first judgements that were looked for in vain, what differs from the nearest recorded one."""
    if options.verdicts is None:
        return iter(())
    explained = (plan.store.explain_miss(request) for request in plan.store.misses[:EXPLAINED])
    return (sentence for sentence in explained if sentence)


def _without_cases(options: Options, environment: Environment, verdict: Verdict) -> Run:
    run = Run(
        schema_version=SCHEMA_VERSION,
        tool_version=__version__,
        started_at=_Clock(environment).started_at,
        duration_s=0.0,
        verdict=verdict,
        policy=written_over(Policy(), options.rules),
        summary=summarize(()),
        head_sha=environment.head_sha,
        pull_request=environment.pull_request,
    )
    return redact(run, secrets_of(environment))


def _undated(measurement: Measurement) -> Measurement:
    return replace(measurement, duration_s=0.0)
