"""A bound in time for all that GitHub is asked: however slowly it answers, no job is kept for hours."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
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
    outcome: Future[T] = Future()
    thread = threading.Thread(target=_do, args=(work, outcome), daemon=True)
    thread.start()
    thread.join(seconds)
    if not outcome.done():
        raise GitHubError(f"GitHub did not answer all that was asked within {seconds:.0f} s")
    return outcome.result()


def _do(work: Callable[[], T], outcome: Future[T]) -> None:
    try:
        outcome.set_result(work())
    except BaseException as error:  # noqa: BLE001 - it is raised where it was asked for
        outcome.set_exception(error)
