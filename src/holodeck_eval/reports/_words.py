"""How the reports call and count things in a sentence."""

import re
from collections.abc import Sequence
from typing import Final

from holodeck_eval.domain.wording import quoted

_PLAIN: Final = re.compile(r"\w[\w .()/-]*")
_LONGEST: Final = 60


def cases(number: int) -> str:
    """A number of cases, in words."""
    return "1 case" if number == 1 else f"{number:,} cases"


def plainly(name: str) -> str:
    """A name as it is where it looks like one, else quoted, so that it cannot end the sentence it is in."""
    return name if len(name) <= _LONGEST and _PLAIN.fullmatch(name) else quoted(name, _LONGEST)


def some(texts: Sequence[str], most: int = 2) -> str:
    """The first texts, and how many more there are."""
    more = len(texts) - most
    return ", ".join(texts[:most]) + (f" and {more} more" if more > 0 else "")


def sentence(text: str) -> str:
    """The text with its first letter made large; the others, which may be a name's, as they are."""
    return text[:1].upper() + text[1:]
