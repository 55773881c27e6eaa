"""What the judge double says when a test does not: a sensible answer to every DeepEval prompt."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.fakes.judge_wire import Asked

_FREE_TEXT_KEYS = ("score", "steps", "verdicts", "truths", "claims", "statements")
_COUNTED = ("Statements:\n", "Claims:\n", "documents):\n")


def sensible(asked: Asked) -> dict[str, Any]:
    """An answer of the shape asked for: everything good, one verdict an item, score 8."""
    keys = set((asked.schema or {}).get("properties", ())) or _keys_named(asked.prompt)
    answer: dict[str, Any] = {}
    if "verdicts" in keys:
        answer["verdicts"] = [_verdict(number) for number in range(1, _items(asked.prompt) + 1)]
    for key in ("steps", "truths", "claims", "statements"):
        if key in keys:
            answer[key] = [f"The first of the {key}.", f"The second of the {key}."]
    if "reason" in keys:
        answer["reason"] = "It does what was asked."
    if "score" in keys:
        answer["score"] = 8
    return answer


def _keys_named(prompt: str) -> set[str]:
    """The keys a prompt's own example shows, for judges that are not sent a schema."""
    named = next((key for key in _FREE_TEXT_KEYS if re.search(rf"[\"']{key}[\"']", prompt)), "score")
    return {"score", "reason"} if named == "score" else {named}


def _verdict(number: int) -> dict[str, str]:
    return {
        "verdict": "yes",
        "reason": f"Item {number} holds.",
        "statement": f"Statement {number}.",
        "expected_output": f"Expected {number}.",
    }


def _items(prompt: str) -> int:
    """How many verdicts a prompt asks for: one an item of its last list, or one a sentence."""
    for heading in _COUNTED:
        before, found, after = prompt.rpartition(heading)
        if found and (before or after):
            return _length(after.partition("\n\nJSON:")[0])
    _, found, expected = prompt.rpartition("Expected Output:\n")
    if found and "EACH sentence" in prompt:
        text = expected.partition("\n\nRetrieval Context:")[0]
        return max(1, len(re.findall(r"[.!?](?:\s|$)", text)))
    return 1


def _length(text: str) -> int:
    try:
        return len(ast.literal_eval(text.strip()))
    except (ValueError, SyntaxError):
        return 1
