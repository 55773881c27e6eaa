"""Writes the verdicts that people still have to give, as lines for them to fill in."""

import asyncio
from dataclasses import replace

from holodeck_eval.assemble import Plan, assemble
from holodeck_eval.domain.options import Environment, Options
from holodeck_eval.errors import Problem, UsageError
from holodeck_eval.pipeline import measure


def label(options: Options, environment: Environment, *, now: str) -> str:
    """Append a line for each judgement that a human judge still owes, and say what is to be done.

    Args:
        options: the agents, transcripts and policy as for a run; `verdicts` names the file.
        environment: the process's environment, read once.
        now: the date on the lines, ISO 8601.

    Raises:
        InputError: when the configuration or the transcripts are wrong.
        UsageError: when no verdict file is named, or it cannot be written.
    """
    if options.verdicts is None:
        raise UsageError(Problem(message="label needs --verdicts FILE, the file to append the lines to"))
    plan = assemble(replace(options, offline=True), environment, now=lambda: now)
    asyncio.run(_ask(plan))
    owed = [request for request in plan.store.misses if request.judge.provider == "human"]
    if not _has_human_judge(plan):
        return "no metric has a human judge (provider: human), so there is nothing to label"
    written = plan.store.append_unscored(owed, now)
    if not owed:
        return f"every judgement is labelled in {options.verdicts}"
    return f"{written} lines were added, {len(owed)} are open: fill in score and reason in {options.verdicts}"


def _has_human_judge(plan: Plan) -> bool:
    return any(metric.judge and metric.judge.provider == "human" for metric in plan.evaluators)


async def _ask(plan: Plan) -> None:
    """Go through every evaluation offline: the store keeps what it was asked for in vain."""
    try:
        await measure(plan.cases, plan.evaluators, at_once=1, progress=lambda _done, _total: None)
    finally:
        await plan.pool.aclose()
