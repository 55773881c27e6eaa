import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markupsafe import Markup

from holodeck_eval.reports._markdown import code, finalize, glued, link, md, narrow, num, pct, sha, usd
from tests.fakes.runs import HOSTILE

GAP = "\u200b"
PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
FRAMES = {"line": "{}", "item": "- {}", "quote": "> {}", "cell": "| a | b |\n|---|---|\n| {} | end |"}
NEUTRAL = {"text", "html_inline", "softbreak"}
REFERENCE = re.compile(r"@\w|#[0-9]|(?i:gh-)[0-9]|\b(?=[a-f]*[0-9])[0-9a-f]{7,40}\b|://|(?i:www)\.|##\[|::")


def inline_tokens(markdown: str) -> list[tuple[str, str]]:
    found = []
    for token in PARSER.parse(markdown):
        found += [(child.type, child.content) for child in token.children or ()]
    return found


def shown(text: str, frame: str = "line") -> str:
    """What a reader sees of the text within the frame."""
    return "".join(
        content for kind, content in inline_tokens(FRAMES[frame].format(md(text))) if kind == "text"
    )


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize(
    "text",
    [
        HOSTILE,
        "a | b || c",
        "**bold** _em_ __strong__ a_b_ `code` ``` ~~~ ~~gone~~",
        "<script>x</script> <!-- hidden --> </details> <img src=x>",
        "![image](x.png) [link](https://e.example) [ref]: x <https://e.example> [^1]",
        "# heading",
        "- item",
        "1. item",
        "12) item",
        "+ item",
        "=====",
        "---",
        "> quote",
        "\\&#42; &lt; &amp; \\",
    ],
)
def test_text_stays_text_wherever_it_stands(text: str, frame: str) -> None:
    framed = FRAMES[frame].format(md(text))
    kinds = inline_tokens(framed)
    assert {kind for kind, _ in kinds} <= NEUTRAL
    assert {content for kind, content in kinds if kind == "html_inline"} <= {"<span>", "</span>", "<wbr>"}
    blocks = [token.type for token in PARSER.parse(framed)]
    assert blocks == [token.type for token in PARSER.parse(FRAMES[frame].format("x"))]


@given(st.text(alphabet=st.sampled_from("a1_*`~[]()<>!&#@|\\$-+=.: \n/"), max_size=80))
def test_no_mixture_of_marks_becomes_markup(text: str) -> None:
    kinds = {kind for kind, _ in inline_tokens("x " + md(text))}
    assert kinds <= NEUTRAL
    assert not REFERENCE.search(md(text).replace("&#", "&"))


@pytest.mark.parametrize(
    "text",
    ["a|b", "**x**", "<b>", "snake_case_name", "_x_", "\\*", "&lt;", "costs $5", "a~b", "C#", "me@e.example"],
)
def test_a_reader_sees_what_was_written(text: str) -> None:
    assert shown(text, "cell").replace(GAP, "") == f"ab{text}end"


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("@someone", f"@{GAP}someone"),
        ("#1", f"#{GAP}1"),
        ("gh-3", f"gh-{GAP}3"),
        ("CVE-2024-1", f"CVE{GAP}-2024-1"),
        ("GHSA-a1b2-c3d4-e5f6", f"GHSA{GAP}-a1b2-c3d4-e5f6"),
        ("012345678", f"012345{GAP}678"),
        ("0123456789abcdef", f"012345{GAP}6789ab{GAP}cdef"),
        ("defaced facade", "defaced facade"),
        ("https://e.example", f"https:{GAP}//e.example"),
        ("www.e.example", f"www{GAP}.e.example"),
        ("::error::x", f":{GAP}:{GAP}error:{GAP}:x"),
        ("##[x]", f"#{GAP}#{GAP}&#91;x&#93;"),
        (":tada:", f":{GAP}tada:"),
        ("agent.yaml:14:9", "agent.yaml:14:9"),
        ("0.1.0", "0.1.0"),
        ("-5 degrees", "-5 degrees"),
        ("snake_case _x", "snake_case &#95;x"),
        ("$x$", "<span>$</span>x<span>$</span>"),
    ],
)
def test_nothing_is_referred_to_and_nobody_is_called(text: str, safe: str) -> None:
    assert md(text) == safe


def test_a_text_of_a_megabyte_is_cut() -> None:
    assert md("x " * 500_000) == "x " * 499 + "x…"
    assert len(code("`" * 1_000_000)) < 13_000


def test_a_long_word_may_be_parted() -> None:
    assert md("x" * 40) == f"{'x' * 28}<wbr>{'x' * 12}"
    assert narrow("x" * 40) == f"{'x' * 16}<wbr>{'x' * 16}<wbr>{'x' * 8}"
    assert md("@" * 30) == f"@{GAP}" * 28 + "<wbr>" + f"@{GAP}" * 2


def test_what_follows_a_text_that_is_read_from_right_to_left_stays_behind_it() -> None:
    assert md("\u05d0\u05d1") == "\u05d0\u05d1\u200e"
    assert md("\u0645 a") == "\u0645 a\u200e"
    assert md("\u00e9 \u4e2d") == "\u00e9 \u4e2d"


@pytest.mark.parametrize(
    ("url", "leads"),
    [
        ("https://github.com/ottermoor/shop/actions/runs/123", True),
        ("https://ghes.example:8443/o/r/actions/runs/1", True),
        ("http://github.com/o/r", False),
        ("javascript:alert(1)", False),
        ("https://e.example/a)[x](https://e.example", False),
        ("https://e.example/a b", False),
        ("https://someone@e.example/a", False),
        ("https://e.example/?q=<b>", False),
        ("https://e.example/" + "a" * 9_000, False),
        ("", False),
    ],
)
def test_only_a_plain_page_is_linked_to(url: str, leads: bool) -> None:  # noqa: FBT001
    assert link(url, "the *run*") == (f"[the &#42;run&#42;]({url})" if leads else "the &#42;run&#42;")


@pytest.mark.parametrize(
    "text", ["", "```\n</details>", "`" * 9, "~~~", "a\r\nb\u2028c", "  ```` \n````text", "\t```"]
)
def test_a_block_keeps_all_of_its_text_inside(text: str) -> None:
    tokens = PARSER.parse(f"{code(text)}\n\nafter")
    assert [token.type for token in tokens] == ["fence", "paragraph_open", "inline", "paragraph_close"]
    assert tokens[0].content == text.replace("\r\n", "\n").replace("\u2028", "\n") + "\n"


def test_a_block_gives_a_runner_no_command() -> None:
    block = code("  ::error::x\nmid ##[add-mask]y\n::stop::")
    assert block == f"```text\n  :{GAP}:error::x\nmid #{GAP}#{GAP}[add-mask]y\n:{GAP}:stop::\n```"


@pytest.mark.parametrize(
    ("value", "below", "digits"),
    [
        (0.5, None, "0.50"),
        (None, None, "n/a"),
        (math.nan, 0.7, "n/a"),
        (0.33, 0.7, "0.33"),
        (0.6996, 0.7, "0.6996"),
        (0.7, 0.7, "0.70"),
        (0.70001, 0.7, "0.70"),
        (0.69999999, 0.7, "0.700000"),
    ],
)
def test_a_number_has_the_digits_that_tell_it_from_its_threshold(
    value: float | None, below: float | None, digits: str
) -> None:
    assert num(value, below) == digits


@pytest.mark.parametrize(
    ("share", "needed", "shown_as"),
    [
        (1.0, 1.0, "100%"),
        (0.99999, 1.0, "99.999%"),
        (0.99999, 0.9, "99.999%"),
        (0.75, 0.9, "75%"),
        (12 / 19, 0.9, "63.2%"),
        (0.7496, 0.75, "74.96%"),
        (0.75, 0.7496, "75%"),
        (0.29, 1.0, "29%"),
        (0.1, 1.0, "10%"),
        (0.0, 0.0, "0%"),
        (None, 1.0, "n/a"),
        (math.nan, 1.0, "n/a"),
    ],
)
def test_a_share_has_the_digits_that_tell_it_from_what_is_needed_and_from_all(
    share: float | None, needed: float, shown_as: str
) -> None:
    assert pct(share, needed) == shown_as


def test_prices_show_cents_or_what_is_left_of_them() -> None:
    assert (usd(12.345), usd(0.0123)) == ("$12.35", "$0.0123")


def test_a_commit_is_cut_and_anything_else_in_its_place_is_escaped() -> None:
    assert (sha("0123456789abcdef"), sha("@someone")) == ("0123456", f"@{GAP}someo…")


def test_what_no_filter_made_safe_is_made_safe_at_the_end() -> None:
    assert finalize("<b>") == "&lt;b&gt;"
    assert finalize(None) == "n/a"
    assert finalize(3) == "3"
    assert finalize(Markup("<b>")) == "<b>"


def test_a_glued_text_is_escaped_and_holds_no_place_to_break_at() -> None:
    assert glued("0.9 → <b>") == "0.9\u00a0→\u00a0&lt;b&gt;"
