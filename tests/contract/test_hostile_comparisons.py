"""A comparison is made of texts that the pull request's author wrote; no surface may obey them."""

import re

import pytest
from markdown_it.token import Token

from holodeck_eval.reports import REPORTS
from holodeck_eval.reports.results import parse
from tests.contract.junit_readers import READERS
from tests.contract.pages import CALLS, page
from tests.contract.pages import OURS as OUR_TAGS
from tests.contract.test_hostile_reports import ATTACKS, OURS, REFERENCE, UNSEEN, tokens
from tests.fakes.compared_runs import hostile_compared_run

MARKDOWN = ("comment.md", "summary.md")
RENDERED: dict[tuple[str, str], str] = {}
HEADINGS = {"Newly failing", "What else failed", "Could not be judged"}


def rendered(attack: str, report: str) -> str:
    key = attack, report
    if key not in RENDERED:
        RENDERED[key] = REPORTS[report].render(hostile_compared_run(ATTACKS[attack]))
    return RENDERED[key]


def html(found: list[Token]) -> str:
    return "".join(token.content for token in found if token.type in {"html_inline", "html_block"})


@pytest.mark.parametrize("report", REPORTS)
@pytest.mark.parametrize("attack", ATTACKS)
def test_every_report_of_a_comparison_encodes_and_shows_what_cannot_be_seen(attack: str, report: str) -> None:
    text = rendered(attack, report)
    text.encode("utf-8")
    if report != "results.json":
        assert not UNSEEN.search(text)


@pytest.mark.parametrize("report", MARKDOWN)
@pytest.mark.parametrize("attack", ATTACKS)
def test_a_comparison_holds_no_html_link_or_image_but_our_own(attack: str, report: str) -> None:
    found = tokens(rendered(attack, report))
    assert not {"link_open", "image", "s_open", "hr"} & {token.type for token in found}
    assert set(re.findall(r"<[^>]*>?", html(found))) == set(OURS.findall(html(found)))


@pytest.mark.parametrize("report", MARKDOWN)
@pytest.mark.parametrize("attack", ATTACKS)
def test_the_page_of_a_comparison_is_ours_and_calls_nobody(attack: str, report: str) -> None:
    found = page(rendered(attack, report))
    assert set(found.tags) <= OUR_TAGS
    assert not found.attributes
    assert not found.unclosed
    assert not [text for text in found.texts if CALLS.search(text)]


@pytest.mark.parametrize("report", MARKDOWN)
@pytest.mark.parametrize("attack", ATTACKS)
def test_a_comparison_calls_nobody_and_gives_no_command(attack: str, report: str) -> None:
    text = rendered(attack, report)
    read = [token.content for token in tokens(text) if token.type in {"text", "html_block"}]
    assert not [line for line in read if REFERENCE.search(line.replace("&#", "&"))]
    assert not [line for line in text.split("\n") if line.strip().startswith("::") or "##[" in line]


@pytest.mark.parametrize("report", MARKDOWN)
@pytest.mark.parametrize("attack", ATTACKS)
def test_a_comparison_keeps_its_own_build(attack: str, report: str) -> None:
    """The verdict is the first heading, no other is made up, the boxes are ours, and every fold is closed."""
    text = rendered(attack, report)
    found = tokens(text)
    headings = [found[at + 1].content for at, token in enumerate(found) if token.type == "heading_open"]
    assert headings[0].startswith("❌ Worse than the baseline, gate loosened: ")
    assert text.startswith("### ")
    assert set(headings[1:]) <= HEADINGS
    boxes = [token.content for token in found if token.type == "inline" and token.content.startswith("[!")]
    assert [box.split("\n")[0] for box in boxes] == ["[!WARNING]"] * 2
    for tag in ("details", "summary", "code", "sub", "span"):
        assert html(found).count(f"<{tag}>") == html(found).count(f"</{tag}>")


@pytest.mark.parametrize("attack", ATTACKS)
def test_reports_of_a_comparison_stay_within_their_limits(attack: str) -> None:
    assert len(rendered(attack, "comment.md").encode()) <= 60_000
    assert len(rendered(attack, "summary.md").encode()) <= 900 * 1024


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("attack", ATTACKS)
def test_junit_of_a_comparison_is_read_alike_by_every_parser(attack: str, reader: str) -> None:
    read = READERS[reader](rendered(attack, "junit.xml"))
    assert read.counts == {"tests": 6, "failures": 4, "errors": 1, "skipped": 1}
    assert read.names == READERS["xml.etree"](rendered(attack, "junit.xml")).names


@pytest.mark.parametrize("attack", ATTACKS)
def test_results_of_a_comparison_can_be_read_back(attack: str) -> None:
    text = rendered(attack, "results.json")
    assert REPORTS["results.json"].render(parse(text, shown_as="r.json")) == text
