"""A small part of `python -m benchmarks gate`: the whole decision, from runs to what blocks."""

import pytest
from benchmarks.gate import METRICS, Cell, wilson
from benchmarks.gate_runs import Tally, simulate, total
from benchmarks.gate_world import Replies, World

SEED = (20260101,)
KINDS: tuple[Replies, ...] = ("continuous", "tenths", "three levels")


@pytest.fixture(scope="module")
def unchanged() -> Tally:
    """Pull requests in which nothing changed, of all kinds of replies."""
    small = [World(cases=20, noise=noise, replies=kind) for kind in KINDS for noise in (0.05, 0.08, 0.12)]
    large = [World(cases=50, noise=0.08, replies=kind) for kind in KINDS]
    return total([simulate(world, 40, SEED) for world in [*small, *large]])


def test_at_most_one_in_twenty_pull_requests_is_blocked_when_nothing_changed(unchanged: Tally) -> None:
    assert unchanged.runs == 480
    assert unchanged.blocked <= 24
    assert unchanged.by_cases <= 5


def test_the_naive_rules_block_most_or_many_of_the_same_pull_requests(unchanged: Tally) -> None:
    assert unchanged.any_case > 0.75 * unchanged.runs
    assert unchanged.pass_rate > 0.30 * unchanged.runs


@pytest.mark.parametrize("replies", KINDS)
def test_a_drop_of_a_tenth_in_every_metric_is_always_seen(replies: Replies) -> None:
    tally = simulate(World(cases=50, noise=0.12, replies=replies, drop=0.10), 20, SEED)

    assert tally.by_metrics == tally.blocked == 20


@pytest.mark.parametrize("replies", KINDS)
def test_a_drop_of_half_a_tenth_is_seen_nine_times_in_ten(replies: Replies) -> None:
    tally = simulate(World(cases=50, noise=0.08, replies=replies, drop=0.05), 50, SEED)

    assert tally.blocked >= 45


@pytest.mark.parametrize("replies", KINDS)
def test_one_case_of_fifty_that_collapses_is_always_named(replies: Replies) -> None:
    tally = simulate(World(cases=50, noise=0.08, replies=replies, collapsing=METRICS), 25, SEED)

    assert tally.seen == tally.by_cases == 25


def test_the_same_seed_gives_the_same_counts_and_another_seed_others() -> None:
    world = World(cases=20, noise=0.12, replies="tenths")

    assert simulate(world, 20, (1, 2)) == simulate(world, 20, (1, 2))
    assert simulate(world, 20, (1, 2)) != simulate(world, 20, (1, 3))


def test_a_cell_misses_its_target_on_either_side() -> None:
    world = World(cases=20, noise=0.12, replies="tenths")
    tally = Tally(runs=100, blocked=6, seen=98)

    assert not Cell(world=world, most=0.05).kept(tally)
    assert Cell(world=world, most=0.06).kept(tally)
    assert not Cell(world=world, counts="seen", least=0.99).kept(tally)
    assert Cell(world=world, counts="seen", least=0.98).kept(tally)


def test_the_interval_of_a_share_is_wilsons() -> None:
    assert wilson(10, 100) == pytest.approx((0.0552, 0.1744), abs=1e-4)
    assert wilson(0, 100) == pytest.approx((0.0, 0.0370), abs=1e-4)
    assert wilson(100, 100) == pytest.approx((0.9630, 1.0), abs=1e-4)
