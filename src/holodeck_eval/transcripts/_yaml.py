"""YAML, read from its events: no tags, no aliases, no key given twice, no deep nesting.

Plain words keep their spelling: only `true`, `false`, `null`, `~` and JSON's numbers are anything
but text, so that an answer of `no` or `12:30` stays what was written.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

from holodeck_eval.domain.wording import quoted

_INTEGER = re.compile(r"[-+]?\d{1,4000}")
_FLOAT = re.compile(r"[-+]?\d{1,300}\.\d{1,300}(?:[eE][-+]?\d{1,4})?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|nan)", re.IGNORECASE)
_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
_OPENING = yaml.SequenceStartEvent | yaml.MappingStartEvent


class YamlError(Exception):
    """The text is no YAML that is read here. `line` is counted from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


@dataclass(slots=True)
class _Open:
    """A list or mapping that is being filled; `key` is set between a key and its value."""

    value: list[object] | dict[str, object]
    key: str | None = None
    lines: list[int] = field(default_factory=list)


def loads(text: str, depth: int) -> tuple[object, list[int]]:
    """The value of a text of one YAML document, and the lines its top-level list items start at.

    Raises:
        YamlError: in one clear sentence.
    """
    builder = _Builder(depth)
    try:
        for event in _events(text):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        deep = "nesting depth" in str(error.problem)  # libyaml's own bound, met before ours
        message = _too_deep(depth) if deep else f"this is no YAML: {error.problem}"
        raise YamlError(message, mark.line + 1 if mark else 1) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise YamlError(f"YAML has no place for the character U+{ord(_at(text, error)):04X}", line) from None
    return builder.root, builder.lines


def _too_deep(depth: int) -> str:
    return f"the YAML is nested deeper than {depth} levels, which is the limit"


def _events(text: str) -> Iterator[yaml.Event]:
    yield from yaml.parse(text, Loader=yaml.CSafeLoader)


def _at(text: str, error: yaml.reader.ReaderError) -> str:
    return text[error.position : error.position + 1] or "\ufffd"


class _Builder:
    """Builds the value event by event; no recursion, so no depth can overflow it."""

    def __init__(self, depth: int) -> None:
        self.root: object = None
        self.lines: list[int] = []
        self._depth = depth
        self._open: list[_Open] = []
        self._documents = 0

    def take(self, event: yaml.Event) -> None:
        line = event.start_mark.line + 1 if event.start_mark else 1
        if isinstance(event, yaml.AliasEvent):
            raise YamlError("YAML aliases are not read; write the value out", line)
        if isinstance(event, yaml.DocumentStartEvent):
            self._start_document(line)
        elif isinstance(event, yaml.ScalarEvent):
            self._refuse_tag(event.tag, event.implicit[0] or event.implicit[1], line)
            self._put(_scalar(event, line), line, is_text=True)
        elif isinstance(event, _OPENING):
            self._refuse_tag(event.tag, event.implicit, line)
            self._enter([] if isinstance(event, yaml.SequenceStartEvent) else {}, line)
        elif isinstance(event, yaml.SequenceEndEvent | yaml.MappingEndEvent):
            self._open.pop()

    def _start_document(self, line: int) -> None:
        self._documents += 1
        if self._documents > 1:
            raise YamlError("a second YAML document starts here; keep one list of records a file", line)

    def _refuse_tag(self, tag: str | None, implicit: bool, line: int) -> None:  # noqa: FBT001 - libyaml's own flag
        if tag is not None and not implicit:
            raise YamlError(f"the YAML tag {quoted(tag)} is not read; remove it", line)

    def _enter(self, value: list[object] | dict[str, object], line: int) -> None:
        if len(self._open) >= self._depth:
            raise YamlError(_too_deep(self._depth), line)
        self._put(value, line, is_text=False)
        self._open.append(_Open(value=value))

    def _put(self, value: object, line: int, *, is_text: bool) -> None:
        if not self._open:
            self.root = value
            return
        parent = self._open[-1]
        if isinstance(parent.value, list):
            parent.value.append(value)
            if len(self._open) == 1:
                self.lines.append(line)
        elif parent.key is None:
            parent.key = _key(parent.value, value, line, is_text=is_text)
        else:
            parent.value[parent.key] = value
            parent.key = None


def _key(known: dict[str, object], value: object, line: int, *, is_text: bool) -> str:
    if not is_text:
        raise YamlError("a key must be text, not a list or a mapping", line)
    key = value if isinstance(value, str) else str(value)
    if key in known:
        raise YamlError(f"the key {quoted(key)} is given twice", line)
    return key


def _scalar(event: yaml.ScalarEvent, line: int) -> object:
    text: str = event.value
    if not event.implicit[0]:  # quoted or block text
        return text
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if _INTEGER.fullmatch(text):
        return int(text)
    if _NOT_FINITE.fullmatch(text):
        raise YamlError(f"{quoted(text)} is no number; write null where a number is unknown", line)
    if _FLOAT.fullmatch(text) and math.isfinite(float(text)):
        return float(text)
    return text
