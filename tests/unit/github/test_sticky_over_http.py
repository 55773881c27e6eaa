"""The sticky comment over the wire: what GitHub itself is asked, against the fake of its API."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from holodeck_eval.domain.options import CommentMode
from holodeck_eval.errors import GitHubError
from holodeck_eval.github.body import body_of
from holodeck_eval.github.marker import Marker, Stamp, Surface
from holodeck_eval.github.sticky import Posted, post
from holodeck_eval.github.trimming import NOTE, units
from tests.fakes.github_api import GitHubApi
from tests.fakes.github_api.faults import BROKEN, LOST, TOO_LONG, secondary
from tests.unit.github.connected import connected

SURFACE = Surface(workflow="Agents", job="gate")
RUN = Stamp(run_id=100, attempt=1, says="a" * 16, status="failed")
EARLIER = replace(RUN, run_id=99, says="b" * 16)
LIST = "GET /repos/octo/demo/issues/7/comments"
CREATE = "POST /repos/octo/demo/issues/7/comments"
VIEWER = "POST /graphql"


def comment(text: str = "# Failed", stamp: Stamp = RUN) -> str:
    return body_of(text, Marker.of("comment", SURFACE, stamp))


def update(number: int) -> str:
    return f"PATCH /repos/octo/demo/issues/comments/{number}"


def posted(
    github: GitHubApi,
    text: str = "# Failed",
    mode: CommentMode = "update",
    sleep: Callable[[float], None] = lambda _: None,
) -> Posted:
    comments = connected(github, sleep).comments(7)
    return post(comments, text, SURFACE, RUN, mode, differs=True, sleep=sleep, jitter=lambda: 0.5)


def test_the_first_comment_takes_three_calls(github: GitHubApi) -> None:
    made = posted(github)
    assert made.action == "created"
    assert made.url == next(iter(github.repository.comments.values()))["html_url"]
    assert github.repository.bodies(7) == [comment()]
    assert github.lines == [LIST, CREATE, LIST]


@pytest.mark.parametrize("people", [0, 98])
def test_replacing_it_takes_three_calls_while_there_are_fewer_than_a_hundred(
    github: GitHubApi, people: int
) -> None:
    for number in range(people):
        github.repository.add_comment(7, f"Comment {number}.", "mona")
    standing = github.repository.add_comment(7, comment("# Passed", EARLIER))
    assert posted(github).action == "updated"
    assert github.lines == [LIST, update(standing), LIST]


def test_a_quoted_marker_makes_it_four_calls(github: GitHubApi) -> None:
    quote = f"> Failed\n\n{comment('See:', EARLIER)}"
    github.repository.add_comment(7, quote, "mona")
    standing = github.repository.add_comment(7, comment("# Passed", EARLIER))
    posted(github)
    assert github.repository.bodies(7) == [quote, comment()]
    assert github.lines == [LIST, VIEWER, update(standing), LIST]


@pytest.mark.parametrize("login", ["mona", "my-app[bot]"])
def test_a_token_of_somebody_else_takes_four_calls(github: GitHubApi, login: str) -> None:
    github.repository.login = login
    standing = github.repository.add_comment(7, comment("# Passed", EARLIER), login)
    assert posted(github).action == "updated"
    assert github.lines == [LIST, VIEWER, update(standing), LIST]


def test_new_takes_one_call(github: GitHubApi) -> None:
    posted(github, mode="new")
    assert github.lines == [CREATE]


def test_a_comment_on_the_last_of_many_pages_is_found(github: GitHubApi) -> None:
    for number in range(250):
        github.repository.add_comment(7, f"Comment {number}.", "mona")
    standing = github.repository.add_comment(7, comment("# Passed", EARLIER))
    assert posted(github).action == "updated"
    assert github.lines == [LIST] * 3 + [update(standing)] + [LIST] * 3


def test_another_job_that_adds_its_own_in_between_leaves_one_comment(github: GitHubApi) -> None:
    others: list[int] = []
    github.before(
        "issues/create-comment", lambda: others.append(github.repository.add_comment(7, comment("# Other")))
    )
    assert posted(github).action == "created"
    assert github.repository.bodies(7) == [comment()]
    assert list(github.repository.comments) == others
    ours = others[0] + 1
    assert github.lines == [
        LIST,
        CREATE,
        LIST,
        update(others[0]),
        f"DELETE /repos/octo/demo/issues/comments/{ours}",
        LIST,
    ]


@pytest.mark.parametrize("stands", [True, False])
@pytest.mark.parametrize("text", ["# Why\n" + "A reason.\n" * 9_000, "\U0001f600" * 40_000])
def test_no_body_is_longer_than_github_takes(github: GitHubApi, text: str, *, stands: bool) -> None:
    if stands:
        github.repository.add_comment(7, comment("# Passed", EARLIER))
    posted(github, text)
    (body,) = github.repository.bodies(7)
    assert units(body) <= 65_536
    assert NOTE in body


def test_one_that_github_finds_too_long_all_the_same_is_shortened(github: GitHubApi) -> None:
    github.fail(None, TOO_LONG)
    posted(github, "A reason.\n" * 6_000)
    (body,) = github.repository.bodies(7)
    assert units(body) <= 16_000
    assert github.lines == [LIST, CREATE, CREATE, LIST]


@pytest.mark.parametrize("fault", [LOST, BROKEN, replace(BROKEN, done=True)])
@pytest.mark.parametrize("mode", ["update", "new"])
def test_one_whose_adding_was_not_confirmed_stands_once(
    github: GitHubApi, fault: object, mode: CommentMode
) -> None:
    github.fail(*([None] if mode == "update" else []), fault)  # type: ignore[arg-type]
    assert posted(github, mode=mode).action == "created"
    assert len(github.repository.comments) == 1


def test_a_fork_s_token_is_refused_at_the_first_write(github: GitHubApi) -> None:
    github.repository.may_write = False
    with pytest.raises(GitHubError, match="Resource not accessible by integration") as refused:
        posted(github)
    assert (refused.value.status, refused.value.denied) == (403, True)
    assert github.lines == [LIST, CREATE]


def test_one_that_says_so_already_takes_one_call(github: GitHubApi) -> None:
    github.repository.add_comment(7, comment())
    assert posted(github).action == "unchanged"
    assert github.lines == [LIST]


def test_a_limit_on_the_way_is_waited_for(github: GitHubApi) -> None:
    github.fail(None, secondary(30))
    waited: list[float] = []
    assert posted(github, sleep=waited.append).action == "created"
    assert (github.repository.bodies(7), waited) == ([comment()], [30])


def test_an_enterprise_s_server_is_asked_below_its_path() -> None:
    with GitHubApi("/api/v3") as github:
        github.repository.open_pull(7)
        github.repository.login = "my-app[bot]"
        standing = github.repository.add_comment(7, comment("# Passed", EARLIER), "my-app[bot]")
        assert posted(github).action == "updated"
        below = {"GET /api/v3", "PATCH /api/v3", "POST /api"}
        assert {line.partition("/repos/")[0].removesuffix("/graphql") for line in github.lines} == below
        assert github.repository.bodies(7) == [comment()]
        assert (github.wrong, list(github.repository.comments)) == ([], [standing])
