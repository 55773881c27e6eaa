"""Workflow commands: lines by which a step tells the runner something, safe whatever they hold."""

import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from holodeck_eval.domain.redaction import SHORTEST

MESSAGE_LIMIT: Final = 4096
"""UTF-16 units of a message. The runner counts them without escapes, and drops the rest without a word."""

_UNPRINTABLE: Final = re.compile(
    r"[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff]"
)
_BREAK: Final = re.compile(rf"{_UNPRINTABLE.pattern}|[\r\n]")
_TOKEN: Final = re.compile("[0-9a-f]{16,64}")


def command(name: str, message: str, **properties: str | int | None) -> str:
    """A command, always one line.

    Args:
        name: what the runner is to do, as `error`.
        message: may hold anything. Its line ends are kept, and it is cut at `MESSAGE_LIMIT`.
        properties: may hold anything; those that are None or "" are left out, as the runner drops them too.
    """
    given = [f"{key}={_property(str(value))}" for key, value in properties.items() if value not in {None, ""}]
    head = f"{name} {','.join(given)}" if given else name
    return f"::{head}::{_escaped(_apart(_cut(_printable(message))))}"


def add_mask(secret: str) -> Iterator[str]:
    """The commands after which the log shows stars for a secret.

    The runner masks within lines, and what is printed here has spaces for all that is not printable: each
    part between those is masked on its own. Parts that are too short to be a key are left out, for they would
    garble the log of the whole job.
    """
    for part in _BREAK.split(secret):
        if len(part.strip()) >= SHORTEST:
            yield f"::add-mask::{_escaped(part.strip())}"


@dataclass(frozen=True, slots=True)
class Fence:
    """Two lines between which the runner obeys no command, of either spelling.

    Args:
        token: hexadecimal digits that nobody can guess, so many that they are no command's name.
    """

    token: str

    def __post_init__(self) -> None:
        if not _TOKEN.fullmatch(self.token):
            raise ValueError("a fence's token has 16 to 64 hexadecimal digits")

    @property
    def opening(self) -> str:
        """The line before what is untrusted."""
        return f"::stop-commands::{self.token}"

    @property
    def closing(self) -> str:
        """The line after it."""
        return f"::{self.token}::"


def fence(token: str | None = None) -> Fence:
    """A fence of its own for each run; `token` is for tests."""
    return Fence(token or secrets.token_hex(16))


def _property(text: str) -> str:
    return _escaped(_printable(text)).replace(":", "%3A").replace(",", "%2C")


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _printable(text: str) -> str:
    """The text without control characters but line ends, and with no command of the old spelling in it.

    The runner looks for such a one in every line that it cannot read as a command of the new spelling.
    """
    return _UNPRINTABLE.sub(" ", text).replace("##[", "## [")


def _cut(message: str) -> str:
    """The message within the limit, which the runner counts without escapes: none is torn."""
    units = message.encode("utf-16-le")
    if len(units) <= 2 * MESSAGE_LIMIT:
        return message
    return units[: 2 * (MESSAGE_LIMIT - 1)].decode("utf-16-le", "ignore") + "…"


def _apart(message: str) -> str:
    """The message, kept apart from the colons before it.

    The runner finds those by the rules of a language, by which some characters are one with what they follow.
    """
    return message if message[:1].isascii() else f" {message}"
