# ruff: noqa: RUF001 - a minus sign is what is shown
import math

import pytest

from holodeck_eval.reports._signs import chance, interval, move, plot, reach, scale, signed, spark


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (-0.12, "−0.12"),
        (0.08, "+0.08"),
        (0.0, "0.00"),
        (-0.0, "0.00"),
        (-0.004, "−0.004"),
        (0.0004, "+0.0004"),
        (1e-9, "0.0000"),
        (None, "n/a"),
        (math.nan, "n/a"),
        (math.inf, "n/a"),
    ],
)
def test_a_difference_has_its_sign_and_no_more_digits_than_it_takes_to_see_it(
    value: float | None, shown: str
) -> None:
    assert signed(value) == shown


@pytest.mark.parametrize(
    ("before", "now", "shown"),
    [
        (0.86, 0.74, "0.86 → 0.74"),
        (0.7, 0.7, "0.70 → 0.70"),
        (0.702, 0.698, "0.702 → 0.698"),
        (0.7, 0.6999999, "0.7000 → 0.7000"),
        (None, 0.2, "n/a → 0.20"),
        (0.9, math.nan, "0.90 → n/a"),
    ],
)
def test_two_scores_that_differ_do_not_look_equal(before: float | None, now: float, shown: str) -> None:
    assert move(before, now) == shown


def test_a_score_under_its_threshold_does_not_look_like_it() -> None:
    assert move(0.9, 0.6951, 0.7) == "0.900 → 0.695"
    assert move(0.9, 0.7, 0.7) == "0.90 → 0.70"


@pytest.mark.parametrize(
    ("p", "shown"), [(0.5, "0.500"), (0.001, "0.001"), (0.00002, "< 0.001"), (0.0, "< 0.001"), (None, "n/a")]
)
def test_a_small_chance_is_not_shown_as_none(p: float | None, shown: str) -> None:
    assert chance(p) == shown


def test_an_interval_and_a_scale_have_their_signs() -> None:
    assert interval(-0.16, 0.08) == "−0.16 to +0.08"
    assert scale(0.2) == "−0.20 … +0.20"


@pytest.mark.parametrize(
    ("numbers", "end"),
    [((), 0.05), ((None,), 0.05), ((0.04, -0.05), 0.05), ((-0.16, 0.02), 0.2), ((0.6,), 1.0), ((9e9,), 1.0)],
)
def test_a_scale_holds_every_difference(numbers: tuple[float | None, ...], end: float) -> None:
    assert reach(numbers) == end


@pytest.mark.parametrize(
    ("numbers", "line"),
    [
        ((-0.12, -0.16, -0.08), "··─●──··│········"),
        ((0.0, -0.05, 0.05), "······──●──······"),
        ((0.2, None, None), "········│·······●"),
        ((-0.05, -0.2, 0.1), "──────●─│────····"),
        ((9.0, -9.0, 9.0), "────────│───────●"),
        ((0.1, -0.1, math.nan), "········│···●····"),
    ],
)
def test_a_difference_is_drawn_with_its_interval_about_no_difference(
    numbers: tuple[float, float | None, float | None], line: str
) -> None:
    assert plot(*numbers, 0.2) == line


@pytest.mark.parametrize("difference", [None, math.nan])
def test_without_a_difference_nothing_is_drawn(difference: float | None) -> None:
    assert plot(difference, -0.1, 0.1, 0.2) == ""


def test_replies_are_bars_on_one_scale() -> None:
    assert spark((0.0, 0.3, 0.5, 0.9, 1.0)) == "▁▃▅██"
    assert spark((-9e9, 9e9, math.nan)) == "▁█?"
    assert spark((-1e308, 1e308, math.inf)) == "▁█?"
    assert spark((0.5,) * 20) == "▅" * 16 + "…"
    assert spark(()) == ""
