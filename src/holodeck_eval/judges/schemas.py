"""JSON Schemas as the providers' structured output takes them."""

import functools
from typing import Any

from pydantic import BaseModel


@functools.cache
def strict_schema(schema: type[BaseModel]) -> dict[str, Any]:
    """The schema in OpenAI's strict form: every object is closed, and all its keys are required."""
    return _closed(schema.model_json_schema())


def _closed(node: dict[str, Any]) -> dict[str, Any]:
    closed = {key: _closed_value(value) for key, value in node.items() if key != "default"}
    if node.get("type") == "object":
        closed |= {"additionalProperties": False, "required": list(node.get("properties", {}))}
    return closed


def _closed_value(value: object) -> object:
    if isinstance(value, dict):
        return _closed(value)
    return [_closed_value(item) for item in value] if isinstance(value, list) else value
