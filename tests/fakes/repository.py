"""A repository's pull requests and their comments, in memory."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from holodeck_eval.errors import GitHubError
from holodeck_eval.github.ports import Comment, PullRequest

BOT = "github-actions[bot]"


@dataclass(slots=True)
class CommentsInMemory:
    """The comments of one pull request, written as `author`; `denies` refuses to write any."""

    author: str = BOT
    denies: GitHubError | None = None
    kept: list[Comment] = field(default_factory=list)

    def list(self) -> tuple[Comment, ...]:
        return tuple(self.kept)

    def create(self, body: str) -> Comment:
        self._check()
        number = 1 + max((comment.id for comment in self.kept), default=0)
        made = Comment(
            id=number, author=self.author, body=body, url=f"https://github.test/c/{number}", is_bot=True
        )
        self.kept.append(made)
        return made

    def update(self, comment: int, body: str) -> Comment:
        self._check()
        at = next((place for place, found in enumerate(self.kept) if found.id == comment), None)
        if at is None:
            raise GitHubError("there is no such comment", status=404)
        self.kept[at] = replace(self.kept[at], body=body)
        return self.kept[at]

    def delete(self, comment: int) -> None:
        self._check()
        self.kept = [found for found in self.kept if found.id != comment]

    def viewer(self) -> str:
        return self.author

    def _check(self) -> None:
        if self.denies:
            raise self.denies


@dataclass(slots=True)
class RepositoryInMemory:
    """Pull requests, each with comments of its own; `asked` counts the questions about pull requests."""

    pulls: Sequence[PullRequest] = ()
    branches: Sequence[tuple[str, str, PullRequest]] = ()
    written: CommentsInMemory = field(default_factory=CommentsInMemory)
    commented: list[int] = field(default_factory=list)
    asked: int = 0

    def pull_request(self, number: int) -> PullRequest | None:
        self.asked += 1
        return next((pull for pull in self.pulls if pull.number == number), None)

    def pull_requests_of(self, owner: str, branch: str) -> tuple[PullRequest, ...]:
        self.asked += 1
        return tuple(pull for who, what, pull in self.branches if (who, what) == (owner, branch))

    def comments(self, pull_request: int) -> CommentsInMemory:
        self.commented.append(pull_request)
        return self.written
