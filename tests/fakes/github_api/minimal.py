"""The smallest value that a schema allows, so that a reply need only say what it is about."""

from collections.abc import Mapping
from typing import Any, Final

from tests.fakes.github_api.description import resolved

_TEXTS: Final = {
    "uri": "https://api.github.example/",
    "date-time": "2026-01-01T00:00:00Z",
    "email": "mona@github.example",
}
_VALUES: Final[Mapping[str, Any]] = {"integer": 1, "number": 1, "boolean": False}


def minimal(schema: Mapping[str, Any]) -> Any:
    """A value with what is required and nothing else; null only where nothing else may stand."""
    schema = resolved(schema)
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            return minimal(schema[choice][0])
    if "allOf" in schema:
        return merged(*(minimal(part) for part in schema["allOf"]))
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type", "object")
    if kind == "object":
        known = schema.get("properties", {})
        return {name: minimal(known[name]) for name in schema.get("required", ())}
    if kind == "array":
        return []
    return _TEXTS.get(schema.get("format", ""), "x") if kind == "string" else _VALUES[kind]


def merged(first: Any, *others: Any) -> Any:
    """Objects laid over one another, the later ones on top; anything else is replaced."""
    for other in others:
        if isinstance(first, dict) and isinstance(other, dict):
            first = first | {key: merged(first.get(key), value) for key, value in other.items()}
        else:
            first = other
    return first
