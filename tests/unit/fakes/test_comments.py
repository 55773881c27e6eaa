import pytest

from holodeck_eval.errors import GitHubError
from tests.fakes.comments import BOT, Job, Thread


def test_jobs_see_what_the_others_write() -> None:
    thread = Thread()
    one, other = Job(thread), Job(thread, "mona")
    made = one.create("first")
    other.create("second")
    one.update(made.id, "changed")
    assert [(comment.id, comment.author, comment.body) for comment in other.list()] == [
        (1, BOT, "changed"),
        (2, "mona", "second"),
    ]
    assert (one.calls, other.calls) == (["create", "update"], ["create", "list"])


def test_a_number_is_never_given_twice() -> None:
    thread = Thread()
    thread.remove(thread.add("first").id)
    assert thread.add("second").id == 2


def test_a_comment_that_is_gone_cannot_be_changed_but_removed() -> None:
    job = Job(Thread())
    job.delete(7)
    with pytest.raises(GitHubError, match="404"):
        job.update(7, "x")


@pytest.mark.parametrize("body", ["x" * 11, "\U0001f600" * 6])
def test_a_long_body_is_refused(body: str) -> None:
    job = Job(Thread(longest=10))
    job.create("\U0001f600" * 5)
    with pytest.raises(GitHubError) as refused:
        job.create(body)
    assert refused.value.status == 422


def test_each_job_says_who_it_is() -> None:
    assert Job(Thread(), "mona").viewer() == "mona"


def test_something_happens_right_before_a_call_and_once() -> None:
    job = Job(Thread())
    job.before("list", lambda: job.thread.add("the other's"))
    assert [comment.body for comment in job.list()] == ["the other's"]
    assert len(job.list()) == 1


def test_a_call_fails_as_often_as_told_and_may_have_been_carried_out() -> None:
    job = Job(Thread())
    job.fail("create", 502, done=True)
    job.fail("create", None)
    for status in (502, None):
        with pytest.raises(GitHubError) as failed:
            job.create("x")
        assert failed.value.status == status
    job.create("y")
    assert [comment.body for comment in job.list()] == ["x", "y"]
