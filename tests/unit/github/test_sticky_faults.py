import pytest

from holodeck_eval.domain.options import CommentMode
from holodeck_eval.errors import GitHubError
from holodeck_eval.github.body import LIMIT, SHORT, body_of
from holodeck_eval.github.marker import Marker, read_marker
from holodeck_eval.github.sticky import Posted
from holodeck_eval.github.trimming import NOTE, units
from tests.fakes.comments import BOT, Job, Thread
from tests.unit.github.posting import EARLIER, OTHER, RUN, SURFACE, bodies, comment, posted

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


def test_somebody_who_wrote_our_marker_first_is_not_taken_for_us_when_adding_is_not_confirmed() -> None:
    job = Job(Thread())
    job.before("create", lambda: job.thread.add(comment("# Passed"), "stranger"))
    job.fail("create", 502)
    made = posted(job)
    assert bodies(job.thread) == [comment("# Passed"), comment()]
    assert made == Posted(url=job.thread.kept[1].url, action="created")


@pytest.mark.parametrize("standing", [0, 1])
def test_a_comment_that_was_written_stands_where_github_does_not_show_it(standing: int) -> None:
    job = Job(Thread())
    for _ in range(standing):
        job.thread.add(comment("# Passed", EARLIER))
    job.before("list", lambda: job.before("list", lambda: job.fail("list", 502)))
    assert posted(job).url == job.thread.kept[0].url
    assert bodies(job.thread) == [comment()]


def test_an_outage_that_stays_is_an_error() -> None:
    job = Job(Thread())
    job.fail("create", 502, times=2)
    with pytest.raises(GitHubError):
        posted(job)
    assert job.calls == ["list", "create", "list", "create"]


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
