"""A YAML document as plain values, with the place of every one of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from holodeck_eval.errors import Place

_NOTHING: Final[Mapping[str, tuple[int, int]]] = MappingProxyType({})
_NOBODY: Final[Mapping[str | int, "Spot"]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a value begins (line and column from 1), and its children's spots by key or index.

    `keys` says where the keys of a mapping stand.
    """

    line: int
    column: int
    keys: Mapping[str, tuple[int, int]] = field(default_factory=lambda: _NOTHING)
    items: Mapping[str | int, "Spot"] = field(default_factory=lambda: _NOBODY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A value of a document together with its place: mapping, list, text, number, truth or None."""

    file: str
    value: object
    spot: Spot

    @property
    def place(self) -> Place:
        """Where the value begins."""
        return Place(file=self.file, line=self.spot.line, column=self.spot.column)

    def key_place(self, key: str) -> Place:
        """Where a key of this mapping stands; the mapping's own place if it has no such key."""
        line, column = self.spot.keys.get(key, (self.spot.line, self.spot.column))
        return Place(file=self.file, line=line, column=column)

    def child(self, key: str) -> "Section | None":
        """The value under a key; None where the key is absent or null, or this is no mapping."""
        value = self.value.get(key) if isinstance(self.value, dict) else None
        if value is None:
            return None
        return Section(file=self.file, value=value, spot=self.spot.items[key])

    def children(self) -> "Iterator[Section]":
        """The items of this list, in order; nothing where it is no list."""
        for index, value in enumerate(self.value if isinstance(self.value, list) else ()):
            yield Section(file=self.file, value=value, spot=self.spot.items[index])

    def locate(self, path: Sequence[str | int], *, key: bool = False) -> Place:
        """The place at the end of a path of keys and indexes, or as far as the path goes.

        Args:
            path: keys and indexes, from this value downwards.
            key: whether the place of the last key is wanted, not that of its value.
        """
        spot = self.spot
        for depth, part in enumerate(path):
            if key and depth == len(path) - 1 and part in spot.keys:
                line, column = spot.keys[str(part)]
                return Place(file=self.file, line=line, column=column)
            if part not in spot.items:
                break
            spot = spot.items[part]
        return Place(file=self.file, line=spot.line, column=spot.column)
