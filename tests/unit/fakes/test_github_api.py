"""The fake of GitHub itself, asked over plain HTTP."""

import http.client
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.fakes.github_api import TOKEN, GitHubApi
from tests.fakes.github_api.faults import BROKEN, DROPPED, LOST, TOO_LONG, moved, primary, secondary
from tests.fakes.github_api.wire import Reply, error

COMMENTS = "/repos/octo/demo/issues/7/comments"


@pytest.fixture
def fake() -> Iterator[GitHubApi]:
    with GitHubApi() as made:
        made.repository.open_pull(7)
        yield made


def ask(fake: GitHubApi, line: str, body: Any = None, **headers: str) -> tuple[int, dict[str, str], Any]:
    """Ask as a client does that knows the token; `headers` overrule what it sends."""
    method, _, path = line.partition(" ")
    usual = {"authorization": f"token {TOKEN}", "user-agent": "test"}
    raw = body if isinstance(body, bytes | None) else json.dumps(body).encode()
    if raw is not None:
        usual["content-type"] = "application/json"
    address = fake.origin.removeprefix("http://")
    connection = http.client.HTTPConnection(address, timeout=10)
    try:
        given = usual | {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, raw, {name: value for name, value in given.items() if value})
        response = connection.getresponse()
        text = response.read()
        names = {name.lower(): value for name, value in response.getheaders()}
        return response.status, names, json.loads(text) if text else None
    finally:
        connection.close()


# -- What it plays


def test_a_comment_is_created_shown_changed_and_removed(fake: GitHubApi) -> None:
    status, _, made = ask(fake, f"POST {COMMENTS}", {"body": "one"})
    assert (status, made["body"], made["user"]["login"]) == (201, "one", "github-actions[bot]")
    one = f"/repos/octo/demo/issues/comments/{made['id']}"
    assert ask(fake, f"GET {one}")[2]["body"] == "one"
    assert ask(fake, f"PATCH {one}", {"body": "two"})[2]["body"] == "two"
    assert ask(fake, f"DELETE {one}")[::2] == (204, None)
    assert [ask(fake, f"{method} {one}")[0] for method in ("GET", "DELETE")] == [404, 404]
    assert ask(fake, f"PATCH {one}", {"body": "three"})[0] == 404
    assert fake.calls == {"GET": 2, "POST": 1, "PATCH": 2, "DELETE": 2}


def test_a_list_has_thirty_items_unless_more_are_wanted_and_says_where_it_goes_on(fake: GitHubApi) -> None:
    for index in range(65):
        fake.repository.add_comment(7, str(index))
    _, headers, first = ask(fake, f"GET {COMMENTS}")
    assert [item["body"] for item in first] == [str(index) for index in range(30)]
    page = f"{fake.origin}{COMMENTS}?per_page=30&page="
    assert headers["link"] == f'<{page}2>; rel="next", <{page}3>; rel="last"'
    _, headers, last = ask(fake, f"GET {COMMENTS}?per_page=30&page=3")
    assert [item["body"] for item in last] == ["60", "61", "62", "63", "64"]
    assert headers["link"] == f'<{page}2>; rel="prev", <{page}1>; rel="first"'
    _, headers, whole = ask(fake, f"GET {COMMENTS}?per_page=100")
    assert (len(whole), "link" in headers) == (65, False)


def test_a_pull_request_is_shown_and_found_by_its_branch(fake: GitHubApi) -> None:
    fake.repository.open_pull(8, "b" * 40, "mona/fork", "fix", "closed")
    _, _, pull = ask(fake, "GET /repos/octo/demo/pulls/8")
    assert (pull["head"]["sha"], pull["head"]["repo"]["full_name"]) == ("b" * 40, "mona/fork")
    assert ask(fake, "GET /repos/octo/demo/pulls/9")[0] == 404
    numbers = {
        query: [pull["number"] for pull in ask(fake, f"GET /repos/octo/demo/pulls{query}")[2]]
        for query in (
            "",
            "?state=all",
            "?head=mona:fix&state=all",
            "?head=Mona:fix",
            "?head=fix",
            "?head=x:y",
        )
    }
    assert list(numbers.values()) == [[7], [7, 8], [8], [], [7], []]


def test_it_says_who_a_token_writes_as(fake: GitHubApi) -> None:
    fake.repository.login = "our-app[bot]"
    _, _, answer = ask(fake, "POST /graphql", {"query": "query { viewer { login } }", "variables": {}})
    assert answer == {"data": {"viewer": {"login": "our-app[bot]"}}}


def test_an_enterprise_s_server_has_its_api_below_a_path() -> None:
    with GitHubApi("/api/v3") as fake:
        fake.repository.open_pull(7)
        assert ask(fake, f"GET /api/v3{COMMENTS}")[::2] == (200, [])
        assert ask(fake, "POST /api/graphql", {"query": "{viewer{login}}"})[0] == 400
        assert ask(fake, f"GET {COMMENTS}")[0] == 404
        assert (fake.api_url, fake.graphql_url) == (f"{fake.origin}/api/v3", f"{fake.origin}/api/graphql")


def test_nobody_reads_without_the_token_and_a_fork_s_token_does_not_write(fake: GitHubApi) -> None:
    assert ask(fake, f"GET {COMMENTS}", authorization="token other")[0] == 401
    fake.repository.may_write = False
    assert ask(fake, f"GET {COMMENTS}")[0] == 200
    status, _, answer = ask(fake, f"POST {COMMENTS}", {"body": "x"})
    assert (status, answer["message"]) == (403, "Resource not accessible by integration")


def test_what_is_not_there_is_not_found(fake: GitHubApi) -> None:
    assert ask(fake, "GET /repos/octo/demo/issues/8/comments")[0] == 404
    assert ask(fake, "POST /repos/octo/demo/issues/8/comments", {"body": "x"})[0] == 404
    assert ask(fake, "GET /repos/octo/other/pulls")[0] == 404


def test_a_body_of_more_than_65536_characters_is_too_long(fake: GitHubApi) -> None:
    status, _, made = ask(fake, f"POST {COMMENTS}", {"body": "🎉" * 65_536})
    assert status == 201
    for line in (f"POST {COMMENTS}", f"PATCH /repos/octo/demo/issues/comments/{made['id']}"):
        status, _, answer = ask(fake, line, {"body": "x" * 65_537})
        assert (status, answer) == (422, TOO_LONG.data)


# -- What it does not let pass


@pytest.mark.parametrize(
    ("line", "body", "headers", "status", "why"),
    [
        ("GET /user", None, {}, 404, "there is no such operation"),
        ("PUT /repos/octo/demo/pulls/7", None, {}, 404, "there is no such operation"),
        ("GET /repos/octo/demo/pulls/seven", None, {}, 422, "pull_number: 'seven' is not of type 'integer'"),
        (f"GET {COMMENTS}?per_page=101", None, {}, 422, "per_page is 101, more than GitHub gives"),
        (f"GET {COMMENTS}?page=two", None, {}, 422, "page: 'two' is not of type 'integer'"),
        (f"GET {COMMENTS}?per-page=9", None, {}, 422, "the parameter 'per-page' is not known"),
        ("GET /repos/octo/demo/pulls?state=merged", None, {}, 422, "state: 'merged' is not one of"),
        (f"POST {COMMENTS}", {"text": "x"}, {}, 422, "the body: 'body' is a required property"),
        (f"POST {COMMENTS}", {"body": 1}, {}, 422, "the body.body: 1 is not of type 'string'"),
        (f"POST {COMMENTS}", ["x"], {}, 422, "the body: ['x'] is not of type 'object'"),
        (f"POST {COMMENTS}", b"{", {}, 422, "the body is no JSON"),
        (f"POST {COMMENTS}", b"", {}, 422, "the body: None is not of type 'object'"),
        (
            f"POST {COMMENTS}",
            {"body": "x"},
            {"content_type": "text/plain"},
            422,
            "the body is 'text/plain', not",
        ),
        (f"GET {COMMENTS}", {"body": "x"}, {}, 422, "a body where none belongs"),
        (f"GET {COMMENTS}", None, {"user_agent": ""}, 403, "no User-Agent"),
        (
            "POST /graphql",
            {"query": "{rateLimit{cost}}"},
            {},
            400,
            "the query '{rateLimit{cost}}' is not played",
        ),
    ],
)
def test_a_request_that_the_description_does_not_allow_is_refused_and_kept(
    line: str, body: Any, headers: dict[str, str], status: int, why: str
) -> None:
    with GitHubApi() as fake:
        fake.repository.open_pull(7)
        answered, _, answer = ask(fake, line, body, **headers)
        assert answered == status
        assert why in answer["message"]
        assert fake.wrong == [f"{line.partition('?')[0]}: {answer['message']}"]
        assert fake.repository.bodies(7) == []


def test_a_reply_of_its_own_that_the_description_does_not_know_is_kept() -> None:
    with GitHubApi() as fake:
        fake.repository.open_pull(7)
        del fake.repository.comments[fake.repository.add_comment(7, "x")]["id"]
        assert ask(fake, f"GET {COMMENTS}")[0] == 200
        assert fake.wrong == [f"GET {COMMENTS} answers the reply[0]: 'id' is a required property"]


def test_a_fault_of_its_own_is_kept() -> None:
    with GitHubApi() as fake:
        fake.before("pulls/list", lambda: 1 // 0)
        with pytest.raises(http.client.RemoteDisconnected):
            ask(fake, "GET /repos/octo/demo/pulls")
    assert fake.wrong == ["the fake failed: ZeroDivisionError('integer division or modulo by zero')"]


# -- What goes wrong when a test wants it


def test_faults_come_in_order_and_none_lets_a_request_through(fake: GitHubApi) -> None:
    fake.fail(BROKEN, None, secondary(7), primary(60), moved("https://other.example/", 307))
    answers = [ask(fake, f"GET {COMMENTS}") for _ in range(6)]
    assert [status for status, _, _ in answers] == [502, 200, 403, 403, 307, 200]
    assert answers[2][1]["retry-after"] == "7"
    assert answers[3][1]["date"] == "Fri, 15 Jan 2027 08:00:00 GMT"
    assert (answers[3][1]["x-ratelimit-remaining"], answers[3][1]["x-ratelimit-reset"]) == ("0", "1800000060")
    assert answers[4][1]["location"] == "https://other.example/"


def test_a_fault_may_last(fake: GitHubApi) -> None:
    fake.fail_always(error(429, "Slow down"))
    assert [ask(fake, f"GET {COMMENTS}")[0] for _ in range(3)] == [429, 429, 429]


@pytest.mark.parametrize(("fault", "bodies"), [(DROPPED, []), (LOST, ["x"])])
def test_a_connection_breaks_before_or_after_the_request_is_done(
    fake: GitHubApi, fault: Reply, bodies: list[str]
) -> None:
    fake.fail(fault)
    with pytest.raises(http.client.RemoteDisconnected):
        ask(fake, f"POST {COMMENTS}", {"body": "x"})
    assert fake.repository.bodies(7) == bodies


def test_something_may_happen_right_before_an_operation_once(fake: GitHubApi) -> None:
    fake.before("issues/create-comment", lambda: fake.repository.add_comment(7, "of another job"))
    ask(fake, f"GET {COMMENTS}")
    ask(fake, f"POST {COMMENTS}", {"body": "one"})
    ask(fake, f"POST {COMMENTS}", {"body": "two"})
    assert fake.repository.bodies(7) == ["of another job", "one", "two"]
