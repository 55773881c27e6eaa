"""A bound in time for all that GitHub is asked: however slowly it answers, no job is kept for hours."""

from collections.abc import Callable
from multiprocessing import TimeoutError as Unfinished
from multiprocessing.pool import ThreadPool
from typing import Final, TypeVar

from holodeck_eval.errors import GitHubError

LONGEST: Final = 150.0
"""Seconds that a comment may take: 120 that are waited for limits and outages, and the requests between."""

T = TypeVar("T")


def within(work: Callable[[], T], seconds: float = LONGEST) -> T:
    """What work comes to. Where that takes too long it is left to itself, and ends with the process.

    A timeout of a connection is not enough: it starts anew with each byte.

    Args:
        work: asks GitHub; what it raises is raised here.
        seconds: it may take.

    Raises:
        GitHubError: it took longer.
    """
    pool = ThreadPool(1)  # its thread keeps no process alive, unlike an executor's
    outcome = pool.apply_async(work)
    pool.close()
    try:
        return outcome.get(seconds)
    except Unfinished:
        raise GitHubError(f"GitHub did not answer all that was asked within {seconds:.0f} s") from None
