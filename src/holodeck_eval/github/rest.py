"""Pull requests and their comments in GitHub's REST API: which request asks what."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, TypeVar

from holodeck_eval.errors import GitHubError
from holodeck_eval.github.answers import comment_of, each, pull_request_of
from holodeck_eval.github.payload import at
from holodeck_eval.github.ports import Comment, Comments, PullRequest

T = TypeVar("T")

PER_PAGE: Final = 100
PAGES: Final = 50
"""Most pages that are read. GitHub closes a pull request to comments after 2,500."""

_MISSING: Final = 404


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request.

    Attributes:
        doing: what it is for, as a sentence goes on after "GitHub did not".
        verb: its method.
        path: below the API's address, from a slash on.
        parameters: of the query.
        body: a JSON object.
        repeatable: whether a second one does no harm where the first may have been carried out.
    """

    doing: str
    verb: Literal["GET", "POST", "PATCH", "DELETE"]
    path: str
    parameters: Mapping[str, str | int] = field(default_factory=dict)
    body: Mapping[str, str] | None = None
    repeatable: bool = True


class Api(Protocol):
    """Sends requests, again where that helps. Every method may raise `GitHubError`."""

    def send(self, request: Request, read: Callable[[object], T]) -> tuple[T, bool]:
        """What `read` makes of the answer, and whether GitHub says that another page follows."""
        ...

    def login(self) -> str:
        """Whom the token writes as."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RestRepository:
    """The pull requests of one repository; see `ports.Repository`. `name` is its `owner/name`."""

    api: Api
    name: str

    def pull_request(self, number: int) -> PullRequest | None:
        """The one with this number; None where there is none, or none that the token may see."""
        request = Request(doing=f"show pull request {number}", verb="GET", path=f"{self._pulls}/{number}")
        try:
            return self.api.send(request, pull_request_of)[0]
        except GitHubError as error:
            if error.status == _MISSING:
                return None
            raise

    def pull_requests_of(self, owner: str, branch: str) -> tuple[PullRequest, ...]:
        """The open ones that come from this branch of that owner's repository or fork."""

        def read(value: object) -> PullRequest | None:
            found = pull_request_of(value)
            return found if at(value, "head", "ref") == branch else None

        parameters = {"state": "open", "head": f"{owner}:{branch}"}
        found = _all(self.api, "list the pull requests of a branch", self._pulls, parameters, read)
        return tuple(pull_request for pull_request in found if pull_request)

    def comments(self, pull_request: int) -> Comments:
        """The comments of one; asks nothing yet."""
        return RestComments(api=self.api, repository=self.name, number=pull_request)

    @property
    def _pulls(self) -> str:
        return f"/repos/{self.name}/pulls"


@dataclass(frozen=True, slots=True, kw_only=True)
class RestComments:
    """The comments of one pull request, which are those of the issue that it is; see `ports.Comments`."""

    api: Api
    repository: str
    number: int

    def list(self) -> tuple[Comment, ...]:
        """All of them, over all pages, oldest first."""
        path = f"/repos/{self.repository}/issues/{self.number}/comments"
        return _all(self.api, f"list the comments of {self._place}", path, {}, comment_of)

    def create(self, body: str) -> Comment:
        """Add one. It is not sent again where GitHub may have added it: that would make two."""
        request = Request(
            doing=f"add a comment to {self._place}",
            verb="POST",
            path=f"/repos/{self.repository}/issues/{self.number}/comments",
            body={"body": body},
            repeatable=False,
        )
        return self.api.send(request, comment_of)[0]

    def update(self, comment: int, body: str) -> Comment:
        """Replace the body of one."""
        request = Request(
            doing=f"replace comment {comment} of {self._place}",
            verb="PATCH",
            path=self._path(comment),
            body={"body": body},
        )
        return self.api.send(request, comment_of)[0]

    def delete(self, comment: int) -> None:
        """Remove one; one that is gone already is no error."""
        doing = f"remove comment {comment} of {self._place}"
        request = Request(doing=doing, verb="DELETE", path=self._path(comment))
        try:
            self.api.send(request, lambda _: None)
        except GitHubError as error:
            if error.status != _MISSING:
                raise

    def viewer(self) -> str:
        """The login that this token writes as."""
        return self.api.login()

    @property
    def _place(self) -> str:
        return f"pull request {self.number}"

    def _path(self, comment: int) -> str:
        return f"/repos/{self.repository}/issues/comments/{comment}"


def _all(
    api: Api, doing: str, path: str, parameters: Mapping[str, str], read: Callable[[object], T]
) -> tuple[T, ...]:
    """What stands on all pages. They are asked for by number: where a page says the next is, nobody goes."""
    found: tuple[T, ...] = ()
    for page in range(1, PAGES + 1):
        asked = {**parameters, "per_page": PER_PAGE, "page": page}
        request = Request(doing=doing, verb="GET", path=path, parameters=asked)
        items, more = api.send(request, each(read))
        found += items
        if not more and len(items) < PER_PAGE:
            return found
    raise GitHubError(f"GitHub did not {doing}: there are more than {PAGES * PER_PAGE:,}")
