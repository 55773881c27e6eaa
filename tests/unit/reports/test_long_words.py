import pytest
from hypothesis import given
from hypothesis import strategies as st

from holodeck_eval.reports._long_words import BREAK, COLUMN, parted


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", [""]),
        ("x" * 28, ["x" * 28]),
        ("x" * 60, ["x" * 28, "x" * 28, "x" * 4]),
        (f"short {'w' * 29} short", [f"short {'w' * 28}", "w short"]),
        (
            "a-very-long-name-with-hyphens-that-a-browser-parts",
            ["a-very-long-name-with-hyphens-that-a-browser-parts"],
        ),
        ("runs/2026-03-01/support/talks.jsonl:12", ["runs/2026-03-01/support/talks.jsonl:12"]),
        (
            "recorded/conversations/shop/support.jsonl:12",
            ["recorded/conversations/shop/", "support.jsonl:12"],
        ),
        ("a_metric_with_a_very_long_name_of_its_own", ["a_metric_with_a_very_long_", "name_of_its_own"]),
        ("https://e.example/aaaa/https://e.example", ["https://e.example/aaaa/", "https://", "e.example"]),
        ("\U0001f469\u200d" * 30, ["\U0001f469\u200d" * 30]),
        ("e\u0301" * 30, ["e\u0301" * 14, "e\u0301" * 14, "e\u0301" * 2]),
    ],
)
def test_a_long_word_is_parted_where_it_does_least_harm(text: str, pieces: list[str]) -> None:
    assert parted(text).split(BREAK) == pieces


def test_a_narrow_column_parts_shorter_words() -> None:
    assert parted("contextual_relevancy_of_ours", 16).split(BREAK) == ["contextual_relev", "ancy_of_ours"]


@given(st.text(alphabet=st.sampled_from("aé/_.:&# "), max_size=200), st.sampled_from([16, COLUMN]))
def test_no_piece_is_wider_than_the_column_and_nothing_is_lost(text: str, width: int) -> None:
    found = parted(text, width)
    assert found.replace(BREAK, "") == text
    assert max((len(piece) for word in found.split() for piece in word.split(BREAK)), default=0) <= width
