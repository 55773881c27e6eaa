"""A Markdown report as the page that a browser is given of it: tags, attributes and texts."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final

from markdown_it import MarkdownIt

_BLOCKS: Final = ("h3", "h4", "p", "ul", "li", "blockquote", "pre", "details", "summary")
_TABLES: Final = ("table", "thead", "tbody", "tr", "th", "td")
_INLINE: Final = ("strong", "em", "code", "sub", "span", "br", "wbr")
OURS: Final = frozenset({*_BLOCKS, *_TABLES, *_INLINE})
"""Every tag that our templates may bring about."""

STYLES: Final = frozenset({"text-align:left", "text-align:right", "text-align:center"})
"""Every style that a table of ours may have."""

CALLS: Final = re.compile(
    r"@\w|#[0-9]|(?i:\bgh-)[0-9]|(?i:\bghsa|\bcve)-"
    r"|://|(?i:www)\.|##\[|^\s*::"
    r"|\b(?=[a-f]*[0-9])[0-9a-f]{7,40}\b"
    r"|:(?![0-9]+:)[\w+-]+:"
)
"""What GitHub makes a mention, a reference, a link, a command or an emoji of, in a text that is no code."""

PRICE: Final = re.compile(r"\$[0-9.]+ \([0-9]+ calls\)")
"""The one dollar sign of ours; each of another's stands alone, so that two of them hold no formula."""

_NEVER_CLOSED: Final = frozenset({"br", "wbr", "hr", "img", "input"})
_PARSER: Final = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


@dataclass(slots=True)
class Page:
    """What a page is made of.

    Attributes:
        tags: names of all elements, one for each.
        attributes: names and values of all attributes, but for styles and for what a code block is called.
        texts: every text that is not in an element for code.
        unclosed: elements that were not closed, or not in their order.
    """

    tags: list[str] = field(default_factory=list)
    attributes: list[tuple[str, str | None]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    unclosed: list[str] = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Page()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.page.tags.append(tag)
        usual = {("class", "language-text"), *(("style", style) for style in STYLES)}
        self.page.attributes += [pair for pair in attrs if pair not in usual]
        if tag not in _NEVER_CLOSED:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()
        else:
            self.page.unclosed.append(tag)

    def handle_data(self, data: str) -> None:
        if "pre" not in self.open and "code" not in self.open:
            self.page.texts.append(data)

    def handle_comment(self, data: str) -> None:
        self.page.tags.append(f"!--{data}")

    def handle_decl(self, decl: str) -> None:
        self.page.tags.append(f"!{decl}")

    def handle_pi(self, data: str) -> None:
        self.page.tags.append(f"?{data}")

    def unknown_decl(self, data: str) -> None:
        self.page.tags.append(f"![{data}")


def page(markdown: str) -> Page:
    """The page of a Markdown text with raw HTML in it."""
    reader = _Reader()
    reader.feed(_PARSER.render(markdown))
    reader.close()
    reader.page.unclosed += reader.open
    return reader.page
