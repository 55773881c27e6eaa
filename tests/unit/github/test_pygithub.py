"""The door to PyGithub, before a GitHub that holds every request against its own description."""

import pytest

from holodeck_eval.errors import GitHubError
from holodeck_eval.github.ports import Comment, PullRequest
from tests.fakes.github_api import TOKEN, GitHubApi
from tests.fakes.github_api.faults import BAD_CREDENTIALS, FORBIDDEN, NOT_FOUND, garbled
from tests.fakes.github_api.wire import Reply
from tests.unit.github.connected import connected

COMMENTS = "/repos/octo/demo/issues/7/comments"
PULL = b'{"number": 7, "state": "open", "head": {"repo": null, "sha": "%s"}, "base": {"repo": {"full_name": "o/d"}}}'


def test_comments_are_listed_oldest_first_with_one_request(github: GitHubApi) -> None:
    first = github.repository.add_comment(7, "one", "mona")
    second = github.repository.add_comment(7, "two")
    page = "https://github.example/octo/demo/pull/7#issuecomment-"
    assert connected(github).comments(7).list() == (
        Comment(id=first, author="mona", body="one", url=f"{page}{first}"),
        Comment(id=second, author="github-actions[bot]", body="two", url=f"{page}{second}"),
    )
    assert github.lines == [f"GET {COMMENTS}"]


def test_comments_are_listed_over_all_pages(github: GitHubApi) -> None:
    made = [github.repository.add_comment(7, f"number {index}", "mona") for index in range(250)]
    assert [comment.id for comment in connected(github).comments(7).list()] == made
    assert [asked.query["page"] for asked in github.asked] == [["1"], ["2"], ["3"]]
    assert {asked.query["per_page"][0] for asked in github.asked} == {"100"}


def test_a_full_last_page_is_not_followed_by_an_empty_one(github: GitHubApi) -> None:
    for index in range(100):
        github.repository.add_comment(7, str(index))
    assert len(connected(github).comments(7).list()) == 100
    assert github.calls == {"GET": 1}


def test_a_list_without_an_end_is_given_up(github: GitHubApi) -> None:
    github.fail_always(Reply(data=[], headers={"link": '<https://api.github.com/x?page=2>; rel="next"'}))
    with pytest.raises(GitHubError, match="more than 10000 answers when asked to list the comments of pull"):
        connected(github).comments(7).list()
    assert len(github.asked) == 100


def test_a_comment_is_created_changed_and_removed_with_one_request_each(github: GitHubApi) -> None:
    comments = connected(github).comments(7)
    made = comments.create("What's new: 🎉\n")
    assert (made.body, made.author) == ("What's new: 🎉\n", "github-actions[bot]")
    assert comments.update(made.id, "changed").body == "changed"
    assert github.repository.bodies(7) == ["changed"]
    comments.delete(made.id)
    assert github.repository.bodies(7) == []
    one = f"/repos/octo/demo/issues/comments/{made.id}"
    assert github.lines == [f"POST {COMMENTS}", f"PATCH {one}", f"DELETE {one}"]


def test_removing_a_comment_that_is_gone_is_no_error(github: GitHubApi) -> None:
    connected(github).comments(7).delete(404)
    assert github.calls == {"DELETE": 1}


def test_the_token_s_login_is_asked_of_graphql(github: GitHubApi) -> None:
    github.repository.login = "our-app[bot]"
    assert connected(github).comments(7).viewer() == "our-app[bot]"
    assert github.lines == ["POST /graphql"]


def test_a_comment_whose_author_is_gone_has_none(github: GitHubApi) -> None:
    github.repository.add_comment(7, "bye", None)
    (comment,) = connected(github).comments(7).list()
    assert comment.author == ""


def test_a_pull_request_is_shown_with_one_request(github: GitHubApi) -> None:
    github.repository.open_pull(8, "b" * 40, "mona/fork", state="closed")
    assert connected(github).pull_request(8) == PullRequest(
        number=8,
        head_sha="b" * 40,
        head_repository="mona/fork",
        base_repository="octo/demo",
    )
    assert github.lines == ["GET /repos/octo/demo/pulls/8"]


def test_a_pull_request_whose_fork_is_gone_names_no_repository(github: GitHubApi) -> None:
    github.fail(garbled(PULL % (b"c" * 40)))  # GitHub's description does not know that it may be null
    assert connected(github).pull_request(8) == PullRequest(
        number=7, head_sha="c" * 40, head_repository=None, base_repository="o/d"
    )


def test_a_pull_request_that_is_missing_is_none(github: GitHubApi) -> None:
    assert connected(github).pull_request(999) is None


def test_the_open_pull_requests_of_a_branch_are_found_with_one_request(github: GitHubApi) -> None:
    github.repository.open_pull(8, head="Mona/fork", branch="Fix/#1&state=all ü")
    github.repository.open_pull(9, head="Mona/fork", branch="Fix/#1&state=all ü", state="closed")
    found = connected(github).pull_requests_of("mona", "Fix/#1&state=all ü")
    assert [pull.number for pull in found] == [8]
    assert github.calls == {"GET": 1}


@pytest.mark.parametrize(("owner", "branch"), [("", "feature"), ("octo", ""), ("mona", "feature")])
def test_where_github_filters_nothing_no_other_s_pull_request_is_taken(
    github: GitHubApi, owner: str, branch: str
) -> None:
    assert connected(github).pull_requests_of(owner, branch) == ()


@pytest.mark.parametrize("base", ["", "/api/v3"])
def test_github_s_own_server_and_an_enterprise_s_are_asked_where_they_listen(base: str) -> None:
    with GitHubApi(base) as github:
        github.repository.open_pull(7)
        comments = connected(github).comments(7)
        assert comments.create("here").body == "here"
        assert comments.viewer() == "github-actions[bot]"
        assert github.lines == [f"POST {base}{COMMENTS}", f"POST {base.removesuffix('/v3')}/graphql"]
        assert github.wrong == []


def test_requests_say_who_sends_them_and_go_over_one_connection(github: GitHubApi) -> None:
    comments = connected(github).comments(7)
    comments.list()
    comments.create("hello")
    assert {asked.headers["user-agent"].partition("/")[0] for asked in github.asked} == {"holodeck-eval"}
    assert {asked.headers["accept"] for asked in github.asked} == {"application/vnd.github+json"}
    assert github.connections == 1


@pytest.mark.parametrize(
    ("fault", "status", "sentence"),
    [
        (
            FORBIDDEN,
            403,
            "GitHub answers 403 when asked to comment on pull request 7: 'Resource not accessible by integration'",
        ),
        (
            BAD_CREDENTIALS,
            401,
            "GitHub answers 401 when asked to comment on pull request 7: 'Bad credentials'",
        ),
        (NOT_FOUND, 404, "GitHub answers 404 when asked to comment on pull request 7: 'Not Found'"),
        (garbled(b"<html>", 400), 400, "GitHub answers 400 when asked to comment on pull request 7"),
        (garbled(b'["x"]', 410), 410, "GitHub answers 410 when asked to comment on pull request 7"),
        (garbled(b'{"message": 3}', 418), 418, "GitHub answers 418 when asked to comment on pull request 7"),
    ],
)
def test_a_refusal_is_one_sentence_with_github_s_own(
    github: GitHubApi, fault: Reply, status: int, sentence: str
) -> None:
    github.fail(fault)
    with pytest.raises(GitHubError) as caught:
        connected(github).comments(7).create("hello")
    assert (caught.value.message, caught.value.status) == (sentence, status)
    assert caught.value.denied == (status in {401, 403, 404})
    assert len(github.asked) == 1


def test_a_body_that_is_too_long_is_refused_with_the_reason(github: GitHubApi) -> None:
    comments = connected(github).comments(7)
    assert comments.create("x" * 65_536).id
    with pytest.raises(GitHubError) as caught:
        comments.create("x" * 65_537)
    assert caught.value.status == 422
    assert "'Validation Failed: Body is too long (maximum is 65536 characters)'" in caught.value.message


def test_what_github_says_is_shown_on_one_line_cut_and_without_the_token(github: GitHubApi) -> None:
    said = f"Authorization: {TOKEN}\n::error::##[error]\x1b" + "x" * 999
    github.fail(Reply(status=400, data={"message": said}))
    with pytest.raises(GitHubError) as caught:
        connected(github).comments(7).create("hello")
    message = caught.value.message
    assert "'Authorization: *** ::error::## [error] xxx" in message
    assert "ghs_" not in message
    assert len(message) < 300
    assert message.isprintable()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>Bad gateway</html>",
        b'{"id": 1',
        b"[" * 100_000,
        b"\xff\xfe",
        b"null",
        b"[]",
        b'"x"',
        b"{}",
        b'{"id": 1}',
        b'{"id": "1", "html_url": "https://github.example/1"}',
        b'{"id": ' + b"9" * 5000 + b', "html_url": "https://github.example/1"}',
        b'{"id": true, "html_url": "https://github.example/1"}',
        b'{"id": -1, "html_url": ["https://github.example/1"]}',
    ],
)
def test_an_answer_that_is_no_comment_is_an_error(github: GitHubApi, body: bytes) -> None:
    github.fail(garbled(body, 201))
    with pytest.raises(GitHubError, match=r"GitHub.* when asked to comment on pull request 7$") as caught:
        connected(github).comments(7).create("hello")
    assert caught.value.status is None


def test_a_comment_with_strange_parts_is_read_without_them(github: GitHubApi) -> None:
    github.fail(garbled(b'{"id": 1, "html_url": "https://github.example/1", "user": [], "body": {}}', 201))
    made = connected(github).comments(7).create("hello")
    assert made == Comment(id=1, author="", body="", url="https://github.example/1")


@pytest.mark.parametrize("body", [b"{}", b"3", b"", b'{"0": {}}'])
def test_a_list_that_is_none_is_an_error(github: GitHubApi, body: bytes) -> None:
    github.fail(garbled(body))
    with pytest.raises(GitHubError, match="answers with no list when asked to list the comments of"):
        connected(github).comments(7).list()


@pytest.mark.parametrize("sha", [b"", b"main", b"a" * 39, b"../" * 10])
def test_a_pull_request_without_a_commit_is_an_error(github: GitHubApi, sha: bytes) -> None:
    github.fail(garbled(PULL % sha))
    with pytest.raises(GitHubError, match="answers with a pull request without a number, a commit"):
        connected(github).pull_request(7)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (b'{"data": {"viewer": null}}', "GitHub answers with no login when asked to say whose token this is"),
        (b"[]", "GitHub answers with no login when asked to say whose token this is"),
        (
            b'{"data": null, "errors": [{"message": "Resource not accessible"}]}',
            "GitHub answers 200 when asked to say whose token this is: 'Resource not accessible'",
        ),
        (b'{"errors": "all"}', "GitHub answers 200 when asked to say whose token this is"),
    ],
)
def test_a_login_that_is_not_said_is_an_error(github: GitHubApi, body: bytes, sentence: str) -> None:
    github.fail(garbled(body))
    with pytest.raises(GitHubError) as caught:
        connected(github).comments(7).viewer()
    assert caught.value.message == sentence


def test_a_body_without_an_end_is_not_read_to_it(github: GitHubApi) -> None:
    github.fail(garbled(b" " * (50 * 1024 * 1024)))
    with pytest.raises(GitHubError, match="answers with more than 32 MiB when asked to list the comments"):
        connected(github).comments(7).list()


@pytest.mark.parametrize("name", ["x-ratelimit-remaining", "x-ratelimit-limit", "x-ratelimit-reset"])
@pytest.mark.parametrize("value", ["nan", "1e999", "soon", "9" * 5000, ""])
def test_headers_that_are_no_numbers_are_not_heeded(github: GitHubApi, name: str, value: str) -> None:
    usual = {"x-ratelimit-remaining": "9", "x-ratelimit-limit": "9"}
    github.fail(Reply(data=[], headers=usual | {name: value}))
    assert connected(github).comments(7).list() == ()


def test_a_branch_that_is_no_text_is_an_error(github: GitHubApi) -> None:
    with pytest.raises(
        GitHubError, match=r"^GitHub cannot be asked to list the pull requests of 'octo:\\udc80'"
    ):
        connected(github).pull_requests_of("octo", "\udc80")
    assert github.asked == []


@pytest.mark.parametrize(
    "headers",
    [
        {"content-encoding": "gzip"},
        {"content-length": "2, 3"},
        {"transfer-encoding": "chunked"},
        {"x": "1" * 70_000},
    ],
)
def test_what_is_no_http_is_an_error(github: GitHubApi, headers: dict[str, str]) -> None:
    github.fail_always(Reply(raw=b"[]", headers=headers | {"connection": "close"}))
    with pytest.raises(
        GitHubError, match=r"^GitHub cannot be asked to list the comments of pull request 7: "
    ):
        connected(github, lambda _: None).comments(7).list()
