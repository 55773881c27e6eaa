"""What the Markdown reports tell, picked out of a run: what failed, the worst first, and why."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from holodeck_eval.domain.comparison import GateChange
from holodeck_eval.domain.findings import Finding, badness, findings
from holodeck_eval.domain.outcome import Errored, Scored, Skipped
from holodeck_eval.domain.result import CaseResult
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.verdict import Cause
from holodeck_eval.reports._versus import Versus, against
from holodeck_eval.reports.headline import Headline, headline

IN_HEADLINE: Final = frozenset({"pass_rate", "stale_transcripts", "gate_loosened"})
"""Codes of causes that the first line tells, or a section that is always there."""

IN_COMPARISON: Final = frozenset({"regression", "case_regression"})
"""Codes of causes that the comparison's own sections tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """Cases that could not be judged, all for the same reasons, which are told once."""

    cases: tuple[CaseResult, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A run as it is told.

    `versus` is the comparison with a baseline, where there is one. `failed` is worst first, in a comparison
    what newly fails; `also` are those of them that no section of the comparison tells. `subjects` are the
    metrics that failed, each with its number of cases, the most first; () where one is all there is.
    `causes` are those that neither the headline nor the comparison tells; `further` are the ones apart from
    them for which a run that failed would be inconclusive. `loosened` are the changes of the
    gate that let more through than the baseline's, `otherwise` the others; `live` counts the evaluations
    judged in this run.
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
    subjects: tuple[tuple[str, int], ...]
    open: tuple[Open, ...]
    stale: tuple[CaseResult, ...]
    differs: tuple[str, ...]
    recorded: int
    unknown: int
    causes: tuple[Cause, ...]
    further: tuple[Cause, ...]
    judges: tuple[str, ...]
    live: int
    several_agents: bool


def tell(run: Run) -> Story:
    """The story of a run."""
    scored = [outcome for outcome in _outcomes(run) if isinstance(outcome, Scored) and outcome.judge]
    configured = {metric.judge for agent in run.agents for metric in agent.metrics if metric.judge}
    failed = tuple(sorted((case for case in run.cases if case.status == "failed"), key=badness))
    versus = against(run, failed)
    stale = tuple(case for case in run.cases if case.staleness.status == "stale")
    recorded = [case for case in run.cases if case.transcript]
    changes = run.comparison.gate_changes if run.comparison else ()
    told = IN_HEADLINE | (IN_COMPARISON if versus else frozenset())
    causes = [cause for cause in run.verdict.causes if cause.code not in told]
    further = [cause for cause in causes if cause.status == "inconclusive" and run.verdict.status == "failed"]
    return Story(
        run=run,
        headline=headline(run),
        versus=versus,
        loosened=tuple(change for change in changes if change.loosens),
        otherwise=tuple(change for change in changes if not change.loosens),
        failed=_by_weight(failed, versus) if versus else failed,
        also=versus.also if versus else failed,
        subjects=_subjects(failed),
        open=_open(run),
        stale=stale,
        differs=tuple(dict.fromkeys(part for case in stale for part in case.staleness.differs)),
        recorded=len(recorded),
        unknown=sum(case.staleness.status == "unknown" for case in recorded),
        causes=tuple(cause for cause in causes if cause not in further),
        further=tuple(further),
        judges=tuple(sorted(configured | {outcome.judge for outcome in scored if outcome.judge})),
        live=sum(1 for outcome in scored if not outcome.recorded),
        several_agents=len({case.agent for case in run.cases}) > 1,
    )


def _subjects(failed: Sequence[CaseResult]) -> tuple[tuple[str, int], ...]:
    """In how many cases each metric failed; () where it is one alone."""
    counts = Counter(
        subject
        for case in failed
        for subject in dict.fromkeys(finding.subject for finding in findings(case) if finding.subject)
    )
    return tuple(counts.most_common()) if len(counts) > 1 else ()


def _open(run: Run) -> tuple[Open, ...]:
    """The cases that could not be judged, those with the same reasons together."""
    by_reason: dict[tuple[Finding, ...], list[CaseResult]] = {}
    for case in run.cases:
        if case.status == "inconclusive":
            by_reason.setdefault(findings(case), []).append(case)
    return tuple(Open(cases=tuple(cases), findings=found) for found, cases in by_reason.items())


def _by_weight(failed: tuple[CaseResult, ...], versus: Versus) -> tuple[CaseResult, ...]:
    """Failed cases by what they say of the change: proven to newly fail, other ones, as before."""
    proven = {(case.agent, case.case) for case in versus.proven}
    still = {(case.agent, case.id) for case in versus.still}

    def weight(case: CaseResult) -> int:
        key = (case.agent, case.id)
        return 0 if key in proven else 2 if key in still else 1

    return tuple(sorted(failed, key=weight))


def _outcomes(run: Run) -> Iterator[Scored | Skipped | Errored]:
    return (metric.outcome for case in run.cases for turn in case.turns for metric in turn.metrics)
