"""What the Markdown reports tell, picked out of a run: what failed worst first, and what was in the way."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from holodeck_eval.domain.outcome import Errored, Scored, Skipped
from holodeck_eval.domain.rating import RATING_ORDER
from holodeck_eval.domain.result import CaseResult, MetricResult, TurnResult
from holodeck_eval.domain.run import Run
from holodeck_eval.reports._headline import Headline, headline

ADVICE: Final = {
    "judge_unavailable": "See that the judge is up and can be reached from this job, then run again.",
    "rate_limited": "Lower max_concurrency or raise the judge's quota, then run again.",
    "timeout": "Raise timeout, or run again when the judge is less busy.",
    "auth": "The judge refused the key: give the job a valid one.",
    "no_key": "Give the job the judge's key, or verdicts that were recorded where it had one.",
    "invalid_reply": "The judge does not keep to the form asked for: run again, or use a more capable model.",
    "context_too_long": "Judge with a model of a longer context, or record shorter context.",
    "refused_request": "The judge would not take the request: its message says why.",
    "internal": "The measuring itself failed: please report it with this message.",
    "missing_input": "Record that input with the transcripts, or let it go with on_missing_input: skip.",
    "offline": "Run once with the judge, so that its verdicts are recorded, or switch offline off.",
    "unlabelled": "A person has yet to score these: holodeck-eval label writes them out.",
    "stopped": "An earlier error ended the case (fail_on_error): mend that one first.",
    "deadline": "Raise deadline, or judge fewer cases.",
    "budget": "Raise max_cost or max_tokens, or judge fewer cases.",
}
"""What to do about an evaluation that has no score, by its error's kind or its skip's cause."""


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
class Obstacle:
    """Evaluations without a score for one and the same cause."""

    cause: str
    evaluations: int
    metrics: tuple[str, ...]
    cases: tuple[str, ...]
    example: str
    advice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A run as it is told. `failed` is worst first; `live` counts evaluations judged in this run."""

    run: Run
    headline: Headline
    failed: tuple[CaseResult, ...]
    obstacles: tuple[Obstacle, ...]
    judges: tuple[str, ...]
    live: int

    @property
    def several_agents(self) -> bool:
        """Whether an agent's name tells anything."""
        return len({case.agent for case in self.run.cases}) > 1


def tell(run: Run) -> Story:
    """The story of a run."""
    scored = [outcome for outcome in _outcomes(run) if isinstance(outcome, Scored) and outcome.judge]
    configured = {metric.judge for agent in run.agents for metric in agent.metrics if metric.judge}
    return Story(
        run=run,
        headline=headline(run),
        failed=tuple(sorted((case for case in run.cases if case.status == "failed"), key=_badness)),
        obstacles=tuple(_obstacles(run)),
        judges=tuple(sorted(configured | {outcome.judge for outcome in scored if outcome.judge})),
        live=sum(1 for outcome in scored if not outcome.recorded),
    )


def findings(case: CaseResult) -> tuple[Finding, ...]:
    """Why a failed case failed: missing answers, then missed metrics by turn; else its own reasons."""
    several = len(case.turns) > 1
    found = [
        finding
        for number, turn in enumerate(case.turns, 1)
        for finding in _turn_findings(turn, number if several else None)
    ]
    return tuple(found) or tuple(Finding(subject="", reason=reason) for reason in case.reasons)


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
        reason=outcome.reason if isinstance(outcome, Scored) else "",
        turn=number,
        score=outcome.score if isinstance(outcome, Scored) else None,
        threshold=metric.threshold,
        rating=metric.rating,
    )


def _badness(case: CaseResult) -> tuple[int, float, str, str]:
    rating = RATING_ORDER.index(case.rating) if case.rating else -1
    return (rating, case.avg_score if case.avg_score is not None else -1.0, case.agent, case.id)


def _outcomes(run: Run) -> Iterator[Scored | Skipped | Errored]:
    return (metric.outcome for case in run.cases for turn in case.turns for metric in turn.metrics)


def _obstacles(run: Run) -> Iterator[Obstacle]:
    """One for each cause, the most frequent first."""
    unscored = sorted(_unscored(run), key=lambda item: item[0])
    groups = [(cause, list(group)) for cause, group in groupby(unscored, key=lambda item: item[0])]
    for cause, group in sorted(groups, key=lambda item: -len(item[1])):
        yield Obstacle(
            cause=cause.replace("_", " "),
            evaluations=len(group),
            metrics=tuple(dict.fromkeys(metric for _, metric, _, _ in group if metric)),
            cases=tuple(dict.fromkeys(case for _, _, case, _ in group)),
            example=group[0][3],
            advice=ADVICE.get(cause, ""),
        )


def _unscored(run: Run) -> Iterator[tuple[str, str, str, str]]:
    """Cause, metric, case and message of all that lacks a score and matters."""
    for case in run.cases:
        found = [
            (*_why(metric.outcome), metric.name)
            for turn in case.turns
            for metric in turn.metrics
            if isinstance(metric.outcome, Errored) or metric.blocks
        ]
        yield from ((cause, name, case.id, message) for cause, message, name in found)
        if case.status == "inconclusive" and not found:
            yield ("nothing_scored", "", case.id, " ".join(case.reasons))


def _why(outcome: Scored | Skipped | Errored) -> tuple[str, str]:
    if isinstance(outcome, Errored):
        return outcome.kind, outcome.message
    return (outcome.cause, outcome.reason) if isinstance(outcome, Skipped) else ("not_usable", outcome.reason)

