"""The comments of a pull request as several jobs see them at once, in memory.

Each `Job` writes to the same `Thread` with a login of its own, counts what it asks, and does what a test tells
it between two requests: that is where the other jobs come in.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

from holodeck_eval.errors import GitHubError
from holodeck_eval.github.ports import Comment

BOT = "github-actions[bot]"
LONGEST = 65_536

T = TypeVar("T")
Call = Literal["list", "create", "update", "delete", "viewer"]


@dataclass(slots=True)
class Thread:
    """What stands on the pull request, oldest first. `longest` is in UTF-16 units."""

    kept: list[Comment] = field(default_factory=list)
    longest: int = LONGEST
    added: int = 0

    def add(self, body: str, author: str = BOT) -> Comment:
        """Somebody's comment."""
        self._check(body)
        self.added += 1
        url = f"https://github.test/octo/demo/pull/7#issuecomment-{self.added}"
        made = Comment(id=self.added, author=author, body=body, url=url)
        self.kept.append(made)
        return made

    def replace(self, number: int, body: str) -> Comment:
        """Another body for one."""
        self._check(body)
        found = next((comment for comment in self.kept if comment.id == number), None)
        if found is None:
            raise GitHubError("GitHub did not replace the comment: HTTP 404", status=404)
        made = replace(found, body=body)
        self.kept[self.kept.index(found)] = made
        return made

    def remove(self, number: int) -> None:
        """Remove one, whether it is there or not."""
        self.kept = [comment for comment in self.kept if comment.id != number]

    def _check(self, body: str) -> None:
        if len(body.encode("utf-16-le")) // 2 > self.longest:
            raise GitHubError("GitHub did not take the comment: HTTP 422, 'Body is too long'", status=422)


@dataclass(slots=True)
class Job:
    """One job's token, as `ports.Comments`.

    Attributes:
        calls: what was asked, in order.
    """

    thread: Thread
    login: str = BOT
    calls: list[Call] = field(default_factory=list)
    _before: list[tuple[Call, Callable[[], object]]] = field(default_factory=list)
    _failures: list[tuple[Call, GitHubError, bool]] = field(default_factory=list)

    def before(self, call: Call, act: Callable[[], object]) -> None:
        """Let something happen right before the next such call."""
        self._before.append((call, act))

    def fail(self, call: Call, status: int | None, times: int = 1, *, done: bool = False) -> None:
        """Refuse the next such calls; `done` carries them out all the same."""
        error = GitHubError(f"GitHub did not do it: HTTP {status}", status=status)
        self._failures += [(call, error, done)] * times

    def list(self) -> tuple[Comment, ...]:
        return self._do("list", lambda: tuple(self.thread.kept))

    def create(self, body: str) -> Comment:
        return self._do("create", lambda: self.thread.add(body, self.login))

    def update(self, comment: int, body: str) -> Comment:
        return self._do("update", lambda: self.thread.replace(comment, body))

    def delete(self, comment: int) -> None:
        self._do("delete", lambda: self.thread.remove(comment))

    def viewer(self) -> str:
        return self._do("viewer", lambda: self.login)

    def _do(self, call: Call, act: Callable[[], T]) -> T:
        self.calls.append(call)
        for planned in [plan for plan in self._before if plan[0] == call][:1]:
            self._before.remove(planned)
            planned[1]()
        for failure in [plan for plan in self._failures if plan[0] == call][:1]:
            self._failures.remove(failure)
            if failure[2]:
                act()
            raise failure[1]
        return act()
