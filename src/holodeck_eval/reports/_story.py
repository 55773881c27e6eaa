"""What the Markdown reports tell, picked out of a run: what failed, the worst first, and why."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from holodeck_eval.domain.comparison import GateChange
from holodeck_eval.domain.outcome import Errored, Scored, Skipped
from holodeck_eval.domain.rating import RATING_ORDER, SCALES, Scale
from holodeck_eval.domain.result import CaseResult, MetricResult, TurnResult
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.verdict import Cause
from holodeck_eval.reports._versus import Versus, against
from holodeck_eval.reports.headline import Headline, headline

IN_HEADLINE: Final = frozenset({"pass_rate", "stale_transcripts", "gate_loosened"})
"""Codes of causes that the first line tells, or a section that is always there."""

IN_COMPARISON: Final = frozenset({"regression", "case_regression"})
"""Codes of causes that the comparison's own sections tell."""


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

    `versus` is the comparison with a baseline, where there is one. `failed` is worst first, in a comparison
    what newly fails; `also` are those of them that no section of the comparison tells. `causes` are those
    that neither the headline nor the comparison tells; `loosened` are the changes of the gate that let more
    through than the baseline's, `otherwise` the others; `live` counts the evaluations judged in this run.
    `recorded` counts the cases with a transcript, `unknown` those of them that do not say which version of
    the agent they were recorded with; `stale` are known to be of another, and `differs` says in what.
    `several_agents` says whether an agent's name tells anything.
    """

    run: Run
    headline: Headline
    versus: Versus | None
    loosened: tuple[GateChange, ...]
    otherwise: tuple[GateChange, ...]
    failed: tuple[CaseResult, ...]
    also: tuple[CaseResult, ...]
    inconclusive: tuple[CaseResult, ...]
    stale: tuple[CaseResult, ...]
    differs: tuple[str, ...]
    recorded: int
    unknown: int
    causes: tuple[Cause, ...]
    judges: tuple[str, ...]
    live: int
    several_agents: bool


def tell(run: Run) -> Story:
    """The story of a run."""
    scored = [outcome for outcome in _outcomes(run) if isinstance(outcome, Scored) and outcome.judge]
    configured = {metric.judge for agent in run.agents for metric in agent.metrics if metric.judge}
    failed = tuple(sorted((case for case in run.cases if case.status == "failed"), key=_badness))
    versus = against(run, failed)
    stale = tuple(case for case in run.cases if case.staleness.status == "stale")
    recorded = [case for case in run.cases if case.transcript]
    changes = run.comparison.gate_changes if run.comparison else ()
    told = IN_HEADLINE | (IN_COMPARISON if versus else frozenset())
    return Story(
        run=run,
        headline=headline(run),
        versus=versus,
        loosened=tuple(change for change in changes if change.loosens),
        otherwise=tuple(change for change in changes if not change.loosens),
        failed=_by_weight(failed, versus) if versus else failed,
        also=versus.also if versus else failed,
        inconclusive=tuple(case for case in run.cases if case.status == "inconclusive"),
        stale=stale,
        differs=tuple(dict.fromkeys(part for case in stale for part in case.staleness.differs)),
        recorded=len(recorded),
        unknown=sum(case.staleness.status == "unknown" for case in recorded),
        causes=tuple(cause for cause in run.verdict.causes if cause.code not in told),
        judges=tuple(sorted(configured | {outcome.judge for outcome in scored if outcome.judge})),
        live=sum(1 for outcome in scored if not outcome.recorded),
        several_agents=len({case.agent for case in run.cases}) > 1,
    )


def _by_weight(failed: tuple[CaseResult, ...], versus: Versus) -> tuple[CaseResult, ...]:
    """Failed cases by what they say of the change: proven to newly fail, other ones, as before."""
    proven = {(case.agent, case.case) for case in versus.proven}
    still = {(case.agent, case.id) for case in versus.still}

    def weight(case: CaseResult) -> int:
        key = (case.agent, case.id)
        return 0 if key in proven else 2 if key in still else 1

    return tuple(sorted(failed, key=weight))


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
    scales = [(SCALES[part.name], part) for part in outcome.parts if part.name in SCALES]
    missed = [
        (scale.normalize(part.score), _too_far(scale, part.score, part.explanation))
        for scale, part in scales
        if part.score is not None and scale.level(part.score) != scale.good
    ]
    told = [text.rstrip() for _, text in sorted(missed, key=lambda item: item[0])]
    ended = [text if text.endswith((".", "!", "?", "…")) else f"{text}." for text in told]
    return " ".join(ended) or outcome.reason


def _too_far(scale: Scale, score: float, why: str) -> str:
    return f"{scale.title} is {round(score, 2):g}, should be {scale.good}: {why}"


def _badness(case: CaseResult) -> tuple[int, float, str, str]:
    rating = RATING_ORDER.index(case.rating) if case.rating else -1
    return (rating, case.avg_score if case.avg_score is not None else -1.0, case.agent, case.id)


def _outcomes(run: Run) -> Iterator[Scored | Skipped | Errored]:
    return (metric.outcome for case in run.cases for turn in case.turns for metric in turn.metrics)
