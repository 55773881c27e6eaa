"""What each event says: whose commit, which pull request, and how far it is trusted."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holodeck_eval.github.context import Context
from holodeck_eval.github.event import Event, TriggeringRun
from holodeck_eval.github.events import EVENTS, Facts, read_event
from holodeck_eval.github.payload import MAX_BYTES, address, read_payload, repository, sha, text
from holodeck_eval.github.ports import PullRequest
from tests.fakes import github_events as events
from tests.fakes.github_events import BASE, DEFAULT, FORK, HEAD, MERGE, REPOSITORY, variables

Told = Callable[..., Event]

PROPOSED = ["pull_request", "pull_request_review", "pull_request_review_comment"]


@pytest.fixture
def told(tmp_path: Path) -> Told:
    """Reads an event as the runner tells it."""

    def read(name: str, payload: object, **changes: str) -> Event:
        return Context.of(variables(name, payload, tmp_path, **changes)).event

    return read


@pytest.mark.parametrize("name", PROPOSED)
def test_a_pull_request_is_of_its_own_commit_and_not_of_the_merge(told: Told, name: str) -> None:
    assert told(name, events.pull_request_review(12)) == Event(
        name=name,
        head_sha=HEAD,
        pull_request=PullRequest(
            number=12, head_sha=HEAD, head_repository=REPOSITORY, base_repository=REPOSITORY
        ),
    )


@pytest.mark.parametrize("home", [FORK, None, "octo/demo2"])
@pytest.mark.parametrize("name", PROPOSED)
def test_a_forks_pull_request_has_its_secrets_withheld(told: Told, name: str, home: str | None) -> None:
    event = told(name, events.pull_request(repository=home))
    assert event.withheld == "fork"
    assert event.trust == "plain"
    assert event.pull_request is not None
    assert event.pull_request.head_repository == home
    assert event.pull_request.base_repository == REPOSITORY


def test_a_repository_that_is_itself_a_fork_of_another_is_no_stranger_to_itself(told: Told) -> None:
    payload = events.pull_request()
    payload["pull_request"]["head"]["repo"]["fork"] = True
    assert told("pull_request", payload).withheld is None


def test_a_repositorys_name_is_the_same_in_any_letters(told: Told) -> None:
    assert told("pull_request", events.pull_request(), GITHUB_REPOSITORY="Octo/Demo").withheld is None


def test_without_the_own_repositorys_name_every_pull_request_counts_as_a_forks(told: Told) -> None:
    event = told("pull_request", events.pull_request(), GITHUB_REPOSITORY="")
    assert event.withheld == "fork"
    assert event.pull_request is not None
    assert event.pull_request.base_repository == REPOSITORY


@pytest.mark.parametrize(
    ("payload", "actor"),
    [
        (events.pull_request(author="dependabot[bot]"), "mona"),
        (events.pull_request(), "dependabot[bot]"),
        (events.pull_request() | {"sender": {"login": "dependabot[bot]"}}, "mona"),
        ({}, "dependabot[bot]"),
    ],
)
def test_dependabots_pull_request_has_its_secrets_withheld(
    told: Told, payload: dict[str, Any], actor: str
) -> None:
    assert told("pull_request", payload, GITHUB_ACTOR=actor).withheld == "dependabot"


def test_dependabots_push_has_its_secrets_withheld_and_its_schedule_has_not(told: Told) -> None:
    assert told("push", events.push(sender="dependabot[bot]")).withheld == "dependabot"
    assert told("push", events.push()).withheld is None
    assert told("schedule", events.schedule(), GITHUB_ACTOR="dependabot[bot]").withheld is None


@pytest.mark.parametrize("login", ["dependabot", "Dependabot[bot]", "dependabot[bot] ", ["dependabot[bot]"]])
def test_nobody_else_is_dependabot(told: Told, login: object) -> None:
    payload = events.pull_request() | {"sender": {"login": login}}
    assert told("pull_request", payload).withheld is None


def test_on_pull_request_target_a_fork_gets_secrets_and_only_the_base_is_believed(told: Told) -> None:
    event = told("pull_request_target", events.pull_request(repository=FORK))
    assert (event.trust, event.withheld, event.head_sha) == ("privileged", None, HEAD)
    assert event.base_shas == {DEFAULT, BASE}
    assert event.pull_request is not None


def test_on_pull_request_target_an_unreadable_payload_leaves_the_default_branch(told: Told) -> None:
    event = told("pull_request_target", [])
    assert event == Event(name="pull_request_target", trust="privileged", base_shas=frozenset({DEFAULT}))


def test_a_merge_group_is_of_its_head_and_of_no_pull_request(told: Told) -> None:
    assert told("merge_group", events.merge_group()) == Event(name="merge_group", head_sha=HEAD)
    assert told("merge_group", {}).head_sha == DEFAULT


def test_a_push_is_of_what_was_pushed(told: Told) -> None:
    assert told("push", events.push()) == Event(name="push", head_sha=HEAD)
    assert told("push", events.push(after="main")).head_sha == DEFAULT


@pytest.mark.parametrize(
    ("name", "payload"),
    [("schedule", events.schedule()), ("workflow_dispatch", events.workflow_dispatch(pr="7"))],
)
def test_a_schedule_and_a_dispatch_are_of_the_branch_they_run_on(
    told: Told, name: str, payload: dict[str, Any]
) -> None:
    assert told(name, payload) == Event(name=name, head_sha=DEFAULT)


def test_a_workflow_run_tells_of_the_run_that_ended_and_believes_no_fork(told: Told) -> None:
    run = TriggeringRun(
        id=4001,
        workflow="evals",
        event="pull_request",
        head_sha=HEAD,
        head_branch="kinder-answers",
        head_repository=FORK,
        url="https://github.com/octo/demo/actions/runs/4001/attempts/2",
        attempt=2,
    )
    assert told("workflow_run", events.workflow_run()) == Event(
        name="workflow_run",
        head_sha=HEAD,
        trust="privileged",
        base_shas=frozenset({DEFAULT}),
        triggering=run,
    )


def test_a_workflow_run_believes_the_commit_of_an_own_branch(told: Told) -> None:
    assert told("workflow_run", events.workflow_run(repository="Octo/Demo")).base_shas == {DEFAULT, HEAD}
    assert told("workflow_run", events.workflow_run(repository=None)).base_shas == {DEFAULT}


def test_a_workflow_run_after_pull_request_target_is_of_the_proposed_commit(told: Told) -> None:
    payload = events.workflow_run(event="pull_request_target", head_sha=BASE, head_commit={"id": HEAD})
    event = told("workflow_run", payload)
    assert event.triggering is not None
    assert (event.triggering.head_sha, event.head_sha, event.base_shas) == (HEAD, HEAD, {DEFAULT})


def test_a_workflow_run_after_pull_request_target_believes_no_commit_of_that_run(told: Told) -> None:
    payload = events.workflow_run(
        event="pull_request_target", repository=REPOSITORY, head_sha=BASE, head_commit={"id": HEAD}
    )
    assert told("workflow_run", payload).base_shas == {DEFAULT}


def test_the_page_of_a_run_is_made_and_not_taken_from_the_payload(told: Told) -> None:
    event = told(
        "workflow_run",
        events.workflow_run(html_url="javascript:alert(1)", run_attempt="3"),
        GITHUB_SERVER_URL="https://github.example.com/",
    )
    assert event.triggering is not None
    assert event.triggering.url == "https://github.example.com/octo/demo/actions/runs/4001/attempts/1"


@pytest.mark.parametrize("fields", [{"id": None}, {"id": True}, {"head_sha": "main"}, {"id": 0}])
def test_a_workflow_run_without_its_number_or_commit_tells_of_no_run(
    told: Told, fields: dict[str, Any]
) -> None:
    event = told("workflow_run", events.workflow_run(**fields))
    assert (event.triggering, event.head_sha, event.base_shas) == (None, DEFAULT, {DEFAULT})


def test_a_comment_on_a_pull_request_is_of_it_and_of_no_known_commit(told: Told) -> None:
    event = told("issue_comment", events.issue_comment(31))
    assert event == Event(
        name="issue_comment",
        pull_request=PullRequest(number=31, head_sha=None, head_repository=None, base_repository=REPOSITORY),
        trust="privileged",
        base_shas=frozenset({DEFAULT}),
    )


def test_a_comment_on_an_issue_is_of_the_default_branch(told: Told) -> None:
    event = told("issue_comment", events.issue_comment(on_pull_request=False))
    assert (event.pull_request, event.head_sha, event.trust) == (None, DEFAULT, "privileged")
    assert told("issue_comment", events.issue_comment(0)).pull_request is None


def test_an_unknown_event_is_of_the_runners_commit_and_believes_that_alone(told: Told) -> None:
    payload = events.pull_request(repository=FORK) | events.workflow_run()
    assert told("repository_dispatch", payload) == Event(
        name="repository_dispatch",
        head_sha=DEFAULT,
        trust="privileged",
        base_shas=frozenset({DEFAULT}),
    )


def test_outside_a_workflow_there_is_no_event_and_nothing_is_refused() -> None:
    assert Context.of({}).event == Event(name="")
    assert Context.of({"GITHUB_SHA": HEAD.upper()}).event == Event(
        name="", head_sha=HEAD, base_shas=frozenset({HEAD})
    )


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"pull_request": None},
        {"pull_request": [1]},
        {"pull_request": {"number": "7", "head": {"sha": HEAD}}},
        {"pull_request": {"number": 7.0, "head": {"sha": HEAD}}},
        {"pull_request": {"number": -7, "head": {"sha": HEAD}}},
        {"pull_request": {"number": 2**63, "head": {"sha": HEAD}}},
        {"pull_request": {"number": 7, "head": HEAD}},
        {"pull_request": {"number": 7, "head": {"sha": HEAD + "\n"}}},
        {"pull_request": {"number": 7, "head": {"sha": "../../" + HEAD[6:]}}},
    ],
)
def test_a_pull_request_without_its_number_or_commit_is_none(told: Told, payload: dict[str, Any]) -> None:
    event = told("pull_request", payload)
    assert event.pull_request is None
    assert event.head_sha in {None, HEAD}
    assert event.head_sha != MERGE


def test_names_that_could_lead_elsewhere_are_no_repositories(told: Told) -> None:
    payload = events.pull_request()
    payload["pull_request"]["base"]["repo"]["full_name"] = "octo/.."
    payload["pull_request"]["head"]["repo"]["full_name"] = "octo/demo/pulls"
    found = told("pull_request", payload).pull_request
    assert found is not None
    assert (found.base_repository, found.head_repository) == (REPOSITORY, None)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "its file is not JSON"),
        (b"{", "its file is not JSON"),
        (b"\xff\xfe\x00", "its file is not JSON"),
        (b"[" * 200_000, "its file is not JSON"),
        (b'{"a": ' + b"9" * 5000 + b"}", "its file is not JSON"),
        (b"[1]", "its file holds no JSON object"),
        (b"null", "its file holds no JSON object"),
        (b'{"pad": "' + b"x" * MAX_BYTES + b'"}', "its file is larger than 25 MiB"),
    ],
)
def test_a_payload_that_cannot_be_read_is_empty_and_says_why(
    tmp_path: Path, content: bytes, why: str
) -> None:
    path = tmp_path / "event.json"
    path.write_bytes(content)
    assert read_payload({"GITHUB_EVENT_PATH": str(path)}) == ({}, why)


def test_a_payload_of_the_largest_size_is_read(tmp_path: Path) -> None:
    path = tmp_path / "event.json"
    path.write_bytes(b'{"a":1}'.ljust(MAX_BYTES))
    assert read_payload({"GITHUB_EVENT_PATH": str(path)}) == ({"a": 1}, None)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "GITHUB_EVENT_PATH is not set"),
        ("none.json", "its file cannot be read: No such file or directory"),
        (".", "its file cannot be read: Is a directory"),
        ("a\0b", "its file is not JSON"),
    ],
)
def test_a_payload_that_is_no_file_is_empty_and_says_why(name: str, why: str) -> None:
    assert read_payload({"GITHUB_EVENT_PATH": name}) == ({}, why)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from([HEAD, REPOSITORY]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)
KEYS = ["pull_request", "head", "base", "repo", "sha", "number", "user", "login", "sender", "workflow_run"]
KEYS += ["id", "head_repository", "full_name", "merge_group", "issue", "after", "event", "head_commit"]
PAYLOADS = st.dictionaries(
    st.sampled_from(KEYS),
    st.recursive(JSON, lambda inner: st.dictionaries(st.sampled_from(KEYS), inner, max_size=4), max_leaves=8),
    max_size=6,
)


@given(name=st.sampled_from([*EVENTS, "", "release"]), payload=PAYLOADS)
def test_no_payload_breaks_an_event_or_makes_up_a_commit(name: str, payload: dict[str, Any]) -> None:
    event = read_event(payload, Facts(name=name, sha=DEFAULT, repository=REPOSITORY))
    assert event.name == name
    assert event.head_sha in {None, DEFAULT, HEAD}
    assert event.base_shas <= {DEFAULT, HEAD}
    assert (event.trust == "privileged") == (
        name in {"pull_request_target", "workflow_run", "issue_comment", "release"}
    )


@pytest.mark.parametrize(
    "given_text", ["main", "", "g" * 40, "a" * 39, "a" * 41, "a" * 64 + "\n", None, 7, ["a" * 40]]
)
def test_a_commit_is_forty_or_sixty_four_hexadecimal_digits(given_text: object) -> None:
    assert sha(given_text) is None
    assert sha("A" * 40) == "a" * 40
    assert sha("0" * 64) == "0" * 64


@pytest.mark.parametrize(
    "name", ["octo", "octo/", "/demo", "../demo", "octo/..", "octo/.", "a/b/c", "a b/c", "octo/demo\n", "é/x"]
)
def test_a_repository_is_an_owner_and_a_name(name: str) -> None:
    assert repository(name) is None
    assert repository("octo-org_x/.github") == "octo-org_x/.github"


@pytest.mark.parametrize(
    "given_text",
    ["ftp://x", "https://", "https://u:p@x", "https://x?y", "https://x y", "https://x\n", "x", None, 3],
)
def test_an_address_is_a_server_and_a_path(given_text: object) -> None:
    assert address(given_text) is None
    assert address("https://ghe.example/api/v3/") == "https://ghe.example/api/v3"
    assert address("http://[::1]:8080") == "http://[::1]:8080"


def test_a_text_is_cut_and_holds_nothing_that_cannot_be_sent() -> None:
    assert text("x" * 300) == "x" * 255
    assert text("a\ud800b") == "a?b"
    assert text(None) == text(3) == ""
