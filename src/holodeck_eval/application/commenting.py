"""Says on the pull request what a run came to. Whatever GitHub answers, the verdict and the reports stand."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from holodeck_eval.application.deadline import within
from holodeck_eval.domain.comparison import Comparison
from holodeck_eval.domain.options import CommentMode, Options, Withheld
from holodeck_eval.domain.run import Run
from holodeck_eval.errors import GitHubError
from holodeck_eval.github._pygithub import connect
from holodeck_eval.github.context import Context
from holodeck_eval.github.marker import Stamp, Surface
from holodeck_eval.github.ports import Repository
from holodeck_eval.github.sticky import Posted, post
from holodeck_eval.reports import REPORTS

Connect = Callable[[str], Repository]
"""Makes a connection of a token."""

UNSIGNED: Final = "no comment is written: the job's token is missing; leave the input github_token as it is"
NEWER: Final = "the comment was left as a later run wrote it, and does not tell of this one"
RIGHTS: Final = """\
no comment is written: the job's token may not write one ({answer}). The verdict and the summary stand. \
Give the job these rights, or set comment: off:
permissions:
  contents: read
  pull-requests: write"""
RECIPE: Final = """\
no comment is written: pull requests from forks get a token that may only read ({answer}). The \
verdict and the summary stand. A second workflow writes it, on workflow_run; if there is none yet, add the \
one at https://github.com/holodeck/eval-action#pull-requests-from-forks, with
permissions:
  actions: read
  pull-requests: write"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commented:
    """What became of the comment: its page, or a warning that says why there is none.

    `note` says whose it is where it does not tell of this run.
    """

    url: str | None = None
    warning: str | None = None
    note: str | None = None


def connection(context: Context, environ: Mapping[str, str]) -> Connect:
    """Makes connections to the API that the runner names, trusting the certificates the environment names."""

    def made(token: str) -> Repository:
        return connect(token, context, environ)

    return made


def comment(
    run: Run, mode: CommentMode, options: Options, context: Context, connecting: Connect
) -> Commented:
    """Comment on the pull request of this event, as the mode says.

    Args:
        run: what is reported; it holds no secret.
        mode: when, and whether one comment is kept current; `off` is not asked for here.
        options: the token and what tells this comment from others of the job.
        context: the pull request, or why it is not known which; and the job that comments.
        connecting: makes the connection that posts.
    """
    pull_request = context.event.pull_request
    if pull_request is None or context.problems:
        return Commented(warning=f"no comment is written: {context.problems[0]}")
    surface = Surface(workflow=context.workflow, job=context.job, comment_key=options.comment_key)
    stamp = Stamp(
        run_id=context.run_id, attempt=context.run_attempt, says=says(run), status=run.verdict.status
    )
    try:
        posted = within(lambda: write(run, mode, options, pull_request.number, (surface, stamp), connecting))
    except GitHubError as error:
        return Commented(warning=_sentence(error, context.event.withheld))
    return Commented(url=posted.url, note=note_of(posted)) if posted else Commented(warning=UNSIGNED)


def note_of(posted: Posted) -> str | None:
    """What a reader of the log must know, who would take the comment for this run's."""
    return NEWER if posted.action == "newer_stands" else None


def write(
    run: Run,
    mode: CommentMode,
    options: Options,
    pull_request: int,
    signed: tuple[Surface, Stamp],
    connecting: Connect,
) -> Posted | None:
    """Write the comment; None where there is no token to write it with.

    Raises:
        GitHubError: where GitHub did not take it.
    """
    if options.github_token is None:
        return None
    surface, stamp = signed
    return post(
        connecting(options.github_token.reveal()).comments(pull_request),
        REPORTS["comment.md"].render(run),
        surface,
        stamp,
        mode,
        differs=differs(run),
    )


def says(run: Run) -> str:
    """16 hex digits over what a run tells a reader, without times, costs and wording of judges."""
    comparison = run.comparison
    told = (
        run.verdict.status,
        run.verdict.waived,
        [(cause.code, cause.message, cause.cases) for cause in run.verdict.causes],
        [(case.agent, case.id, case.status, case.rating) for case in run.cases],
        [(item.agent, item.name, item.verdict) for item in comparison.metrics] if comparison else [],
        [change.message for change in comparison.gate_changes] if comparison else [],
    )
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def differs(run: Run) -> bool:
    """Whether there is news: it did not pass, or something is not as in the baseline."""
    return run.verdict.status != "passed" or (run.comparison is not None and _changed(run.comparison))


def _changed(comparison: Comparison) -> bool:
    lists = (
        comparison.flips,
        comparison.newly_passing,
        comparison.new,
        comparison.vanished,
        comparison.changed,
        comparison.gate_changes,
    )
    return any(lists) or any(metric.verdict in {"worse", "better"} for metric in comparison.metrics)


def _sentence(error: GitHubError, withheld: Withheld | None) -> str:
    if not error.denied:
        return f"no comment is written: {error.message}. The verdict and the summary stand."
    return (RECIPE if withheld == "fork" else RIGHTS).format(answer=error.message)
