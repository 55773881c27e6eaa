"""Runs the step: what was asked for, then what the runner and the pull request are told of it."""

import glob
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from holodeck_eval.action.inputs import Role, items, options_of, role_of, unparsed
from holodeck_eval.action.outputs import tell_runner
from holodeck_eval.action.step import Step
from holodeck_eval.application import broken, failed, gate, report_failure
from holodeck_eval.application.folder import CASES_FILE
from holodeck_eval.domain.options import CommentMode, Options
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.verdict import EXIT_CODES
from holodeck_eval.errors import Problem, UsageError
from holodeck_eval.github.checkouts import base_note, head_problem
from holodeck_eval.github.ownership import give_back
from holodeck_eval.reports import REPORTS

DEFAULT_MODE: Final[CommentMode] = "update"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a step ended.

    Attributes:
        run: what was reported.
        exit_code: the step's; the run's own, but where the report of another run was published.
        comment_url: the page of the comment, where one was written.
        warnings: what kept the comment away, as sentences that may have several lines.
        notes: what else there is to say of it.
    """

    run: Run
    exit_code: int
    comment_url: str | None = None
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def run_action(step: Step) -> Ended:
    """Do what the inputs say, and write the step's outputs and summary, whatever happens."""
    options = replace(unparsed(step.environ), github_token=step.token)
    try:
        role = role_of(step.environ)
        options = replace(options_of(step.environ, role), github_token=step.token)
        ended = _ROLES[role](step, options)
    except UsageError as error:
        run = failed(options, step.environment, error.problems)
        ended = _commented(step, options, _reported(step, options, run))
    return _told(step, options, ended)


def report_action_bug(step: Step, error: Exception) -> Ended:
    """Write reports, outputs, summary and comment that say that this program broke."""
    options = replace(unparsed(step.environ), github_token=step.token)
    run = _reported(step, options, broken(options, step.environment, error))
    ended = Ended(run=run, exit_code=run.verdict.exit_code)
    return _told(step, options, ended if step.posting else _commented(step, options, run))


def gated(step: Step, options: Options, otherwise: CommentMode) -> Ended:
    """The end of a run that judges, or that may not judge this checkout, which its reports then say.

    Args:
        step: knows the event.
        options: of the run.
        otherwise: when a comment is due where the options do not say.
    """
    if problem := _head_problem(step, options):
        run = _reported(step, options, failed(options, step.environment, [problem]))
    else:
        run = gate(options, step.environment, step.progress)
    return commented(step, options, run, otherwise)


def _head_problem(step: Step, options: Options) -> Problem | None:
    """Why this checkout may not be judged: it is what a pull request proposes, and the event has secrets.

    Where the base alone is judged there, the step's reports must say so.
    """
    event, workspace = step.context.event, step.environment.workspace
    if workspace is None:
        return None
    names = [*options.agent, *options.transcripts, *filter(None, [options.policy])]
    problem = None if options.allow_head_checkout else head_problem(event, workspace, names)
    if problem is None:
        step.environment = replace(step.environment, caution=base_note(event, workspace, names))
    return problem


def _gate(step: Step, options: Options) -> Ended:
    return gated(step, options, _mode_of(options))


def _merge(step: Step, options: Options) -> Ended:
    from holodeck_eval.application.merging.folders import merge_folders  # noqa: PLC0415 - a run does without it

    patterns = items(step.environ, "merge")
    folders = [name for pattern in patterns for name in sorted(glob.glob(pattern)) or [pattern]]  # noqa: PTH207 - patterns may be absolute
    return _commented(step, options, merge_folders(folders, options, step.environment))


def _publish(step: Step, options: Options) -> Ended:
    return published(step, Path(items(step.environ, "publish")[0]), options)


def published(step: Step, results: Path, options: Options) -> Ended:
    """The end of a step that published the report of another run: an error where it could not.

    Args:
        step: knows the event that says which run it was.
        results: results.json, or its folder.
        options: say when a comment is due, and hold the token.

    Raises:
        UsageError: where there is no such event, or reports cannot be written.
    """
    from holodeck_eval.application.commenting import connection  # noqa: PLC0415 - a run does without it
    from holodeck_eval.application.publishing import publish  # noqa: PLC0415 - as above

    step.posting = True
    report = publish(
        results,
        options.comment or DEFAULT_MODE,
        options,
        step.environment,
        step.context,
        connection(step.context, step.environ),
    )
    return Ended(
        run=report.run,
        exit_code=EXIT_CODES["error"] if report.problem else 0,
        comment_url=report.url,
        warnings=tuple(filter(None, [report.problem])),
        notes=tuple(filter(None, [report.note])),
    )


_ROLES: Final[Mapping[Role, Callable[[Step, Options], Ended]]] = {
    "gate": _gate,
    "merge": _merge,
    "publish": _publish,
}


def _commented(step: Step, options: Options, run: Run) -> Ended:
    return commented(step, options, run, _mode_of(options))


def _mode_of(options: Options) -> CommentMode:
    """When the action comments unless it is told: always, but on a part of a run."""
    return "off" if options.shard else DEFAULT_MODE


def commented(step: Step, options: Options, run: Run, otherwise: CommentMode) -> Ended:
    """The end of a run, commented on where the event has a pull request and a comment is due.

    Args:
        step: knows the pull request.
        options: say when a comment is due, and hold the token.
        run: what is reported.
        otherwise: when one is due where the options do not say.
    """
    mode, context = options.comment or otherwise, step.context
    ended = Ended(run=run, exit_code=run.verdict.exit_code)
    if mode == "off" or not (context.event.pull_request or context.event_problem):
        return ended
    if step.environment.caution:
        return replace(ended, warnings=(f"no comment is written: {step.environment.caution}",))
    from holodeck_eval.application.commenting import comment, connection  # noqa: PLC0415 - most runs write none

    step.posting = True
    said = comment(run, mode, options, step.context, connection(step.context, step.environ))
    return Ended(
        run=run,
        exit_code=ended.exit_code,
        comment_url=said.url,
        warnings=tuple(filter(None, [said.warning])),
        notes=tuple(filter(None, [said.note])),
    )


def _reported(step: Step, options: Options, run: Run) -> Run:
    """The run with its reports written; where even that fails, with that as its cause."""
    try:
        return report_failure(options, step.environment, run)
    except UsageError as error:
        return failed(options, step.environment, error.problems)


def _told(step: Step, options: Options, ended: Ended) -> Ended:
    tell_runner(step.environ, ended.run, options.out, ended.comment_url)
    return replace(ended, notes=(*ended.notes, *_given_back(step, options)))


def _given_back(step: Step, options: Options) -> Iterator[str]:
    """Give what was written to whoever owns the folders; what could not be given, as sentences."""
    out = Path(options.out)
    written = [out, *(out / name for name in (*REPORTS, CASES_FILE))]
    if options.verdicts:
        written.append(Path(options.verdicts))
    for root in (step.environment.workspace, step.environ.get("RUNNER_TEMP")):
        if root and (sentence := give_back(written, Path(root))):
            yield sentence
