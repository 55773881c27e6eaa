"""The fake repository does what its port says."""

from holodeck_eval.github.ports import PullRequest
from tests.fakes.repository import RepositoryInMemory

PULL = PullRequest(number=7, head_sha="a" * 40, head_repository="fork/demo", base_repository="octo/demo")


def test_pull_requests_are_found_by_number_and_by_branch() -> None:
    repository = RepositoryInMemory(pulls=[PULL], branches=[("fork", "fix", PULL)])
    assert repository.pull_request(7) == PULL
    assert repository.pull_request(8) is None
    assert repository.pull_requests_of("fork", "fix") == (PULL,)
    assert repository.pull_requests_of("other", "fix") == ()
    assert repository.asked == 4
    assert repository.comments(7) is repository.job
    assert repository.commented == [7]
