"""JSON, read strictly: no NaN, no key given twice, no nesting deeper than asked, never a crash."""

import collections
import json
import math
import re
from typing import Final

from holodeck_eval.domain.wording import quoted

# An unclosed string runs to the end of the text, so that each character is looked at once.
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")


class JsonError(Exception):
    """The text is no strict JSON. `line` is counted from 1 within the text."""

    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


def loads(text: str, depth: int) -> object:
    """The JSON value of a text.

    Raises:
        JsonError: in one clear sentence, for anything that is not exactly one strict JSON value.
    """
    if is_deeper(text, depth):
        raise JsonError(f"the JSON is nested deeper than {depth} levels, which is the limit")
    try:
        value: object = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise JsonError(_sentence(error), error.lineno) from None
    except ValueError as error:  # an integer of more digits than Python converts
        raise JsonError(f"the JSON holds a number that is too long: {error}") from None
    return value


def is_deeper(text: str, depth: int) -> bool:
    """Whether brackets outside strings nest deeper than `depth`; cheap where there are few of them."""
    if text.count("[") + text.count("{") <= depth:
        return False
    level = 0
    for bracket in _BRACKET.findall(_STRING.sub("", text)):
        level += 1 if bracket in "[{" else -1
        if level > depth:
            return True
    return False


def _sentence(error: json.JSONDecodeError) -> str:
    if error.msg == "Extra data":
        return f"more text follows the end of the JSON value, at column {error.colno}"
    if not error.doc[error.pos :].strip() or error.msg.startswith("Unterminated"):
        return "the JSON is cut off before its end"
    return f"this is no JSON: {error.msg}, at column {error.colno}"


def _no_constant(name: str) -> object:
    raise JsonError(f"JSON has no {name}; write null where a number is unknown")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise JsonError(f"the number {quoted(text, 20)} is too large")
    return value


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        twice, _ = collections.Counter(name for name, _ in pairs).most_common(1)[0]
        raise JsonError(f"the key {quoted(twice)} is given twice in one object")
    return made


_DECODER: Final = json.JSONDecoder(
    parse_constant=_no_constant, parse_float=_finite, object_pairs_hook=_unique
)
