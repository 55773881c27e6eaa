"""The comparison of a run with a baseline, from their cases to its facts."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from holodeck_eval.compare.answers import lost_answers
from holodeck_eval.compare.changes import gate_changes
from holodeck_eval.compare.doubt import doubts_of
from holodeck_eval.compare.evidence import Evidence, evidence_of
from holodeck_eval.compare.flips import metric_flips
from holodeck_eval.compare.looks import RowKey
from holodeck_eval.compare.metrics import compare_rows, rows_of
from holodeck_eval.compare.notes import notes_on
from holodeck_eval.compare.pairs import Pair, case_key, status_of
from holodeck_eval.compare.problems import no_overlap, unusable
from holodeck_eval.compare.undecided import undecided
from holodeck_eval.domain.comparison import BaselineRun, CaseChange, Comparison, Flip
from holodeck_eval.domain.policy import ComparisonPolicy
from holodeck_eval.domain.result import CaseStatus
from holodeck_eval.domain.run import Run


def compare(baseline: Run, head: Run, policy: ComparisonPolicy, *, seed: int = 0) -> Comparison:
    """A run against a baseline: facts, of which the gate says what they block.

    The unit is the case. Cases pair by agent, id and what was asked and expected; a waived case is not
    there. What was judged again is to be in both runs already, see `doubtful` and `with_replies`.

    Args:
        baseline: the earlier run. Its own verdict may be anything but an error.
        head: this run.
        policy: which differences count.
        seed: of the permutation tests. The same seed gives the same comparison.

    Returns:
        Everything but where the baseline came from and what of it was judged again, which the caller knows.
    """
    baseline, head = _in_order(baseline), _in_order(head)
    found = Comparison(baseline=_baseline(baseline), problem=unusable(baseline, head))
    if found.problem:
        if found.problem.cause == "duplicate_cases":
            return replace(found, gate_changes=gate_changes(baseline, head))
        return found
    evidence = evidence_of(baseline, head)
    found = replace(
        found,
        problem=no_overlap(evidence.pairing),
        new=evidence.pairing.new,
        vanished=evidence.pairing.vanished,
        changed=evidence.pairing.changed,
        gate_changes=gate_changes(baseline, head),
    )
    if found.problem:
        return found
    pairs = evidence.pairing.pairs
    metrics = compare_rows(tuple(rows_of(_keys(baseline, head), evidence)), policy, seed)
    return replace(
        found,
        paired=len(pairs),
        metrics=metrics,
        flips=_flips(evidence, policy),
        newly_passing=tuple(_moved(pairs, "failed", "passed")),
        still_failing=tuple(_moved(pairs, "failed", "failed")),
        undecided=undecided(pairs),
        notes=tuple(notes_on(baseline, evidence, metrics)),
    )


def _in_order(run: Run) -> Run:
    """The run with its cases sorted: in which order they came is to make no difference."""
    return replace(run, cases=tuple(sorted(run.cases, key=case_key)))


def _baseline(run: Run) -> BaselineRun:
    return BaselineRun(file="", status=run.verdict.status, started_at=run.started_at, head_sha=run.head_sha)


def _keys(baseline: Run, head: Run) -> list[RowKey]:
    """The metrics of the agents that have cases in both runs, in the order they are configured in now."""
    found = [
        {(case.agent, metric.name) for case in run.cases for turn in case.turns for metric in turn.metrics}
        for run in (baseline, head)
    ]
    agents = {agent for agent, _ in found[0]} & {agent for agent, _ in found[1]}
    order = [(agent.name, metric.name) for agent in head.agents for metric in agent.metrics]
    places = {key: place for place, key in enumerate(order)}
    by_agent = {agent.name: place for place, agent in enumerate(head.agents)}
    keys = [key for key in found[0] | found[1] if key[0] in agents]
    last = len(order)
    return sorted(keys, key=lambda key: (by_agent.get(key[0], last), key[0], places.get(key, last), key[1]))


def _flips(evidence: Evidence, policy: ComparisonPolicy) -> tuple[Flip, ...]:
    """What newly fails: the proven first, then what fell furthest."""
    doubts = doubts_of(evidence.comparable, evidence.noises, evidence.repeats, policy.cases_alpha)
    flips = [
        *lost_answers(evidence.pairing.pairs),
        *metric_flips(evidence.looks, doubts, evidence.why_not),
    ]
    return tuple(sorted(flips, key=_rank))


def _rank(flip: Flip) -> tuple[bool, float, str, str, int, str]:
    fall = 1.0 if flip.before is None or flip.now is None else flip.before - flip.now
    return not flip.proven, -fall, flip.agent, flip.case, flip.turn or 0, flip.metric


def _moved(pairs: Sequence[Pair], before: CaseStatus, now: CaseStatus) -> Iterator[CaseChange]:
    """The pairs that had the one status and have the other now."""
    for pair in pairs:
        if status_of(pair.before) == before and status_of(pair.now) == now:
            yield CaseChange(agent=pair.now.agent, case=pair.now.id, before=before, now=now)
