"""A small part of `python -m benchmarks gate`: the whole decision, from runs to what blocks."""

import pytest
from benchmarks.gate import Cell, wilson
from benchmarks.gate_runs import Tally, decisions, simulate, total
from benchmarks.gate_world import METRICS, Replies, World

from holodeck_eval.aggregate import summarize
from holodeck_eval.gate import decide

SEED = (20260101,)
KINDS: tuple[Replies, ...] = ("continuous", "tenths", "three levels")
COLLAPSED = World(cases=20, noise=0.05, replies="continuous", collapsing=1)


@pytest.fixture(scope="module")
def unchanged() -> Tally:
    """Pull requests in which nothing changed, of all kinds of replies."""
    worlds = [World(cases=20, noise=noise, replies=kind) for kind in KINDS for noise in (0.05, 0.12)]
    return total(simulate(world, 50, SEED) for world in worlds)


def test_at_most_one_in_twenty_pull_requests_is_blocked_when_nothing_changed(unchanged: Tally) -> None:
    assert unchanged.runs == 300
    assert unchanged.blocked <= 15


def test_the_naive_rules_block_most_or_many_of_the_same_pull_requests(unchanged: Tally) -> None:
    assert unchanged.any_case > 0.7 * unchanged.runs
    assert unchanged.pass_rate > 0.25 * unchanged.runs


@pytest.mark.parametrize("replies", KINDS)
def test_a_drop_of_a_tenth_in_every_metric_is_always_seen(replies: Replies) -> None:
    tally = simulate(World(cases=50, noise=0.12, replies=replies, drop=0.10), 10, SEED)

    assert tally.by_metrics == tally.blocked == 10


@pytest.mark.parametrize("replies", KINDS)
def test_a_drop_of_half_a_tenth_is_mostly_seen(replies: Replies) -> None:
    tally = simulate(World(cases=50, noise=0.08, replies=replies, drop=0.05), 20, SEED)

    assert tally.blocked >= 16


@pytest.mark.parametrize("replies", KINDS)
def test_one_case_of_fifty_that_collapses_is_always_named(replies: Replies) -> None:
    tally = simulate(World(cases=50, noise=0.12, replies=replies, collapsing=len(METRICS)), 15, SEED)

    assert tally.seen == tally.by_cases == 15


@pytest.mark.parametrize("world", [World(cases=20, noise=0.12, replies="tenths", drop=0.05), COLLAPSED])
def test_what_is_counted_as_blocked_is_what_the_gate_blocks_for(world: World) -> None:
    for head, comparison, tally in decisions(world, 10, SEED):
        verdict = decide(summarize(head.cases), head.cases, head.policy, head.agents, comparison)
        codes = {cause.code for cause in verdict.causes}

        assert (verdict.status == "failed") == bool(tally.blocked)
        assert ("regression" in codes) == bool(tally.by_metrics)
        assert ("case_regression" in codes) == bool(tally.by_cases)


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
