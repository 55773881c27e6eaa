"""A repository's pull requests and their comments, in memory."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from holodeck_eval.github.ports import PullRequest
from tests.fakes.comments import Job, Thread


@dataclass(slots=True)
class RepositoryInMemory:
    """Pull requests; `job` sees the comments of each, and `asked` counts the questions about pull requests."""

    pulls: Sequence[PullRequest] = ()
    branches: Sequence[tuple[str, str, PullRequest]] = ()
    job: Job = field(default_factory=lambda: Job(Thread()))
    commented: list[int] = field(default_factory=list)
    asked: int = 0

    def pull_request(self, number: int) -> PullRequest | None:
        self.asked += 1
        return next((pull for pull in self.pulls if pull.number == number), None)

    def pull_requests_of(self, owner: str, branch: str) -> tuple[PullRequest, ...]:
        self.asked += 1
        return tuple(pull for who, what, pull in self.branches if (who, what) == (owner, branch))

    def comments(self, pull_request: int) -> Job:
        self.commented.append(pull_request)
        return self.job
