"""How a message is written, vendor by vendor. Formats differ in what lies around messages; these in messages.

Adding a dialect is one file and one line here. A dialect turns its vendor's messages into `Message`; what a
conversation means is decided in `_messages`.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from holodeck_eval.transcripts import _json
from holodeck_eval.transcripts._messages import Message, Role
from holodeck_eval.transcripts.dialects import chat

_ENCODED = 3
_DEPTH = 64


class Dialect(Protocol):
    """What a module in DIALECTS has."""

    def claims(self, items: Sequence[object]) -> bool:
        """Whether a list, which is not empty, holds messages that are surely of this dialect."""
        ...

    def messages(self, value: object, field: str) -> list[Message]:
        """The messages of a list, in order.

        Raises:
            RecordError: with one sentence for each message that cannot be understood; `field` names the list.
        """
        ...


DIALECTS: Mapping[str, Dialect] = {
    "chat": chat,
}
"""Each dialect's name and its module; the first that claims a list reads it, so the general one is last."""


def dialect_of(items: object) -> Dialect | None:
    """The dialect a list of messages is written in; None where it is no list, empty, or of none."""
    if not isinstance(items, list) or not items:
        return None
    return next((dialect for dialect in DIALECTS.values() if dialect.claims(items)), None)


def said(value: object, role: Role, field: str) -> list[Message] | None:
    """The messages of a value whose shape is not known beforehand, for formats that keep other tools' data.

    It may be a list of messages in any dialect, one message, an object with such a list under `messages`, any
    of these as JSON in a text, up to three deep, or a plain text, which is one message of `role`.

    Returns:
        None where the value is nothing of that.

    Raises:
        RecordError: where a message cannot be understood.
    """
    value = decoded(value)
    if isinstance(value, str):
        return [Message(role=role, text=value)]
    if isinstance(value, Mapping):
        inner = decoded(value.get("messages"))
        value = inner if isinstance(inner, list) else [value]
    dialect = dialect_of(value)
    return dialect.messages(value, field) if dialect is not None else None


def decoded(value: object) -> object:
    """A value that may stand as JSON in a text, up to three deep; text that is no list or object stays text.

    Only for fields that their format defines as JSON: a plain "42" is a text.
    """
    held = value
    for _ in range(_ENCODED):
        if not isinstance(held, str) or held.lstrip()[:1] not in ("{", "[", '"'):
            break
        try:
            held = _json.loads(held, _DEPTH)
        except _json.JsonError:
            return value
    return held if isinstance(held, list | Mapping) else value


__all__ = ["DIALECTS", "Dialect", "decoded", "dialect_of", "said"]
