"""A judge's reply, read: JSON by the letter, or not at all."""

import json
import math
import re
from typing import Any, Final, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

Schema = TypeVar("Schema", bound=BaseModel)

LONGEST: Final = 1_000_000
"""Characters of a reply that is read. No judge needs as many; reports would hold every one of them."""

_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*"?)|,(?=\s*[\]}])', re.DOTALL)
"""A text that never ends is taken to the end: tried again from each quote in it, it would take minutes."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class MalformedReplyError(Exception):
    """A reply is not what was asked for. The text is a clause: "is empty"."""


def parse(text: str | None, schema: type[Schema]) -> tuple[Schema, dict[str, Any]]:
    """A reply as its schema has it, and as plain JSON values.

    Fenced JSON, words around the object and trailing commas are read; NaN, infinities, a key given
    twice and everything that is not one JSON object are not.

    Raises:
        MalformedReplyError: saying what is wrong.
    """
    if text is None or not text.strip():
        raise MalformedReplyError("is empty")
    if len(text) > LONGEST:
        raise MalformedReplyError(f"is longer than {LONGEST:,} characters")
    data = _object(text)
    if _LONE_SURROGATE.search(json.dumps(data, ensure_ascii=False)):
        raise MalformedReplyError("holds half a character")
    if isinstance(data.get("score"), bool):
        raise MalformedReplyError("has a score that is not a number")
    try:
        return schema.model_validate(data), data
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise MalformedReplyError(f"does not have the form asked for ({where}: {first['msg']})") from None


def _object(text: str) -> dict[str, Any]:
    inside = text[text.find("{") : text.rfind("}") + 1]
    if not inside:
        raise MalformedReplyError("is not JSON")
    data = _decoded(inside)
    if data is None:
        data = _decoded(_TRAILING_COMMA.sub(r"\1", inside))
    if data is None:
        raise MalformedReplyError("is not JSON")
    return data


def _decoded(text: str) -> dict[str, Any] | None:
    try:
        data: dict[str, Any] = _DECODER.decode(text)
    except (json.JSONDecodeError, RecursionError):
        return None
    except ValueError as error:  # a number of thousands of digits
        raise MalformedReplyError("holds a number that cannot be read") from error
    return data


def _no_constant(name: str) -> NoReturn:
    raise MalformedReplyError(f"holds {name}, which is not a number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        _no_constant("an infinity")
    return number


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise MalformedReplyError("gives one key twice")
    return data


_DECODER = json.JSONDecoder(parse_constant=_no_constant, parse_float=_finite, object_pairs_hook=_each_once)
