"""A Markdown text within the length of a comment: cut where a part of it ends, and closed again."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

NOTE: Final = "\n_The rest does not fit into a comment: the job's summary and the report folder have it._"
"""Stands where a text was cut, below an empty line."""

_FENCE: Final = re.compile(r"[ \t]*(`{3,}(?=[^`]*$)|~{3,})")
_DETAILS: Final = re.compile(r"<(/?)details[\s>]", re.IGNORECASE)
_SECTION: Final = re.compile(r" {0,3}#{1,6}\s|<details[\s>]", re.IGNORECASE)


def units(text: str) -> int:
    """The text's length as GitHub may count it: in UTF-16, of which a character takes one unit or two."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def whole(text: str) -> str:
    """The text with every half of a character, which no UTF can hold, replaced."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def fit(text: str, room: int) -> str:
    """The text in at most `room` UTF-16 units, `NOTE` included, where it has to be cut.

    It is cut before a section where that keeps at least half of what would fit, else after a line. Fences
    and `<details>` that are open there are closed. Of a first line that does not fit, the beginning is kept.
    """
    text = whole(text)
    if units(text) <= room:
        return text
    left = room - units(NOTE)
    cuts = [cut for cut in _cuts(text, left) if cut.size <= left]
    if not cuts:
        return _beginning(text, left) + NOTE
    last = cuts[-1]
    sections = [cut for cut in cuts if cut.is_section and cut.size * 2 >= last.size]
    best = sections[-1] if sections else last
    return text[: best.at] + best.closing + NOTE


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cut:
    """A place to cut at, between two lines.

    Attributes:
        at: characters before it.
        units: those, in UTF-16 units.
        fence: the one that is open there; "" for none.
        depth: how many foldings are.
        is_section: whether a section begins there.
    """

    at: int
    units: int
    fence: str
    depth: int
    is_section: bool

    @property
    def closing(self) -> str:
        """What closes all that is open."""
        return (f"{self.fence}\n" if self.fence else "") + (
            "\n" + "</details>\n" * self.depth if self.depth else ""
        )

    @property
    def size(self) -> int:
        """Units of what is before it, closed."""
        return self.units + len(self.closing)


def _cuts(text: str, room: int) -> Iterator[_Cut]:
    """The places between two lines, as far as the text before them fits."""
    fence, depth, at, size = "", 0, 0, 0
    for line in (f"{line}\n" for line in text.split("\n")):
        if size > room:
            return
        if at:
            is_section = not fence and _SECTION.match(line) is not None
            yield _Cut(at=at, units=size, fence=fence, depth=depth, is_section=is_section)
        at, size = at + len(line), size + units(line)
        was_fenced, fence = bool(fence), _fence_after(fence, line)
        if not was_fenced and not fence:
            depth = max(0, depth + sum(-1 if end else 1 for end in _DETAILS.findall(line)))


def _fence_after(fence: str, line: str) -> str:
    """The fence that is open behind a line; "" for none."""
    found = _FENCE.match(line)
    if found is None:
        return fence
    if not fence:
        return found[1]
    closes = found[1].startswith(fence) and not line[found.end() :].strip()
    return "" if closes else fence


def _beginning(text: str, room: int) -> str:
    """The first units of a text, none of its characters torn, and a line's end."""
    cut = text.encode("utf-16-le")[: 2 * max(0, room - 1)]
    return cut.decode("utf-16-le", "ignore") + "\n"
