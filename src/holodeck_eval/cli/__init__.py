"""The command line: arguments to options, the verdict to an exit code. Reads the environment."""

import os
import sys
from collections.abc import Mapping, Sequence

import click

from holodeck_eval import __version__
from holodeck_eval.action import report_action_bug
from holodeck_eval.application import broken, failed, report_failure
from holodeck_eval.cli.judging import JUDGING, RUN, action, annotate
from holodeck_eval.cli.reading import READING
from holodeck_eval.cli.session import Session
from holodeck_eval.domain.options import Options
from holodeck_eval.domain.verdict import EXIT_CODES
from holodeck_eval.errors import InputError, Problem, UsageError
from holodeck_eval.github.commands import fence

__all__ = ["Session", "main", "program"]

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None, environ: Mapping[str, str] | None = None) -> int:
    """Run a command and say with which exit code the process should end.

    Args:
        arguments: the command line without the program's name; None means the process's own.
        environ: the environment; None means the process's own, which then loses the runner's tokens: no
            library and no other process may find them there.
    """
    session = Session.of(os.environ if environ is None else dict(environ))
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if arguments[:1] != [action.name]:
        return _end(session, arguments)
    with session.console.fenced(fence(), session.masks()):
        return _end(session, arguments)


def _end(session: Session, arguments: Sequence[str]) -> int:
    """Run a command, and whatever it throws, end in an exit code."""
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
    if arguments and arguments[0] == RUN:
        context = program.commands[RUN].make_context(RUN, list(arguments[1:]), resilient_parsing=True)
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
            annotate(session, report_action_bug(session.step, error))
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


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="holodeck-eval")
def program() -> None:
    """Block a merge when an LLM agent got worse: judge recorded transcripts against HoloDeck agent YAML.

    Exit codes: 0 passed, 1 failed, 2 error in what was given, 3 inconclusive, 4 a bug in this program.
    """


for _command in (*JUDGING, *READING, action):
    program.add_command(_command)
