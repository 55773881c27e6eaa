"""What the Markdown reports tell, picked out of a run: what failed, the worst first, and why."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from holodeck_eval.domain.outcome import Errored, Scored, Skipped
from holodeck_eval.domain.rating import RATING_ORDER, SCALES
from holodeck_eval.domain.result import CaseResult, MetricResult, TurnResult
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.verdict import Cause
from holodeck_eval.reports.headline import Headline, headline

IN_HEADLINE: Final = "pass_rate"
"""Code of the cause that the first line tells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Why a case failed, in one metric or in the answer as a whole. `turn` is set in a case of several."""

    subject: str
    reason: str
    turn: int | None = None
    score: float | None = None
    threshold: float | None = None
    rating: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A run as it is told.

    `failed` is worst first; `causes` are those that the headline does not tell; `live` counts the
    evaluations judged in this run. `several_agents` says whether an agent's name tells anything.
    """

    run: Run
    headline: Headline
    failed: tuple[CaseResult, ...]
    inconclusive: tuple[CaseResult, ...]
    causes: tuple[Cause, ...]
    judges: tuple[str, ...]
    live: int
    several_agents: bool


def tell(run: Run) -> Story:
    """The story of a run."""
    scored = [outcome for outcome in _outcomes(run) if isinstance(outcome, Scored) and outcome.judge]
    configured = {metric.judge for agent in run.agents for metric in agent.metrics if metric.judge}
    return Story(
        run=run,
        headline=headline(run),
        failed=tuple(sorted((case for case in run.cases if case.status == "failed"), key=_badness)),
        inconclusive=tuple(case for case in run.cases if case.status == "inconclusive"),
        causes=tuple(cause for cause in run.verdict.causes if cause.code != IN_HEADLINE),
        judges=tuple(sorted(configured | {outcome.judge for outcome in scored if outcome.judge})),
        live=sum(1 for outcome in scored if not outcome.recorded),
        several_agents=len({case.agent for case in run.cases}) > 1,
    )


def findings(case: CaseResult) -> tuple[Finding, ...]:
    """Why a case did not pass: missing answers, then metrics, the widest gap first; else its own reasons."""
    several = len(case.turns) > 1
    found = [
        finding
        for number, turn in enumerate(case.turns, 1)
        for finding in _turn_findings(turn, number if several else None)
    ]
    found.sort(key=_gap)
    return tuple(found) or tuple(Finding(subject="", reason=reason) for reason in case.reasons)


def _gap(finding: Finding) -> float:
    """How far a finding is below its threshold; a missing answer, which has no score, is farthest."""
    if finding.score is None:
        return -2.0
    return finding.score - (1.0 if finding.threshold is None else finding.threshold)


def place(case: CaseResult) -> str:
    """Where to look: the recorded conversation, else the test case; "" where neither is known."""
    return str(case.transcript or case.test_case or "")


def _turn_findings(turn: TurnResult, number: int | None) -> Iterator[Finding]:
    if turn.no_answer:
        yield Finding(subject="no answer", reason=turn.no_answer, turn=number)
    for metric in turn.metrics:
        if metric.passed is False:
            yield _missed(metric, number)


def _missed(metric: MetricResult, number: int | None) -> Finding:
    outcome = metric.outcome
    return Finding(
        subject=metric.name,
        reason=_reason(outcome) if isinstance(outcome, Scored) else "",
        turn=number,
        score=outcome.score if isinstance(outcome, Scored) else None,
        threshold=metric.threshold,
        rating=metric.rating,
    )


def _reason(outcome: Scored) -> str:
    """The judge's reason; of `generation` those of the parts that are not good, the widest gap first."""
    missed = [
        (
            scale.normalize(part.score),
            f"{scale.title} is {part.score:g}, should be {scale.good}: {part.explanation}",
        )
        for part in outcome.parts
        if (scale := SCALES.get(part.name)) and part.score is not None and part.score != scale.good
    ]
    told = [text.rstrip() for _, text in sorted(missed, key=lambda item: item[0])]
    ended = [text if text.endswith((".", "!", "?", "…")) else f"{text}." for text in told]
    return " ".join(ended) or outcome.reason


def _badness(case: CaseResult) -> tuple[int, float, str, str]:
    rating = RATING_ORDER.index(case.rating) if case.rating else -1
    return (rating, case.avg_score if case.avg_score is not None else -1.0, case.agent, case.id)


def _outcomes(run: Run) -> Iterator[Scored | Skipped | Errored]:
    return (metric.outcome for case in run.cases for turn in case.turns for metric in turn.metrics)
