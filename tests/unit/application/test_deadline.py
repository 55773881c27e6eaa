"""What GitHub is asked ends in time, and as it would have ended by itself."""

import subprocess
import sys
import threading

import pytest

from holodeck_eval.application.deadline import within
from holodeck_eval.errors import GitHubError


def test_what_ends_in_time_is_given_back() -> None:
    assert within(lambda: "a comment") == "a comment"


@pytest.mark.parametrize("error", [GitHubError("no", status=403), KeyError("a bug")])
def test_what_fails_in_time_fails_the_same_way(error: Exception) -> None:
    def fail() -> None:
        raise error

    with pytest.raises(type(error)) as caught:
        within(fail)
    assert caught.value is error


def test_what_has_no_end_is_left_to_itself() -> None:
    ends = threading.Event()
    with pytest.raises(GitHubError) as caught:
        within(ends.wait, 0)
    ends.set()
    assert caught.value.message == "GitHub did not answer all that was asked within 0 s"
    assert (caught.value.status, caught.value.denied) == (None, False)


def test_what_has_no_end_keeps_no_process_alive() -> None:
    program = (
        "import threading\n"
        "from holodeck_eval.application.deadline import within\n"
        "from holodeck_eval.errors import GitHubError\n"
        "try:\n    within(threading.Event().wait, 0)\nexcept GitHubError as error:\n    print(error.message)\n"
    )
    ended = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert ended.stdout == "GitHub did not answer all that was asked within 0 s\n"
    assert ended.stderr == ""
