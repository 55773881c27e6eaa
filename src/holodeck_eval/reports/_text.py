"""Hostile text made fit to be shown: what is invisible, misleading or not encodable becomes visible."""

import re
from typing import Final

_NEWLINES: Final = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_UNSEEN: Final = "[\u061c\u200b-\u200f\u2060]"  # some scripts and emoji need these, Latin ones do not
_UNFIT: Final = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f"  # control characters other than white space
    "\u202a-\u202e\u2066-\u2069"  # these reorder the text around them
    "\u115f\u1160\u180e\u2061-\u2065\u206a-\u206f\u3164\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"  # unseen
    "\ud800-\udfff\ufdd0-\ufdef\ufeff\ufffe\uffff"  # halves of pairs, and no characters at all
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0x10000, 0x110000, 0x10000))
    + "]"
    f"|(?<=[ -~]){_UNSEEN}|{_UNSEEN}(?=[ -~])"
)
_ANSI: Final = re.compile(
    "\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|[@-Z\\\\^_])|\x9b[0-?]*[ -/]*[@-~]"
)
_CONTROL_PICTURES: Final = 0x2400
_DELETE: Final = 0x7F
_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_FIRST_ROOM: Final = 2
_ROOM: Final = 16
_WORD: Final = 16


def visible(text: str) -> str:
    """The text with unfit characters shown: ESC as `␛`, others by their number, as `⟨U+202E⟩`.

    Line ends of every kind become a newline. What comes back is fit for UTF-8 and for XML 1.0.
    """
    if text.isascii() and text.isprintable():
        return text
    return _UNFIT.sub(_show, _NEWLINES.sub("\n", text))


def uncoloured(text: str) -> str:
    """The text as `visible`, with terminal sequences left out."""
    return visible(_ANSI.sub("", text))


def encodable(text: str) -> str:
    """The text with lone surrogates shown by their number, all else untouched."""
    return _LONE_SURROGATE.sub(_show, text)


def one_line(text: str) -> str:
    """The text with every run of white space, line ends included, as one space."""
    return " ".join(text.split())


def cut(text: str, limit: int) -> str:
    """The text's first `limit` characters, the last of them `…` where something was cut."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def shorten(text: str, limit: int) -> str:
    """A line as `cut` gives it, but without the beginning of a word that is cut, where that is short."""
    if len(text) <= limit:
        return text
    kept = text[: limit - 1]
    space = kept.rfind(" ", len(kept) - _WORD) if text[limit - 1] != " " else -1
    return (kept[:space] if space > 0 else kept).rstrip(" ,;:") + "…"


def in_one_line(text: str, limit: int) -> str:
    """The text as `visible` and on one line of at most `limit` characters.

    Of a long text no more is made fit than is needed: that of a million characters takes seconds.
    """
    for room in (_FIRST_ROOM * limit, _ROOM * limit):
        line = one_line(visible(cut(text, room)))
        if len(text) <= room or len(line) > limit:
            break
    return shorten(line, limit)


def head(text: str, limit: int) -> str:
    """As much of a text as `limit` characters can be shown of: making all of a long one fit takes seconds."""
    return cut(text, _ROOM * limit)


def _show(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < ord(" "):
        return chr(_CONTROL_PICTURES + code)
    return "␡" if code == _DELETE else f"⟨U+{code:04X}⟩"
