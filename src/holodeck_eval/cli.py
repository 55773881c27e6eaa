"""The command line: arguments to options, the verdict to an exit code. Reads the environment."""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from holodeck_eval import __version__
from holodeck_eval.action import environment_of, report_action_bug, run_action
from holodeck_eval.application import (
    SCHEMAS,
    ReportFolder,
    broken,
    check,
    failed,
    gate,
    label,
    report_failure,
    secrets_of,
)
from holodeck_eval.arguments import GroupedCommand, run_options, to_options
from holodeck_eval.console import Console
from holodeck_eval.domain.options import Environment, Options
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.verdict import EXIT_CODES
from holodeck_eval.errors import InputError, Place, Problem, ResultsError, UsageError
from holodeck_eval.reports import REPORTS
from holodeck_eval.reports.results import parse as parse_results

INTERRUPTED = 130
_RUN = "run"


@dataclass(slots=True)
class Session:
    """What a command leaves behind for the one place that catches everything."""

    environ: Mapping[str, str]
    console: Console
    options: Options | None = None
    in_action: bool = False
    exit_code: int = 0

    @property
    def environment(self) -> Environment:
        """The environment as one value."""
        return environment_of(self.environ)


def main(arguments: Sequence[str] | None = None, environ: Mapping[str, str] | None = None) -> int:
    """Run a command and say with which exit code the process should end.

    Args:
        arguments: the command line without the program's name; None means the process's own.
        environ: the environment; None means the process's own.
    """
    environ = os.environ if environ is None else environ
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    console = Console.of_process(secrets_of(environment_of(environ)))
    session = Session(environ=environ, console=console)
    try:
        program.main(
            args=arguments,
            prog_name="holodeck-eval",
            standalone_mode=False,
            obj=session,
        )
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        return _unusable(session, arguments, Problem(message=error.format_message()))
    except InputError as error:
        session.console.problems(error.problems)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        session.console.problem("interrupted; verdicts recorded so far are kept")
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the last resort: a bug of ours ends in its own exit code
        return _bug(session, error)
    return session.exit_code


def _unusable(session: Session, arguments: Sequence[str], problem: Problem) -> int:
    """Say why the arguments cannot be used; of a run, leave reports that say so in place of old ones."""
    session.console.problem(problem.message)
    if arguments and arguments[0] == _RUN:
        context = program.commands[_RUN].make_context(_RUN, list(arguments[1:]), resilient_parsing=True)
        options = Options(agent=(), transcripts=(), out=str(context.params["out"]))
        try:
            report_failure(options, session.environment, failed(options, session.environment, [problem]))
        except InputError as second:
            session.console.problems(second.problems)
    return UsageError.exit_code


def _bug(session: Session, error: Exception) -> int:
    """Say that we broke, leave reports that say so, and nothing that looks like a verdict."""
    session.console.problem(f"holodeck-eval broke, which is a bug in it: {type(error).__name__}: {error}")
    if session.console.verbose:
        session.console.problems(Problem(message=line) for line in _traceback(error))
    else:
        session.console.problem("please report it; --verbose shows where it broke")
    try:
        if session.in_action:
            report_action_bug(session.environ, error)
        elif session.options is not None:
            report_failure(
                session.options, session.environment, broken(session.options, session.environment, error)
            )
    except InputError as second:
        session.console.problems(second.problems)
    except OSError as second:  # the runner's own files cannot be written
        session.console.problem(f"no report could be left: {second}")
    return EXIT_CODES["bug"]


def _traceback(error: Exception) -> list[str]:
    import traceback  # noqa: PLC0415 - of use to no run that goes well

    return traceback.format_exception(error)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="holodeck-eval")
def program() -> None:
    """Block a merge when an LLM agent got worse: judge recorded transcripts against HoloDeck agent YAML.

    Exit codes: 0 passed, 1 failed, 2 error in what was given, 3 inconclusive, 4 a bug in this program.
    """


def _loudness(command: Any) -> Any:  # noqa: ANN401 - click's decorators are untyped in the middle
    quiet = click.option("--quiet", is_flag=True, help="Print only problems and the verdict.")
    verbose = click.option("--verbose", is_flag=True, help="Print what helps to search for a fault.")
    return quiet(verbose(command))


@_loudness
@click.pass_obj
def _run(session: Session, /, *, quiet: bool, verbose: bool, **params: Any) -> None:  # noqa: ANN401 - click's parameters
    """Judge recorded transcripts, write reports into --out, and exit as the gate decides."""
    session.console.quiet, session.console.verbose = quiet, verbose
    session.options = to_options(params)
    run = gate(session.options, session.environment, session.console.progress)
    _show(session, run, session.options.out)


@click.pass_obj
def _validate(session: Session, /, **params: Any) -> None:  # noqa: ANN401 - click's parameters
    """Read and link everything a run would, judge nothing, and say what was found."""
    for line in check(to_options(params), session.environment, now=_now):
        session.console.say(line)


@click.pass_obj
def _label(session: Session, /, **params: Any) -> None:  # noqa: ANN401 - click's parameters
    """Append to --verdicts a line for each judgement a human judge still owes, to be filled in."""
    session.console.say(label(to_options(params), session.environment, now=_now()))


for _name, _callback in {_RUN: _run, "validate": _validate, "label": _label}.items():
    _command = click.command(_name, cls=GroupedCommand)(_callback)
    _command.params = [*run_options(), *_command.params]
    program.add_command(_command)


@program.command()
@click.argument("results", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Report folder. Default: where RESULTS is.")
@click.pass_obj
def render(session: Session, results: Path, out: Path | None) -> None:
    """Write the reports of a results.json again."""
    run = parse_results(_read(results), shown_as=str(results))
    folder = ReportFolder(out or results.parent)
    folder.make()
    texts = {name: report.render(run) for name, report in REPORTS.items() if name != results.name}
    folder.write(texts)
    for name in texts:
        session.console.say(f"wrote {folder.path / name}")


@program.command()
@click.argument("name", type=click.Choice(sorted(SCHEMAS)))
@click.pass_obj
def schema(session: Session, name: str) -> None:
    """Print the JSON Schema of a file this program reads or writes."""
    session.console.raw(json.dumps(SCHEMAS[name](), indent=2) + "\n")


@program.command(hidden=True)
@click.pass_obj
def action(session: Session) -> None:
    """Run as the GitHub Action: options from its inputs, verdict to its outputs."""
    session.in_action = True
    run = run_action(session.environ, session.console.progress)
    _show(session, run, "the step's outputs results_path and comment_path")


def _show(session: Session, run: Run, folder: str) -> None:
    for read in run.files:
        session.console.note(f"read {read.file}: {read.records} transcripts ({read.format})")
    session.console.verdict(run, folder)
    session.exit_code = run.verdict.exit_code


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ResultsError(Problem(message=f"cannot be read: {why}", place=Place(file=str(path)))) from error
