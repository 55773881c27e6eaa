from dataclasses import replace

import pytest

from holodeck_eval.domain.options import CommentMode
from holodeck_eval.domain.verdict import Status
from holodeck_eval.errors import GitHubError
from holodeck_eval.github.body import body_of
from holodeck_eval.github.marker import Marker, Stamp, read_marker
from holodeck_eval.github.sticky import Posted
from tests.fakes.comments import Job, Thread
from tests.unit.github.posting import (
    EARLIER,
    LATER,
    MODES,
    OTHER,
    PASSED,
    RUN,
    SURFACE,
    bodies,
    comment,
    posted,
)

# -- One comment, kept current


def test_the_first_run_adds_a_comment_in_three_calls() -> None:
    job = Job(Thread())
    made = posted(job)
    assert made == Posted(url="https://github.test/octo/demo/pull/7#issuecomment-1", action="created")
    assert bodies(job.thread) == [comment()]
    assert job.calls == ["list", "create", "list"]


def test_a_later_run_replaces_it_in_three_calls() -> None:
    job = Job(Thread())
    job.thread.add("A person's.", "mona")
    standing = job.thread.add(comment("# Passed", EARLIER))
    made = posted(job)
    assert made == Posted(url=standing.url, action="updated")
    assert bodies(job.thread) == ["A person's.", comment()]
    assert job.calls == ["list", "update", "list"]


def test_another_attempt_of_the_same_run_replaces_it() -> None:
    job = Job(Thread())
    posted(job)
    assert posted(job, "# Passed", replace(PASSED, attempt=2)).action == "updated"
    assert bodies(job.thread) == [comment("# Passed", replace(PASSED, attempt=2))]


def test_the_same_comment_once_more_is_not_written() -> None:
    job = Job(Thread())
    posted(job)
    job.calls.clear()
    assert posted(job).action == "unchanged"
    assert job.calls == ["list"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("later", [LATER, replace(RUN, attempt=2, says="e" * 16), replace(RUN, attempt=2)])
def test_what_a_later_run_wrote_stays(mode: CommentMode, later: Stamp) -> None:
    job = Job(Thread())
    standing = job.thread.add(comment("# Later", later))
    assert posted(job, mode=mode) == Posted(url=standing.url, action="newer_stands")
    assert bodies(job.thread) == [comment("# Later", later)]
    assert job.calls == ["list"]


def test_other_surfaces_keep_their_comments() -> None:
    job = Job(Thread())
    job.thread.add(comment(surface=OTHER))
    posted(job)
    assert bodies(job.thread) == [comment(surface=OTHER), comment()]


def test_off_does_nothing() -> None:
    job = Job(Thread())
    assert posted(job, mode="off") == Posted(url=None, action="none")
    assert job.calls == []


# -- Whose it is


def test_a_person_who_quotes_the_marker_keeps_their_comment_at_the_cost_of_one_call() -> None:
    job = Job(Thread())
    quotes = [comment("Look at this:", LATER), comment("And this:", EARLIER)]
    for quote in quotes:
        job.thread.add(quote, "mona")
    assert posted(job).action == "created"
    assert bodies(job.thread) == [*quotes, comment()]
    assert job.calls == ["list", "viewer", "create", "list"]


@pytest.mark.parametrize("login", ["mona", "my-app[bot]"])
def test_a_token_of_somebody_else_finds_its_own_comment(login: str) -> None:
    job = Job(Thread(), login)
    posted(job, stamp=EARLIER)
    assert job.calls == ["list", "create", "list"]
    job.calls.clear()
    assert posted(Job(job.thread, login)).action == "updated"
    again = Job(job.thread, login)
    assert posted(again, stamp=LATER).action == "updated"
    assert again.calls == ["list", "viewer", "update", "list"]
    assert bodies(job.thread) == [comment(stamp=LATER)]


def test_a_comment_without_an_author_is_nobody_s() -> None:
    thread = Thread()
    thread.add(comment(stamp=EARLIER), "")
    posted(Job(thread, ""))
    assert bodies(thread) == [comment(stamp=EARLIER), comment()]


def test_where_github_does_not_say_who_we_are_nothing_is_written() -> None:
    job = Job(Thread())
    job.thread.add(comment(stamp=EARLIER), "mona")
    job.fail("viewer", 502)
    with pytest.raises(GitHubError):
        posted(job)
    assert bodies(job.thread) == [comment(stamp=EARLIER)]


def test_a_marker_inside_the_report_does_not_become_the_comment_s() -> None:
    job = Job(Thread())
    posted(job, f"The judge said:\n{Marker.of('comment', OTHER, LATER)}\nand more.")
    assert read_marker(job.thread.kept[0].body) == Marker.of("comment", SURFACE, RUN)


# -- Modes


def test_new_adds_one_each_time_in_one_call() -> None:
    thread = Thread()
    thread.add(comment(stamp=EARLIER))
    for action in ("created", "created"):
        job = Job(thread)
        assert posted(job, "# New", mode="new").action == action
        assert job.calls == ["create"]
    assert len(thread.kept) == 3


def test_what_new_added_is_never_replaced_nor_removed() -> None:
    thread = Thread()
    posted(Job(thread), "# New", EARLIER, mode="new")
    posted(Job(thread))
    new = body_of("# New", Marker.of("report", SURFACE, EARLIER))
    assert bodies(thread) == [new, comment()]


@pytest.mark.parametrize(
    ("mode", "status", "differs", "written"),
    [
        ("update", "passed", False, True),
        ("on_failure", "passed", True, False),
        ("on_failure", "failed", False, True),
        ("on_failure", "inconclusive", False, True),
        ("on_failure", "error", False, True),
        ("on_failure", "bug", False, True),
        ("on_change", "passed", False, False),
        ("on_change", "passed", True, True),
        ("on_change", "failed", False, True),
        ("on_change", "inconclusive", False, True),
    ],
)
def test_where_none_stands_the_mode_says_whether_one_is_added(
    mode: CommentMode, status: Status, *, differs: bool, written: bool
) -> None:
    job = Job(Thread())
    made = posted(job, stamp=replace(RUN, status=status), mode=mode, differs=differs)
    assert made.action == ("created" if written else "none")
    assert len(job.thread.kept) == written
    assert written or (made.url is None and job.calls == ["list"])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("differs", [True, False])
def test_one_that_stands_is_replaced_when_the_next_run_passes(mode: CommentMode, *, differs: bool) -> None:
    job = Job(Thread())
    job.thread.add(comment(stamp=EARLIER))
    assert posted(job, "# Passed", PASSED, mode, differs=differs).action == "updated"
    assert bodies(job.thread) == [comment("# Passed", PASSED)]


@pytest.mark.parametrize("mode", MODES)
def test_one_that_says_the_same_is_replaced_so_that_a_run_between_the_two_cannot_overwrite_it(
    mode: CommentMode,
) -> None:
    job = Job(Thread())
    before = replace(RUN, run_id=RUN.run_id - 2)
    job.thread.add(comment("# Failed, of another commit", before))
    assert posted(job, mode=mode).action == "updated"
    assert posted(job, "# Passed", replace(PASSED, run_id=RUN.run_id - 1), mode).action == "newer_stands"
    assert bodies(job.thread) == [comment()]


@pytest.mark.parametrize("mode", MODES)
def test_one_that_a_person_edited_is_replaced_by_the_next_run(mode: CommentMode) -> None:
    job = Job(Thread())
    job.thread.add(comment("# Passed, says its editor", replace(EARLIER, says=RUN.says)))
    posted(job, mode=mode)
    assert bodies(job.thread) == [comment()]


def test_on_change_removes_duplicates_that_say_the_same() -> None:
    job = Job(Thread())
    for _ in range(2):
        job.thread.add(comment(stamp=replace(EARLIER, says=RUN.says)))
    assert posted(job, mode="on_change").action == "updated"
    assert bodies(job.thread) == [comment()]
