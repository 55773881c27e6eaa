import pytest

from holodeck_eval.errors import Place
from holodeck_eval.reports._junit_page import NoRoomError, Page, location, moment


def page(text_limit: int = 1_000, left: float = 1e6) -> Page:
    return Page(text_limit=text_limit, left=left)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a ##[set-output name=status]passed", "a ## [set-output name=status]passed"),
        ("::error::x", ": :error::x"),
        ("one\n  ::error::x", "one\n  : :error::x"),
        ("one\n\u00a0\u3000::error::x", "one\n\u00a0\u3000: :error::x"),
        ("tests/x.py::test_y", "tests/x.py::test_y"),
        ("a. ::error::x", "a. : :error::x"),
        ("#\x1b[0m#[error]x", "## [error]x"),
        ("[[ATTACHMENT|/etc/hostname]]", "[ [ATTACHMENT|/etc/hostname]]"),
        ("[[[attachment|x]]", "[[ [attachment|x]]"),
        ("[[ATT\x1b[0mACHMENT|x]]", "[ [ATTACHMENT|x]]"),
        ("[[ATTACHMENTS]]", "[[ATTACHMENTS]]"),
    ],
)
def test_a_text_orders_neither_a_runner_nor_a_report_tool_about(text: str, shown: str) -> None:
    assert page().text(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (" ::error::x", ": :error::x"),
        ("one\n::error::x", "one ::error::x"),
        ("a.b. ::error::x", "a.b. : :error::x"),
        ("##\n[error]x ##[error]x", "## [error]x ## [error]x"),
        ("[[ATTACHMENT|x]]", "[ [ATTACHMENT|x]]"),
    ],
)
def test_nor_does_a_name_or_a_message_whatever_stands_before_it(text: str, shown: str) -> None:
    """A report action prints a path or the end of a class name first, then the message."""
    assert page().label(text) == page().message(text) == shown


def test_a_text_without_terminal_sequences_is_read_no_further_than_it_is_kept() -> None:
    assert page(10).text("é" * 100) == "éééééééééé"[:9] + "…"


def test_a_text_full_of_terminal_sequences_is_read_on() -> None:
    assert page(10).text("\x1b[31mx" * 10) == "xxxxxxxxxx"


def test_a_text_of_no_length_is_a_pointer() -> None:
    assert page(0).text("x" * 100) == "see results.json"


@pytest.mark.parametrize("text", ["", " \t\n", "\x1b[0m"])
def test_names_messages_and_texts_are_never_empty(text: str) -> None:
    assert page().label(text) == "(no name)"
    assert page().message(text) == "(no message)"
    assert page().text(text) == "see results.json"


def test_names_are_numbered_within_their_suite() -> None:
    one = page()
    assert [one.name(suite, "x") for suite in ("a", "a", "b", "a")] == ["x", "x (2)", "x", "x (3)"]


@pytest.mark.parametrize(("text", "size"), [("abc", 3), ("é", 2), ("&", 5), ("<>", 8)])
def test_what_is_written_takes_its_room(text: str, size: int) -> None:
    one = page(left=size)
    one.text(text)
    assert one.left == 0
    with pytest.raises(NoRoomError):
        one.text("x")


def test_a_test_case_takes_room_for_more_than_its_name() -> None:
    one = page()
    one.name("a", "x")
    assert 1e6 - one.left > 40


@pytest.mark.parametrize(
    ("place", "found"),
    [
        (Place(file="runs/today.jsonl", line=3), ("runs/today.jsonl", "3")),
        (Place(file="runs/today.json", record=3), ("runs/today.json", "1")),
        (Place(file="my runs/größe [1].jsonl"), ("my runs/größe [1].jsonl", "1")),
        (Place(file="/runs/today.jsonl", line=3), (None, None)),
        (Place(file="../runs/today.jsonl", line=3), (None, None)),
        (Place(file="runs/../../today.jsonl", line=3), (None, None)),
        (Place(file="./today.jsonl", line=3), (None, None)),
        (Place(file="", line=3), (None, None)),
        (Place(file="::error::x", line=3), (None, None)),
        (Place(file="a\nb", line=3), (None, None)),
        (Place(file="##[error]x", line=3), (None, None)),
        (Place(file="a" * 301, line=3), (None, None)),
        (None, (None, None)),
    ],
)
def test_only_a_path_that_leads_into_the_workspace_is_a_file(
    place: Place | None, found: tuple[str | None, str | None]
) -> None:
    assert location(place) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"),
        ("2026-01-02T03:04:05.123456", "2026-01-02T03:04:05.123456"),
        ("2026-01-02", None),
        ("today\n", None),
        ("2026-01-02T03:04:05Z\n", None),
    ],
)
def test_only_a_date_and_time_is_a_timestamp(text: str, found: str | None) -> None:
    assert moment(text) == found
