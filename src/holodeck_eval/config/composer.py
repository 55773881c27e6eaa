"""YAML text to values with places, from libyaml's event stream: no recursion, no tags, no bombs."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NoReturn

import yaml
from yaml import events

from holodeck_eval.config import scalars
from holodeck_eval.config.document import Section, Spot
from holodeck_eval.config.findings import Findings, quoted
from holodeck_eval.errors import Place

MAX_DEPTH: Final = 64
MAX_VALUES: Final = 250_000
MAX_REPEATED: Final = 100_000
"""What aliases may add: values, where every 100 characters of a text count as one more."""

_COLLECTION_TAGS: Final = {f"{scalars.CORE}map", f"{scalars.CORE}seq"}
_MERGE: Final = "<<"
_START_LENGTH: Final = 100
_HINTS: Final = {
    "found character that cannot start any token": " (a tab, or a text that needs quotes)",
    "mapping values are not allowed in this context": " (indentation, or a text with `: ` needs quotes)",
}


@dataclass(frozen=True, slots=True)
class _Node:
    value: object
    spot: Spot
    weight: int


@dataclass(slots=True)
class _Frame:
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
    merged: list[_Node] = field(default_factory=list)

    @property
    def awaits_key(self) -> bool:
        return isinstance(self.value, dict) and self.key is None

    def take(self, node: _Node) -> None:
        self.weight += node.weight
        key, self.key = self.key, None
        if isinstance(self.value, list):
            self.items[len(self.value)] = node.spot
            self.value.append(node.value)
        elif self.merging:
            self.merging = False
            self.merged.append(node)
        elif key is not None:
            self.items[key] = node.spot
            self.value[key] = node.value

    def close(self) -> _Node:
        return _Node(self.value, Spot(self.line, self.column, self.keys, self.items), self.weight)


class Composer:
    """Builds one document. Problems that do not stop the reading go to `findings`.

    Args:
        file: the name of the file in messages.
        findings: where problems are noted.
    """

    def __init__(self, file: str, findings: Findings) -> None:
        self._file = file
        self._findings = findings
        self._frames: list[_Frame] = []
        self._anchors: dict[str, _Node] = {}
        self._root: _Node | None = None
        self._values = 0
        self._repeated = 0
        self._documents = 0
        self._handlers: Mapping[type[events.Event], Callable[..., None]] = {
            events.DocumentStartEvent: self._document,
            events.ScalarEvent: self._scalar,
            events.AliasEvent: self._alias,
            events.MappingStartEvent: self._start,
            events.SequenceStartEvent: self._start,
            events.MappingEndEvent: self._end,
            events.SequenceEndEvent: self._end,
        }

    def compose(self, text: str) -> Section | None:
        """The document's root; None where the text holds no document.

        Raises:
            ConfigError: where the text cannot be read to its end.
        """
        try:
            for event in yaml.parse(text, Loader=yaml.CLoader):
                handler = self._handlers.get(type(event))
                if handler is not None:
                    handler(event)
        except yaml.MarkedYAMLError as error:
            self._stop(self._mark(error.problem_mark or error.context_mark), _syntax(error))
        except yaml.reader.ReaderError as error:
            before = text.encode()[: error.position].decode(errors="ignore")
            line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
            character = f"U+{ord(error.character):04X}" if isinstance(error.character, str) else f"U+{error.character:04X}"
            self._stop((line, column), f"the control character {character} cannot stand in YAML; remove it")
        if self._root is None:
            return None
        return Section(file=self._file, value=self._root.value, spot=self._root.spot)

    def _document(self, event: events.DocumentStartEvent) -> None:
        self._documents += 1
        if self._documents > 1:
            self._stop(self._at(event), "a second YAML document begins here; keep one document in a file")

    def _scalar(self, event: events.ScalarEvent) -> None:
        self._count(event)
        frame = self._frames[-1] if self._frames else None
        if frame is not None and frame.awaits_key:
            self._key(frame, event)
            return
        line, column = self._at(event)
        weight = 1 + len(event.value) // _START_LENGTH
        self._add(_Node(self._value(event), Spot(line, column), weight), event.anchor)

    def _key(self, frame: _Frame, event: events.ScalarEvent) -> None:
        key, at = event.value, self._at(event)
        frame.merging = key == _MERGE and event.implicit[0]
        if event.tag is not None:
            self._tag_of(event)
        if key in frame.keys:
            first = frame.keys[key][0]
            self._note(at, f"the key {quoted(key)} is given twice, first in line {first}; keep one of them")
        frame.key = key
        frame.keys[key] = at

    def _value(self, event: events.ScalarEvent) -> object:
        value = scalars.value_of(event.value, self._tag_of(event))
        if isinstance(value, float) and not math.isfinite(value):
            self._note(self._at(event), f"{quoted(event.value)} is not a number one can compare; write a finite one")
            return None
        return value

    def _tag_of(self, event: events.ScalarEvent) -> str:
        looks = scalars.tag_of(event.value)
        if event.tag is None:
            return looks if event.implicit[0] else scalars.TEXT
        if event.tag not in {looks, scalars.TEXT}:
            self._refuse_tag(event.tag, self._at(event))
        return scalars.TEXT if event.tag != looks else looks

    def _start(self, event: events.MappingStartEvent | events.SequenceStartEvent) -> None:
        self._count(event)
        line, column = self._at(event)
        if len(self._frames) >= MAX_DEPTH:
            self._stop((line, column), f"nested deeper than {MAX_DEPTH} levels; flatten it")
        if self._frames and self._frames[-1].awaits_key:
            self._stop((line, column), "a key must be a plain text, not a list or a mapping")
        if event.tag is not None and event.tag not in _COLLECTION_TAGS:
            self._refuse_tag(event.tag, (line, column))
        empty: dict[str, object] | list[object] = {} if isinstance(event, events.MappingStartEvent) else []
        self._frames.append(_Frame(empty, line, column, event.anchor))

    def _end(self, _: events.CollectionEndEvent) -> None:
        frame = self._frames.pop()
        for node in frame.merged:
            self._merge(frame, node)
        self._add(frame.close(), frame.anchor)

    def _merge(self, frame: _Frame, node: _Node) -> None:
        """Fill in the keys of a `<<` mapping that are not written; earlier ones of a list win."""
        parts = node.value if isinstance(node.value, list) else [node.value]
        spots = [node.spot.items[index] for index in range(len(parts))] if isinstance(node.value, list) else [node.spot]
        for part, spot in zip(parts, spots, strict=True):
            if not isinstance(part, dict) or not isinstance(frame.value, dict):
                self._note((spot.line, spot.column), "`<<` takes a mapping or a list of mappings")
                continue
            for key in part.keys() - frame.value.keys():
                frame.value[key] = part[key]
                frame.keys[key] = spot.keys[key]
                frame.items[key] = spot.items[key]

    def _alias(self, event: events.AliasEvent) -> None:
        self._count(event)
        at, name = self._at(event), event.anchor
        node = self._anchors.get(name)
        if any(frame.anchor == name for frame in self._frames):
            self._stop(at, f"the alias {quoted(name)} holds itself; write the values out")
        if node is None:
            self._stop(at, f"the alias {quoted(name)} has no anchor before it")
        if self._frames and self._frames[-1].awaits_key:
            self._stop(at, "a key must be written out, not given as an alias")
        self._repeated += node.weight
        if self._repeated > MAX_REPEATED:
            self._stop(at, f"aliases repeat more than {MAX_REPEATED:,} values here; write the values out")
        spot = replace(node.spot, line=at[0], column=at[1])
        self._add(_Node(node.value, spot, node.weight), None)

    def _add(self, node: _Node, anchor: str | None) -> None:
        if anchor is not None:
            self._anchors[anchor] = node
        if self._frames:
            self._frames[-1].take(node)
        else:
            self._root = node

    def _count(self, event: events.Event) -> None:
        self._values += 1
        if self._values > MAX_VALUES:
            self._stop(self._at(event), f"more than {MAX_VALUES:,} values in one file; split it")

    def _at(self, event: events.Event) -> tuple[int, int]:
        return self._mark(event.start_mark)

    def _mark(self, mark: object) -> tuple[int, int]:
        return (getattr(mark, "line", 0) + 1, getattr(mark, "column", 0) + 1)

    def _refuse_tag(self, tag: str, at: tuple[int, int]) -> None:
        short = tag.replace(scalars.CORE, "!!")
        self._note(at, f"the YAML tag {quoted(short)} is not accepted; write plain values")

    def _place(self, at: tuple[int, int]) -> Place:
        return Place(file=self._file, line=at[0], column=at[1])

    def _note(self, at: tuple[int, int], message: str) -> None:
        self._findings.problem(self._place(at), message)

    def _stop(self, at: tuple[int, int], message: str) -> NoReturn:
        self._note(at, message)
        raise self._findings.error()


def _syntax(error: yaml.MarkedYAMLError) -> str:
    said = error.problem or error.context or "it breaks off"
    if "nesting depth" in said:
        return f"nested deeper than {MAX_DEPTH} levels; flatten it"
    return f"this is not valid YAML: {said}{_HINTS.get(said, '')}"
