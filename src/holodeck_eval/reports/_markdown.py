"""Untrusted text as Markdown that shows it as it is: no markup, no HTML, no link, nobody called.

HTML entities rather than backslashes, for they hold inside HTML blocks and table cells too. GitHub
finds mentions and references in the rendered text, where escapes are gone: a zero-width space breaks those.
"""

import math
import re
from typing import Final

from markupsafe import Markup

from holodeck_eval.reports._long_words import BREAK, COLUMN, parted
from holodeck_eval.reports._text import cut, head, in_one_line, visible

TEXT_LIMIT: Final = 1_000
BLOCK_LIMIT: Final = 4_000
MISSING: Final = Markup("n/a")

_MOST_DIGITS: Final = 6
_GAP: Final = "\u200b"
_PLAIN_URL: Final = re.compile(
    r"https://[A-Za-z0-9.-]{1,253}(?::[0-9]{1,5})?(?:/[A-Za-z0-9._-]{1,100}){1,12}"
)
_RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_LEFT_TO_RIGHT: Final = "\u200e"
_MARKUP: Final = "&<>\\`*[]|~"
_ACTIVE: Final = re.compile(
    r"[&<>\\`*\[\]|~$@#\x00]"
    r"|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])"  # within a word it is no emphasis
    r"|\b(?=[a-f]*[0-9])[0-9a-f]{7,40}\b"  # a commit's hash, which seven digits in a row are enough for
    r"|(?i:gh-)(?=[0-9])|(?i:ghsa|cve)(?=-)|(?i:www)(?=\.)"
    r"|:(?=:|//|(?![0-9]+:)[\w+-]{1,60}:)"  # a workflow command, a URL, an emoji's name
    r"|\A[-+=](?=[-+=\s]|\Z)|\A[0-9]{1,9}(?=[.)](?:\s|\Z))"  # a list's or heading's mark, where a line begins
)
_INSTEAD: Final = {mark: f"&#{ord(mark)};" for mark in f"{_MARKUP}_-+="} | {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    "$": "<span>$</span>",  # GitHub's own way to keep it from starting a formula
    BREAK: "<wbr>",
}
_COMMAND: Final = re.compile(r"##(?=\[)|^[^\S\n]*:(?=:)", re.MULTILINE)
_MOST_OF_A_HASH: Final = 6  # digits in a row that GitHub takes for no commit
_HASH_PART: Final = re.compile(f"[0-9a-f]{{{_MOST_OF_A_HASH}}}(?=.)")
_FENCE: Final = re.compile("`{3,}")
_NARROW: Final = 16


def md(text: str, limit: int = TEXT_LIMIT, width: int = COLUMN) -> Markup:
    """A text for a line of Markdown, a table cell or an HTML element, cut at `limit` characters.

    Words longer than `width` may be parted. What follows a text that is read from right to left stays
    behind it.
    """
    line = in_one_line(text, limit)
    end = _LEFT_TO_RIGHT if not line.isascii() and _RIGHT_TO_LEFT.search(line) else ""
    return _safe(_ACTIVE.sub(_defuse, parted(line, width)) + end)


def narrow(text: str, limit: int = TEXT_LIMIT) -> Markup:
    """A text as `md` gives it, for a column beside many others."""
    return md(text, limit, _NARROW)


def glued(text: str) -> Markup:
    """A short text as `md` gives it, that no line break parts."""
    return _safe(md(text).replace(" ", "\u00a0"))


def link(url: str, words: str) -> Markup:
    """The words, leading to a page where its address is https and of a plain shape; else the words alone."""
    return _safe(f"[{md(words)}]({url})") if _PLAIN_URL.fullmatch(url) else md(words)


def code(text: str, limit: int = BLOCK_LIMIT) -> Markup:
    """A text as a fenced block of its own, cut at `limit` characters; the fence outruns any inside."""
    body = _COMMAND.sub(_break_command, cut(visible(head(text, limit)), limit))
    longest = max((len(fence) for fence in _FENCE.findall(body)), default=2)
    fence = "`" * (longest + 1)
    return _safe(f"{fence}text\n{body}\n{fence}")


def num(value: float | None, below: float | None = None) -> Markup:
    """A number with two digits; with more where it lies under `below` and would look equal to it.

    None and NaN are `n/a`.
    """
    if value is None or math.isnan(value):
        return MISSING
    digits = 2
    while below is not None and value < below and _look_equal(value, below, digits):
        digits += 1
    return _safe(f"{value:.{digits}f}")


def pct(value: float | None, below: float = 1.0) -> Markup:
    """A share as a percentage, with as many digits as tell it from `below` and from 100%. None is `n/a`."""
    if value is None or math.isnan(value):
        return MISSING
    digits = 1
    over = [other * 100 for other in (below, 1.0) if value < other]
    while any(_look_equal(value * 100, other, digits) for other in over):
        digits += 1
    return _safe(f"{f'{value * 100:.{digits}f}'.rstrip('0').rstrip('.')}%")


def usd(cost: float) -> Markup:
    """A price: cents from a dollar on, hundredths of them below."""
    return _safe(f"${cost:.{2 if cost >= 1 else 4}f}")


def sha(commit: str) -> Markup:
    """The first seven digits of a commit's hash, left whole so that it can be copied."""
    return _safe(commit[:7]) if re.fullmatch("[0-9a-f]{7,64}", commit) else md(commit, 7)


def finalize(value: object) -> Markup:
    """What every expression of a template goes through: text that no filter made safe is made so here."""
    if isinstance(value, Markup):
        return value
    return MISSING if value is None else md(str(value))


def _safe(markdown: str) -> Markup:
    return Markup(markdown)  # noqa: S704 - only the escapes of this file end here


def _look_equal(one: float, other: float, digits: int) -> bool:
    return digits < _MOST_DIGITS and f"{one:.{digits}f}" == f"{other:.{digits}f}"


def _defuse(match: re.Match[str]) -> str:
    found = match[0]
    if len(found) > _MOST_OF_A_HASH:
        return _HASH_PART.sub(rf"\g<0>{_GAP}", found)
    return _INSTEAD.get(found) or found + _GAP


def _break_command(match: re.Match[str]) -> str:
    return f"#{_GAP}#{_GAP}" if match[0] == "##" else match[0] + _GAP
