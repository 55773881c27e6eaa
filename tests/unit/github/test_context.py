"""The job as one value, whatever the runner leaves unsaid."""

from pathlib import Path

import pytest

from holodeck_eval.github.context import Context
from holodeck_eval.github.event import Event
from tests.fakes import github_events as events
from tests.fakes.github_events import variables


def test_a_job_is_what_the_runner_says(tmp_path: Path) -> None:
    context = Context.of(
        variables(
            "pull_request",
            events.pull_request(),
            tmp_path,
            GITHUB_RUN_ATTEMPT="3",
            GITHUB_SERVER_URL="https://ghe.example",
            GITHUB_API_URL="https://ghe.example/api/v3/",
            GITHUB_GRAPHQL_URL="https://ghe.example/api/graphql",
        )
    )
    assert context.event.pull_request is not None
    assert context == Context(
        event=context.event,
        repository="octo/demo",
        workflow="evals",
        job="gate",
        run_id=5001,
        run_attempt=3,
        api_url="https://ghe.example/api/v3",
        graphql_url="https://ghe.example/api/graphql",
    )


def test_outside_a_workflow_everything_is_empty_and_the_server_is_github() -> None:
    context = Context.of({})
    assert context.problems == (
        "GITHUB_REPOSITORY is not set, and should be OWNER/NAME",
        "GITHUB_RUN_ID is not set, and should be the number that tells newer comments",
    )
    assert context == Context(event=Event(name=""), problems=context.problems)
    assert context.api_url == "https://api.github.com"


@pytest.mark.parametrize("given", ["0", "-1", "1.5", "12e3", "1" * 20, "٣", " 7"])
def test_a_run_that_is_no_number_has_the_number_0(tmp_path: Path, given: str) -> None:
    made = variables("push", {}, tmp_path, GITHUB_RUN_ID=given, GITHUB_RUN_ATTEMPT=given)
    context = Context.of(made)
    assert (context.run_id, context.run_attempt) == (0, 1)
    assert [problem.split(" is ")[0] for problem in context.problems] == ["GITHUB_RUN_ID"]


@pytest.mark.parametrize(
    ("server", "api"),
    [
        ("https://ghe.example", ""),
        ("https://github.com", "https://token@evil.example"),
        ("https://github.com", "file:///etc/passwd"),
        ("nonsense", ""),
    ],
)
def test_a_token_is_never_sent_to_github_when_another_server_is_meant(
    tmp_path: Path, server: str, api: str
) -> None:
    made = variables("push", {}, tmp_path, GITHUB_SERVER_URL=server, GITHUB_API_URL=api)
    context = Context.of(made)
    assert context.api_url == ""
    assert [problem.split(" is ")[0] for problem in context.problems] == ["GITHUB_API_URL"]


def test_a_hostile_variable_is_shown_quoted_and_short(tmp_path: Path) -> None:
    made = variables("push", {}, tmp_path, GITHUB_REPOSITORY="x\n::error::" + "y" * 500)
    (problem,) = Context.of(made).problems
    assert "\n" not in problem
    assert len(problem) < 200


@pytest.mark.parametrize(
    "name", ["pull_request", "pull_request_target", "pull_request_review", "workflow_run"]
)
def test_an_event_whose_payload_is_gone_says_why_there_is_no_comment(tmp_path: Path, name: str) -> None:
    made = variables(name, {}, tmp_path, GITHUB_EVENT_PATH=str(tmp_path / "none.json"))
    assert Context.of(made).problems == (
        f"the payload of the event '{name}' is not known: its file cannot be read: No such file or directory",
    )


@pytest.mark.parametrize(
    ("name", "about"),
    [("pull_request", "pull request"), ("pull_request_target", "pull request"), ("workflow_run", "run")],
)
def test_an_event_whose_payload_names_nothing_says_so(tmp_path: Path, name: str, about: str) -> None:
    assert Context.of(variables(name, {}, tmp_path)).problems == (
        f"the payload of the event '{name}' names no {about} with a number and a commit",
    )


@pytest.mark.parametrize(
    ("name", "payload"),
    [
        ("push", None),
        ("merge_group", events.merge_group()),
        ("issue_comment", events.issue_comment(on_pull_request=False)),
        ("issue_comment", events.issue_comment()),
        ("pull_request", events.pull_request()),
        ("workflow_run", events.workflow_run()),
    ],
)
def test_an_event_that_needs_no_comment_or_can_have_one_has_no_problem(
    tmp_path: Path, name: str, payload: object
) -> None:
    assert Context.of(variables(name, payload, tmp_path)).problems == ()
