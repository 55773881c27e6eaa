"""GitHub's answers, read with types: whatever a server says in its place is refused."""

from collections.abc import Callable
from typing import Final, TypeVar

from holodeck_eval.github.payload import at, number, repository, sha, text
from holodeck_eval.github.ports import Comment, PullRequest

T = TypeVar("T")

_URL_LIMIT: Final = 2000


class UnexpectedAnswerError(ValueError):
    """An answer that is none of GitHub's API."""


def comment_of(value: object) -> Comment:
    """A comment. That of a deleted account has no author."""
    found = number(at(value, "id"))
    if found is None:
        raise UnexpectedAnswerError
    body = at(value, "body")
    return Comment(
        id=found,
        author=text(at(value, "user", "login")),
        body=body if isinstance(body, str) else "",
        url=text(at(value, "html_url"), _URL_LIMIT),
        is_bot=at(value, "user", "type") == "Bot",
    )


def pull_request_of(value: object) -> PullRequest:
    """A pull request."""
    found, base = number(at(value, "number")), repository(at(value, "base", "repo", "full_name"))
    if found is None or base is None:
        raise UnexpectedAnswerError
    return PullRequest(
        number=found,
        head_sha=sha(at(value, "head", "sha")),
        head_repository=repository(at(value, "head", "repo", "full_name")),
        base_repository=base,
        is_open=at(value, "state") == "open",
    )


def login_of(value: object) -> str:
    """The login in an answer to `{ viewer { login } }`."""
    login = text(at(value, "data", "viewer", "login"))
    if not login:
        raise UnexpectedAnswerError
    return login


def each(read: Callable[[object], T]) -> Callable[[object], tuple[T, ...]]:
    """Reads a page of what `read` reads."""

    def page(value: object) -> tuple[T, ...]:
        if not isinstance(value, list):
            raise UnexpectedAnswerError
        return tuple(map(read, value))

    return page
