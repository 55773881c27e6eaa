import pytest

from holodeck_eval.errors import GitHubError
from tests.fakes.comments import Job, Thread
from tests.fakes.turns import Turns


def twice(job: Job) -> int:
    before = len(job.list())
    job.create("x")
    return before


def test_jobs_take_turns_at_each_request_and_give_what_they_found() -> None:
    turns = Turns(Thread(), seed=1)
    found = turns.run([twice, twice])
    assert sorted(turns.order) == [(0, "create"), (0, "list"), (1, "create"), (1, "list")]
    assert len(turns.thread.kept) == 2
    assert found[turns.order[0][0]] == 0


def test_the_seed_decides_the_order() -> None:
    def order(seed: int) -> list[tuple[int, str]]:
        turns = Turns(Thread(), seed)
        turns.run([twice, twice, twice])
        return list(turns.order)

    assert order(1) == order(1)
    assert len({tuple(order(seed)) for seed in range(20)}) > 5


def test_a_job_that_breaks_does_not_hang_the_others() -> None:
    turns = Turns(Thread(), seed=1)

    def breaks(job: Job) -> int:
        job.list()
        raise GitHubError("no")

    with pytest.raises(GitHubError, match="no"):
        turns.run([breaks, twice])
    assert len(turns.thread.kept) == 1
