"""Puts what was judged again in a run's place."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from holodeck_eval.domain.comparison import Rejudged
from holodeck_eval.domain.result import CaseResult, MetricResult, TurnResult
from holodeck_eval.domain.run import Run

_Results = Mapping[tuple[int, str], MetricResult]
"""A case's new results, by turn and metric."""


def with_replies(run: Run, rejudged: Sequence[Rejudged]) -> Run:
    """The run with these results in the place of those they add replies to.

    Statuses of turns and cases, and the summary, stay what the run itself decided.

    Args:
        run: the baseline.
        rejudged: its results on all replies, old and new. One that the run has not is left out.
    """
    added: dict[tuple[str, str], dict[tuple[int, str], MetricResult]] = {}
    for item in rejudged:
        added.setdefault((item.agent, item.case), {})[item.turn, item.result.name] = item.result
    if not added:
        return run
    cases = (
        _case(case, added[case.agent, case.id]) if (case.agent, case.id) in added else case
        for case in run.cases
    )
    return replace(run, cases=tuple(cases))


def _case(case: CaseResult, results: _Results) -> CaseResult:
    return replace(case, turns=tuple(_turn(turn, results) for turn in case.turns))


def _turn(turn: TurnResult, results: _Results) -> TurnResult:
    metrics = (results.get((turn.index, metric.name), metric) for metric in turn.metrics)
    return replace(turn, metrics=tuple(metrics))
