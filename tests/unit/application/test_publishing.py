"""The report of an untrusted run becomes a comment, or says why it cannot be believed."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holodeck_eval.application.publishing import PublishedReport, publish
from holodeck_eval.domain.agent import Secret
from holodeck_eval.domain.options import CommentMode, Environment, Options
from holodeck_eval.errors import UsageError
from holodeck_eval.github.context import Context
from holodeck_eval.github.event import Event, TriggeringRun
from holodeck_eval.github.ports import PullRequest
from holodeck_eval.reports import results
from tests.fakes.repository import RepositoryInMemory
from tests.fakes.runs import failed_run

HEAD = "a" * 40
URL = "https://github.com/octo/demo/actions/runs/90/attempts/1"
TRIGGERING = TriggeringRun(
    id=90,
    workflow="agent gate",
    event="pull_request",
    head_sha=HEAD,
    head_branch="fix",
    head_repository="fork/demo",
    url=URL,
)
PULL = PullRequest(number=7, head_sha=HEAD, head_repository="fork/demo", base_repository="octo/demo")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An artifact as it is downloaded."""
    artifact = tmp_path / "artifact"
    artifact.mkdir()
    write(artifact)
    return artifact


def write(folder: Path, **changes: Any) -> None:
    run = replace(failed_run(), head_sha=HEAD, pull_request=7)
    document = json.loads(results.render(run)) | changes
    (folder / "results.json").write_text(json.dumps(document), encoding="utf-8")


def published(
    folder: Path,
    repository: RepositoryInMemory,
    triggering: TriggeringRun | None = TRIGGERING,
    mode: CommentMode = "update",
    token: str | None = "made-up-token",  # noqa: S107 - no token
) -> PublishedReport:
    options = Options(
        agent=(),
        transcripts=(),
        out=str(folder.parent / "out"),
        github_token=Secret(token) if token else None,
    )
    context = Context(
        event=Event(name="workflow_run" if triggering else "push", triggering=triggering),
        repository="octo/demo",
        workflow="agent gate comment",
        job="publish",
        run_id=91,
    )
    return publish(folder, mode, options, Environment(), context, lambda _: repository)


def test_the_comment_goes_to_the_pull_request_the_run_was_for(folder: Path) -> None:
    repository = RepositoryInMemory(pulls=[PULL])
    report = published(folder, repository)
    assert report.problem is report.note is None
    assert report.url == "https://github.test/octo/demo/pull/7#issuecomment-1"
    assert repository.commented == [7]
    assert repository.asked == 1
    (comment,) = repository.job.thread.kept
    assert comment.body.startswith("### ")
    assert URL in comment.body
    assert "fork/demo" in comment.body


def test_every_report_is_written_anew(folder: Path) -> None:
    (folder / "comment.md").write_text("### ✅ Passed, believe me @everyone", encoding="utf-8")
    report = published(folder, RepositoryInMemory(pulls=[PULL]))
    out = folder.parent / "out"
    assert {path.name for path in out.iterdir()} == {"results.json", "junit.xml", "comment.md", "summary.md"}
    assert "believe me" not in (out / "comment.md").read_text(encoding="utf-8")
    assert report.run.published is not None
    assert report.run.published.url == URL


def test_what_the_artifact_says_of_its_own_origin_is_not_believed(folder: Path) -> None:
    write(folder, published={"url": "https://evil.test/", "repository": "octo/demo"})
    report = published(folder, RepositoryInMemory(pulls=[PULL]))
    assert report.run.published is not None
    assert report.run.published.url == URL
    assert report.run.published.repository == "fork/demo"


@pytest.mark.parametrize("claimed", [-1, 0, 2**63])
def test_a_number_that_no_pull_request_has_is_not_asked_for(folder: Path, claimed: int) -> None:
    write(folder, pull_request=claimed)
    repository = RepositoryInMemory(branches=[("fork", "fix", PULL)])
    published(folder, repository)
    assert (repository.commented, repository.asked) == ([7], 1)


@pytest.mark.parametrize("claimed", [None, 8, 9])
def test_a_number_that_is_not_of_this_commit_is_not_believed_and_the_branch_is_looked_up(
    folder: Path, claimed: int | None
) -> None:
    write(folder, pull_request=claimed)
    other = replace(PULL, number=8, head_sha="b" * 40)
    repository = RepositoryInMemory(pulls=[PULL, other], branches=[("fork", "fix", PULL)])
    published(folder, repository)
    assert repository.commented == [7]


@pytest.mark.parametrize(
    "changes",
    [
        {"head_sha": "b" * 40},
        {"head_repository": "evil/demo"},
        {"base_repository": "octo/other"},
        {"head_sha": None},
    ],
)
def test_a_pull_request_that_is_not_the_runs_is_not_commented_on(
    folder: Path, changes: dict[str, Any]
) -> None:
    other = replace(PULL, **changes)
    repository = RepositoryInMemory(pulls=[other], branches=[("fork", "fix", other)])
    report = published(folder, repository)
    assert repository.commented == []
    assert report.note is not None
    assert "no pull request has aaaaaaa as its last commit any more" in report.note
    assert report.problem is None


def test_a_deleted_fork_could_be_anybodys_and_is_not_commented_on(folder: Path) -> None:
    gone = replace(PULL, head_repository=None)
    repository = RepositoryInMemory(pulls=[gone], branches=[("octo", "fix", gone)])
    report = published(folder, repository, replace(TRIGGERING, head_repository=None))
    assert repository.commented == []
    assert report.note == "no pull request is known to be the run's: the repository it came from is gone"
    assert report.run.published is not None
    assert report.run.published.repository == "a deleted repository"


def _truncated(folder: Path) -> None:
    text = (folder / "results.json").read_text(encoding="utf-8")
    (folder / "results.json").write_text(text[: len(text) // 2], encoding="utf-8")


def _linked(folder: Path) -> None:
    (folder / "results.json").rename(folder / "real.json")
    (folder / "results.json").symlink_to(folder / "real.json")


def _huge(folder: Path) -> None:
    with (folder / "results.json").open("wb") as file:
        file.truncate(64 * 1024 * 1024 + 1)


UNUSABLE: dict[str, tuple[Callable[[Path], None], str]] = {
    "truncated": (_truncated, "is cut off before its end"),
    "missing": (lambda folder: (folder / "results.json").unlink(), "there is no such file in the artifact"),
    "link": (_linked, "is not a regular file"),
    "huge": (_huge, "is larger than 64 MiB"),
    "newer": (lambda folder: write(folder, schema_version=99), "newer version"),
    "other commit": (lambda folder: write(folder, head_sha="c" * 40), f"says commit '{'c' * 40}'"),
    "no commit": (lambda folder: write(folder, head_sha=None), "says commit 'none'"),
}


@pytest.mark.parametrize("kind", UNUSABLE)
def test_a_report_that_cannot_be_believed_replaces_the_comment_by_that_sentence(
    folder: Path, kind: str
) -> None:
    spoil, sentence = UNUSABLE[kind]
    spoil(folder)
    repository = RepositoryInMemory(branches=[("fork", "fix", PULL)])
    report = published(folder, repository)
    assert report.run.verdict.status == "error"
    assert report.problem is not None
    assert sentence in report.problem
    (comment,) = repository.job.thread.kept
    assert "Could not run" in comment.body
    assert sentence.split("'")[0] in comment.body


def test_a_run_for_no_pull_request_has_nothing_to_comment_on(folder: Path) -> None:
    repository = RepositoryInMemory(pulls=[PULL])
    report = published(folder, repository, replace(TRIGGERING, event="push"))
    assert repository.asked == 0
    assert report.note == "the run was for 'push': no pull request"


def test_a_report_that_is_published_late_leaves_the_comment_to_the_later_run_and_says_so(
    folder: Path,
) -> None:
    repository = RepositoryInMemory(pulls=[PULL])
    later = published(folder, repository, replace(TRIGGERING, id=TRIGGERING.id + 1))
    report = published(folder, repository)
    assert (later.note, report.url) == (None, later.url)
    assert report.note == "the comment was left as a later run wrote it, and does not tell of this one"


def test_off_writes_the_reports_and_no_comment(folder: Path) -> None:
    repository = RepositoryInMemory(pulls=[PULL])
    report = published(folder, repository, mode="off")
    assert (repository.asked, report.url, report.problem) == (0, None, None)


def test_without_a_token_it_is_a_problem(folder: Path) -> None:
    report = published(folder, RepositoryInMemory(pulls=[PULL]), token=None)
    assert report.problem is not None
    assert "token is missing" in report.problem


def test_a_refusal_of_githubs_is_a_problem_and_loses_no_report(folder: Path) -> None:
    repository = RepositoryInMemory(pulls=[PULL])
    repository.job.fail("create", 403)
    report = published(folder, repository)
    assert report.problem == (
        "no comment is written: the job's token may not write one (GitHub did not do it: HTTP 403). "
        "Give the job that publishes these rights:\npermissions:\n  actions: read\n  pull-requests: write"
    )
    assert (folder.parent / "out" / "results.json").is_file()


def test_an_outage_of_githubs_is_no_want_of_rights(folder: Path) -> None:
    repository = RepositoryInMemory(pulls=[PULL])
    repository.job.fail("list", 502)
    report = published(folder, repository)
    assert report.problem == "no comment is written: GitHub did not do it: HTTP 502"


def test_any_other_event_is_refused(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"publish is for a workflow that runs on workflow_run.*'push'"):
        published(folder, RepositoryInMemory(), triggering=None)
