"""The mappings and lists of a YAML document while they are being read."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from holodeck_eval.config.document import Spot


@dataclass(frozen=True, slots=True)
class Node:
    """A finished value; `weight` is how many values it holds, long texts counting more."""

    value: object
    spot: Spot
    weight: int


@dataclass(slots=True)
class Frame:
    """A mapping or list that is still open."""

    value: dict[str, object] | list[object]
    line: int
    column: int
    anchor: str | None
    keys: dict[str, tuple[int, int]] = field(default_factory=dict)
    items: dict[str | int, Spot] = field(default_factory=dict)
    weight: int = 1
    key: str | None = None
    merging: bool = False
    merged: list[Node] = field(default_factory=list)

    @property
    def awaits_key(self) -> bool:
        """Whether the next value is a key."""
        return isinstance(self.value, dict) and self.key is None

    def take(self, node: Node) -> None:
        """Add the next value of a list, or the value of the key read last; of two under one key the first."""
        self.weight += node.weight
        key, self.key = self.key or "", None
        if isinstance(self.value, list):
            self.items[len(self.value)] = node.spot
            self.value.append(node.value)
        elif self.merging:
            self.merging = False
            self.merged.append(node)
        else:
            self.items.setdefault(key, node.spot)
            self.value.setdefault(key, node.value)

    def merge(self) -> Iterator[tuple[int, int]]:
        """Fill in what `<<` gives and the mapping does not; yields where a `<<` is given something else.

        Of a list of mappings the earlier ones win.
        """
        for node in self.merged:
            given = node.value if isinstance(node.value, list) else [node.value]
            spots = (
                [node.spot.items[index] for index in range(len(given))]
                if given is node.value
                else [node.spot]
            )
            for value, spot in zip(given, spots, strict=True):
                if isinstance(value, dict) and isinstance(self.value, dict):
                    self._fill(self.value, value, spot)
                else:
                    yield (spot.line, spot.column)

    def _fill(self, mapping: dict[str, object], given: dict[str, object], spot: Spot) -> None:
        for key, value in given.items():
            if key not in mapping:
                mapping[key] = value
                self.keys[key] = spot.keys[key]
                self.items[key] = spot.items[key]

    def close(self) -> Node:
        """The finished value."""
        return Node(self.value, Spot(self.line, self.column, self.keys, self.items), self.weight)
