"""Annotations on what no case and no metric tells: problems of the input, open questions, the gate itself."""

from collections.abc import Mapping, Sequence
from typing import Final

from holodeck_eval.domain.comparison import AVERAGE, GateChange
from holodeck_eval.domain.result import CaseResult
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.text import log_line
from holodeck_eval.domain.verdict import Cause
from holodeck_eval.domain.wording import cases_named, quoted
from holodeck_eval.errors import Place
from holodeck_eval.github.annotations.annotation import Annotation, Level, annotate
from holodeck_eval.github.annotations.cases import Key

_TOLD: Final = frozenset(
    {"pass_rate", "guardrail", "regression", "case_regression", "missing_transcripts"}
    | {"gate_loosened", "stale_transcripts"}
)
"""Codes of causes that are told where the cases, the metrics or the transcripts are that they are about."""

_TITLES: Final = {
    "failed": "The gate blocks this",
    "inconclusive": "Not everything could be judged",
    "error": "holodeck-eval could not run",
    "bug": "holodeck-eval broke",
}

_ALLOWED: Final = frozenset({"case_removed", "case_changed"})
"""Changes of the gate that allow_removed_cases lets through."""

_MOST_PARTS: Final = 4
_PART: Final = 30


def causes(run: Run, level: Level) -> tuple[Cause, ...]:
    """The causes that are to be told themselves, as errors or, the inconclusive ones, as warnings."""
    return tuple(
        cause
        for cause in run.verdict.causes
        if (cause.status == "inconclusive") == (level == "warning")
        and not (cause.status == "failed" and cause.code in _TOLD)
    )


def of_cause(cause: Cause, level: Level, workspace: str) -> Annotation:
    """An annotation on a cause, which says itself what to do."""
    return annotate(level, _TITLES[cause.status], [cause.message], cause.place, workspace)


def loosened(run: Run) -> tuple[GateChange, ...]:
    """The changes that let more through than the baseline's gate, without what the policy allows by name."""
    changes = run.comparison.gate_changes if run.comparison else ()
    allowed = _ALLOWED if run.policy.allow_removed_cases else frozenset()
    return tuple(change for change in changes if change.loosens and change.code not in allowed)


def of_change(change: GateChange, places: Mapping[Key, Place], level: Level, workspace: str) -> Annotation:
    """An annotation on a change of the gate, on the metric it is about."""
    metrics = (change.metric, change.metric.rpartition(".")[0], AVERAGE)
    place = next(
        (places[change.agent, metric] for metric in metrics if (change.agent, metric) in places), None
    )
    allows = "on_gate_change: report lets it through" if level == "error" else "it is only reported"
    lines = [f"Since the baseline, {change.message}; {allows}"]
    title = "The gate lets more through than before"
    return annotate(level, title, lines, place, workspace)


def stale(run: Run) -> Mapping[str, list[CaseResult]]:
    """By agent, the cases that were recorded with another version of it."""
    found: dict[str, list[CaseResult]] = {}
    for case in run.cases:
        if case.staleness.status == "stale":
            found.setdefault(case.agent, []).append(case)
    return found


def of_stale(agent: str, cases: Sequence[CaseResult], level: Level, workspace: str) -> Annotation:
    """An annotation on the first transcript that says nothing about the agent as it is now."""
    parts = tuple(dict.fromkeys(part for case in cases for part in case.staleness.differs))
    differs = " and ".join(log_line(part, _PART) for part in parts[:_MOST_PARTS])
    named = cases_named([case.id for case in cases])
    lines = [f"Record anew: {named}" + (f"; the agent had another {differs} then" if parts else "")]
    what = "A transcript is" if len(cases) == 1 else f"{len(cases)} transcripts are"
    title = f"{what} of another version of {quoted(agent)}"
    return annotate(level, title, lines, cases[0].transcript, workspace)
