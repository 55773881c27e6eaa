"""A made-up world for the gate: agents of a known quality, judged by a noisy judge, as whole runs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import (
    CaseResult,
    CaseStatus,
    MetricConfig,
    MetricResult,
    Summary,
    TurnResult,
)
from holodeck_eval.domain.run import AgentRun, Run
from holodeck_eval.domain.verdict import Verdict
from holodeck_eval.errors import Place

Numbers = npt.NDArray[np.float64]
Replies = Literal["continuous", "tenths", "three levels"]
Side = Literal["baseline", "head"]

AGENT: Final = "bench"
METRICS: Final = ("Correct", "Complete", "Faithful", "Polite", "Relevant")
CORRELATION: Final = 0.5
"""Between two metrics of one case, before clipping."""

QUALITY: Final = 0.82
SPREAD: Final = 0.16
THRESHOLD: Final = 0.7
COLLAPSE: Final = (0.9, 0.2)
"""The quality of a case before and after it collapses."""

_STEPS: Final[dict[Replies, int]] = {"continuous": 0, "tenths": 10, "three levels": 2}
_JUDGE: Final = "openai/gpt-4o"
_PLACE: Final = Place(file="agent.yaml", line=1)
_PLACES: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """What is true of two versions of an agent, and how they are judged.

    Attributes:
        cases: how many there are.
        noise: standard deviation of a judge's reply about the true quality, before rounding and clipping.
        replies: which numbers the judge gives.
        drop: by how much the head is worse than the baseline, in every case and metric.
        collapsing: in how many metrics the first case collapses, those of `COLLAPSE`.
    """

    cases: int
    noise: float
    replies: Replies
    drop: float = 0.0
    collapsing: int = 0


def qualities(world: World, runs: int, rng: np.random.Generator) -> tuple[Numbers, Numbers]:
    """True qualities of the baseline and the head, each of the shape (runs, cases, metrics)."""
    shape = (runs, world.cases, len(METRICS))
    shared, own = rng.standard_normal((*shape[:2], 1)), rng.standard_normal(shape)
    spread = np.sqrt(CORRELATION) * shared + np.sqrt(1.0 - CORRELATION) * own
    before = np.clip(QUALITY + SPREAD * spread, 0.0, 1.0)
    after = np.clip(before - world.drop, 0.0, 1.0)
    before[:, 0, : world.collapsing], after[:, 0, : world.collapsing] = COLLAPSE
    return before, after


def judged(world: World, quality: Numbers, rng: np.random.Generator) -> Numbers:
    """One reply for each quality: with noise, rounded as the judge rounds, within 0 and 1."""
    noisy = quality + world.noise * rng.standard_normal(quality.shape)
    steps = _STEPS[world.replies]
    return np.clip(np.rint(noisy * steps) / steps if steps else noisy, 0.0, 1.0)


def case_id(number: int) -> str:
    """The id of a case by its place."""
    return f"case-{number:03}"


def case_result(side: Side, number: int, replies: Sequence[tuple[float, ...]]) -> CaseResult:
    """A case of one turn with a judged score for each metric, from all its replies."""
    metrics = tuple(
        _metric(f"{side}/{number}/{name}", name, made) for name, made in zip(METRICS, replies, strict=True)
    )
    status: CaseStatus = "passed" if all(metric.passed for metric in metrics) else "failed"
    scores = [metric.outcome.score for metric in metrics if isinstance(metric.outcome, Scored)]
    turn = TurnResult(
        index=0, input=None, actual_output=None, expected_output=None, status=status, metrics=metrics
    )
    return CaseResult(
        id=case_id(number),
        agent=AGENT,
        name=None,
        status=status,
        reasons=(),
        turns=(turn,),
        digest=f"digest-{number}",
        avg_score=round(sum(scores) / len(scores), _PLACES),
    )


def _metric(key: str, name: str, replies: tuple[float, ...]) -> MetricResult:
    """A judged metric. No two share a key: every transcript of the head is new."""
    score = round(sum(replies) / len(replies), _PLACES)
    scored = Scored(score=score, reason="", judge=_JUDGE, replies=replies, key=key)
    return MetricResult(
        name=name,
        type="geval",
        threshold=THRESHOLD,
        outcome=scored,
        passed=score >= THRESHOLD,
        place=_PLACE,
        digest=name,
    )


def run_of(cases: Sequence[CaseResult]) -> Run:
    """A run of one agent with these cases, everything judged once. Its summary is left empty."""
    return replace(_RUN, cases=tuple(cases))


_CONFIGS: Final = tuple(
    MetricConfig(
        name=name,
        kind="geval",
        type="geval",
        enabled=True,
        guardrail=False,
        threshold=THRESHOLD,
        bad_below=None,
        judge=_JUDGE,
        configuration={},
        digest=name,
        place=_PLACE,
        prompt_version="1",
    )
    for name in METRICS
)
_RUN: Final = Run(
    schema_version=1,
    tool_version="0",
    started_at="2026-01-01T00:00:00Z",
    duration_s=0.0,
    verdict=Verdict(status="passed", causes=(), exit_code=0),
    policy=Policy(min_pass_rate=None),
    summary=Summary(
        cases=0,
        passed=0,
        failed=0,
        inconclusive=0,
        pass_rate=None,
        error_rate=None,
        score=None,
        binary_score=None,
        avg_score=None,
        rating=None,
        evaluations_scored=0,
        evaluations_skipped=0,
        evaluations_errored=0,
    ),
    agents=(AgentRun(name=AGENT, file="agent.yaml", metrics=_CONFIGS, test_cases=0, transcripts=0),),
)
