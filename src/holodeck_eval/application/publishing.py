"""Comments on a pull request from the report of an untrusted run: the report is data, never trusted text.

A run for a fork's pull request has a token that may only read. A second workflow, on `workflow_run`, has one
that writes, but must not touch the code. What it reads is results.json alone; every text is rendered anew.
"""

import stat
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from holodeck_eval.application.commenting import UNSIGNED, Connect, note_of, says, write
from holodeck_eval.application.deadline import within
from holodeck_eval.application.folder import ReportFolder
from holodeck_eval.application.gating import failed
from holodeck_eval.application.rendering import documents, secrets_of
from holodeck_eval.assemble.report_files import read_text
from holodeck_eval.domain.options import CommentMode, Environment, Options
from holodeck_eval.domain.run import Published, Run
from holodeck_eval.domain.wording import quoted
from holodeck_eval.errors import GitHubError, Place, Problem, ResultsError, UsageError
from holodeck_eval.github.context import Context
from holodeck_eval.github.event import TriggeringRun
from holodeck_eval.github.marker import Stamp, Surface
from holodeck_eval.github.payload import number
from holodeck_eval.github.ports import PullRequest, Repository
from holodeck_eval.reports.reading import UnreadableError, load

MAX_BYTES: Final = 64 * 1024 * 1024
"""How large a published results.json may be: what twenty thousand cases with five metrics have."""

JOB: Final = "publish"
"""Stands for the job in the marker: which job of the untrusted run it was, nobody trustworthy says."""

NOT_TRIGGERED: Final = (
    "publish is for a workflow that runs on workflow_run, which says of which run and commit the report is; "
    "this one runs on {event}"
)
RIGHTS: Final = """\
no comment is written: the job's token may not write one ({answer}). Give the job that publishes these rights:
permissions:
  actions: read
  pull-requests: write"""
OTHER_COMMIT: Final = (
    "the report is not of the run it came with: it says commit {said}, and the run was of {ran}; nothing in "
    "it is believed"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedReport:
    """What became of a report.

    Attributes:
        run: what it holds, or a run that says why it cannot be believed.
        url: the page of the comment; None where none was written.
        note: why none was due, or why the one that stands does not tell of this report.
        problem: why none could be written, or why the report cannot be believed.
    """

    run: Run
    url: str | None = None
    note: str | None = None
    problem: str | None = None


def publish(
    results: Path,
    mode: CommentMode,
    options: Options,
    environment: Environment,
    context: Context,
    connecting: Connect,
) -> PublishedReport:
    """Write the reports of an untrusted run anew, and comment on the pull request it ran for.

    What cannot be read is published as that: an older verdict must not be left standing.

    Args:
        results: results.json, or the folder of the downloaded artifact that holds it.
        mode: when a comment is due.
        options: the report folder, the token, and what tells this comment from others.
        environment: says which secrets are not to be shown.
        context: the event, which alone says which commit the report must be of.
        connecting: makes the connection that looks up the pull request and posts.

    Raises:
        UsageError: when this is no `workflow_run`, or reports cannot be written.
    """
    triggering = context.event.triggering
    if triggering is None:
        raise UsageError(Problem(message=NOT_TRIGGERED.format(event=quoted(context.event.name))))
    run, problem = _read(results, triggering, options, environment)
    run, texts = documents(run, secrets_of(environment))
    folder = ReportFolder.of(options.out, environment)
    folder.prepare()
    folder.write(texts)
    published = PublishedReport(run=run, problem=problem)
    if not triggering.event.startswith("pull_request"):
        return replace(published, note=f"the run was for {quoted(triggering.event)}: no pull request")
    if mode == "off":
        return published
    if options.github_token is None:
        return replace(published, problem=UNSIGNED)
    try:
        return within(lambda: _post(published, mode, options, (context, triggering), connecting))
    except GitHubError as error:
        said = RIGHTS if error.denied else "no comment is written: {answer}"
        return replace(published, problem=said.format(answer=error.message))


def _post(
    published: PublishedReport,
    mode: CommentMode,
    options: Options,
    event: tuple[Context, TriggeringRun],
    connecting: Connect,
) -> PublishedReport:
    (context, triggering), run = event, published.run
    assert options.github_token is not None  # noqa: S101 - its caller looked
    repository = connecting(options.github_token.reveal())
    found = find_pull_request(repository, run.pull_request, triggering, context.repository)
    if found is None:
        return replace(published, note=_nowhere(triggering))
    surface = Surface(workflow=triggering.workflow, job=JOB, comment_key=options.comment_key)
    stamp = Stamp(run_id=triggering.id, attempt=triggering.attempt, says=says(run), status=run.verdict.status)
    posted = write(run, mode, options, found.number, (surface, stamp), connecting)
    if posted is None:
        return published
    return replace(published, url=posted.url, note=note_of(posted))


def find_pull_request(
    repository: Repository, claimed: int | None, triggering: TriggeringRun, here: str
) -> PullRequest | None:
    """The pull request a run was for: one of this repository whose head is still the run's commit.

    Args:
        repository: where it is looked for.
        claimed: the number that the untrusted report gives; it spares a search, and is not believed.
        triggering: the run, as the event tells it.
        here: `owner/name` of this repository.
    """
    known = number(claimed)
    found = repository.pull_request(known) if known else None
    if found and _is_of(found, triggering, here):
        return found
    owner = (triggering.head_repository or here).partition("/")[0]
    candidates = repository.pull_requests_of(owner, triggering.head_branch)
    return next((one for one in candidates if _is_of(one, triggering, here)), None)


def _is_of(found: PullRequest, triggering: TriggeringRun, here: str) -> bool:
    """Whether it is the run's. A fork that is gone is nobody's: one's own would pass for another's."""
    return triggering.head_repository is not None and (
        found.head_sha == triggering.head_sha
        and found.base_repository.lower() == here.lower()
        and (found.head_repository or "").lower() == triggering.head_repository.lower()
    )


def _nowhere(triggering: TriggeringRun) -> str:
    if triggering.head_repository is None:
        return "no pull request is known to be the run's: the repository it came from is gone"
    return (
        f"no pull request has {triggering.head_sha[:7]} as its last commit any more: it was pushed to again, "
        "and the run of its last commit is published instead"
    )


def _read(
    results: Path, triggering: TriggeringRun, options: Options, environment: Environment
) -> tuple[Run, str | None]:
    """The run of a report, or one that says why it cannot be believed, and that sentence."""
    published = Published(url=triggering.url, repository=triggering.head_repository or "a deleted repository")
    try:
        run, problem = _results(results, triggering), None
    except ResultsError as error:
        run = replace(failed(options, environment, error.problems), head_sha=triggering.head_sha)
        problem = str(error.problems[0])
    return replace(run, published=published), problem


def _text(path: Path) -> str:
    """The text of a file that is no link: the artifact's links are its author's."""
    if not stat.S_ISREG(path.lstat().st_mode):
        raise UnreadableError("is not a regular file")
    return read_text(path, limit=MAX_BYTES)


def _results(results: Path, triggering: TriggeringRun) -> Run:
    path = results / "results.json" if results.is_dir() else results
    place = Place(file=str(path))
    try:
        run = load(_text(path))
    except FileNotFoundError:
        raise ResultsError(Problem(message="there is no such file in the artifact", place=place)) from None
    except UnreadableError as error:
        place = replace(place, line=error.line, column=error.column)
        raise ResultsError(Problem(message=f"this file {error.clause}", place=place)) from None
    if run.head_sha != triggering.head_sha:
        said = OTHER_COMMIT.format(said=quoted(run.head_sha or "none"), ran=triggering.head_sha)
        raise ResultsError(Problem(message=said, place=place))
    return run
