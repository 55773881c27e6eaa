"""How often the gate blocks a pull request that changed nothing, and how often it sees one that is worse.

`python -m benchmarks gate` measures all of it, on two idle cores in some 25 minutes. `python -m
benchmarks.gate 400` takes 400 runs a cell instead, for a first look.
"""

import multiprocessing
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product
from math import sqrt
from typing import Final

from benchmarks.gate_runs import Tally, simulate, total
from benchmarks.gate_world import METRICS, Replies, World

RUNS: Final = 4_000
"""Pull requests a cell in which nothing changed; where something did, a quarter of them."""

CASES: Final = (20, 50, 200)
NOISE: Final = (0.05, 0.08, 0.12)
REPLIES: Final[tuple[Replies, ...]] = ("continuous", "tenths", "three levels")
ALL: Final = len(METRICS)

MOST_FALSE: Final = 0.05
LEAST_LARGE: Final = 0.99
LEAST_SMALL: Final = 0.90
LEAST_COLLAPSE: Final = 0.99

_CHUNK: Final = 100
_Z: Final = 1.96


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One line of the table: a world, the count that matters, and its target.

    Attributes:
        world: what is true.
        counts: the name of the count in `Tally`.
        most, least: the target of its share of the runs; None for none.
    """

    world: World
    counts: str = "blocked"
    most: float = 1.0
    least: float = 0.0

    def kept(self, tally: Tally) -> bool:
        """Whether the share is within its target."""
        share: float = getattr(tally, self.counts) / tally.runs
        return self.least <= share <= self.most

    @property
    def target(self) -> str:
        """The target in words; "" for none."""
        if self.most < 1.0:
            return f"at most {self.most:.0%}"
        return f"at least {self.least:.0%}" if self.least else "no target"


def unchanged() -> list[Cell]:
    """Nothing changed: what is blocked, is blocked falsely."""
    return [
        Cell(world=World(cases=cases, noise=noise, replies=replies), most=MOST_FALSE)
        for cases, noise, replies in product(CASES, NOISE, REPLIES)
    ]


def dropped(drop: float) -> list[Cell]:
    """Every metric of 50 cases is worse. The target of a small drop is for a noise of 0.08."""
    cells = []
    for noise, replies in product(NOISE, REPLIES):
        small = LEAST_SMALL if noise == 0.08 else 0.0  # noqa: PLR2004 - as the target is stated
        world = World(cases=50, noise=noise, replies=replies, drop=drop)
        cells.append(Cell(world=world, least=LEAST_LARGE if drop >= 0.1 else small))  # noqa: PLR2004 - same
    return cells


def collapsed(metrics: int) -> list[Cell]:
    """One case of 50 collapses in so many metrics. There is a target for all of them."""
    return [
        Cell(
            world=World(cases=50, noise=noise, replies=replies, collapsing=metrics),
            counts="seen",
            least=LEAST_COLLAPSE if metrics == ALL else 0.0,
        )
        for noise, replies in product(NOISE, REPLIES)
    ]


def main(runs: int = RUNS) -> bool:
    """Simulate, print, and say whether the targets were met."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # the cells share the cores already
    context = multiprocessing.get_context("spawn")
    print(f"gate: {ALL} metrics correlated by 0.5, quality 0.82 ± 0.16, threshold 0.7; 95% intervals")
    with ProcessPoolExecutor(mp_context=context) as pool:
        return _false_blocks(pool, runs) & _power(pool, max(runs // 4, 1))


def _false_blocks(pool: Executor, runs: int) -> bool:
    print(f"\nnothing changed, {runs:,} pull requests a line: falsely blocked, at most {MOST_FALSE:.0%}")
    print(f"{_WORLD}  {'blocked':<20}  metrics  cases  | any case fails    pass rate fell     rejudged")
    kept = True
    cells = unchanged()
    for cell, tally in zip(cells, _tallies(pool, cells, runs), strict=True):
        kept &= cell.kept(tally)
        naive = (
            f"{_rate(count, tally):>6} {_times(count, tally)}" for count in (tally.any_case, tally.pass_rate)
        )
        print(
            f"{_world(cell)}  {_shown(tally.blocked, tally):<20}  {_rate(tally.by_metrics, tally):>7}"
            f" {_rate(tally.by_cases, tally):>6}  | {'  '.join(naive)}  {tally.rejudged / tally.runs:6.1f}"
            f"{_mark(cell, tally)}",
            flush=True,
        )
    return kept


def _power(pool: Executor, runs: int) -> bool:
    kept = True
    for title, cells in (
        ("every metric dropped by 0.10: blocked", dropped(0.10)),
        ("every metric dropped by 0.05: blocked", dropped(0.05)),
        ("one case collapsed from 0.9 to 0.2 in all metrics: that case proven", collapsed(ALL)),
        ("one case collapsed from 0.9 to 0.2 in one metric: that case proven", collapsed(1)),
    ):
        print(f"\n{title}, {runs:,} pull requests a line\n{_WORLD}  {'seen':<20}  target")
        for cell, tally in zip(cells, _tallies(pool, cells, runs), strict=True):
            kept &= cell.kept(tally)
            seen = _shown(getattr(tally, cell.counts), tally)
            print(f"{_world(cell)}  {seen:<20}  {cell.target}{_mark(cell, tally)}", flush=True)
    return kept


def _tallies(pool: Executor, cells: Sequence[Cell], runs: int) -> Iterator[Tally]:
    """The cells' counts in their order, made of chunks that keep all processes at work."""
    sizes = [min(_CHUNK, runs - start) for start in range(0, runs, _CHUNK)]
    tasks = [
        (cell.world, size, (at, chunk)) for at, cell in enumerate(cells) for chunk, size in enumerate(sizes)
    ]
    made = pool.map(simulate, *zip(*tasks, strict=True))
    return (total(next(made) for _ in sizes) for _ in cells)


_WORLD: Final = "cases  noise  replies     "


def _world(cell: Cell) -> str:
    return f"{cell.world.cases:5}  {cell.world.noise:5.2f}  {cell.world.replies:<12}"


def _rate(count: int, tally: Tally) -> str:
    return f"{count / tally.runs:.1%}"


def _shown(count: int, tally: Tally) -> str:
    """A share with its interval."""
    low, high = wilson(count, tally.runs)
    return f"{count / tally.runs:.2%} ({100 * low:.1f}-{100 * high:.1f})"


def _times(count: int, tally: Tally) -> str:
    """How many times as often as ours a rule blocks."""
    return f"({count / tally.blocked:4.0f} times)" if tally.blocked else "(ours: never)"


def _mark(cell: Cell, tally: Tally) -> str:
    return "" if cell.kept(tally) else "  MISSED"


def wilson(count: int, runs: int) -> tuple[float, float]:
    """The 95% interval of a share, by Wilson (1927)."""
    share = count / runs
    middle = share + _Z**2 / (2 * runs)
    half = _Z * sqrt(share * (1 - share) / runs + _Z**2 / (4 * runs**2))
    width = 1 + _Z**2 / runs
    return max((middle - half) / width, 0.0), min((middle + half) / width, 1.0)


if __name__ == "__main__":
    sys.exit(0 if main(*map(int, sys.argv[1:])) else 1)
