"""What an SDK's exception means, where the real SDKs do not raise it on demand."""

import json

import pytest

from holodeck_eval.judges import DeepEvalModelConfig
from holodeck_eval.judges.failures import classify

JUDGE = DeepEvalModelConfig(endpoint="http://localhost:11434")


class Attempt:
    def exception(self) -> BaseException:
        return ConnectionError("refused")


class RetryError(Exception):
    """Shaped like tenacity's."""

    last_attempt = Attempt()


class TimeoutOfHttpxError(Exception):
    """Shaped like httpx's."""


class BusyError(Exception):
    """Shaped like an SDK's status error."""

    status_code = 408


def test_a_retry_error_stands_for_what_it_was_raised_over() -> None:
    assert classify(RetryError(), JUDGE).kind == "judge_unavailable"


def test_in_a_container_localhost_is_said_to_be_the_container() -> None:
    failure = classify(ConnectionError(), JUDGE, in_container=True)
    assert failure.message.endswith("in a container, as in the action, localhost is the container itself")


def test_elsewhere_it_is_not() -> None:
    remote = DeepEvalModelConfig(endpoint="http://ollama:11434")
    assert "container" not in classify(ConnectionError(), JUDGE, in_container=False).message
    assert "container" not in classify(ConnectionError(), remote, in_container=True).message


def test_timeouts_of_any_make_are_timeouts() -> None:
    for error in (TimeoutError(), TimeoutOfHttpxError(), BusyError()):
        assert (classify(error, JUDGE).kind, classify(error, JUDGE).retry) == ("timeout", True)


def test_a_refusal_without_headers_asks_for_no_wait() -> None:
    class FailedError(Exception):
        status_code = 503

    failure = classify(FailedError("down"), JUDGE)
    assert (failure.kind, failure.retry_after) == ("judge_unavailable", None)


@pytest.mark.parametrize(
    "error", [json.JSONDecodeError("no", "", 0), UnicodeDecodeError("utf-8", b"\xff", 0, 1, "no")]
)
def test_a_body_that_cannot_be_read_is_an_invalid_reply(error: Exception) -> None:
    failure = classify(error, JUDGE)
    assert (failure.kind, failure.retry) == ("invalid_reply", True)


def test_what_nobody_foresaw_is_internal_and_not_repeated() -> None:
    failure = classify(TypeError("unexpected keyword"), JUDGE)
    assert (failure.kind, failure.retry) == ("internal", False)
    assert failure.message.endswith("failed in the SDK: TypeError: unexpected keyword")
