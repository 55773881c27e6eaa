"""YAML text to values with places, from libyaml's event stream: no recursion, no tags, no bombs."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Final, NoReturn

import yaml
from yaml import events

from holodeck_eval.config import scalars
from holodeck_eval.config.document import Section, Spot
from holodeck_eval.config.findings import Findings, quoted
from holodeck_eval.config.frames import Frame, Node
from holodeck_eval.errors import Place

_Handler = Callable[..., None]

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


class Composer:
    """Builds one document. Problems that do not stop the reading go to `findings`.

    Args:
        file: the name of the file in messages.
        findings: where problems are noted.
    """

    def __init__(self, file: str, findings: Findings) -> None:
        self._file = file
        self._findings = findings
        self._frames: list[Frame] = []
        self._anchors: dict[str, Node] = {}
        self._root: Node | None = None
        self._values = 0
        self._repeated = 0
        self._documents = 0
        self._handlers: dict[type[events.Event], _Handler] = {
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
            character = (
                f"U+{ord(error.character):04X}"
                if isinstance(error.character, str)
                else f"U+{error.character:04X}"
            )
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
        self._add(Node(self._value(event), Spot(line, column), weight), event.anchor)

    def _key(self, frame: Frame, event: events.ScalarEvent) -> None:
        key, at = event.value, self._at(event)
        frame.merging = key == _MERGE and event.implicit[0]
        if event.tag is not None:
            self._tag_of(event)
        if key in frame.keys:
            first = frame.keys[key][0]
            self._note(at, f"the key {quoted(key)} is given twice, first in line {first}; keep one of them")
        frame.key = key
        frame.keys.setdefault(key, at)

    def _value(self, event: events.ScalarEvent) -> object:
        value = scalars.value_of(event.value, self._tag_of(event))
        if isinstance(value, float) and not math.isfinite(value):
            self._note(
                self._at(event), f"{quoted(event.value)} is not a number one can compare; write a finite one"
            )
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
        self._frames.append(Frame(empty, line, column, event.anchor))

    def _end(self, _: events.CollectionEndEvent) -> None:
        frame = self._frames.pop()
        for at in frame.merge():
            self._note(at, "`<<` takes a mapping or a list of mappings")
        self._add(frame.close(), frame.anchor)

    def _alias(self, event: events.AliasEvent) -> None:
        self._count(event)
        at, name = self._at(event), event.anchor or ""
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
        self._add(Node(node.value, spot, node.weight), None)

    def _add(self, node: Node, anchor: str | None) -> None:
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
