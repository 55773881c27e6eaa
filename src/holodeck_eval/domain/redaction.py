"""Takes known secrets out of a value, however deep they sit in it."""

import dataclasses
from collections.abc import Collection, Mapping
from typing import TypeVar

T = TypeVar("T")

STARS = "***"
SHORTEST = 8
"""Texts shorter than this are no keys; starring them out would only garble reports."""


def redact(value: T, secrets: Collection[str]) -> T:
    """The value with every occurrence of a secret replaced by stars.

    Args:
        value: text, or dataclasses, mappings, lists and tuples that hold text.
        secrets: the texts to hide; those shorter than `SHORTEST` characters are left alone.
    """
    hidden = sorted({secret for secret in secrets if len(secret) >= SHORTEST}, key=len, reverse=True)
    return _redact(value, hidden) if hidden else value


def _redact(value: T, secrets: Collection[str]) -> T:
    redacted: object = value
    if isinstance(value, str):
        redacted = _redact_text(value, secrets)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        changes = {
            field.name: _redact(getattr(value, field.name), secrets) for field in dataclasses.fields(value)
        }
        redacted = dataclasses.replace(value, **changes)
    elif isinstance(value, Mapping):
        redacted = {_redact(key, secrets): _redact(item, secrets) for key, item in value.items()}
    elif isinstance(value, tuple | list):
        redacted = type(value)(_redact(item, secrets) for item in value)
    return redacted  # type: ignore[return-value]  # each branch rebuilds what it took apart


def _redact_text(text: str, secrets: Collection[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, STARS)
    return text
