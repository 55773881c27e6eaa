"""Test cases and turns as they are written."""

import re
import warnings
from typing import Annotated, ClassVar, Final

from pydantic import AfterValidator, Discriminator, Field, Tag

from holodeck_eval.config.base import Text, Written, said
from holodeck_eval.config.findings import quoted
from holodeck_eval.config.metrics import AnyMetric

MAX_TEST_CASES: Final = 10_000
MAX_REGEX: Final = 1_000
MAX_FILES: Final = 10
TOOL_NAME: Final = "tool-name"
TOOL_CALL: Final = "tool-call"
SPECIAL_MATCHERS: Final = frozenset({"fuzzy", "regex"})


def _matcher(value: object) -> object:
    """Check a `{fuzzy: …}` or `{regex: …}`; everything else is compared as it stands."""
    if not isinstance(value, dict) or not SPECIAL_MATCHERS & value.keys():
        return value
    how, text = next(iter(value.items()))
    if len(value) != 1 or not isinstance(text, str):
        raise said("an argument is compared with a plain value, with `{fuzzy: text}` or with `{regex: text}`")
    if how == "regex":
        _check_regex(text)
    return value


def _check_regex(text: str) -> None:
    if len(text) > MAX_REGEX:
        raise said(f"a regex may have at most {MAX_REGEX} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(text)
    except re.error as error:
        raise said(f"this regex does not compile: {quoted(error.msg)[1:-1]}") from None
    except (RecursionError, OverflowError):
        raise said("this regex does not compile: it is too deep or too large") from None


class ExpectedTool(Written):
    """A tool that should be called `count` times with these arguments; other arguments do not matter."""

    noun: ClassVar[str] = "an expected tool"

    name: Text
    args: dict[str, Annotated[object, AfterValidator(_matcher)]] | None = None
    count: Annotated[int, Field(ge=1)] = 1


def _tool_form(value: object) -> str:
    return TOOL_NAME if isinstance(value, str) else TOOL_CALL


ToolForm = Annotated[
    Annotated[Text, Tag(TOOL_NAME)] | Annotated[ExpectedTool, Tag(TOOL_CALL)], Discriminator(_tool_form)
]


class Asked(Written):
    """What is asked and what is expected of the answer. `files` are HoloDeck's and left alone."""

    ground_truth: Text | None = None
    expected_tools: list[ToolForm] | None = None
    files: Annotated[list[dict[str, object]], Field(max_length=MAX_FILES)] | None = None
    retrieval_context: list[str] | None = None
    evaluations: list[AnyMetric] | None = None


class TurnModel(Asked):
    """One turn of a conversation. `turn_config` is for code graders alone."""

    noun: ClassVar[str] = "a turn"

    input: Text
    turn_config: dict[str, object] | None = None


class TestCaseModel(Asked):
    """A test case: one `input`, or several `turns`."""

    __test__ = False  # for pytest, which collects classes by this name
    noun: ClassVar[str] = "a test case"

    name: Text | None = None
    input: Text | None = None
    turns: Annotated[list[TurnModel], Field(min_length=1)] | None = None


TestCases = Annotated[list[TestCaseModel], Field(max_length=MAX_TEST_CASES)]
