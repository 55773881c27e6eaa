"""What the sticky comment and `publish` need of GitHub, whoever answers."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A comment on a pull request. `author` is a login, `github-actions[bot]` for a job's own token."""

    id: int
    author: str
    body: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequest:
    """A pull request.

    Attributes:
        number: as in its URL.
        head_sha: the commit that is proposed; None where an event does not say it.
        head_repository: `owner/name` it comes from; None where that repository is gone.
        base_repository: `owner/name` it goes to.
    """

    number: int
    head_sha: str | None
    head_repository: str | None
    base_repository: str


class Comments(Protocol):
    """The comments of one pull request. Every method may raise `GitHubError`."""

    def list(self) -> tuple[Comment, ...]:
        """All of them, over all pages, oldest first."""
        ...

    def create(self, body: str) -> Comment:
        """Add one."""
        ...

    def update(self, comment: int, body: str) -> Comment:
        """Replace the body of one."""
        ...

    def delete(self, comment: int) -> None:
        """Remove one; one that is gone already is no error."""
        ...

    def viewer(self) -> str:
        """The login that this token writes as."""
        ...


class Repository(Protocol):
    """The pull requests of one repository. Every method may raise `GitHubError`."""

    def pull_request(self, number: int) -> PullRequest | None:
        """The one with this number; None where there is none."""
        ...

    def pull_requests_of(self, owner: str, branch: str) -> tuple[PullRequest, ...]:
        """The open ones that come from this branch of that owner's repository or fork."""
        ...

    def comments(self, pull_request: int) -> Comments:
        """The comments of one; asks nothing yet."""
        ...
