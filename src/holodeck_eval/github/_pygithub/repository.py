"""The ports of the sticky comment and of `publish`, over GitHub's API: one request each, and each page."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from holodeck_eval.domain.wording import quoted
from holodeck_eval.errors import GitHubError
from holodeck_eval.github._pygithub.answers import comment_of, items_of, login_of, pull_request_of
from holodeck_eval.github._pygithub.api import Api
from holodeck_eval.github._pygithub.exchange import Ask
from holodeck_eval.github.payload import at, text
from holodeck_eval.github.ports import Comment, PullRequest

PAGE: Final = 100
"""Items of a page, the most that GitHub gives."""

PAGES: Final = 100
"""Pages that are read, at most: a pull request takes 2,500 comments."""

_NEXT: Final = re.compile(r';\s*rel="?next"?')


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """The pull requests of one repository.

    Attributes:
        api: is asked.
        name: `owner/name`.
    """

    api: Api
    name: str

    def pull_request(self, number: int) -> PullRequest | None:
        ask = Ask(
            doing=f"show pull request {number}", method="GET", path=f"/repos/{self.name}/pulls/{number}"
        )
        answer = self.api.ask_unless_gone(ask)
        return pull_request_of(ask, answer.data) if answer else None

    def pull_requests_of(self, owner: str, branch: str) -> tuple[PullRequest, ...]:
        head = f"{owner}:{branch}"
        ask = Ask(
            doing=f"list the pull requests of {quoted(head)}",
            method="GET",
            path=f"/repos/{self.name}/pulls",
            query={"state": "open", "head": head},
        )
        # a branch that GitHub cannot read is no filter to it, and all pull requests come back
        found = (item for item in pages(self.api, ask) if _is_from(item, owner, branch))
        return tuple(pull_request_of(ask, item) for item in found)

    def comments(self, pull_request: int) -> "Comments":
        return Comments(api=self.api, name=self.name, pull_request=pull_request)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comments:
    """The comments of one pull request.

    Attributes:
        api: is asked.
        name: `owner/name` of the repository.
        pull_request: its number.
    """

    api: Api
    name: str
    pull_request: int

    def list(self) -> tuple[Comment, ...]:
        ask = self._all("GET", "list the comments of")
        return tuple(comment_of(ask, item) for item in pages(self.api, ask))

    def create(self, body: str) -> Comment:
        ask = self._all("POST", "comment on", body)
        return comment_of(ask, self.api.ask(ask).data)

    def update(self, comment: int, body: str) -> Comment:
        ask = self._one("PATCH", "update", comment, body)
        return comment_of(ask, self.api.ask(ask).data)

    def delete(self, comment: int) -> None:
        self.api.ask_unless_gone(self._one("DELETE", "delete", comment))

    def viewer(self) -> str:
        ask = Ask(
            doing="say whose token this is",
            method="POST",
            path=self.api.client.graphql_url,
            body={"query": "query { viewer { login } }"},
        )
        return login_of(ask, self.api.ask(ask))

    def _all(self, method: str, doing: str, body: str | None = None) -> Ask:
        return Ask(
            doing=f"{doing} pull request {self.pull_request}",
            method=method,
            path=f"/repos/{self.name}/issues/{self.pull_request}/comments",
            body=None if body is None else {"body": body},
            adds=body is not None,
        )

    def _one(self, method: str, doing: str, comment: int, body: str | None = None) -> Ask:
        return Ask(
            doing=f"{doing} comment {comment}",
            method=method,
            path=f"/repos/{self.name}/issues/comments/{comment}",
            body=None if body is None else {"body": body},
        )


def pages(api: Api, ask: Ask) -> Iterator[object]:
    """The items of all pages of a list. Addresses of further pages are made here, not taken from GitHub.

    Raises:
        GitHubError: there are more pages than are read.
    """
    for page in range(1, PAGES + 1):
        answer = api.ask(replace(ask, query={**(ask.query or {}), "per_page": PAGE, "page": page}))
        yield from items_of(ask, answer)
        if not _NEXT.search(answer.headers.get("link", "")):
            return
    raise GitHubError(f"GitHub has more than {PAGES * PAGE} answers when asked to {ask.doing}")


def _is_from(item: object, owner: str, branch: str) -> bool:
    whose = text(at(item, "head", "user", "login")).casefold()
    return at(item, "head", "ref") == branch and whose == owner.casefold()
