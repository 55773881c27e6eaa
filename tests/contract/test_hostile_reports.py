"""Everything that is read from somewhere may be an attack; no surface may obey it."""

import json
import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from holodeck_eval.domain.run import Published, Run
from holodeck_eval.reports import REPORTS
from holodeck_eval.reports.comment import SHAPE as COMMENT
from holodeck_eval.reports.results import parse
from holodeck_eval.reports.summary import SHAPE as SUMMARY
from tests.contract.junit_readers import READERS
from tests.contract.pages import CALLS, PRICE, page
from tests.contract.pages import OURS as OUR_TAGS
from tests.fakes.runs import HOSTILE, hostile_run

ATTACKS = {
    "everything": HOSTILE,
    "control characters": "".join(map(chr, range(0x20))) + "\x7f\x80\x9f",
    "lone surrogate": "a\ud800b\udfffc",
    "CDATA's end": "]]> ]]&gt; <![CDATA[ x",
    "workflow command": "::error file=x::owned\n::set-output name=status::passed\r::stop-commands::x",
    "legacy command": "mid ##[set-output name=status]passed ##[add-mask]x",
    "table": "a | b || c \\| d\n|---|---|\n| e | f |",
    "fences": "```\n````\n~~~\n`````",
    "details": "</details></summary><details open><summary>x</summary></code></sub></td></table>",
    "mention": "@someone @org/team me@e.example `@x`",
    "references": "#1 org/repo#2 GH-3 fixes #4 0123456789abcdef0123456789abcdef01234567",
    "links": "https://e.example www.e.example [x](javascript:alert(1)) ![x](https://e.example/x.png) <https://e.example>",
    "comment": "<!-- hidden --> <!-- sticky:marker -->",
    "terminal": "\x1b[31mred\x1b[0m \x1b]8;;https://e.example\x1b\\x\x1b]8;;\x1b\\ \x9b1m",
    "right to left": "\u202egnissap\u202c \u2066x\u2069",
    "no characters": "\ufffe\uffff\U0001ffff\ufdd0",
    "line separators": "a\u2028b\u2029c\x85d\x0be\x0cf",
    "headings": "# x\n===\n---\n* * *\n1. x\n- x\n> x",
    "entities": "&lt;b&gt; &#64;someone &amp;#35;1 &copy; <!ENTITY x SYSTEM 'file:///etc/hostname'>",
    "template": "{{ 7 * 7 }} {% raw %} {# x #} ${7*7} $(id) `id`",
    "emoji and formula": ":white_check_mark: $$\\color{green}{passed}$$ $`x`$",
    "advisories": "CVE-2024-12345 GHSA-a1b2-c3d4-e5f6 cve-2024-1",
    "more digits than a hash": "0" + "a1b2c3d4e5f6" * 3 + "abc",
    "mail": "mailto:me@e.example xmpp:me@e.example me+x@e.example",
    "boxes and tasks": "> [!CAUTION]\n> x\n\n- [ ] x\n- [x] y\n\n[^1]: note\n\nx[^1]",
    "zero width": "pas\u200bsed @\u200bsomeone \u2060#\u2060 1 x\u200d\u200c \U000e0041\u3164 \u00ad",
    "letters from right to left": "התשובה אומרת 60 יום، الجواب 30 يوم (refund.md)",
    "fences in an answer": "```python\nprint('x')\n```\n\n~~~\n</details>\n~~~\n\n    indented\n",
    "a word without an end": "w" * 10_000 + "www.e.example/" + "@x" * 3_000,
    "ten thousand characters": "The answer is wrong, see https://e.example/a?b=c#d and @someone. " * 160,
    "a megabyte": "x|`<" * 250_000,
    "nothing": "",
    "spaces": " \t\n",
}
OURS = re.compile(r"</?(?:details|summary|code|sub|span)>|<br>|<wbr>")
REFERENCE = re.compile(r"@\w|#[0-9]|(?i:gh-)[0-9]|://|(?i:www)\.|##\[|::|\b(?=[a-f]*[0-9])[0-9a-f]{40}\b")
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
RENDERED: dict[tuple[str, str], str] = {}


def rendered(attack: str, report: str) -> str:
    key = attack, report
    if key not in RENDERED:
        RENDERED[key] = REPORTS[report].render(published(hostile_run(ATTACKS[attack]), ATTACKS[attack]))
    return RENDERED[key]


def published(run: Run, text: str) -> Run:
    """The run as one whose page and repository say `text`."""
    return replace(run, published=Published(url=text, repository=text))


def tokens(markdown: str) -> list[Token]:
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    return [token for block in parser.parse(markdown) for token in (block, *(block.children or ()))]


@pytest.mark.parametrize("report", REPORTS)
@pytest.mark.parametrize("attack", ATTACKS)
def test_every_report_encodes_and_shows_what_cannot_be_seen(attack: str, report: str) -> None:
    text = rendered(attack, report)
    text.encode("utf-8")
    if report != "results.json":
        assert not UNSEEN.search(text)


@pytest.mark.parametrize("report", ["comment.md", "summary.md"])
@pytest.mark.parametrize("attack", ATTACKS)
def test_markdown_holds_no_html_link_or_image_but_our_own(attack: str, report: str) -> None:
    found = tokens(rendered(attack, report))
    assert not {"link_open", "image", "s_open", "em_open", "hr"} & {
        token.type for token in found if token.content != "(no answer)" and token.markup != "_"
    }
    html = "".join(token.content for token in found if token.type in {"html_inline", "html_block"})
    assert set(re.findall(r"<[^>]*>?", html)) == set(OURS.findall(html))


@pytest.mark.parametrize("report", ["comment.md", "summary.md"])
@pytest.mark.parametrize("attack", ATTACKS)
def test_the_page_is_made_of_our_own_elements_alone(attack: str, report: str) -> None:
    found = page(rendered(attack, report))
    assert set(found.tags) <= OUR_TAGS
    assert not found.attributes
    assert not found.unclosed


@pytest.mark.parametrize("report", ["comment.md", "summary.md"])
@pytest.mark.parametrize("attack", ATTACKS)
def test_no_text_of_the_page_calls_or_leads_anywhere(attack: str, report: str) -> None:
    texts = page(rendered(attack, report)).texts
    assert not [text for text in texts if CALLS.search(text)]
    assert not [text for text in texts if text != "$" and "$" in PRICE.sub("", text)]


@pytest.mark.parametrize(
    "text",
    [
        "@someone",
        "me@e.example",
        "#1",
        "GH-3",
        "CVE-2024-1",
        "GHSA-a1b2-c3d4-e5f6",
        "https://e.example",
        "www.e.example",
        "0a1b2c3",
        ":tada:",
        "##[x]",
        "::error::x",
    ],
)
def test_what_would_call_or_lead_somewhere_is_seen_in_a_page(text: str) -> None:
    assert any(CALLS.search(found) for found in page(text).texts)


def test_a_tag_a_link_and_an_image_are_seen_in_a_page() -> None:
    found = page("<img src=x> [l](https://e.example) ![i](https://e.example/x.png) <b>x")
    assert found.tags == ["p", "img", "a", "img", "b"]
    assert [name for name, _ in found.attributes] == ["src", "href", "src", "alt"]
    assert found.unclosed == ["p", "p", "b"]


@pytest.mark.parametrize("report", ["comment.md", "summary.md"])
def test_the_one_link_of_a_published_run_leads_to_its_page(report: str) -> None:
    url = "https://github.com/ottermoor/shop/actions/runs/123"
    run = replace(hostile_run(), published=Published(url=url, repository=HOSTILE))
    found = page(REPORTS[report].render(run))
    assert found.attributes == [("href", url)]
    assert set(found.tags) <= OUR_TAGS | {"a"}


@pytest.mark.parametrize("report", ["comment.md", "summary.md"])
@pytest.mark.parametrize("attack", ATTACKS)
def test_markdown_calls_nobody_and_refers_to_nothing(attack: str, report: str) -> None:
    read = [
        token.content for token in tokens(rendered(attack, report)) if token.type in {"text", "html_block"}
    ]
    assert not [text for text in read if REFERENCE.search(text.replace("&#", "&"))]


@pytest.mark.parametrize("report", ["comment.md", "summary.md"])
@pytest.mark.parametrize("attack", ATTACKS)
def test_markdown_keeps_its_own_build(attack: str, report: str) -> None:
    """The same headings and tables as for a harmless text, and every fold is closed."""
    found = tokens(rendered(attack, report))
    headings = [found[at + 1].content for at, token in enumerate(found) if token.type == "heading_open"]
    assert headings[0] == "❌ Failed: 1 of 2 cases failed, pass rate 0% (needs 100%)"
    assert set(headings[1:]) <= {"What failed", "Could not be judged"}
    html = "".join(token.content for token in found if token.type in {"html_inline", "html_block"})
    for tag in ("details", "summary", "code", "sub", "span"):
        assert html.count(f"<{tag}>") == html.count(f"</{tag}>")


@pytest.mark.parametrize("report", ["comment.md", "summary.md"])
@pytest.mark.parametrize("attack", ATTACKS)
def test_markdown_gives_a_runner_no_command_even_when_it_is_printed(attack: str, report: str) -> None:
    lines = rendered(attack, report).split("\n")
    assert not [line for line in lines if line.strip().startswith("::") or "##[" in line]


@pytest.mark.parametrize("attack", ATTACKS)
def test_markdown_stays_within_its_limits(attack: str) -> None:
    assert len(rendered(attack, "comment.md").encode()) <= COMMENT.limit == 60_000
    assert len(rendered(attack, "summary.md").encode()) <= SUMMARY.limit == 900 * 1024


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("attack", ATTACKS)
def test_junit_is_read_alike_by_every_parser(attack: str, reader: str) -> None:
    read = READERS[reader](rendered(attack, "junit.xml"))
    assert read.counts == {"tests": 4, "failures": 2, "errors": 1, "skipped": 1}
    assert len(set(read.names)) == 4
    assert read.names == READERS["xml.etree"](rendered(attack, "junit.xml")).names


@pytest.mark.parametrize("attack", ATTACKS)
def test_junit_declares_no_document_type_and_counts_its_children(attack: str) -> None:
    text = rendered(attack, "junit.xml")
    assert "<!DOCTYPE" not in text.replace("&lt;", "")
    root = ET.fromstring(text)  # noqa: S314 - a file of our own
    for suite in root:
        written = [suite.get(name) for name in ("tests", "failures", "errors", "skipped")]
        kinds = ("testcase", ".//failure", ".//error", ".//skipped")
        assert written == [str(len(suite.findall(kind))) for kind in kinds]
        assert suite.get("name")
    for case in root.iter("testcase"):
        assert case.get("name")
        assert float(case.get("time", "0")) >= 0.001
        marks = [mark for mark in case if mark.tag != "system-out"]
        assert len(marks) <= 1
        assert all(
            len(mark.get("message", "")) <= 200 and "\n" not in mark.get("message", "") for mark in marks
        )


@pytest.mark.parametrize("attack", ATTACKS)
def test_results_hold_the_text_and_can_be_read_back(attack: str) -> None:
    text = rendered(attack, "results.json")
    said = json.loads(text)["cases"][0]["turns"][0]["actual_output"]
    assert re.sub("⟨U\\+[0-9A-F]{4}⟩", "", said) == re.sub("[\ud800-\udfff]", "", ATTACKS[attack])
    assert parse(text, shown_as="r.json").verdict.exit_code == 1
