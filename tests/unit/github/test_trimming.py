import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holodeck_eval.github.trimming import NOTE, fit, units, whole

ROOM = 600
LINE = "A reason that takes up some room.\n"
MARKDOWN = st.lists(
    st.sampled_from(
        [
            "# Worse\n", "## Why\n", "text\n", "\n", "```\n", "````md\n", "~~~\n", "`` ` ``\n", "<details>\n",
            "<details><summary>x</summary>\n", "</details>\n", "| a | b |\n", "\U0001f600" * 20 + "\n", "é\n",
            "\ud800", "x" * 120, "\r\n", "\u2028",
        ]
    ),
    max_size=80,
).map("".join)  # fmt: skip


def open_at_end(text: str) -> tuple[bool, int]:
    """Whether a fence is open behind a text, and how many foldings are: read in another way than the code does."""
    depth, fence = 0, ""
    for line in text.split("\n"):
        run = re.match(r"[ \t]*(`{3,}|~{3,})(.*)", line)
        if fence:
            if run and run[1][0] == fence[0] and len(run[1]) >= len(fence) and not run[2].strip():
                fence = ""
        elif run and not (run[1][0] == "`" and "`" in run[2]):
            fence = run[1]
        else:
            depth = max(0, depth + line.count("<details>") - line.count("</details>"))
    return bool(fence), depth


def test_units_are_counted_as_utf_16_does() -> None:
    assert [units(text) for text in ("", "a", "é", "\U0001f600", "\ud800")] == [0, 1, 1, 2, 1]


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("a\ud800b", "a\ufffdb"),
        ("\udc00", "\ufffd"),
        ("\ud83d\ude00", "\U0001f600"),
        ("\ud800\ud800", "\ufffd" * 2),
    ],
)
def test_half_characters_are_replaced(given: str, shown: str) -> None:
    assert whole(given) == shown


def test_a_text_that_fits_stays_as_it_is() -> None:
    text = "x" * (ROOM - 2) + "\U0001f600"
    assert fit(text, ROOM) == text


def test_a_text_that_is_one_unit_too_long_is_cut_and_says_so() -> None:
    made = fit(LINE * 20, units(LINE * 20) - 1)
    assert made.endswith(LINE + NOTE)
    assert made.removesuffix(NOTE) == LINE * (made.count(LINE))


def test_it_is_cut_before_a_section_where_that_keeps_half() -> None:
    text = "# First\n" + LINE * 9 + "# Second\n" + LINE * 40
    assert fit(text, ROOM) == "# First\n" + LINE * 9 + NOTE


def test_it_is_cut_after_a_line_where_the_section_begins_too_early() -> None:
    text = "# First\n" + LINE + "# Second\n" + LINE * 40
    made = fit(text, ROOM)
    assert made.startswith("# First\n" + LINE + "# Second\n" + LINE * 5)
    assert units(made) > ROOM - units(LINE)


def test_a_folding_is_a_section() -> None:
    text = LINE * 9 + "<details><summary>More</summary>\n" + LINE * 40 + "</details>\n"
    assert fit(text, ROOM) == LINE * 9 + NOTE


def test_a_heading_inside_a_fence_is_no_section() -> None:
    text = "```\n" + LINE * 9 + "# comment\n" + LINE * 40 + "```\n"
    assert "# comment\n" in fit(text, ROOM)


@pytest.mark.parametrize("fence", ["```", "`````", "~~~", "```json"])
def test_an_open_fence_is_closed_by_one_as_long(fence: str) -> None:
    made = fit(f"{fence}\n" + LINE * 40, ROOM)
    bare = fence.removesuffix("json")
    assert made.endswith(f"{LINE}{bare}\n{NOTE}")


def test_open_foldings_are_closed_each() -> None:
    made = fit("<details>\n<DETAILS open>\n</details>\n<details>\n" + LINE * 40, ROOM)
    assert made.endswith(f"{LINE}\n</details>\n</details>\n{NOTE}")


def test_a_folding_quoted_in_a_fence_is_none() -> None:
    assert "</details>" not in fit("```\n<details>\n```\n" + LINE * 40, ROOM)


def test_a_folding_that_is_closed_before_it_is_opened_counts_for_none() -> None:
    assert fit("</details>\n<details>\n" + LINE * 40, ROOM).endswith(f"{LINE}\n</details>\n{NOTE}")


@pytest.mark.parametrize("inside", ["```python\n", "~~~\n", "``\n", "``` x\n"])
def test_what_does_not_close_a_fence_leaves_it_open(inside: str) -> None:
    assert fit(f"```\n{inside}" + LINE * 40, ROOM).endswith(f"{LINE}```\n{NOTE}")


def test_a_span_of_code_opens_no_fence() -> None:
    assert fit("```a`b\n" + LINE * 40, ROOM).endswith(LINE + NOTE)


def test_a_shorter_fence_does_not_close_a_longer_one() -> None:
    assert fit("`````\n```\n" + LINE * 40, ROOM).endswith(f"{LINE}`````\n{NOTE}")


def test_of_one_endless_line_the_beginning_is_kept() -> None:
    made = fit("\U0001f600" * 1000, ROOM)
    assert made == "\U0001f600" * ((ROOM - units(NOTE) - 1) // 2) + "\n" + NOTE


def test_closing_more_than_fits_costs_lines() -> None:
    text = "<details>\n" * 200 + LINE
    made = fit(text, ROOM)
    assert units(made) <= ROOM
    assert made.count("<details>") == made.count("</details>") > 10


@given(MARKDOWN)
def test_whatever_the_text_it_fits_and_nothing_is_left_open(text: str) -> None:
    made = fit(text, ROOM)
    assert units(made) <= ROOM
    made.encode("utf-8")
    if made != whole(text):
        assert made.endswith(NOTE)
        is_one_line = units(text.partition("\n")[0]) > ROOM // 2
        assert is_one_line or open_at_end(made) == (False, 0)


def test_a_long_text_is_cut_in_no_time() -> None:
    started = time.perf_counter()
    fit("<details>\n```\n" * 100_000, 65_536)
    assert time.perf_counter() - started < 2
