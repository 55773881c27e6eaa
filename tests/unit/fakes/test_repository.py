"""The fake repository does what its port says."""

import pytest

from holodeck_eval.errors import GitHubError
from holodeck_eval.github.ports import PullRequest
from tests.fakes.repository import CommentsInMemory, RepositoryInMemory

PULL = PullRequest(number=7, head_sha="a" * 40, head_repository="fork/demo", base_repository="octo/demo")


def test_comments_are_kept_in_order_and_can_be_replaced_and_removed() -> None:
    comments = CommentsInMemory(author="somebody")
    first, second = comments.create("one"), comments.create("two")
    comments.update(first.id, "three")
    assert [(comment.id, comment.body) for comment in comments.list()] == [(1, "three"), (2, "two")]
    comments.delete(first.id)
    assert comments.list() == (second,)
    assert comments.viewer() == "somebody"


def test_a_comment_that_is_not_there_cannot_be_replaced() -> None:
    with pytest.raises(GitHubError) as caught:
        CommentsInMemory().update(1, "text")
    assert caught.value.status == 404


@pytest.mark.parametrize("write", ["create", "update", "delete"])
def test_it_refuses_to_write_as_it_is_told(write: str) -> None:
    comments = CommentsInMemory()
    comments.create("one")
    comments.denies = GitHubError("no", status=403)
    with pytest.raises(GitHubError, match="no"):
        {
            "create": lambda: comments.create("x"),
            "update": lambda: comments.update(1, "x"),
            "delete": lambda: comments.delete(1),
        }[write]()
    assert [comment.body for comment in comments.list()] == ["one"]


def test_pull_requests_are_found_by_number_and_by_branch() -> None:
    repository = RepositoryInMemory(pulls=[PULL], branches=[("fork", "fix", PULL)])
    assert repository.pull_request(7) == PULL
    assert repository.pull_request(8) is None
    assert repository.pull_requests_of("fork", "fix") == (PULL,)
    assert repository.pull_requests_of("other", "fix") == ()
    assert repository.asked == 4
    repository.comments(7)
    assert repository.commented == [7]
