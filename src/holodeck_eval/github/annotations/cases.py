"""Annotations on the conversations of cases that failed or could not be judged."""

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final

from holodeck_eval.domain.comparison import Flip
from holodeck_eval.domain.findings import badness, blamed, findings
from holodeck_eval.domain.result import CaseResult
from holodeck_eval.domain.run import Run
from holodeck_eval.errors import Place
from holodeck_eval.github.annotations.annotation import Annotation, Level, annotate
from holodeck_eval.github.annotations.wording import REASON, named, since_baseline, told

Key = tuple[str, str]
"""An agent, and a case or metric of it."""

MOST_FINDINGS: Final = 3
"""Findings of a case, or reasons for which it is open, that are told; the reports tell all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failures:
    """The failed cases of a run, the worst first.

    Attributes:
        held: those that count against the run.
        tolerated: the others: the run did not fail, or not for them.
        newly: by case, what in it newly fails for sure.
        before: those that failed in the baseline too.
    """

    held: tuple[CaseResult, ...] = ()
    tolerated: tuple[CaseResult, ...] = ()
    newly: Mapping[Key, Flip] = field(default_factory=dict)
    before: frozenset[Key] = frozenset()


def failures(run: Run) -> Failures:
    """The failed cases: with a broken guardrail or newly failing first, then the worst."""
    comparison = run.comparison
    flips = comparison.flips if comparison else ()
    newly = {(flip.agent, flip.case): flip for flip in reversed(flips) if flip.proven}
    still = comparison.still_failing if comparison else ()
    before = frozenset((case.agent, case.case) for case in still)
    failed = sorted((case for case in run.cases if case.status == "failed"), key=badness)
    failed.sort(key=lambda case: key_of(case) not in newly and not _breaks_guardrail(case))
    counting = _counting(run, newly.keys(), before)
    return Failures(
        held=tuple(case for case in failed if counting(case)),
        tolerated=tuple(case for case in failed if not counting(case)),
        newly=newly,
        before=before,
    )


def _counting(run: Run, newly: AbstractSet[Key], before: AbstractSet[Key]) -> Callable[[CaseResult], bool]:
    """What says whether a failed case is among the reasons for which the run failed."""
    if run.verdict.status != "failed":
        return lambda _: False
    held_against = blamed(run)
    worse = any(cause.code == "regression" for cause in run.verdict.causes)

    def counts(case: CaseResult) -> bool:
        key = key_of(case)
        return key in newly or case.id in held_against or (worse and key not in before)

    return counts


def key_of(case: CaseResult) -> Key:
    """By what a case is known."""
    return case.agent, case.id


def of_failed(case: CaseResult, failed: Failures, run: Run, level: Level, workspace: str) -> Annotation:
    """An annotation on a failed case: where it was recorded, else where it was written."""
    flip = failed.newly.get(key_of(case))
    found = findings(case)
    lines = [told(finding) for finding in found[:MOST_FINDINGS]] or ["no reason is known"]
    if (more := len(found) - MOST_FINDINGS) > 0:
        lines.append(f"and {more} more")
    if flip:
        lines.append(since_baseline(flip))
    fails = (
        "newly fails" if flip else "fails as in the baseline" if key_of(case) in failed.before else "failed"
    )
    return annotate(level, f"{named(case.id, case.agent, run)} {fails}", lines, where(case), workspace)


def of_open(case: CaseResult, run: Run, workspace: str) -> Annotation:
    """An annotation on a case that could not be judged."""
    lines = [reason[:REASON] for reason in case.reasons[:MOST_FINDINGS]] or ["no reason is known"]
    title = f"{named(case.id, case.agent, run)} could not be judged"
    return annotate("warning", title, lines, where(case), workspace)


def where(case: CaseResult) -> Place | None:
    """Where to look: the recorded conversation, else the test case; None where neither is known."""
    return case.transcript or case.test_case


def _breaks_guardrail(case: CaseResult) -> bool:
    return any(metric.guardrail and metric.passed is False for turn in case.turns for metric in turn.metrics)
