"""cases.jsonl: what was judged, a line a case, so that a later run can judge it again."""

import json
import math
import re
from typing import Final

from holodeck_eval.domain.case import Case, Turn
from holodeck_eval.reports._plain import plain, shallow

TEXT_LIMIT: Final = 100_000
"""Characters of one text that are kept."""

_BREAKS_LINES: Final = re.compile("[\x85\u2028\u2029\ud800-\udfff]")


_ENCODER: Final = json.JSONEncoder(
    default=shallow, ensure_ascii=False, allow_nan=False, separators=(",", ":")
)


def render_case(case: Case) -> str:
    """The case as one line of JSON, without its line end, in valid UTF-8.

    Texts over `TEXT_LIMIT` characters are cut, with a mark that says how long they were. Lone
    surrogates, and what some readers take for a line end, are written as JSON escapes; NaN and the
    infinities, which a tool call may hold, as texts.
    """
    document: dict[str, object] = {
        "id": case.id,
        "agent": case.agent,
        "name": case.name,
        "digest": case.digest,
        "turns": [_turn(turn) for turn in case.turns],
    }
    line = _as_it_is(document)
    if line is None or len(line) > TEXT_LIMIT:
        line = json.dumps(_finite(plain(document, _cap)), ensure_ascii=False, separators=(",", ":"))
    return _BREAKS_LINES.sub(lambda match: f"\\u{ord(match[0]):04x}", line)


def _as_it_is(document: dict[str, object]) -> str | None:
    """The line with nothing cut and no number replaced; None where it holds what JSON has not."""
    try:
        return _ENCODER.encode(document)
    except (ValueError, TypeError):
        return None


def _turn(turn: Turn) -> dict[str, object]:
    return {
        "index": turn.index,
        "input": turn.input,
        "actual_output": turn.actual_output,
        "no_answer": turn.no_answer,
        "expected_output": turn.expected_output,
        "context": turn.context,
        "retrieval_context": turn.retrieval_context,
        "tool_calls": turn.tool_calls,
        "expected_tools": turn.expected_tools,
        "is_refusal": turn.is_refusal,
        "metrics": [metric.name for metric in turn.metrics],
    }


def _finite(value: object) -> object:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list) else value


def _cap(text: str) -> str:
    if len(text) <= TEXT_LIMIT:
        return text
    return f"{text[:TEXT_LIMIT]}… [cut: {len(text):,} characters]"
