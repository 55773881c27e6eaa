"""Posts to a pull request in memory, as the tests of the sticky comment do."""

from collections.abc import Callable
from dataclasses import replace

from holodeck_eval.domain.options import CommentMode
from holodeck_eval.github.body import body_of
from holodeck_eval.github.marker import Marker, Stamp, Surface
from holodeck_eval.github.sticky import Posted, post
from tests.fakes.comments import Job, Thread

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
