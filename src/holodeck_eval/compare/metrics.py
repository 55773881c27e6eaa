"""Each metric's mean against the baseline's: the rows of the comparison, judged as one family."""

from collections.abc import Iterator, Sequence
from math import sqrt

from holodeck_eval.compare.cells import average, cells_of
from holodeck_eval.compare.evidence import Evidence
from holodeck_eval.compare.judging import Judge, Row, unjudged
from holodeck_eval.compare.looks import RowKey
from holodeck_eval.compare.pairs import CaseKey
from holodeck_eval.compare.statistics import Tails, arrangements, holm, sign_flip
from holodeck_eval.domain.comparison import AVERAGE, MetricComparison
from holodeck_eval.domain.policy import ComparisonPolicy


def rows_of(keys: Sequence[RowKey], evidence: Evidence) -> Iterator[Row]:
    """The rows of the comparison, each agent's average after its metrics.

    Args:
        keys: which metrics, those of an agent together.
        evidence: what was scored on both sides; nothing for some of the metrics, maybe.
    """
    for agent in dict.fromkeys(agent for agent, _ in keys):
        rows = [_row(key, evidence) for key in keys if key[0] == agent]
        yield from rows
        yield _average(agent, rows)


def _row(key: RowKey, evidence: Evidence) -> Row:
    noise = evidence.noises.get(key)
    return Row(
        agent=key[0],
        name=key[1],
        cells=cells_of(evidence.looks.get(key, ())),
        noise=noise,
        noise_sd=noise.sd * evidence.repeats.root if noise else 0.0,
        why=evidence.why_not.get(key, ""),
    )


def _average(agent: str, rows: Sequence[Row]) -> Row:
    """The row of the mean over an agent's metrics, as far as they can be compared."""
    compared = [row for row in rows if not row.why]
    if rows and not compared:
        return Row(agent=agent, name=AVERAGE, cells={}, why="none of its metrics can be compared")
    scored = [row for row in compared if row.cells]
    noise_sd = sqrt(sum(row.noise_sd**2 for row in scored)) / max(len(scored), 1)
    return Row(
        agent=agent,
        name=AVERAGE,
        cells=average(row.cells for row in scored),
        noise_sd=noise_sd,
        weight=max(len(scored), 1),
    )


def compare_rows(rows: Sequence[Row], policy: ComparisonPolicy, seed: int) -> tuple[MetricComparison, ...]:
    """The rows, judged as one family.

    Args:
        rows: all rows of all agents, those of an agent together.
        policy: the family-wise error, and the drop that counts.
        seed: of the permutation tests.
    """
    tested = [row for row in rows if row.is_tested]
    share = policy.metrics_alpha / max(sum(row.weight for row in tested), 1)
    judge = Judge(policy=policy, draws=arrangements(share), share=share)
    tails = iter(_adjusted(_tails(tested, judge.draws, seed), [row.weight for row in tested]))
    return tuple(judge.judged(row, next(tails)) if row.is_tested else unjudged(row) for row in rows)


def _tails(rows: Sequence[Row], draws: int, seed: int) -> list[Tails]:
    """The p values of the rows. An agent's pairs have the same signs in all of its rows."""
    tails: list[Tails] = []
    for agent in dict.fromkeys(row.agent for row in rows):
        columns = [row.cells for row in rows if row.agent == agent]
        keys = sorted(set[CaseKey]().union(*columns))
        differences = [[cells[key].difference if key in cells else 0 for key in keys] for cells in columns]
        tails += sign_flip(differences, draws, seed)
    return tails


def _adjusted(tails: Sequence[Tails], weights: Sequence[int]) -> list[Tails]:
    low, high = holm([tail.low for tail in tails], weights), holm([tail.high for tail in tails], weights)
    return [Tails(*both) for both in zip(low, high, strict=True)]
