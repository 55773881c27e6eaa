"""What is sent again, after how long, and when the waiting ends."""

import socket
import ssl

import pytest
import requests

from holodeck_eval.errors import GitHubError
from holodeck_eval.github._pygithub.exchange import NoAnswer, no_answer
from tests.fakes.github_api import GitHubApi
from tests.fakes.github_api.faults import (
    BROKEN,
    DROPPED,
    FORBIDDEN,
    LOST,
    NOT_FOUND,
    TOO_MANY,
    primary,
    secondary,
)
from tests.fakes.github_api.wire import Reply, error
from tests.unit.github.connected import connected


@pytest.mark.parametrize(
    ("fault", "waited"),
    [
        (BROKEN, 1),
        (error(500, "Oops"), 1),
        (error(503, "Maintenance", retry_after="20"), 20),
        (DROPPED, 1),
        (Reply(raw=b"[", headers={"content-length": "9", "connection": "close"}), 1),
        (Reply(raw=b"zz", headers={"transfer-encoding": "chunked", "connection": "close"}), 1),
        (TOO_MANY, 7),
        (error(429, "Slow down"), 60),
        (error(429, "Slow down", retry_after="0"), 1),
        (error(429, "Slow down", retry_after="Fri, 01 Jan 2027 00:00:00 GMT"), 60),
        (secondary(30), 30),
        (error(403, "Not now", retry_after="9"), 9),
        (secondary(), 60),
        (secondary(status=429), 60),
        (error(403, "You have triggered an abuse detection mechanism."), 60),
        (primary(40), 41),
        (primary(-3000), 1),
        (error(403, "No", x_ratelimit_remaining="0", x_ratelimit_reset="soon"), 60),
        (error(403, "No", x_ratelimit_remaining="0", x_ratelimit_reset="1800000001", date="today"), 60),
    ],
)
def test_what_may_pass_is_waited_for_as_long_as_github_asks(
    github: GitHubApi, fault: Reply, waited: float
) -> None:
    github.fail(fault)
    slept: list[float] = []
    assert connected(github, slept.append).comments(7).list() == ()
    assert slept == [waited]
    assert len(github.asked) == 2


def test_without_a_word_from_github_each_wait_is_twice_as_long_and_the_fifth_try_is_the_last(
    github: GitHubApi,
) -> None:
    github.fail_always(BROKEN)
    slept: list[float] = []
    with pytest.raises(GitHubError) as caught:
        connected(github, slept.append).pull_request(7)
    assert caught.value.message == (
        "GitHub answers 502 when asked to show pull request 7: 'Server Error'; it was asked 5 times"
    )
    assert (caught.value.status, caught.value.denied) == (502, False)
    assert slept == [1, 2, 4, 8]
    assert len(github.asked) == 5


def test_a_connection_that_always_breaks_is_given_up_without_a_status(github: GitHubApi) -> None:
    github.fail_always(DROPPED)
    slept: list[float] = []
    with pytest.raises(GitHubError) as caught:
        connected(github, slept.append).comments(7).list()
    assert caught.value.message.startswith("GitHub cannot be asked to list the comments of pull request 7: ")
    assert caught.value.message.endswith(
        "Remote end closed connection without response; it was asked 5 times"
    )
    assert caught.value.status is None
    assert len(github.asked) == 5


def test_a_wait_that_is_too_long_is_not_begun(github: GitHubApi) -> None:
    github.fail(secondary(121))
    with pytest.raises(GitHubError) as caught:
        connected(github).comments(7).create("hello")
    assert caught.value.message == (
        "GitHub limits requests (403) when asked to comment on pull request 7: 'You have exceeded a secondary "
        "rate limit. Please wait a few minutes before you try again.'; another try would wait 121 s, more "
        "than is left of the 120 s that are waited in all"
    )


def test_a_limit_is_no_lack_of_rights_though_github_says_403(github: GitHubApi) -> None:
    github.fail(primary(3600))
    with pytest.raises(GitHubError) as caught:
        connected(github).comments(7).list()
    assert (caught.value.status, caught.value.denied) == (429, False)
    assert "limits requests (403)" in caught.value.message


def test_all_requests_of_a_connection_share_the_time_to_wait_in(github: GitHubApi) -> None:
    slept: list[float] = []
    repository = connected(github, slept.append)
    github.fail(secondary(50), None, secondary(), None, secondary(11))
    repository.pull_request(7)
    repository.comments(7).list()
    with pytest.raises(GitHubError, match="another try would wait 11 s, more than is left of the 120 s"):
        repository.comments(7).list()
    assert slept == [50, 60]


@pytest.mark.parametrize("fault", [FORBIDDEN, NOT_FOUND, error(422, "No"), error(410, "Gone")])
def test_what_does_not_pass_is_asked_once(github: GitHubApi, fault: Reply) -> None:
    github.fail(fault)
    with pytest.raises(GitHubError):
        connected(github).comments(7).list()
    assert len(github.asked) == 1


@pytest.mark.parametrize(("fault", "status"), [(LOST, None), (Reply(status=502, done=True), 502)])
def test_a_comment_that_may_have_been_created_is_not_created_again(
    github: GitHubApi, fault: Reply, status: int | None
) -> None:
    github.fail(fault)
    with pytest.raises(GitHubError) as caught:
        connected(github).comments(7).create("once")
    assert caught.value.status == status
    assert github.repository.bodies(7) == ["once"]


def test_a_comment_that_a_limit_kept_away_is_created_later(github: GitHubApi) -> None:
    github.fail(secondary(5))
    slept: list[float] = []
    assert connected(github, slept.append).comments(7).create("once").body == "once"
    assert github.repository.bodies(7) == ["once"]
    assert slept == [5]


def test_a_change_and_a_removal_whose_answers_were_lost_are_sent_again(github: GitHubApi) -> None:
    number = github.repository.add_comment(7, "old")
    slept: list[float] = []
    comments = connected(github, slept.append).comments(7)
    github.fail(LOST)
    assert comments.update(number, "new").body == "new"
    github.fail(LOST)
    comments.delete(number)
    assert github.repository.bodies(7) == []
    assert slept == [1, 1]


def test_a_server_that_is_not_there_is_asked_five_times(github: GitHubApi) -> None:
    slept: list[float] = []
    repository = connected(github, slept.append)
    github.stop()
    with pytest.raises(GitHubError) as caught:
        repository.comments(7).create("hello")
    assert caught.value.message == (
        "GitHub cannot be asked to comment on pull request 7: Connection refused; it was asked 5 times"
    )
    assert slept == [1, 2, 4, 8]


@pytest.mark.parametrize(
    ("failure", "why", "passes", "unsent"),
    [
        (requests.ReadTimeout(), "no answer within 20 s", True, False),
        (requests.ConnectTimeout(), "no answer within 20 s", True, True),
        (requests.ConnectionError(), "Connection reset by peer", True, False),
        (requests.ConnectionError(), "Name or service not known", True, True),
        (requests.exceptions.ProxyError(), "Tunnel connection failed: 407", True, True),
        (requests.exceptions.SSLError(), "EOF occurred in violation of protocol", True, False),
        (requests.exceptions.SSLError(), "wrong version number", False, False),
        (requests.exceptions.InvalidURL(), "Failed to parse", False, False),
        (OSError(), "Could not find a suitable TLS CA certificate bundle", False, False),
    ],
)
def test_a_failure_says_in_its_own_words_whether_another_try_may_help(
    failure: OSError, why: str, *, passes: bool, unsent: bool
) -> None:
    failure.__context__ = requests.RequestException("HTTPSConnectionPool(host=...)")
    failure.__context__.__cause__ = _ROOTS.get(why, OSError(why))
    assert no_answer(failure) == NoAnswer(why=why, passes=passes, unsent=unsent)


_ROOTS = {
    "Connection reset by peer": ConnectionResetError(104, "Connection reset by peer"),
    "Name or service not known": socket.gaierror(-2, "Name or service not known"),
    "EOF occurred in violation of protocol": ssl.SSLEOFError(8, "EOF occurred in violation of protocol"),
    "wrong version number": ssl.SSLError(1, "wrong version number"),
}
