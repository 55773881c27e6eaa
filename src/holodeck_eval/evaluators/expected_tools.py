"""`expected_tools`: the tools the agent was expected to call, by HoloDeck's rules."""

import json
import re
import signal
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from holodeck_eval.domain.agent import ArgumentMatch, MetricSpec, ToolExpectation
from holodeck_eval.domain.case import Turn
from holodeck_eval.domain.outcome import Errored, Evaluator, Outcome, Scored, Skipped
from holodeck_eval.domain.transcript import ToolCall
from holodeck_eval.domain.wording import listed, quoted

LONGEST_MATCHED: Final = 10_000
"""Characters of an argument that a regular expression is tried on; a longer one does not match."""

_NEAR: Final = 1e-9
_NUMBER: Final = re.compile(r"([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?)(%?)", re.ASCII)
_LONGEST_S: Final = 1.0
"""Seconds of computing one turn may take. A regular expression can be written so that it takes for ever."""
_NOT_RECORDED: Final = (
    "Tool calls were not recorded: record `tool_calls` in the transcript,"
    " as an empty list where no tool was called."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedTools:
    """Scores the share of expectations that the recorded calls meet; order and other calls do not count."""

    async def measure(self, turn: Turn, *, replies: int = 1) -> Outcome:  # noqa: ARG002 - one is as good as many
        """The outcome of this metric on this turn."""
        if turn.expected_tools is None:
            return Skipped(
                cause="not_applicable", reason="No expectation about tools is written for this turn."
            )
        if not turn.expected_tools:
            return Scored(score=1.0, reason="No tool was expected.", asserts=False)
        if turn.tool_calls is None:
            return Skipped(cause="missing_input", reason=_NOT_RECORDED)
        try:
            with _within(_LONGEST_S):
                return _scored(turn.expected_tools, turn.tool_calls)
        except re.error as error:
            return Errored(
                kind="internal", message=f"A regular expression under expected_tools is wrong: {error}."
            )
        except _TooLongError:
            return Errored(
                kind="timeout",
                message=f"Comparing the calls took more than {_LONGEST_S:g} s of computing:"
                " simplify the regular expressions under expected_tools.",
            )


class _TooLongError(Exception):
    """The comparison was cut short."""


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    """Cut short what takes longer, in the main thread of a system with such timers; elsewhere nothing is.

    The timer counts the time of the process alone, so that a busy machine changes nothing.

    Raises:
        _TooLongError: when the time is up.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _cut_short)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _cut_short(_signal: int, _frame: object) -> None:
    raise _TooLongError


def _scored(expected: Sequence[ToolExpectation], calls: Sequence[ToolCall]) -> Scored:
    missed = [item for item in expected if not _is_met(item, calls)]
    reason = _reason(missed, len(expected), calls)
    return Scored(score=(len(expected) - len(missed)) / len(expected), reason=reason)


def build(_spec: MetricSpec, _toolbox: object) -> Evaluator:
    """The evaluator of `expected_tools`."""
    return ExpectedTools()


def _is_met(expected: ToolExpectation, calls: Iterable[ToolCall]) -> bool:
    return sum(_matches(expected, call) for call in calls) >= expected.count


def _matches(expected: ToolExpectation, call: ToolCall) -> bool:
    """Whether a call counts: its name holds the expected one, and every expected argument matches."""
    if expected.name not in call.name:
        return False
    if not expected.arguments:
        return True
    given = call.arguments
    return isinstance(given, Mapping) and all(
        name in given and argument_matches(match, given[name]) for name, match in expected.arguments.items()
    )


def argument_matches(match: ArgumentMatch, actual: object) -> bool:
    """Whether an argument of a call is what was expected of it.

    Raises:
        re.error: for a regular expression that is none.
    """
    if match.how == "exact":
        return _equal(match.value, actual)
    if match.how == "fuzzy":
        return _fuzzy(_as_text(match.value), _as_text(actual))
    text = _as_text(actual)
    return len(text) <= LONGEST_MATCHED and re.fullmatch(str(match.value), text) is not None


def _equal(expected: object, actual: object) -> bool:
    """Deep equality where 1 is 1.0, and true is neither."""
    if isinstance(expected, bool) or isinstance(actual, bool):
        return expected is actual
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        return expected.keys() == actual.keys() and all(
            _equal(expected[key], actual[key]) for key in expected
        )
    if isinstance(expected, list | tuple) and isinstance(actual, list | tuple):
        return len(expected) == len(actual) and all(map(_equal, expected, actual))
    return expected == actual


def _fuzzy(expected: str, actual: str) -> bool:
    """Equality ignoring case, white space and digit separators; numbers and percentages by value."""
    left, right = _folded(expected), _folded(actual)
    numbers = _value(left), _value(right)
    if numbers[0] is not None and numbers[1] is not None:
        return left == right or abs(numbers[0] - numbers[1]) <= _NEAR
    return left == right


def _folded(text: str) -> str:
    return re.sub(r"[\s,_]+", "", text.casefold())


def _value(text: str) -> float | None:
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    return float(match[1]) / (100 if match[2] else 1)


def _as_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _reason(missed: Sequence[ToolExpectation], number: int, calls: Sequence[ToolCall]) -> str:
    called = listed(call.name for call in calls) if calls else "nothing"
    if not missed:
        return f"Every expected tool was called. Called: {called}."
    lacking = "; ".join(_described(item, calls) for item in missed[:12])
    return f"{len(missed)} of {number} expected tools missed: {lacking}. Called: {called}."


def _described(expected: ToolExpectation, calls: Sequence[ToolCall]) -> str:
    """An expectation that was missed, with what came nearest."""
    named = sum(expected.name in call.name for call in calls)
    if not named:
        return f"{quoted(expected.name)} was not called"
    needed = f"{expected.count} times" if expected.count > 1 else "once"
    fitting = sum(_matches(expected, call) for call in calls)
    if expected.arguments:
        arguments = listed(expected.arguments)
        return f"{quoted(expected.name)} was called with fitting {arguments} {fitting} times, not {needed}"
    return f"{quoted(expected.name)} was called {fitting} times, not {needed}"
