"""Files of a pull request are not judged where that would be done with secrets."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from holodeck_eval.github.checkouts import base_note, checkouts_of, head_problem
from holodeck_eval.github.event import Event
from holodeck_eval.github.events import Facts, read_event
from holodeck_eval.github.glob_places import places
from tests.fakes import github_events as events
from tests.fakes.git_folder import checkout
from tests.fakes.github_events import BASE, DEFAULT, FORK, HEAD, REPOSITORY

FACTS = Facts(name="pull_request_target", sha=DEFAULT, repository=REPOSITORY)
TARGET = read_event(events.pull_request(repository=FORK), FACTS)
COMMENT = read_event(events.issue_comment(), Facts(name="issue_comment", sha=DEFAULT, repository=REPOSITORY))
RUN = Facts(name="workflow_run", sha=DEFAULT, repository=REPOSITORY)
OTHER = "c" * 40


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: a folder without a checkout, with an agent and transcripts in it."""
    folder = tmp_path / "workspace"
    (folder / "runs").mkdir(parents=True)
    (folder / "agent.yaml").touch()
    (folder / "runs" / "a.jsonl").touch()
    monkeypatch.chdir(folder)
    return folder


def refused(event: Event, workspace: Path, *names: str) -> str | None:
    problem = head_problem(event, str(workspace), names)
    return problem.message if problem else None


@pytest.mark.parametrize("commit", [BASE, DEFAULT])
def test_files_of_the_base_are_judged(workspace: Path, commit: str) -> None:
    checkout(workspace, f"ref: {'refs/heads/main'}", {"refs/heads/main": commit})
    names = [
        "agent.yaml",
        "runs/*.jsonl",
        "helper=runs/**/*.jsonl",
        str(workspace / "agent.yaml"),
        "none.yaml",
    ]
    assert refused(TARGET, workspace, *names) is None


def test_the_head_of_a_pull_request_is_refused_with_what_to_do(workspace: Path) -> None:
    checkout(workspace, HEAD)
    assert refused(TARGET, workspace, "agent.yaml") == (
        "'agent.yaml' lies in a checkout of commit aaaaaaa, the one that is proposed: a workflow on "
        "'pull_request_target' runs with the repository's secrets and a token that may write, and nobody may "
        "have reviewed what it would read; run the gate on pull_request and publish its report from "
        "workflow_run, or check out the base, or set allow_head_checkout: true"
    )


@pytest.mark.parametrize(
    "name", ["runs", "runs/a.jsonl", "runs/*.jsonl", "**/*.jsonl", "*", "runs/../agent.yaml", "helper=*.yaml"]
)
def test_every_way_to_name_a_file_of_the_head_is_refused(workspace: Path, name: str) -> None:
    checkout(workspace, HEAD)
    assert refused(TARGET, workspace, name)
    assert refused(TARGET, workspace, "/none", str(workspace / name.removeprefix("helper=")))


def test_a_merge_of_the_head_is_not_the_base_either(workspace: Path) -> None:
    checkout(workspace, OTHER)
    assert "a checkout of commit ccccccc, which is not the base's" in str(
        refused(TARGET, workspace, "agent.yaml")
    )


def test_a_plain_event_reads_whatever_is_checked_out(workspace: Path) -> None:
    checkout(workspace, HEAD)
    for name in ("pull_request", "push", "merge_group", "schedule", ""):
        event = read_event(events.pull_request(repository=FORK), Facts(name=name, sha=DEFAULT))
        assert refused(event, workspace, "agent.yaml") is None


def test_a_head_checked_out_beside_the_base_is_found_however_the_glob_reaches_it(workspace: Path) -> None:
    checkout(workspace, BASE)
    (checkout(workspace / "pr" / "code", HEAD) / "agent.yaml").touch()
    assert refused(TARGET, workspace, "agent.yaml", "runs/*.jsonl", "*/*.jsonl") is None
    reaching = [
        "pr/code/agent.yaml",
        "pr/*/agent.yaml",
        "*/*/agent.yaml",
        "**/agent.yaml",
        "x=pr/code/*.yaml",
    ]
    for name in reaching:
        assert "commit aaaaaaa" in str(refused(TARGET, workspace, name)), name


def test_a_base_checked_out_beside_the_head_is_judged(workspace: Path) -> None:
    checkout(workspace, HEAD)
    (checkout(workspace / "base", BASE) / "agent.yaml").touch()
    assert refused(TARGET, workspace, "base/agent.yaml", "base/*.yaml") is None
    assert refused(TARGET, workspace, "base/agent.yaml", "agent.yaml")


def test_a_link_from_the_base_into_the_head_is_refused(workspace: Path) -> None:
    base = checkout(workspace / "base", BASE)
    head = checkout(workspace / "head", HEAD)
    (head / "agent.yaml").touch()
    (base / "agent.yaml").symlink_to(head / "agent.yaml")
    (base / "linked").symlink_to(head)
    (base / "loop").symlink_to("loop")
    reaching = ["base/agent.yaml", "base/*.yaml", "base/linked/agent.yaml", "base/linked/*.yaml"]
    for name in [*reaching, "base/*/agent.yaml", "base/**/agent.yaml"]:
        assert "commit aaaaaaa" in str(refused(TARGET, workspace, name)), name


def test_a_link_from_the_head_to_the_base_is_refused_too(workspace: Path) -> None:
    base, head = checkout(workspace / "base", BASE), checkout(workspace / "head", HEAD)
    (base / "agent.yaml").touch()
    (head / "agent.yaml").symlink_to(base / "agent.yaml")
    assert refused(TARGET, workspace, "head/agent.yaml")


def test_a_checkout_whose_commit_is_unknown_is_refused(workspace: Path) -> None:
    checkout(workspace, BASE)
    (workspace / "sub").mkdir()
    (workspace / "sub" / ".git").write_text("gitdir: ../.git/modules/sub", encoding="utf-8")
    (workspace / "sub" / "agent.yaml").touch()
    message = str(refused(TARGET, workspace, "sub/agent.yaml"))
    assert "/sub', whose commit is not known (its .git is a link or a file" in message
    assert refused(TARGET, workspace, "**/agent.yaml")
    assert refused(TARGET, workspace, "agent.yaml") is None


def test_a_workspace_without_a_checkout_is_refused_with_where_downloads_belong(workspace: Path) -> None:
    message = str(refused(TARGET, workspace, "agent.yaml"))
    assert "the workspace has no .git; downloads belong into ${{ runner.temp }}" in message


def test_files_outside_the_workspace_are_no_checkouts_unless_they_lie_in_one(
    workspace: Path, tmp_path: Path
) -> None:
    (tmp_path / "temp").mkdir()
    (tmp_path / "temp" / "a.jsonl").touch()
    names = [str(tmp_path / "temp" / "a.jsonl"), f"helper={tmp_path}/temp/*.jsonl", "../temp/a.jsonl"]
    assert refused(TARGET, workspace, *names) is None
    checkout(tmp_path / "temp", HEAD)
    for name in names:
        assert refused(TARGET, workspace, name), name


def test_a_workspace_that_is_a_link_is_the_folder_it_leads_to(workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(workspace)
    assert "the workspace has no .git" in str(refused(TARGET, tmp_path / "link", "agent.yaml"))
    checkout(workspace, BASE)
    assert refused(TARGET, tmp_path / "link", "agent.yaml", str(tmp_path / "link" / "runs" / "*")) is None


def test_without_a_known_base_everything_is_refused(workspace: Path) -> None:
    checkout(workspace, BASE)
    event = Event(name="issue_comment", trust="privileged")
    assert refused(event, workspace, "agent.yaml")


def test_after_a_forks_run_its_commit_is_refused_and_an_own_branchs_is_not(workspace: Path) -> None:
    checkout(workspace, HEAD)
    fork = read_event(events.workflow_run(), RUN)
    own = read_event(events.workflow_run(repository=REPOSITORY), RUN)
    assert "'workflow_run'" in str(refused(fork, workspace, "agent.yaml"))
    assert refused(own, workspace, "agent.yaml") is None


@pytest.mark.parametrize("name", ["", "=", "a=", "\ud800", "x\n::error::y", "[", "*\0", "a\0", "~/x", "**"])
def test_a_strange_name_breaks_nothing_and_is_shown_on_one_line(workspace: Path, name: str) -> None:
    checkout(workspace, HEAD)
    (workspace / "x\n::error::y").touch()
    assert "\n" not in (refused(TARGET, workspace, name) or "")


def test_a_glob_that_climbs_or_reaches_too_far_is_not_vouched_for(workspace: Path) -> None:
    checkout(workspace, BASE)
    assert "too many files" in str(refused(TARGET, workspace, "runs/*/../../pr/agent.yaml"))
    assert list(places("**/*.jsonl", limit=3)) == [".", None]
    assert list(places("**/*.jsonl", limit=4)) == ["."]


def test_where_nothing_can_be_found_there_is_no_place(workspace: Path) -> None:
    assert list(places("agent.yaml/*")) == []
    assert list(places("none/**/*.jsonl")) == []
    os.mkfifo(workspace / "runs" / "pipe")
    assert list(places("runs/*/x")) == ["runs/"]


def test_a_folder_that_goes_away_meanwhile_holds_nothing(workspace: Path) -> None:
    (workspace / "runs" / "old").mkdir()
    found = places("runs/*/a.jsonl")
    assert next(found) == "runs/"
    for path in (workspace / "runs" / "a.jsonl", workspace / "runs" / "old", workspace / "runs"):
        path.rmdir() if path.is_dir() else path.unlink()
    assert list(found) == []


def test_every_checkout_that_files_may_lie_in_is_named_once(workspace: Path) -> None:
    two = checkout(workspace / "two", HEAD)
    found = list(checkouts_of("x=**/*.yaml", str(workspace)))
    assert [(one.folder, one.commit) for one in found] == [(None, None), (str(two), HEAD)]
    checkout(workspace, BASE)
    found = list(checkouts_of("runs/*/../*", str(workspace)))
    assert [(one.folder, one.commit) for one in found] == [(str(workspace), BASE), (None, None)]


def note(event: Event, workspace: Path, names: Sequence[str]) -> str | None:
    return base_note(event, str(workspace), names)


def test_a_reader_is_told_when_only_the_base_was_judged(workspace: Path) -> None:
    checkout(workspace, BASE)
    assert note(TARGET, workspace, ["agent.yaml", "runs/*.jsonl"]) == (
        "what is judged is commit bbbbbbb of the base: nothing that commit aaaaaaa changes can make this pass "
        "or fail"
    )
    checkout(workspace / "two", DEFAULT)
    assert "commit bbbbbbb, ddddddd of the base" in str(note(TARGET, workspace, ["agent.yaml", "two/*"]))


def test_a_reader_is_told_so_where_the_proposed_commit_is_unknown(workspace: Path) -> None:
    checkout(workspace, DEFAULT)
    assert "nothing that the pull request changes" in str(note(COMMENT, workspace, ["agent.yaml"]))


def test_nothing_is_said_where_the_proposal_was_judged_or_may_have_been(
    workspace: Path, tmp_path: Path
) -> None:
    checkout(workspace, BASE)
    (tmp_path / "a.jsonl").touch()
    plain = read_event(events.pull_request(), Facts(name="pull_request", sha=BASE, repository=REPOSITORY))
    assert note(plain, workspace, ["agent.yaml"]) is None
    assert note(TARGET, workspace, []) is None
    assert note(TARGET, workspace, ["agent.yaml", "../a.jsonl"]) is None
    assert (
        note(
            Event(name="release", trust="privileged", base_shas=frozenset({BASE})), workspace, ["agent.yaml"]
        )
        is None
    )
    checkout(workspace / "pr", HEAD)
    assert note(TARGET, workspace, ["agent.yaml", "pr/*"]) is None
    own = read_event(events.workflow_run(repository=REPOSITORY), RUN)
    assert note(own, workspace, ["pr/*"]) is None
