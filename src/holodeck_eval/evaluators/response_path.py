"""Picks one value out of a JSON answer: `answer`, `result.value`, `items[0].score`."""

import json
import re
from typing import Final

_STEP: Final = re.compile(r"\[(\d+)\]|([^.\[\]]+)")


class NoValueError(ValueError):
    """An answer has no value at a path; the message is a clause that says why."""


def value_at(answer: str, path: str | None) -> str:
    """The value at a path as text; the whole answer without one.

    A text is taken as it is, anything else as its JSON text.

    Raises:
        NoValueError: when the answer is not JSON, or has nothing at the path.
    """
    if path is None:
        return answer
    try:
        value = _walk(json.loads(answer, parse_constant=str), path)
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    except NoValueError:
        raise
    except RecursionError:
        raise NoValueError("the answer is nested too deeply") from None
    except ValueError:
        raise NoValueError(f"the answer is not JSON, so it has no {path}") from None


def _walk(value: object, path: str) -> object:
    for match in _STEP.finditer(path):
        position, key = match.groups()
        if position is None and isinstance(value, dict) and key in value:
            value = value[key]
        elif position is not None and isinstance(value, list) and int(position) < len(value):
            value = value[int(position)]
        else:
            raise NoValueError(f"the answer has no {path}: nothing stands at {match[0]}")
    return value
