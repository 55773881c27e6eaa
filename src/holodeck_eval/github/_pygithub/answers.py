"""What GitHub's JSON says of comments and pull requests, read with suspicion."""

from collections.abc import Sequence

from holodeck_eval.errors import GitHubError
from holodeck_eval.github._pygithub.exchange import Answer, Ask
from holodeck_eval.github.payload import at, number, repository, sha, text
from holodeck_eval.github.ports import Comment, PullRequest

_BODY_LIMIT = 1_000_000
"""Characters of a comment that are kept, more than GitHub's comments have."""

_URL_LIMIT = 2_000


def comment_of(ask: Ask, data: object) -> Comment:
    """A comment. One whose author is gone has the author ""; one without a text has the text "".

    Raises:
        GitHubError: it is none.
    """
    found, url = number(at(data, "id")), text(at(data, "html_url"), _URL_LIMIT)
    if found is None or not url:
        raise strange(ask, "a comment without a number and an address")
    return Comment(
        id=found,
        author=text(at(data, "user", "login")),
        body=text(at(data, "body"), _BODY_LIMIT),
        url=url,
    )


def pull_request_of(ask: Ask, data: object) -> PullRequest:
    """A pull request.

    Raises:
        GitHubError: it is none.
    """
    found, head = number(at(data, "number")), sha(at(data, "head", "sha"))
    base = repository(at(data, "base", "repo", "full_name"))
    if found is None or head is None or base is None:
        raise strange(ask, "a pull request without a number, a commit and a repository")
    return PullRequest(
        number=found,
        head_sha=head,
        head_repository=repository(at(data, "head", "repo", "full_name")),
        base_repository=base,
    )


def login_of(ask: Ask, answer: Answer) -> str:
    """The login that a token writes as.

    Raises:
        GitHubError: it is not said.
    """
    login = text(at(answer.data, "data", "viewer", "login"))
    if not login:
        raise strange(ask, "no login")
    return login


def items_of(ask: Ask, answer: Answer) -> Sequence[object]:
    """The items of one page of a list.

    Raises:
        GitHubError: it is none.
    """
    if not isinstance(answer.data, list):
        raise strange(ask, "no list")
    return answer.data


def strange(ask: Ask, what: str) -> GitHubError:
    """The error for an answer that GitHub's documentation does not know. It may have done what was asked."""
    return GitHubError(f"GitHub answers with {what} when asked to {ask.doing}")
