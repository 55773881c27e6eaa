"""One run out of its shards: one verdict, as if every case had been judged in one place."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from holodeck_eval.application.merging.adding import added_up, judged_again
from holodeck_eval.application.merging.case_lines import merged_case_lines
from holodeck_eval.application.merging.differences import disagreements
from holodeck_eval.application.merging.parts import (
    Named,
    Part,
    incomplete,
    unlike_a_whole,
    unusable,
    usable,
)
from holodeck_eval.application.steps import differing_steps, steps_warning
from holodeck_eval.compare import recomputed
from holodeck_eval.domain.baseline import Baseline
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.verdict import EXIT_CODES, Cause, Verdict
from holodeck_eval.errors import Problem, ResultsError
from holodeck_eval.gate import decide
from holodeck_eval.pipeline import compared

__all__ = ["merge", "merged_case_lines", "steps_warning"]

_TOLD: Final = 100
"""Problems that are told; more would not be read."""


def merge(runs: Sequence[Named], *, baseline: Baseline | None = None) -> Run:
    """The run that these shards are the parts of.

    Its cases, numbers, comparison and verdict are those of one run over all cases; `started_at` is the
    earliest, `duration_s` the longest, usage the sum. Where shards judged a metric by different steps, it is
    inconclusive unless it failed: their scores are of two instruments. Results that were edited into
    contradicting themselves are reckoned anew, with a warning.

    Args:
        runs: the shards in any order, each behind the name of its file.
        baseline: what the shards were compared with; None where they were not.

    Raises:
        ResultsError: with everything that keeps them from being merged.
    """
    parts = sorted(usable(runs), key=lambda part: part.shard.index)
    problems = _problems(runs, parts, baseline)
    if problems:
        raise ResultsError(*problems)
    run, contradictions = recomputed(added_up(parts))
    comparison = compared(run, baseline, judged_again(parts)) if baseline else None
    verdict = decide(run.summary, run.cases, run.policy, run.agents, comparison)
    causes = differing_steps([part.run for part in parts])
    verdict = _with(verdict, causes, waives=run.policy.on_inconclusive == "pass")
    warnings = dict.fromkeys((*run.warnings, *contradictions, *(baseline.warnings if baseline else ())))
    return replace(run, comparison=comparison, verdict=verdict, warnings=tuple(warnings))


def _problems(runs: Sequence[Named], parts: Sequence[Part], baseline: Baseline | None) -> list[Problem]:
    if not runs:
        return [Problem(message="there is nothing to merge: give the results.json of every shard")]
    problems = list(unusable(runs))
    if parts:
        problems += incomplete(runs, parts)
        problems += disagreements(parts, baseline)
        if not problems:  # only all of the shards can make up a run
            problems += unlike_a_whole(parts)
    if len(problems) > _TOLD:
        problems[_TOLD:] = [Problem(message=f"and {len(problems) - _TOLD:,} more problems; mend these first")]
    return problems


def _with(verdict: Verdict, causes: tuple[Cause, ...], *, waives: bool) -> Verdict:
    """The verdict with further causes, all inconclusive. What passed was measured, so it may be waived."""
    if not causes:
        return verdict
    more = replace(verdict, causes=(*verdict.causes, *causes))
    if verdict.status != "passed":
        return more
    exit_code = 0 if waives else EXIT_CODES["inconclusive"]
    return replace(more, status="inconclusive", exit_code=exit_code, waived=waives)
