"""The repository that the fake plays: its pull requests, their comments, and who may write."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tests.fakes.github_api.description import Operation, schema_of
from tests.fakes.github_api.faults import FORBIDDEN, NOT_FOUND, TOO_LONG
from tests.fakes.github_api.minimal import merged, minimal
from tests.fakes.github_api.wire import Asked, Reply

BOT: Final = "github-actions[bot]"
LONGEST: Final = 65_536
"""Characters of the longest comment."""


def user(login: str | None) -> Any:
    """An account; None for one that is gone."""
    if login is None:
        return None
    about = {"login": login, "type": "Bot" if login.endswith("[bot]") else "User"}
    return merged(minimal(schema_of("simple-user")), about)


@dataclass(slots=True, kw_only=True)
class Repository:
    """A repository.

    Attributes:
        name: `owner/name`.
        login: who the token writes as.
        may_write: whether it may, as that of a fork's pull request may not.
        pulls: pull requests by their numbers.
        comments: comments by their numbers.
        homes: the pull request of each comment.
    """

    name: str = "octo/demo"
    login: str = BOT
    may_write: bool = True
    pulls: dict[int, Any] = field(default_factory=dict)
    comments: dict[int, Any] = field(default_factory=dict)
    homes: dict[int, int] = field(default_factory=dict)
    last: int = 1000

    def open_pull(
        self,
        number: int,
        head_sha: str = "a" * 40,
        head: str = "octo/demo",
        branch: str = "feature",
        state: str = "open",
    ) -> None:
        """Open a pull request; `head` is the repository it comes from."""
        repository = minimal(schema_of("repository"))
        owner = head.partition("/")[0]
        side = {"ref": branch, "sha": head_sha, "user": user(owner), "label": f"{owner}:{branch}"}
        self.pulls[number] = {
            "number": number,
            "state": state,
            "head": side | {"repo": merged(repository, {"full_name": head})},
            "base": {"ref": "main", "repo": merged(repository, {"full_name": self.name})},
        }

    def add_comment(self, pull: int, body: str, author: str | None = BOT) -> int:
        """Add a comment, as anybody."""
        self.last += 1
        about = {
            "id": self.last,
            "body": body,
            "user": user(author),
            "html_url": f"https://github.example/{self.name}/pull/{pull}#issuecomment-{self.last}",
        }
        self.comments[self.last] = merged(minimal(schema_of("issue-comment")), about)
        self.homes[self.last] = pull
        return self.last

    def bodies(self, pull: int) -> list[str]:
        """The texts of a pull request's comments, the oldest first."""
        return [self.comments[number]["body"] for number, home in sorted(self.homes.items()) if home == pull]

    def answer(self, operation: Operation, asked: Asked) -> Reply:
        """What GitHub answers to a request that its description allows."""
        if f"{operation.values['owner']}/{operation.values['repo']}" != self.name:
            return NOT_FOUND
        if asked.method != "GET" and not self.may_write:
            return FORBIDDEN
        numbers = {name: int(text) for name, text in operation.values.items() if text.isdigit()}
        return _ANSWERS[operation.id](self, asked, numbers)

    def list_comments(self, asked: Asked, numbers: Mapping[str, int]) -> Reply:
        if numbers["issue_number"] not in self.pulls:
            return NOT_FOUND
        of = [number for number, pull in sorted(self.homes.items()) if pull == numbers["issue_number"]]
        return _page(asked, [self.comments[number] for number in of])

    def create_comment(self, asked: Asked, numbers: Mapping[str, int]) -> Reply:
        if numbers["issue_number"] not in self.pulls:
            return NOT_FOUND
        if len(asked.body["body"]) > LONGEST:
            return TOO_LONG
        made = self.add_comment(numbers["issue_number"], asked.body["body"], self.login)
        return Reply(status=201, data=self.comments[made])

    def get_comment(self, _: Asked, numbers: Mapping[str, int]) -> Reply:
        found = self.comments.get(numbers["comment_id"])
        return Reply(data=found) if found else NOT_FOUND

    def update_comment(self, asked: Asked, numbers: Mapping[str, int]) -> Reply:
        if numbers["comment_id"] not in self.comments:
            return NOT_FOUND
        if len(asked.body["body"]) > LONGEST:
            return TOO_LONG
        self.comments[numbers["comment_id"]]["body"] = asked.body["body"]
        return Reply(data=self.comments[numbers["comment_id"]])

    def delete_comment(self, _: Asked, numbers: Mapping[str, int]) -> Reply:
        if self.comments.pop(numbers["comment_id"], None) is None:
            return NOT_FOUND
        del self.homes[numbers["comment_id"]]
        return Reply(status=204)

    def list_pulls(self, asked: Asked, _: Mapping[str, int]) -> Reply:
        """As GitHub does, a `head` without an owner and a branch filters nothing."""
        state, head = asked.query.get("state", ["open"])[-1], asked.query.get("head", [""])[-1]
        found = [pull for pull in self.pulls.values() if state in {pull["state"], "all"}]
        if re.fullmatch("[^:]+:.+", head):
            found = [pull for pull in found if pull["head"]["label"].casefold() == head.casefold()]
        least = minimal(schema_of("pull-request-simple"))
        return _page(asked, [merged(least, pull) for pull in found])

    def get_pull(self, _: Asked, numbers: Mapping[str, int]) -> Reply:
        found = self.pulls.get(numbers["pull_number"])
        return Reply(data=merged(minimal(schema_of("pull-request")), found)) if found else NOT_FOUND


_ANSWERS: Final[Mapping[str, Callable[[Repository, Asked, Mapping[str, int]], Reply]]] = {
    "issues/list-comments": Repository.list_comments,
    "issues/create-comment": Repository.create_comment,
    "issues/get-comment": Repository.get_comment,
    "issues/update-comment": Repository.update_comment,
    "issues/delete-comment": Repository.delete_comment,
    "pulls/list": Repository.list_pulls,
    "pulls/get": Repository.get_pull,
}


def _page(asked: Asked, items: list[Any]) -> Reply:
    """A page, with links to the others as GitHub writes them."""
    size, page = (int(asked.query.get(name, [default])[-1]) for name, default in _PAGING.items())
    shown = items[(page - 1) * size : page * size]
    links = {}
    if page * size < len(items):
        links["next"] = page + 1
        links["last"] = -(-len(items) // size)
    if page > 1:
        links |= {"prev": page - 1, "first": 1}
    link = ", ".join(
        f'<{asked.origin}{asked.path}?per_page={size}&page={number}>; rel="{rel}"'
        for rel, number in links.items()
    )
    return Reply(data=shown, headers={"link": link} if link else {})


_PAGING: Final = {"per_page": "30", "page": "1"}
