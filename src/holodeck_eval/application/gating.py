"""One gate run: assemble, measure, conclude, report."""

import asyncio
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from holodeck_eval import __version__
from holodeck_eval.aggregate import summarize
from holodeck_eval.application.folder import ReportFolder
from holodeck_eval.application.rendering import case_lines, documents
from holodeck_eval.assemble import Plan, assemble
from holodeck_eval.domain.options import Environment, Options
from holodeck_eval.domain.policy import Policy, written_over
from holodeck_eval.domain.redaction import redact
from holodeck_eval.domain.result import Measurement
from holodeck_eval.domain.run import SCHEMA_VERSION, Run
from holodeck_eval.domain.verdict import Verdict
from holodeck_eval.errors import InputError, Problem
from holodeck_eval.gate import could_not_run
from holodeck_eval.pipeline import Progress, conclude, measure

HELD_OPEN = 2
"""Cases held open for each call in flight: enough that a slot never waits for a case to begin."""

EXPLAINED = 5
"""Misses in the recorded verdicts that are explained; the others are of the same kinds."""

_SECRET_NAME = re.compile(r"(^|_)(KEY|TOKEN|SECRET|PASSWORD)S?(_|$)", re.IGNORECASE)


def gate(options: Options, environment: Environment, progress: Progress) -> Run:
    """Run the gate and write every report.

    Args:
        options: what was asked for.
        environment: the process's environment, read once.
        progress: told how many cases are done.

    Raises:
        UsageError: when reports cannot be written; everything else ends in the run's verdict.
    """
    folder = _folder(options, environment)
    folder.prepare()
    clock = _Clock(environment)
    try:
        plan = assemble(options, environment, now=clock.now)
    except InputError as error:
        return report_failure(options, environment, failed(options, environment, error.problems))
    measurements = asyncio.run(_measure(plan, options, progress))
    run = _run(plan, measurements, clock, environment, explain=options.verdicts is not None)
    secrets = plan.secrets | secrets_of(environment)
    run, texts = documents(run, secrets)
    folder.write(texts)
    if options.write_cases:
        folder.write_cases(case_lines(plan.cases, secrets))
    return run


def report_failure(options: Options, environment: Environment, run: Run) -> Run:
    """Write reports that say why a run could not be made.

    Raises:
        UsageError: when they cannot be written.
    """
    folder = _folder(options, environment)
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


async def _measure(plan: Plan, options: Options, progress: Progress) -> tuple[Measurement, ...]:
    at_once = HELD_OPEN * options.max_concurrency
    try:
        return await measure(plan.cases, plan.evaluators, at_once=at_once, progress=progress)
    finally:
        await plan.pool.aclose()


def _run(
    plan: Plan, measurements: Sequence[Measurement], clock: _Clock, environment: Environment, *, explain: bool
) -> Run:
    if clock.stands_still:
        measurements = [_undated(measurement) for measurement in measurements]
    conclusion = conclude(plan.cases, measurements, plan.policy, plan.agents)
    usage, by_metric = plan.pool.usage()
    return Run(
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
        warnings=(*plan.warnings, *plan.store.warnings, *(_misses(plan) if explain else ())),
        head_sha=environment.head_sha,
    )


def _misses(plan: Plan) -> Iterator[str]:
    """For the first judgements that were looked for in vain, what differs from the nearest recorded one."""
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
    )
    return redact(run, secrets_of(environment))


def _folder(options: Options, environment: Environment) -> ReportFolder:
    return ReportFolder(Path(options.out), Path(environment.workspace) if environment.workspace else None)


def secrets_of(environment: Environment) -> frozenset[str]:
    """The environment's values whose names say that they are secret."""
    return frozenset(
        value.reveal() for name, value in environment.variables.items() if _SECRET_NAME.search(name)
    )


def _undated(measurement: Measurement) -> Measurement:
    return replace(measurement, duration_s=0.0)
