import pytest

from holodeck_eval.domain.text import log_line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("plain", "plain"),
        (" a\r\n\tb\u2028c ", "a b c"),
        ("\x1b[31mred", "[31mred"),
        ("half \ud83d pair", "half   pair"),
        ("abc\u202edcba", "abc dcba"),
        ("::error::x", ": :error::x"),
        ("\n ::error::x", ": :error::x"),
        ("say ##[group]x", "say ## [group]x"),
        ("naïve 日本 😀", "naïve 日本 😀"),
    ],
)
def test_a_text_becomes_one_line_without_commands(text: str, line: str) -> None:
    assert log_line(text) == line


def test_a_long_text_is_cut_at_the_limit() -> None:
    assert log_line("x" * 20, 10) == "x" * 9 + "…"
    assert log_line("x" * 10, 10) == "x" * 10
    assert len(log_line("x" * 5000)) == 1000
