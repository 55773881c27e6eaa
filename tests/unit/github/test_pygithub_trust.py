"""Where the token goes, whose certificates are believed, and what is left in the job's log."""

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from holodeck_eval.errors import GitHubError
from holodeck_eval.github._pygithub import connect
from holodeck_eval.github._pygithub.trust import bundle_of, server_of
from holodeck_eval.github.context import Context
from holodeck_eval.github.event import Event
from tests.fakes.certificates import Certificate
from tests.fakes.github_api import TOKEN, GitHubApi
from tests.fakes.github_api.faults import moved
from tests.fakes.github_api.wire import Reply
from tests.unit.github.connected import connected, context_of, no_wait


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_redirect_to_another_host_is_not_followed(github: GitHubApi, status: int, method: str) -> None:
    with GitHubApi() as other:
        github.fail(moved(f"{other.api_url}/repos/octo/demo/issues/7/comments", status))
        comments = connected(github).comments(7)
        with pytest.raises(GitHubError, match="redirects elsewhere, where the token is not sent") as caught:
            _ = comments.list() if method == "GET" else comments.create("hello")
        assert caught.value.status == status
        assert (len(github.asked), other.asked) == (1, [])


def test_a_redirect_to_the_same_host_is_not_followed_in_circles(github: GitHubApi) -> None:
    github.fail_always(moved(f"{github.api_url}/repositories/1/issues/7/comments"))
    with pytest.raises(GitHubError, match="redirects elsewhere"):
        connected(github).comments(7).list()
    assert len(github.asked) == 1


def test_an_answer_that_is_not_ready_is_not_waited_for(github: GitHubApi) -> None:
    github.fail_always(Reply(status=202, data={}))
    with pytest.raises(GitHubError, match="GitHub has no answer yet when asked to show pull request 7"):
        connected(github).pull_request(7)
    assert len(github.asked) == 1


@pytest.mark.parametrize("name", ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"])
def test_a_certificate_of_one_s_own_is_believed_where_a_variable_names_it(tmp_path: Path, name: str) -> None:
    certificate = Certificate.made(tmp_path)
    with GitHubApi("/api/v3", certificate.tls) as github:
        github.repository.open_pull(7)
        comments = connected(github, environ={name: str(certificate.file)}).comments(7)
        assert comments.create("hello").body == "hello"
        assert github.connections == 1


def test_a_certificate_that_nobody_vouches_for_is_refused_at_once(tmp_path: Path) -> None:
    with GitHubApi(tls=Certificate.made(tmp_path).tls) as github:
        with pytest.raises(GitHubError) as caught:
            connected(github, no_wait).comments(7).create("hello")
        assert github.asked == []
    assert caught.value.message == (
        "GitHub cannot be asked to comment on pull request 7: certificate verification failed (self-signed "
        "certificate); where the server's certificate is signed by an authority of your own, name that one's "
        "certificate in REQUESTS_CA_BUNDLE"
    )
    assert caught.value.status is None


def test_a_certificate_of_another_host_is_refused(tmp_path: Path) -> None:
    certificate = Certificate.made(tmp_path, "github.example")
    with GitHubApi(tls=certificate.tls) as github:
        trusting = {"REQUESTS_CA_BUNDLE": str(certificate.file)}
        with pytest.raises(GitHubError, match=r"certificate verification failed .*'localhost'"):
            connected(github, environ=trusting).comments(7).list()


def test_a_file_that_holds_no_certificate_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty.pem").write_text("nothing")
    with GitHubApi(tls=Certificate.made(tmp_path).tls) as github:
        trusting = {"REQUESTS_CA_BUNDLE": str(tmp_path / "empty.pem")}
        with pytest.raises(
            GitHubError, match="GitHub cannot be asked to list the comments of pull request 7: "
        ):
            connected(github, environ=trusting).comments(7).list()


def test_the_first_variable_counts_that_names_certificates_which_exist(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.touch()
    environ = {"REQUESTS_CA_BUNDLE": "/nowhere", "CURL_CA_BUNDLE": str(second), "SSL_CERT_FILE": str(first)}
    assert bundle_of(environ) == str(second)
    assert bundle_of({**environ, "CURL_CA_BUNDLE": ""}) == str(first)
    assert bundle_of({"REQUESTS_CA_BUNDLE": "/nowhere\0"}) is None
    assert bundle_of({}) is None


@pytest.mark.parametrize(
    "host", ["ghe.example", "127.0.0.1.example", "localhost.example", "0.0.0.1", "10.0.0.1"]
)
def test_a_token_is_not_sent_in_the_clear(host: str) -> None:
    with pytest.raises(GitHubError, match="a token is not sent in the clear: GITHUB_API_URL is 'http://"):
        server_of(_context(f"http://{host}/api/v3", f"http://{host}/api/graphql"))


@pytest.mark.parametrize("host", ["localhost:3000", "127.0.0.1", "127.8.8.8:80", "[::1]:3000"])
def test_a_server_on_this_machine_may_be_reached_without_encryption(host: str) -> None:
    assert server_of(_context(f"http://{host}", f"http://{host}/graphql")).api_url == f"http://{host}"


@pytest.mark.parametrize(
    "graphql",
    ["https://evil.example/graphql", "http://ghe.example/graphql", "https://ghe.example:8443/graphql"],
)
def test_two_servers_are_not_sent_the_same_token(graphql: str) -> None:
    with pytest.raises(GitHubError, match="GITHUB_API_URL and GITHUB_GRAPHQL_URL name two servers"):
        server_of(_context("https://ghe.example", graphql))


@pytest.mark.parametrize(
    "api",
    ["https://a:b:c", "https://a:99999", "https://[::1", "https://", "ftp://a", "https://a:0", "ghe.example"],
)
def test_an_address_that_is_none_is_an_error(api: str) -> None:
    with pytest.raises(GitHubError, match="is not the address of a server"):
        server_of(_context(api, "https://a/graphql"))


def test_a_job_without_an_address_or_a_repository_connects_to_nothing() -> None:
    with pytest.raises(
        GitHubError, match=r"^GITHUB_REPOSITORY is not set, and should be OWNER/NAME; GITHUB_RUN_ID"
    ):
        connect(TOKEN, Context.of({}), {}, sleep=no_wait)
    with pytest.raises(GitHubError, match="the runner does not say where GitHub's API is"):
        server_of(_context("", ""))


@pytest.mark.parametrize(
    "token", ["", " ", "ghs_1\n", "ghs_1\r\nX-Evil: 1", "ghs_ü", "ghs 1", "\0", "x" * 10_001]
)
def test_a_token_that_no_header_holds_is_refused_and_not_shown(github: GitHubApi, token: str) -> None:
    with pytest.raises(GitHubError) as caught:
        connect(token, context_of(github), {}, sleep=no_wait)
    assert caught.value.message == "github_token is empty or holds characters that no token has"
    assert github.asked == []


def test_a_token_in_the_clear_goes_through_no_proxy(
    github: GitHubApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    with GitHubApi() as proxy:
        monkeypatch.setenv("http_proxy", proxy.origin)
        monkeypatch.setenv("no_proxy", "github.example")
        assert connected(github).comments(7).list() == ()
        assert proxy.asked == []


def test_a_connection_does_not_show_its_token(github: GitHubApi) -> None:
    repository = connected(github)
    assert TOKEN not in repr(repository) + repr(repository.comments(7))


def test_nothing_is_logged_whatever_level_the_job_s_log_has(
    github: GitHubApi, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    comments = connected(github).comments(7)
    comments.create("a secret of the report")
    with pytest.raises(GitHubError):
        comments.create("x" * 70_000)
    assert [record for record in caplog.records if record.name.startswith("github")] == []
    assert TOKEN not in caplog.text
    assert "a secret of the report" not in caplog.text


def test_a_run_that_posts_nothing_imports_neither_pygithub_nor_requests() -> None:
    wanted = "import sys, holodeck_eval.cli, holodeck_eval.github._pygithub as door; door.connect"
    loaded = "print(*sorted({'github', 'requests', 'urllib3', 'jwt', 'cryptography'} & set(sys.modules)))"
    ended = subprocess.run(  # noqa: S603 - this project's own code
        [sys.executable, "-c", f"{wanted}; {loaded}"], capture_output=True, text=True, check=True
    )
    assert (ended.stdout, ended.stderr) == ("\n", "")


def test_connecting_writes_nothing_to_the_log(github: GitHubApi) -> None:
    script = (
        "import sys; from tests.unit.github.connected import *; from types import SimpleNamespace as Of;"
        "github = Of(api_url=sys.argv[1], graphql_url=sys.argv[1] + '/graphql');"
        "print(connected(github).comments(7).create('hello').body)"
    )
    ended = subprocess.run(  # noqa: S603 - this project's own code
        [sys.executable, "-W", "always", "-c", script, github.api_url],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.stdout, ended.stderr) == ("hello\n", "")


def _context(api: str, graphql: str) -> Context:
    return Context(event=Event(name="push"), repository="octo/demo", api_url=api, graphql_url=graphql)
