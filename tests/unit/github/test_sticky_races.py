from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from holodeck_eval.github.marker import Stamp
from holodeck_eval.github.sticky import REMOVED, ROUNDS, Posted
from tests.fakes.comments import Job, Thread
from tests.fakes.turns import Turns
from tests.unit.github.posting import (
    EARLIER,
    LATER,
    RUN,
    bodies,
    comment,
    posted,
)


def test_of_our_duplicates_the_oldest_is_kept() -> None:
    job = Job(Thread())
    oldest = job.thread.add(comment("# 1", EARLIER))
    job.thread.add("A person's.", "mona")
    job.thread.add(comment("# 2", EARLIER))
    job.thread.add(comment("# 3", replace(EARLIER, run_id=7)))
    assert posted(job) == Posted(url=oldest.url, action="updated")
    assert bodies(job.thread) == [comment(), "A person's."]
    assert job.calls == ["list", "update", "delete", "delete", "list"]


def test_the_oldest_is_kept_in_whatever_order_they_are_listed() -> None:
    job = Job(Thread())
    oldest = job.thread.add(comment(stamp=EARLIER))
    job.thread.add(comment(stamp=EARLIER))
    job.thread.kept.reverse()
    assert posted(job) == Posted(url=oldest.url, action="updated")


def test_no_more_duplicates_are_removed_than_can_be_in_four_rounds() -> None:
    job = Job(Thread())
    for _ in range(1 + REMOVED * ROUNDS + 2):
        job.thread.add(comment(stamp=EARLIER))
    posted(job)
    assert len(job.thread.kept) == 3
    assert job.calls.count("list") == 1 + ROUNDS


def test_a_duplicate_that_cannot_be_removed_does_not_fail_the_comment() -> None:
    job = Job(Thread())
    oldest = job.thread.add(comment(stamp=EARLIER))
    job.thread.add(comment(stamp=EARLIER))
    job.fail("delete", 403, times=ROUNDS)
    assert posted(job) == Posted(url=oldest.url, action="updated")
    assert bodies(job.thread) == [comment(), comment(stamp=EARLIER)]


@pytest.mark.parametrize("stamp", [RUN, EARLIER], ids=["the same run", "an earlier one"])
def test_two_jobs_that_add_at_the_same_time_end_with_the_older_comment(stamp: Stamp) -> None:
    thread = Thread()
    one, other = Job(thread), Job(thread)
    one.before("create", lambda: posted(other, "# Other", stamp))
    waited: list[float] = []
    made = posted(one, sleep=waited.append)
    assert made == Posted(url=thread.kept[0].url, action="created")
    assert [found.id for found in thread.kept] == [1]
    assert bodies(thread) == [comment()]
    assert one.calls == ["list", "create", "list", "update", "delete", "list"]
    assert waited == [pytest.approx(0.6)]


def test_the_job_whose_comment_is_the_older_one_removes_the_other_and_writes_no_more() -> None:
    thread = Thread()
    job = Job(thread)
    job.before("list", lambda: job.before("list", lambda: thread.add(comment("# Other"))))
    assert posted(job) == Posted(url=thread.kept[0].url, action="created")
    assert bodies(thread) == [comment()]
    assert job.calls == ["list", "create", "list", "delete", "list"]


def test_of_two_jobs_that_add_at_the_same_time_the_earlier_run_gives_way() -> None:
    thread = Thread()
    one, other = Job(thread), Job(thread)
    one.before("create", lambda: posted(other, "# Later", LATER))
    assert posted(one) == Posted(url=thread.kept[0].url, action="newer_stands")
    assert bodies(thread) == [comment("# Later", LATER)]


def test_the_earlier_run_leaves_the_older_comment_to_the_later_one() -> None:
    thread = Thread()
    one, other = Job(thread), Job(thread)
    other.before("create", lambda: thread.add(comment()))
    one.before("create", lambda: None)
    assert posted(other, "# Later", LATER).action == "created"
    assert bodies(thread) == [comment("# Later", LATER)]

    thread = Thread()
    one = Job(thread)
    one.before("list", lambda: one.before("list", lambda: thread.add(comment("# Later", LATER))))
    assert posted(one) == Posted(url=thread.kept[0].url, action="newer_stands")
    assert bodies(thread) == [comment(), comment("# Later", LATER)]


def test_an_earlier_run_that_wrote_over_it_in_between_is_written_over_again() -> None:
    thread = Thread()
    standing = thread.add(comment("# Old", EARLIER))
    job = Job(thread)
    job.before(
        "list", lambda: job.before("list", lambda: thread.replace(standing.id, comment("# Old", EARLIER)))
    )
    assert posted(job).action == "updated"
    assert bodies(thread) == [comment()]
    assert job.calls == ["list", "update", "list", "update", "list"]


def test_another_job_of_the_same_run_that_wrote_over_it_is_let_be() -> None:
    thread = Thread()
    standing = thread.add(comment("# Old", EARLIER))
    job = Job(thread)
    job.before("list", lambda: job.before("list", lambda: thread.replace(standing.id, comment("# Leg 2"))))
    posted(job)
    assert bodies(thread) == [comment("# Leg 2")]
    assert job.calls == ["list", "update", "list"]


def test_a_comment_that_vanished_before_it_is_replaced_is_added_anew() -> None:
    thread = Thread()
    standing = thread.add(comment(stamp=EARLIER))
    job = Job(thread)
    job.before("update", lambda: thread.remove(standing.id))
    assert posted(job).url == thread.kept[0].url
    assert bodies(thread) == [comment()]


def test_where_the_oldest_vanished_the_next_one_is_replaced() -> None:
    thread = Thread()
    oldest, next_one = thread.add(comment(stamp=EARLIER)), thread.add(comment(stamp=EARLIER))
    job = Job(thread)
    job.before("update", lambda: thread.remove(oldest.id))
    assert posted(job).url == next_one.url
    assert bodies(thread) == [comment()]


def test_a_comment_that_the_list_does_not_show_yet_is_not_added_twice() -> None:
    thread = Thread()
    job = Job(thread)

    def lag() -> None:
        hidden = list(thread.kept)
        thread.kept.clear()
        later.append(lambda: thread.kept.extend(hidden))

    later: list[Callable[[], None]] = []
    job.before("list", lambda: job.before("list", lag))
    made = posted(job)
    later[0]()
    assert made == Posted(url=thread.kept[0].url, action="created")
    assert job.calls == ["list", "create", "list"]


def test_jobs_that_keep_writing_over_each_other_end() -> None:
    thread = Thread()
    job = Job(thread)

    def disturb() -> None:
        thread.kept = [replace(found, body=comment("# Old", EARLIER)) for found in thread.kept]
        job.before("list", disturb)

    job.before("list", disturb)
    assert posted(job).action == "created"
    assert job.calls.count("list") == 1 + ROUNDS


@pytest.mark.parametrize("standing", [0, 1, 2])
@pytest.mark.parametrize("runs", [(100, 100), (100, 101), (101, 100, 100), (100, 101, 102)])
def test_however_jobs_interleave_one_comment_stands_and_all_of_them_name_it(
    runs: tuple[int, ...], standing: int
) -> None:
    for seed in range(25):
        thread = Thread()
        for _ in range(standing):
            thread.add(comment(stamp=EARLIER))
        jobs = [partial(posted, stamp=replace(RUN, run_id=run)) for run in runs]
        made = Turns(thread, seed).run(jobs)
        assert [found.url for found in thread.kept] == sorted({one.url or "" for one in made}), seed
