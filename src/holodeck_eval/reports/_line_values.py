"""The values of a hostile line of JSON, each of the type it must have, or a clause that says why not."""

import json
import math
from collections.abc import Iterable, Mapping
from typing import Final, NoReturn, TypeVar

from holodeck_eval.domain.wording import quoted

MAX_DEPTH: Final = 80
"""How deep a line may nest: what a transcript may (64), and what a line puts around it."""

T = TypeVar("T")

Record = Mapping[str, object]


class BadCaseError(ValueError):
    """A line is no case of cases.jsonl; the message is a clause that says why."""


def children(value: object) -> Iterable[object]:
    """What a JSON value holds, an object's keys too; nothing where it is no object and no list."""
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    return value if isinstance(value, list) else ()


def value_of(line: str) -> object:
    """The value of a line of JSON.

    Raises:
        BadCaseError: for what is no JSON, holds NaN, an infinity or what becomes one, or nests too deep.
    """
    try:
        value: object = _DECODER.decode(line)
    except RecursionError:
        raise _too_deep() from None
    except json.JSONDecodeError as error:
        raise BadCaseError(f"it is not JSON: {error.msg} at column {error.colno}") from None
    except BadCaseError:
        raise
    except ValueError:
        raise BadCaseError("it holds a number of too many digits") from None
    if line.count("[") + line.count("{") > MAX_DEPTH and _is_deeper(value, MAX_DEPTH):
        raise _too_deep()
    return value


def _too_deep() -> BadCaseError:
    return BadCaseError(f"it is nested more than {MAX_DEPTH} levels deep")


def _is_deeper(value: object, levels: int) -> bool:
    if levels == 0:
        return isinstance(value, dict | list)
    return any(_is_deeper(item, levels - 1) for item in children(value))


def _no_number(text: str) -> NoReturn:
    raise BadCaseError(f"it holds {quoted(text, 20)}, which is no number")


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_number(text)


_DECODER: Final = json.JSONDecoder(parse_float=_finite, parse_constant=_no_number)


def as_object(value: object, what: str) -> Record:
    """A value that must be an object; `what` names it in the clause."""
    if not isinstance(value, dict):
        raise BadCaseError(f"{what} must be an object, not {shown(value)}")
    return value


def items_of(record: Record, name: str) -> list[object] | None:
    """A list, or None where there is none."""
    value = record.get(name)
    if value is not None and not isinstance(value, list):
        raise _wrong(name, "a list", value)
    return value


def texts_of(record: Record, name: str) -> tuple[str, ...] | None:
    """A list of texts, or None where there is none."""
    items = items_of(record, name)
    if items is None:
        return None
    texts = tuple(item for item in items if isinstance(item, str))
    if len(texts) < len(items):
        raise BadCaseError(f'"{name}" must be a list of texts')
    return texts


def text_of(record: Record, name: str) -> str | None:
    """A text, or None where there is none."""
    value = record.get(name)
    if value is not None and not isinstance(value, str):
        raise _wrong(name, "a text", value)
    return value


def name_of(record: Record, name: str) -> str:
    """A text that must be there."""
    return required(text_of(record, name), name)


def flag_of(record: Record, name: str) -> bool | None:
    """True or false, or None where there is neither."""
    value = record.get(name)
    if value is not None and not isinstance(value, bool):
        raise _wrong(name, "true or false", value)
    return value


def count_of(record: Record, name: str) -> int:
    """A whole number from 0, which must be there."""
    value = record.get(name)
    if type(value) is not int or value < 0:
        raise _wrong(name, "a whole number", value)
    return value


def required(value: T | None, name: str) -> T:
    """A value that must be there."""
    if value is None:
        raise BadCaseError(f'it has no "{name}"')
    return value


def _wrong(name: str, wanted: str, value: object) -> BadCaseError:
    return BadCaseError(f'"{name}" must be {wanted}, not {shown(value)}')


def shown(value: object) -> str:
    """A wrong value as the clause shows it: `true`, `'three'`, or its kind."""
    if isinstance(value, str):
        return quoted(value, 40)
    if value is None or isinstance(value, bool | int | float):
        return json.dumps(value)[:40]
    return "a list" if isinstance(value, list) else "an object"
