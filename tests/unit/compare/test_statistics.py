from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from holodeck_eval.compare.power import Sight, smallest_drop
from holodeck_eval.compare.statistics import (
    Tails,
    arrangements,
    attainable,
    holm,
    sign_flip,
    upper_quantile,
    variance,
)

MICRO = st.integers(min_value=-1_000_000, max_value=1_000_000)


def by_scipy(values: list[int], draws: float = inf) -> Tails:
    """What scipy gives for the same test: it is exact where it is let draw as often as it takes."""
    found = [
        stats.permutation_test(
            (np.array(values, dtype=float),),
            np.mean,
            permutation_type="samples",
            n_resamples=draws,
            alternative=side,
            rng=np.random.default_rng(1),
        ).pvalue
        for side in ("less", "greater")
    ]
    return Tails(*found)


@given(st.lists(MICRO, min_size=2, max_size=9))
def test_few_pairs_are_tested_as_scipy_tests_them_over_all_arrangements(values: list[int]) -> None:
    (found,), expected = sign_flip([values], 5000, 0), by_scipy(values)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_many_pairs_are_tested_as_scipy_tests_them_by_drawing() -> None:
    values = np.rint(np.random.default_rng(5).normal(-40_000, 150_000, 60)).astype(int).tolist()
    (found,), expected = sign_flip([values], 40_000, 0), by_scipy(values, draws=40_000)
    assert expected.low == pytest.approx(0.01, abs=0.01)
    assert found.low == pytest.approx(expected.low, abs=0.003)
    assert found.high == pytest.approx(expected.high, abs=0.003)


def test_five_falls_of_five_have_one_chance_in_thirty_two() -> None:
    assert sign_flip([[-3, -1, -4, -1, -5]], 5000, 0) == [Tails(1 / 32, 1.0)]


def test_pairs_that_do_not_differ_change_no_p_value() -> None:
    assert sign_flip([[-3, 0, 0, -1, -4]], 5000, 0) == sign_flip([[-3, -1, -4]], 5000, 0) == [Tails(1 / 8, 1)]


def test_ties_count_against_a_difference() -> None:
    (found,) = sign_flip([[-2, -1, 1, 2]], 5000, 0)
    assert found == Tails(10 / 16, 10 / 16)  # 4 of 16 arrangements have the mean 0, and 6 a lower one


def test_a_column_of_nothing_has_no_small_p_value() -> None:
    assert sign_flip([[0, 0], []], 5000, 0) == [Tails(1.0, 1.0), Tails(1.0, 1.0)]


@given(st.lists(MICRO.filter(bool), min_size=14, max_size=40), st.integers(min_value=0, max_value=9))
def test_the_negated_differences_have_the_mirrored_p_values(values: list[int], seed: int) -> None:
    (found,) = sign_flip([values], 5000, seed)
    (mirrored,) = sign_flip([[-value for value in values]], 5000, seed)
    assert (found.low, found.high) == (mirrored.high, mirrored.low)


def test_a_drawn_p_value_counts_the_observed_arrangement_and_is_never_zero() -> None:
    (found,) = sign_flip([[-1] * 40], 5000, 0)
    assert found == Tails(1 / 5000, 1.0)


def test_columns_of_few_and_of_many_changes_are_tested_side_by_side() -> None:
    few, many = [-1] * 3 + [0] * 37, [-1] * 40
    assert sign_flip([many, few, many], 5000, 0) == [
        Tails(1 / 5000, 1.0),
        Tails(1 / 8, 1.0),
        Tails(1 / 5000, 1.0),
    ]


def test_batches_draw_as_many_arrangements_as_were_asked_for() -> None:
    values = [(-1) ** place * (place + 1) for place in range(900)]  # 900 pairs take three batches
    (found,) = sign_flip([values], 5000, 3)
    ties = round((found.low + found.high) * 5000) - 5000
    assert 1 <= ties < 50
    assert 0.3 < found.low < 0.7


@pytest.mark.parametrize(
    ("level", "draws"), [(0.015, 5_000), (0.003, 8_334), (0.001, 25_000), (1e-6, 100_000), (0.0, 100_000)]
)
def test_a_lower_level_takes_more_arrangements_within_bounds(level: float, draws: int) -> None:
    assert arrangements(level) == draws


@pytest.mark.parametrize(
    ("level", "changes", "largest"),
    [
        (0.015, 0, 0.0),
        (0.015, 6, 0.0),
        (0.015, 7, 1 / 128),
        (0.015, 8, 3 / 256),
        (0.03 / 6, 12, 20 / 4096),
        (6 * 0.005, 13, 150 / 5000),
        (1e-4, 5000, 0.0),
    ],
)
def test_of_few_pairs_only_some_p_values_are_attainable(level: float, changes: int, largest: float) -> None:
    assert attainable(level, changes, 5000) == largest


def test_holm_multiplies_by_how_many_are_left_and_never_falls() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005], [1] * 4) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9], [1, 1]) == [1.0, 1.0]
    assert holm([], []) == []


def test_holm_gives_a_hypothesis_the_share_of_its_weight() -> None:
    # of weights 1, 1 and 2: 0.012 / 2 comes first, times 4; then 0.008 / 1, times 2; then 0.5 times 1
    assert holm([0.008, 0.5, 0.012], [1, 1, 2]) == pytest.approx([0.024, 0.5, 0.024])
    assert holm([0.02, 0.9, 0.02], [1, 1, 2]) == pytest.approx([0.04, 0.9, 0.04])


@given(
    st.lists(st.tuples(st.floats(min_value=0.0, max_value=1.0), st.integers(1, 5)), min_size=1, max_size=8)
)
def test_holm_is_no_stricter_than_bonferroni_with_its_weights(pairs: list[tuple[float, int]]) -> None:
    values, weights = [value for value, _ in pairs], [weight for _, weight in pairs]
    for value, weight, adjusted in zip(values, weights, holm(values, weights), strict=True):
        assert value <= adjusted <= min(1.0, value * sum(weights) / weight) + 1e-12


@given(st.lists(st.floats(min_value=0.0, max_value=1.0), min_size=1, max_size=8))
def test_holm_keeps_the_order_where_all_weigh_the_same(values: list[float]) -> None:
    adjusted = holm(values, [1] * len(values))
    assert [x for _, x in sorted(zip(values, adjusted, strict=True))] == sorted(adjusted)


@pytest.mark.parametrize("degrees", [1, 4, 49])
@pytest.mark.parametrize("probability", [0.025, 0.005, 1e-9])
def test_quantiles_are_those_of_students_t(probability: float, degrees: float) -> None:
    assert upper_quantile(probability, degrees) == pytest.approx(stats.t.isf(probability, degrees))


def test_with_infinite_degrees_the_quantile_is_the_normal_one() -> None:
    assert upper_quantile(0.025, inf) == pytest.approx(1.959964, abs=1e-6)


def test_a_single_value_has_no_variance() -> None:
    assert variance([0.5]) is None
    assert variance([0.0, 1.0, 2.0]) == 1.0


def sight(**settings: float) -> Sight:
    made = {"pairs": 50, "changed": 50, "spread": 0.113, "level": 0.005, "draws": 5000, "max_drop": 0.02}
    return Sight(**made | settings)  # type: ignore[arg-type]


def test_the_smallest_drop_is_what_the_two_quantiles_add_up_to() -> None:
    """(2.680 + 0.849) times 0.113 / sqrt(50)."""
    assert smallest_drop(sight()) == pytest.approx(0.0564, abs=2e-4)


def test_the_smallest_drop_exceeds_the_drop_that_does_not_count() -> None:
    """0.05 + 0.849 times 0.113 / sqrt(50): what is let go, and enough to be over it."""
    assert smallest_drop(sight(max_drop=0.05)) == pytest.approx(0.0636, abs=2e-4)


def test_pairs_that_did_not_change_add_no_spread_and_dilute_the_mean() -> None:
    assert smallest_drop(sight(changed=10)) == pytest.approx((3.25 + 0.883) * 0.113 * 10**0.5 / 50, abs=2e-4)


@pytest.mark.parametrize(
    "settings",
    [
        {"changed": 0},
        {"changed": 7, "pairs": 7},
        {"level": 1e-4, "changed": 12},
        {"level": 1e-6},
        {"spread": 3.0},
    ],
)
def test_there_is_no_smallest_drop_where_none_could_be_seen(settings: dict[str, float]) -> None:
    assert smallest_drop(sight(**settings)) is None


def test_eight_falls_of_eight_are_the_fewest_that_can_be_seen() -> None:
    assert smallest_drop(sight(changed=8, pairs=8, spread=0.01)) is not None


def test_without_any_spread_the_smallest_drop_is_that_of_enough_cases_falling() -> None:
    assert smallest_drop(sight(spread=0.0)) == 8 / 50
    assert smallest_drop(sight(spread=0.0, max_drop=0.3)) == 0.3


@pytest.mark.parametrize("noise", [0.05, 0.12])
def test_the_smallest_drop_is_seen_in_about_four_of_five_comparisons(noise: float) -> None:
    spread = noise * 2**0.5
    drop = smallest_drop(sight(spread=spread, level=0.005))
    assert drop is not None
    rng = np.random.default_rng(7)
    worlds = np.rint(rng.normal(-drop, spread, (200, 50)) * 1_000_000).astype(int).tolist()
    seen = sum(sign_flip([values], 5000, 0)[0].low <= 0.005 for values in worlds) / len(worlds)
    assert 0.7 < seen < 0.9


@pytest.mark.parametrize("pairs", [8, 9])
def test_the_smallest_drop_of_few_pairs_is_seen_as_often(pairs: int) -> None:
    drop = smallest_drop(sight(pairs=pairs, changed=pairs, level=0.015))
    assert drop is not None
    rng = np.random.default_rng(7)
    worlds = np.rint(rng.normal(-drop, 0.113, (300, pairs)) * 1_000_000).astype(int).tolist()
    seen = sum(sign_flip([values], 5000, 0)[0].low <= 0.015 for values in worlds) / len(worlds)
    assert 0.72 < seen < 0.9
