"""One line of a verdict file: what it holds, and the checks that keep a hostile one out."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Final

from holodeck_eval.domain.judgement import version_text

MAX_DEPTH = 64
_LARGEST = 1.7e308
_KEY = re.compile(r"[0-9a-f]{64}")
_BRACKET = re.compile(rb'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)
_BOM = b"\xef\xbb\xbf"


class BadLineError(ValueError):
    """A line cannot be used; the message is a clause that says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A judgement as its line holds it. `score` None: nobody has scored it yet."""

    line: int
    key: str
    score: float | None
    reason: str
    raw_score: float | None
    details: Mapping[str, object]
    case: str
    metric: str
    metric_type: str
    judge: object = None
    digests: Mapping[str, object] = field(default_factory=dict)
    from_checkout: bool = False
    judge_version: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """Generated GEval steps as their line holds them."""

    key: str
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TornMark:
    """Says that the line above was cut off when a run was killed, and holds nothing."""


Line = Recorded | Steps | TornMark


def parse(raw: bytes, number: int, *, from_checkout: bool = False) -> Line:
    """The content of a line.

    Args:
        raw: the line's bytes, with or without its end; not blank.
        number: its number in the file, from 1.
        from_checkout: whether the file lies in the checkout under test.

    Raises:
        BadLineError: for anything that is not a line of a verdict file.
    """
    record = _object(raw, number)
    kind = record.get("kind", "judgement")
    if kind == "judgement":
        return _recorded(record, number, from_checkout=from_checkout)
    if kind == "steps":
        return Steps(key=_key(record), steps=_steps(record))
    if kind == "torn":
        return TornMark()
    raise BadLineError('"kind" must be "judgement" (or absent) or "steps"')


def is_on_scale(score: float, low: float, high: float, *, whole: bool) -> bool:
    """Whether a score lies on a scale. False for NaN."""
    return low <= score <= high and (not whole or score == int(score))


def _object(raw: bytes, number: int) -> dict[str, object]:
    if number == 1:
        raw = raw.removeprefix(_BOM)
    if raw.count(b"{") + raw.count(b"[") > MAX_DEPTH and _depth(raw) > MAX_DEPTH:
        raise BadLineError(f"it is nested more than {MAX_DEPTH} levels deep")
    try:
        record: object = _DECODER.decode(raw.decode("utf-8"))
    except BadLineError:
        raise
    except UnicodeDecodeError:
        raise BadLineError("it is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise BadLineError(f"it is not JSON: {error.msg} at column {error.colno}") from None
    except ValueError:
        raise BadLineError("it holds a number with too many digits") from None
    if not isinstance(record, dict):
        raise BadLineError("it must be a JSON object")
    return record


def _depth(raw: bytes) -> int:
    """How deep brackets nest, those in strings left out."""
    deepest = level = 0
    for found in _BRACKET.finditer(raw):
        if found[0] in b"[{":
            level += 1
            deepest = max(deepest, level)
        elif found[0] in b"]}":
            level -= 1
    return deepest


def _unique(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    record = dict(pairs)
    if len(record) < len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise BadLineError(f'"{twice[:100]}" is given twice')
    return record


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise BadLineError("it holds a number too large to be one")
    return number


def _refused(text: str) -> float:
    raise BadLineError(f"it holds {text}, which is not a number")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_unique, parse_float=_finite, parse_constant=_refused)


def _recorded(record: Mapping[str, object], number: int, *, from_checkout: bool) -> Recorded:
    key = _key(record)
    if "score" not in record:
        raise BadLineError('it has no "score"')
    score = _number(record, "score")
    if score is not None:
        _check_scale(record.get("scale"), score)
    return Recorded(
        line=number,
        key=key,
        score=score,
        reason=_text(record, "reason"),
        raw_score=_number(record, "raw_score"),
        details=_mapping(record, "details"),
        case=_text(record, "case"),
        metric=_text(record, "metric"),
        metric_type=_text(record, "metric_type"),
        judge=record.get("judge"),
        digests=_mapping(record, "digests"),
        from_checkout=from_checkout,
        judge_version=version_text(_text(record, "judge_version")),
    )


def _key(record: Mapping[str, object]) -> str:
    key = record.get("key")
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise BadLineError('"key" must be a SHA-256 of 64 lowercase hexadecimal digits')
    return key


def _steps(record: Mapping[str, object]) -> tuple[str, ...]:
    steps = record.get("steps")
    if not isinstance(steps, list) or not steps:
        raise BadLineError('"steps" must be a list of texts')
    texts = tuple(step for step in steps if isinstance(step, str) and step.strip())
    if len(texts) < len(steps):
        raise BadLineError('"steps" must hold texts that are not blank')
    return texts


def _number(record: Mapping[str, object], name: str) -> float | None:
    value = record.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadLineError(f'"{name}" must be a number or null, not {_named(value)}')
    if not -_LARGEST <= value <= _LARGEST:
        raise BadLineError(f'"{name}" is too large to be a number')
    return float(value)


def _text(record: Mapping[str, object], name: str) -> str:
    value = record.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise BadLineError(f'"{name}" must be a text, not {_named(value)}')
    return value


def _mapping(record: Mapping[str, object], name: str) -> Mapping[str, object]:
    value = record.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise BadLineError(f'"{name}" must be an object, not {_named(value)}')
    return value


def _check_scale(scale: object, score: float) -> None:
    """Hold a score against the scale in its own line; without one the request's is held against it later."""
    if not isinstance(scale, dict):
        return
    low, high = _number(scale, "low"), _number(scale, "high")
    if low is None or high is None:
        return
    whole = scale.get("whole") is True
    if not is_on_scale(score, low, high, whole=whole):
        kind = "a whole number" if whole else "a number"
        raise BadLineError(f'"score" is {score:g}, but must be {kind} from {low:g} to {high:g}')


def _named(value: object) -> str:
    """A wrong value as the sentence shows it: `true`, `"3"`, or its kind."""
    if isinstance(value, bool | int | float | str):
        return json.dumps(value)[:40]
    return "a list" if isinstance(value, list) else "an object"
