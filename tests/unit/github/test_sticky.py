from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from holodeck_eval.domain.options import CommentMode
from holodeck_eval.domain.verdict import Status
from holodeck_eval.errors import GitHubError
from holodeck_eval.github.body import LIMIT, SHORT, body_of
from holodeck_eval.github.marker import Marker, Stamp, Surface, read_marker
from holodeck_eval.github.sticky import REMOVED, ROUNDS, Posted, post
from holodeck_eval.github.trimming import NOTE, units
from tests.fakes.comments import BOT, Job, Thread
from tests.fakes.turns import Turns

SURFACE = Surface(workflow="Agents", job="gate")
OTHER = Surface(workflow="Agents", job="gate", comment_key="billing")
RUN = Stamp(run_id=100, attempt=1, says="a" * 16, status="failed")
EARLIER = replace(RUN, run_id=99, says="b" * 16)
LATER = replace(RUN, run_id=101, says="c" * 16)
PASSED = replace(RUN, status="passed", says="d" * 16)
MODES: tuple[CommentMode, ...] = ("update", "on_failure", "on_change")


def comment(text: str = "# Failed", stamp: Stamp = RUN, surface: Surface = SURFACE) -> str:
    return body_of(text, Marker.of("comment", surface, stamp))


def posted(
    job: Job,
    text: str = "# Failed",
    stamp: Stamp = RUN,
    mode: CommentMode = "update",
    *,
    differs: bool = True,
    sleep: Callable[[float], None] = lambda _: None,
) -> Posted:
    return post(job, text, SURFACE, stamp, mode, differs=differs, sleep=sleep, jitter=lambda: 0.5)


def bodies(thread: Thread) -> list[str]:
    return [found.body for found in thread.kept]


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


# -- Duplicates and races


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


# -- When GitHub does not do it


@pytest.mark.parametrize("call", ["list", "create"])
@pytest.mark.parametrize("status", [401, 403, 404, 410, 429])
def test_a_refusal_ends_it_at_once(call: str, status: int) -> None:
    job = Job(Thread())
    job.fail(call, status)  # type: ignore[arg-type]
    with pytest.raises(GitHubError) as refused:
        posted(job)
    assert refused.value.status == status
    assert job.calls[-1] == call
    assert job.thread.kept == []


def test_a_refusal_to_replace_ends_it_at_once() -> None:
    job = Job(Thread())
    job.thread.add(comment(stamp=EARLIER))
    job.fail("update", 403)
    with pytest.raises(GitHubError):
        posted(job)
    assert job.calls == ["list", "update"]
    assert bodies(job.thread) == [comment(stamp=EARLIER)]


@pytest.mark.parametrize("mode", ["update", "new"])
@pytest.mark.parametrize("status", [None, 500, 502])
@pytest.mark.parametrize("done", [True, False])
def test_a_comment_whose_adding_was_not_confirmed_stands_once(
    mode: CommentMode, status: int | None, *, done: bool
) -> None:
    job = Job(Thread())
    for other in (comment(surface=OTHER), "A person's."):
        job.thread.add(other)
    job.fail("create", status, done=done)
    waited: list[float] = []
    made = posted(job, mode=mode, sleep=waited.append)
    assert made == Posted(url=job.thread.kept[2].url, action="created")
    assert len(job.thread.kept) == 3
    assert len(waited) == 1


def test_an_outage_that_stays_is_an_error() -> None:
    job = Job(Thread())
    job.fail("create", 502, times=2)
    with pytest.raises(GitHubError):
        posted(job)
    assert job.calls == ["list", "create", "list", "create"]


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


def test_on_change_leaves_one_that_says_the_same() -> None:
    job = Job(Thread())
    standing = job.thread.add(comment("# Failed, of another commit", replace(EARLIER, says=RUN.says)))
    assert posted(job, mode="on_change") == Posted(url=standing.url, action="unchanged")
    assert bodies(job.thread) == [comment("# Failed, of another commit", replace(EARLIER, says=RUN.says))]


def test_update_replaces_one_that_says_the_same() -> None:
    job = Job(Thread())
    job.thread.add(comment("# Failed, of another commit", replace(EARLIER, says=RUN.says)))
    assert posted(job).action == "updated"


def test_on_change_removes_duplicates_that_say_the_same() -> None:
    job = Job(Thread())
    for _ in range(2):
        job.thread.add(comment(stamp=replace(EARLIER, says=RUN.says)))
    assert posted(job, mode="on_change").action == "updated"
    assert bodies(job.thread) == [comment()]


# -- Length


@pytest.mark.parametrize("text", ["x" * 200_000, "\U0001f600" * 40_000, "# A\n```\nline\n" * 9_000])
@pytest.mark.parametrize("stands", [True, False])
@pytest.mark.parametrize("mode", ["update", "new"])
def test_no_body_is_over_the_limit_when_it_is_added_nor_when_it_is_replaced(
    text: str, mode: CommentMode, *, stands: bool
) -> None:
    job = Job(Thread())
    if stands:
        job.thread.add(comment(stamp=EARLIER))
    posted(job, text, mode=mode)
    body = job.thread.kept[-1].body
    assert LIMIT - 40 < units(body) <= LIMIT
    assert NOTE in body
    assert read_marker(body) is not None
    assert "update" not in job.calls or job.calls.count("update") == 1


@pytest.mark.parametrize("stands", [True, False])
def test_what_github_finds_too_long_all_the_same_is_tried_once_more_and_short(*, stands: bool) -> None:
    job = Job(Thread(longest=SHORT))
    if stands:
        job.thread.add(comment(stamp=EARLIER))
    posted(job, "A line.\n" * 5_000)
    assert [units(body) > SHORT - 20 for body in bodies(job.thread)] == [True]
    assert NOTE in job.thread.kept[0].body
    assert job.calls in (["list", "update", "update", "list"], ["list", "create", "create", "list"])


def test_what_is_too_long_even_when_short_is_an_error() -> None:
    job = Job(Thread(longest=100))
    with pytest.raises(GitHubError) as refused:
        posted(job, "A line.\n" * 5_000)
    assert refused.value.status == 422
    assert job.calls == ["list", "create", "create"]


def test_half_a_character_in_the_report_is_not_sent() -> None:
    job = Job(Thread())
    posted(job, "a\ud800b")
    assert job.thread.kept[0].body.startswith("a\ufffdb\n")


def test_a_comment_reads_as_the_report_and_a_hidden_line() -> None:
    assert body_of("# Failed\n\nWhy.\n", Marker.of("comment", SURFACE, RUN)) == (
        f"# Failed\n\nWhy.\n\n<!-- holodeck-eval:comment {SURFACE.digest} "
        "run=100.1 says=aaaaaaaaaaaaaaaa status=failed -->"
    )


def test_the_bot_is_who_a_job_s_token_writes_as() -> None:
    thread = Thread()
    thread.add(comment(stamp=EARLIER), BOT)
    job = Job(thread)
    posted(job)
    assert "viewer" not in job.calls
