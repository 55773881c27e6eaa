"""Makes texts safe to hand to DeepEval, whose file markers make it read local files and send them on."""

import re

_OPENING = re.compile(r"\[(?=DEEPEVAL)", re.IGNORECASE)


def defuse(text: str) -> str:
    """The text with a blank inside every opening of an image or PDF marker; still readable.

    DeepEval looks for a bracket directly followed by its own name. Every such opening is broken, whatever
    its case and whether or not it is closed: DeepEval's templates may close it.
    """
    return _OPENING.sub("[ ", text)


def sendable(text: str) -> str:
    """The text defused, and with U+FFFD for every half of a surrogate pair, which no request can carry."""
    return defuse(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def is_marked(text: str) -> bool:
    """Whether a text holds the opening of a marker."""
    return _OPENING.search(text) is not None
