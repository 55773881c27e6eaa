import pytest

from holodeck_eval.reports._text import (
    cut,
    encodable,
    head,
    in_one_line,
    one_line,
    shorten,
    uncoloured,
    visible,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ✅ مرحبا\ttab\nline", "plain ✅ مرحبا\ttab\nline"),
        ("\x1b[31m", "␛[31m"),
        ("a\x00b\x7f", "a␀b␡"),
        ("\x9f", "⟨U+009F⟩"),
        ("\u202eabc\u202c\u2066", "⟨U+202E⟩abc⟨U+202C⟩⟨U+2066⟩"),
        ("\ud800", "⟨U+D800⟩"),
        ("\ufffe\uffff\ufdd0\ufeff", "⟨U+FFFE⟩⟨U+FFFF⟩⟨U+FDD0⟩⟨U+FEFF⟩"),
        ("pas\u200bsed\u2060 x\u200d", "pas⟨U+200B⟩sed⟨U+2060⟩ x⟨U+200D⟩"),
        (
            "\U0001f469\u200d\U0001f467 \u0645\u200c\u062e \u3164",
            "\U0001f469\u200d\U0001f467 \u0645\u200c\u062e ⟨U+3164⟩",
        ),
        ("\U000e0041\U000e0042", "⟨U+E0041⟩⟨U+E0042⟩"),
        ("\U0001fffe\U0010ffff", "⟨U+1FFFE⟩⟨U+10FFFF⟩"),
        ("a\r\nb\rc\x0bd\x0ce\x85f\u2028g\u2029h", "a\nb\nc\nd\ne\nf\ng\nh"),
    ],
)
def test_what_cannot_be_seen_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;x\x1b\\link", "link"),
        ("\x9b31mred", "red"),
        ("\x1bMup", "up"),
        ("\x1b]never ended", "␛]never ended"),
    ],
)
def test_terminal_sequences_are_left_out_but_never_the_text_behind_them(text: str, plain: str) -> None:
    assert uncoloured(text) == plain


def test_only_lone_surrogates_keep_a_text_from_being_encoded() -> None:
    assert encodable("\x00\u202e\ud83d🎉") == "\x00\u202e⟨U+D83D⟩🎉"


def test_a_line_holds_no_line_end_and_no_run_of_spaces() -> None:
    assert one_line(" a\n\n b\u2028c\x85d\t") == "a b c d"


def test_a_cut_text_says_so_within_its_limit() -> None:
    assert cut("abcdef", 6) == "abcdef"
    assert cut("abcd efg", 6) == "abcd…"


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [
        ("abc def", 7, "abc def"),
        ("abc defgh", 7, "abc…"),
        ("abc def gh", 8, "abc def…"),
        ("abc, defgh", 7, "abc…"),
        ("a " + "b" * 40, 30, "a " + "b" * 27 + "…"),
        ("b" * 40, 10, "b" * 9 + "…"),
    ],
)
def test_a_shortened_line_ends_with_a_word_where_one_ends_near(text: str, limit: int, shown: str) -> None:
    assert shorten(text, limit) == shown


@pytest.mark.parametrize("text", ["a  b", "a\n", "\u202eab ", "abc " * 3, "x"])
@pytest.mark.parametrize("times", [1, 10, 1_000])
def test_a_long_text_in_one_line_is_what_all_of_it_would_be(text: str, times: int) -> None:
    assert in_one_line(text * times, 30) == shorten(one_line(visible(text * times)), 30)


def test_of_a_text_that_is_nearly_all_space_no_more_is_read_than_there_is_room_for() -> None:
    assert in_one_line(" " * 1_000 + "late", 30) == "…"
    assert in_one_line(" " * 400 + "in time", 30) == "in time"


def test_of_a_long_text_only_its_head_is_made_fit() -> None:
    assert head("a" * 160, 10) == "a" * 160
    assert cut(one_line(head("a  b" * 10_000, 6)), 6) == cut(one_line("a  b" * 10_000), 6) == "a ba…"
    assert len(head("\u202e" * 10_000, 10)) == 160
