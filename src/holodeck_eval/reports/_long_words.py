"""Where long words may be parted, so that none makes a table wider than the page."""

import re
from functools import cache
from typing import Final

BREAK: Final = "\x00"
"""Stands where a word may be parted; no text that was made visible holds it."""

COLUMN: Final = 28
"""Characters that a column of a table has room for, where two share the page."""

_LEAST: Final = 8
_LEAST_OF_A_NAME: Final = 12


def parted(text: str, width: int = COLUMN) -> str:
    """The line with `BREAK` in every word longer than `width` characters: behind a sign, else anywhere.

    A hyphen needs none: browsers part words there. No letter is parted from its accents, nor an emoji.
    """
    if len(text) <= width:
        return text
    long, piece = _patterns(width)
    return long.sub(lambda word: piece.sub(rf"\g<0>{BREAK}", word[0]), text)


@cache
def _patterns(width: int) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What a long word is, and its pieces: folders, else parts of a name, else `width` characters."""
    most = width - 1
    folders, parts = rf"\S{{{_LEAST - 1},{most}}}/", rf"\S{{{_LEAST_OF_A_NAME - 1},{most}}}[_.&?=]"
    sensible = rf"(?:{folders}|{parts})(?=[\w!-~]\S{{{_LEAST}}})"
    return re.compile(rf"[^\s-]{{{width + 1},}}"), re.compile(rf"{sensible}|\S{{{width}}}(?=[\w!-~])")
