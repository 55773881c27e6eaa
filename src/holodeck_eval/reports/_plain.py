"""Dataclasses as JSON values, without pydantic, whose adapter takes longer to build than a run to write."""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def plain(value: object, text: Callable[[str], str]) -> object:
    """A value as JSON knows it: fields in the order they are declared, mappings as they are.

    Args:
        value: a dataclass, mapping, list, tuple, or anything JSON has; anything else is written as text.
        text: applied to every text, keys included. NaN and the infinities are left as they are.
    """
    if isinstance(value, str):
        return text(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {text(str(key)): plain(item, text) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item, text) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        return plain_fields(value, text)
    return text(str(value))


def plain_fields(value: "DataclassInstance", text: Callable[[str], str]) -> dict[str, object]:
    """A dataclass's fields as JSON values, as `plain` gives them."""
    return {field.name: plain(getattr(value, field.name), text) for field in fields(value)}


def shallow(value: "DataclassInstance") -> dict[str, object]:
    """A dataclass's fields by name, their values untouched: what `json` asks for where it knows no way.

    Raises:
        TypeError: for anything but a dataclass.
    """
    return {name: getattr(value, name) for name in _names(type(value))}


@cache
def _names(kind: "type[DataclassInstance]") -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))
