import json
from pathlib import Path

from tests.fakes import github_events as events


def test_a_fork_that_is_gone_leaves_no_repository_behind() -> None:
    gone = events.pull_request(repository=None)["pull_request"]["head"]
    fork = events.pull_request(repository=events.FORK)["pull_request"]["head"]
    assert gone["repo"] is None
    assert fork["repo"] == {"full_name": "stranger/demo", "fork": True}


def test_a_field_that_is_given_replaces_the_usual_one() -> None:
    assert events.pull_request(8, state="closed")["pull_request"]["state"] == "closed"
    assert events.workflow_run(head_sha=None)["workflow_run"]["head_sha"] is None
    assert events.merge_group(head_sha=1)["merge_group"]["head_sha"] == 1
    assert events.push(forced=True)["forced"] is True
    assert events.issue_comment(state="closed")["issue"]["state"] == "closed"


def test_an_issue_is_told_from_a_pull_request() -> None:
    assert "pull_request" in events.issue_comment()["issue"]
    assert "pull_request" not in events.issue_comment(on_pull_request=False)["issue"]


def test_a_review_is_one_of_the_same_pull_request() -> None:
    review, plain = events.pull_request_review(9), events.pull_request(9)
    assert review["pull_request"] == plain["pull_request"]
    assert review["review"]["state"] == "approved"


def test_events_without_a_person_or_an_action_have_none() -> None:
    assert events.schedule() == {
        "repository": {"full_name": "octo/demo", "default_branch": "main"},
        "schedule": "0 5 * * 1",
    }
    assert events.workflow_dispatch(agent="a.yaml")["inputs"] == {"agent": "a.yaml"}


def test_the_runner_names_the_payloads_file_and_shows_pull_requests_as_merged(tmp_path: Path) -> None:
    made = events.variables("pull_request", {"a": 1}, tmp_path, GITHUB_ACTOR="hubot")
    assert json.loads(Path(made["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8")) == {"a": 1}
    assert (made["GITHUB_SHA"], made["GITHUB_ACTOR"]) == (events.MERGE, "hubot")
    assert events.variables("push", {}, tmp_path)["GITHUB_SHA"] == events.DEFAULT
