"""Takes secrets out of a value, however deep they sit: those that are known, and what looks like a key."""

import dataclasses
import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeVar

from holodeck_eval.domain.key_shapes import KEY_SHAPES, Found, find_keys, holds_key, merged
from holodeck_eval.domain.secret_forms import SHORTEST, forms_of, plain_forms

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = ["SHORTEST", "STARS", "holds", "mark", "redact"]

T = TypeVar("T")

STARS: Final = "***"

_CUT: Final = "…"
"""What stands where a text was cut."""

_BEGINNING: Final = 4
"""Characters before a cut that are taken for the beginning of a secret."""


def redact(value: T, secrets: Collection[str]) -> T:
    """The value with every known secret replaced by stars, and every key by stars and its kind.

    A secret is found in all of its forms, and where a text was cut within it. Redacting a second time
    changes nothing. What holds no secret is given back itself.

    Args:
        value: text, or dataclasses, mappings, lists and tuples that hold text.
        secrets: the texts to hide; those shorter than `SHORTEST` characters are left alone.
    """
    redactor = _Redactor(hidden=_in_text(frozenset(secrets)))
    return redactor.redacted(value)  # type: ignore[return-value]  # it rebuilds what it takes apart


def holds(document: str, secrets: Collection[str]) -> bool:
    """Whether any text in a JSON document holds what `redact` would take out, however JSON writes it.

    Args:
        document: the JSON, as it is.
        secrets: as for `redact`.
    """
    hidden = _in_json(frozenset(secrets))
    return (
        any(form in document for form in hidden.forms) or holds_key(document) or any(_cut(document, hidden))
    )


def mark(kind: str) -> str:
    """What stands in the place of a key."""
    return f"{STARS} ({kind})"


_MARKS: Final = " ".join(map(mark, KEY_SHAPES))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hidden:
    """What to look for: known secrets in every form, and the forms in which a text may have cut them."""

    forms: tuple[str, ...]
    plain: tuple[str, ...]


@lru_cache(maxsize=8)
def _in_text(secrets: frozenset[str]) -> _Hidden:
    """What may stand in a mark is no secret: a second redacting would find it there."""
    known = [secret for secret in secrets if STARS not in secret and secret not in _MARKS]
    return _Hidden(
        forms=tuple({form for secret in known for form in forms_of(secret)}),
        plain=tuple({form for secret in known for form in plain_forms(secret)}),
    )


@lru_cache(maxsize=8)
def _in_json(secrets: frozenset[str]) -> _Hidden:
    hidden = _in_text(secrets)
    return _Hidden(forms=_escaped(hidden.forms), plain=_escaped(hidden.plain))


def _escaped(forms: Collection[str]) -> tuple[str, ...]:
    """The texts as JSON may write them, without their quotes."""
    ways = (json.dumps(form, ensure_ascii=ascii_only) for form in forms for ascii_only in (False, True))
    return tuple({text[1:-1] for text in ways})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Redactor:
    """Takes values apart. A run says most of its texts many times, so what became of each is kept."""

    hidden: _Hidden
    seen: dict[str, str] = field(default_factory=dict)

    def redacted(self, value: object) -> object:
        if isinstance(value, str):
            return self._text(value)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self._fields(value)
        made: object = value
        if isinstance(value, Mapping):
            made = {self.redacted(key): self.redacted(item) for key, item in value.items()}
        elif isinstance(value, tuple | list):
            made = type(value)(self.redacted(item) for item in value)
        return made if made != value else value

    def _fields(self, value: "DataclassInstance") -> object:
        fields = {each.name: getattr(value, each.name) for each in dataclasses.fields(value) if each.init}
        made = {name: self.redacted(item) for name, item in fields.items()}
        changes = {name: item for name, item in made.items() if item is not fields[name]}
        return dataclasses.replace(value, **changes) if changes else value

    def _text(self, text: str) -> str:
        if len(text) < SHORTEST:
            return text
        if text not in self.seen:
            self.seen[text] = _redact_text(text, self.hidden)
        return self.seen[text]


def _redact_text(text: str, hidden: _Hidden) -> str:
    """The text with everything starred out, and what is a key only once what stood before it is gone."""
    starred = _starred(text, hidden)
    while starred != text:
        text, starred = starred, _starred(starred, hidden)
    return text


def _starred(text: str, hidden: _Hidden) -> str:
    parts = []
    kept = 0
    for found in merged((*find_keys(text), *_known(text, hidden), *_cut(text, hidden))):
        parts += [text[kept : found.start], mark(found.kind) if found.kind else STARS]
        kept = found.end
    return "".join((*parts, text[kept:])) if parts else text


def _known(text: str, hidden: _Hidden) -> Iterator[Found]:
    """Where known secrets stand; they are of no kind."""
    for form in hidden.forms:
        at = text.find(form)
        while at >= 0:
            yield Found(kind="", start=at, end=at + len(form))
            at = text.find(form, at + len(form))


def _cut(text: str, hidden: _Hidden) -> Iterator[Found]:
    """Where a text was cut within a known secret: what is left of it."""
    for form in hidden.plain if _CUT in text else ():
        beginning = form[:_BEGINNING]
        at = text.find(beginning)
        while at >= 0:
            end = text.find(_CUT, at + _BEGINNING, at + len(form))
            if end >= 0 and form.startswith(text[at:end]):
                yield Found(kind="", start=at, end=end)
            at = text.find(beginning, at + 1)
