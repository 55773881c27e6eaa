"""Sentences on how far a comparison can be believed."""

from collections.abc import Iterator, Sequence

from holodeck_eval.compare.evidence import Evidence
from holodeck_eval.compare.flips import ENOUGH
from holodeck_eval.compare.looks import on_both, parts_of
from holodeck_eval.compare.pairs import Pair
from holodeck_eval.domain.comparison import MetricComparison
from holodeck_eval.domain.noise import DEFAULT_NOISE
from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.wording import listed


def notes_on(baseline: Run, evidence: Evidence, rows: Sequence[MetricComparison]) -> Iterator[str]:
    """What a reader must know beside the comparison's numbers, as sentences without their full stop.

    Args:
        baseline: the earlier run.
        evidence: what was compared.
        rows: what came of it.
    """
    yield from _on_baseline(baseline)
    yield from _on_unchanged(rows)
    yield from _on_noise(rows)
    yield from _on_flips(evidence)
    yield from _on_parts(evidence.pairing.pairs)


def _on_baseline(baseline: Run) -> Iterator[str]:
    status = baseline.verdict.status
    if status != "passed":
        yield f"the baseline itself {_ended(status)}: what failed in it already is not blamed on this run"
    if baseline.shard:
        part = f"part {baseline.shard.index} of {baseline.shard.count}"
        yield f"the baseline is only {part} of a run; merge the parts and compare with the whole"


def _ended(status: str) -> str:
    return "failed" if status == "failed" else f"was {status}"


def _on_unchanged(rows: Sequence[MetricComparison]) -> Iterator[str]:
    compared = [row for row in rows if row.difference is not None]
    if compared and all(row.unchanged == row.pairs for row in compared):
        yield "no judged text changed since the baseline, so that no metric can have moved"


def _on_noise(rows: Sequence[MetricComparison]) -> Iterator[str]:
    assumed = {row.name: None for row in rows if row.noise and row.noise.source == "default"}
    if assumed:
        yield (
            f"the judge's noise was not measured for {listed(assumed)}:"
            f" a standard deviation of {DEFAULT_NOISE:g} is assumed, which repeats would replace"
        )


def _on_flips(evidence: Evidence) -> Iterator[str]:
    """Says which flips were not settled by judging both sides again."""
    flips = [
        sides.replies
        for row in evidence.comparable.values()
        for sides in row
        if sides.flips and sides.is_open and min(map(len, sides.replies)) < ENOUGH
    ]
    if flips:
        rest = (
            "1 score that fails now rests" if len(flips) == 1 else f"{len(flips)} scores that fail now rest"
        )
        few = f"on fewer than {ENOUGH} judgements on one side"
        yield (
            f"{rest} {few}, which proves a fall only where the judge's scale is fine;"
            " with a report folder as the baseline both sides can be judged again"
        )


def _on_parts(pairs: Sequence[Pair]) -> Iterator[str]:
    other = sum(
        parts_of(before.outcome) != parts_of(now.outcome)
        for pair in pairs
        for _, before, now in on_both(pair)
        if isinstance(before.outcome, Scored) and isinstance(now.outcome, Scored)
    )
    if other:
        what = "1 score is" if other == 1 else f"{other} scores are"
        yield f"{what} made of other parts than in the baseline, and not compared"
