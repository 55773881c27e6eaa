"""The commands that read agents and transcripts, with the options of a run."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

import click

from holodeck_eval.action import Ended, gated, run_action
from holodeck_eval.application import check, label
from holodeck_eval.arguments import GroupedCommand, run_options, to_options
from holodeck_eval.cli.session import Session
from holodeck_eval.domain.redaction import redact
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.verdict import EXIT_CODES

RUN: Final = "run"


def _loudness(command: Any) -> Any:  # noqa: ANN401 - click's decorators are untyped in the middle
    quiet = click.option("--quiet", is_flag=True, help="Print only problems and the verdict.")
    verbose = click.option("--verbose", is_flag=True, help="Print what helps to search for a fault.")
    return quiet(verbose(command))


@_loudness
@click.pass_obj
def _run(session: Session, /, *, quiet: bool, verbose: bool, **params: Any) -> None:  # noqa: ANN401 - click's parameters
    """Judge recorded transcripts, write reports into --out, and exit as the gate decides."""
    session.console.quiet, session.console.verbose = quiet, verbose
    session.options = session.with_token(to_options(params))
    finish(session, gated(session.step, session.options, otherwise="off"), session.options.out)


@click.pass_obj
def _validate(session: Session, /, **params: Any) -> None:  # noqa: ANN401 - click's parameters
    """Read and link everything a run would, judge nothing, and say what was found."""
    for line in check(to_options(params), session.environment, now=_now):
        session.console.say(line)


@click.pass_obj
def _label(session: Session, /, **params: Any) -> None:  # noqa: ANN401 - click's parameters
    """Append to --verdicts a line for each judgement a human judge still owes, to be filled in."""
    session.console.say(label(to_options(params), session.environment, now=_now()))


@click.pass_obj
def _noise(session: Session, /, **params: Any) -> None:  # noqa: ANN401 - click's parameters
    """Judge everything at least twice, and say how much each metric's scores differ when nothing did.

    Writes no reports. With --verdicts, what was judged is recorded, and only what is missing is asked for.
    Ends in 3 where no noise could be measured.
    """
    from holodeck_eval.application.noise.self_check import measure_noise  # noqa: PLC0415 - a run does without it

    found = measure_noise(to_options(params), session.environment, session.console.progress, now=_now)
    for line in found.lines:
        session.console.say(line)
    session.exit_code = 0 if found.measured else EXIT_CODES["inconclusive"]


def _command(name: str, callback: Callable[..., None]) -> click.Command:
    command = click.command(name, cls=GroupedCommand)(callback)
    command.params = [*run_options(), *command.params]
    return command


JUDGING: Final = tuple(
    _command(name, callback)
    for name, callback in {RUN: _run, "validate": _validate, "label": _label, "noise": _noise}.items()
)


@click.command(hidden=True)
@click.pass_obj
def action(session: Session) -> None:
    """Run as the GitHub Action: options from its inputs, verdict to its outputs."""
    session.enter_action()
    ended = run_action(session.step)
    finish(session, ended, "the step's outputs results_path and comment_path")


def finish(session: Session, ended: Ended, folder: str | None) -> None:
    """Print what was read, decided and said on the pull request, and end as the run did."""
    show(session, ended.run, folder, ended.exit_code)
    for line in ended.notes:
        session.console.note(line)
    for warning in ended.warnings:
        session.console.note(f"warning: {warning}")
    if ended.comment_url:
        session.console.note(f"the comment is {ended.comment_url}")
    if session.in_action:
        annotate(session, ended)


def annotate(session: Session, ended: Ended) -> None:
    """Have the runner show what is worst beside the lines it comes from, and what became of the comment."""
    from holodeck_eval.github.annotations import Annotation, annotations  # noqa: PLC0415 - of use to the action alone

    title = "The comment tells of no verdict" if ended.comment_url else "No comment was written"
    texts = redact(ended.warnings, session.console.secrets)
    said = [Annotation(level="warning", title=title, message=text) for text in texts]
    shown = annotations(ended.run, session.environment.workspace or ".", said)
    session.console.command(*map(str, shown))


def show(session: Session, run: Run, folder: str | None, exit_code: int | None = None) -> None:
    """Print what was read and decided, and end as the verdict says, unless another exit code is given."""
    for read in run.files:
        session.console.note(f"read {read.file}: {read.records} transcripts ({read.format})")
    session.console.verdict(run, folder, exit_code)
    session.exit_code = run.verdict.exit_code if exit_code is None else exit_code


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
