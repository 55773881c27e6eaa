"""What passed in the baseline and fails now is judged again, on both sides alike."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from holodeck_eval.aggregate import held
from holodeck_eval.compare import Look
from holodeck_eval.domain.agent import GenerationOptions, MetricSpec
from holodeck_eval.domain.baseline import Baseline
from holodeck_eval.domain.case import Case, Turn
from holodeck_eval.domain.comparison import Rejudged
from holodeck_eval.domain.outcome import Outcome, Scored
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import Measurement, MetricResult
from holodeck_eval.domain.run import Run
from holodeck_eval.pipeline.bounded import bounded
from holodeck_eval.pipeline.failures import Failures, as_whole
from holodeck_eval.pipeline.joining import joined
from holodeck_eval.pipeline.ledger import Ledger, ledger_of, replies_in
from holodeck_eval.pipeline.measuring import Effort, Evaluators, measure_one

NOT_KEPT: Final = "what was judged is not kept with it"
OTHER: Final = "what is kept with it is not what was judged, or it was judged in another way"

_Name = tuple[str, str, int, str]
"""An agent's name, a case's id, a turn's index and a metric's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flips:
    """This run's measurements and the baseline's results after judging again, and what could not be."""

    measurements: tuple[Measurement, ...]
    rejudged: tuple[Rejudged, ...]
    warnings: tuple[str, ...]


async def judge_flips(
    looks: Sequence[Look],
    measurements: Sequence[Measurement],
    cases: Sequence[Case],
    evaluators: Evaluators,
    effort: Effort,
    *,
    baseline: Baseline,
    policy: Policy,
) -> Flips:
    """Let each of these rest on as many judgements as the effort allows, in this run and in the baseline.

    The baseline's side is here for having passed, perhaps by one lucky judgement: judged again, it comes back
    to what it is worth. Only with both sides judged alike is a difference not the work of that selection.

    Args:
        looks: what newly fails, where judging again could tell more.
        measurements: what was measured in this run.
        cases: of what.
        evaluators: that of every metric.
        effort: how many judgements there may be.
        baseline: the earlier run, with what was judged in it.
        policy: what outcomes are held against.
    """
    failures = Failures("that newly fail")
    ledger = ledger_of(measurements, cases, evaluators, at_once=effort.at_once, failures=failures)
    found = _found(looks, ledger)
    await ledger.extend(dict.fromkeys(found.values(), effort.most))
    earlier = _Earlier(
        baseline=baseline,
        results=_results(baseline.run) if baseline.run else {},
        evaluators=evaluators,
        effort=effort,
        policy=policy,
        failures=Failures("of the baseline that passed"),
    )
    jobs = [
        partial(earlier.judge, name, measurements[place].metric, _lacking(ledger, place, effort.most))
        for name, place in found.items()
    ]
    rejudged = await bounded(jobs, effort.at_once)
    return Flips(
        measurements=tuple(ledger.measurements),
        rejudged=tuple(one for one in rejudged if one is not None),
        warnings=(*failures.sentences(), *earlier.failures.sentences()),
    )


def _found(looks: Sequence[Look], ledger: Ledger) -> dict[_Name, int]:
    """The places of those looks that a judge scored."""
    places = {
        (made.agent, made.case_id, made.turn, made.metric.name): place for place, made, _ in ledger.scored()
    }
    names = ((look.agent, look.case, look.turn, look.metric) for look in looks)
    return {name: places[name] for name in names if name in places}


def _lacking(ledger: Ledger, place: int, most: int) -> str:
    """Why a result of this run does not rest on all judgements that were asked for; "" where it does."""
    return _too_few(ledger.measurements[place].outcome, most, "in this run")


def _too_few(outcome: Outcome, most: int, where: str) -> str:
    replies = replies_in(outcome)
    return "" if replies >= most else f"only {replies} of {most} judgements could be had {where}"


def _results(run: Run) -> dict[_Name, MetricResult]:
    return {
        (case.agent, case.id, turn.index, result.name): result
        for case in run.cases
        for turn in case.turns
        for result in turn.metrics
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Earlier:
    """The baseline's side."""

    baseline: Baseline
    results: Mapping[_Name, MetricResult]
    evaluators: Evaluators
    effort: Effort
    policy: Policy
    failures: Failures

    async def judge(self, name: _Name, metric: MetricSpec, lacking: str) -> Rejudged | None:
        """The baseline's result on more judgements.

        None where it got none, and for no other reason than that what was judged is not there to be judged
        again: then the comparison goes by one side. What could not be had, there or in this run, is kept.

        Args:
            name: which result.
            metric: what it is judged by.
            lacking: why this run's side does not rest on all judgements; "" where it does.
        """
        agent, case, turn, metric_name = name
        result, judged = self.results.get(name), self.baseline.turns.get((agent, case, turn))
        outcome = await self._outcome(metric, result.outcome, judged) if result and judged else NOT_KEPT
        if isinstance(outcome, str):
            self.failures.add(agent, metric_name, outcome)
            why_not = lacking or ("" if outcome in {NOT_KEPT, OTHER} else outcome)
            again = result
        else:
            why_not = lacking or _too_few(outcome, self.effort.most, "of the baseline")
            again = _held_then(metric, result, outcome, self.policy) if result else None
        grew = isinstance(outcome, Scored) and result and len(outcome.replies) > replies_in(result.outcome)
        if again is None or not (grew or why_not):
            return None
        return Rejudged(agent=agent, case=case, turn=turn, result=again, why_not=why_not)

    async def _outcome(self, metric: MetricSpec, before: Outcome, turn: Turn) -> Scored | str:
        """The outcome on all judgements there may be, or a clause that says why there is none.

        One judgement is looked at first, which is recorded as a rule: its key says whether this is what was
        judged then.
        """
        evaluator = self.evaluators[metric]
        outcome, _ = await measure_one(turn, metric, evaluator)
        first = as_whole(outcome, before)
        if isinstance(first, str):
            return first
        if not isinstance(before, Scored) or first.key is None or first.key != before.key:
            return OTHER
        outcome, _ = await measure_one(turn, metric, evaluator, self.effort.most)
        again = as_whole(outcome, before)
        return again if isinstance(again, str) else joined(before, again)


def _held_then(metric: MetricSpec, result: MetricResult, outcome: Outcome, policy: Policy) -> MetricResult:
    """The baseline's result on another outcome, held against what it was held against then."""
    options = metric.options
    if isinstance(options, GenerationOptions) and result.min_rating is not None:
        options = replace(options, min_rating=result.min_rating)
    then = replace(metric, threshold=result.threshold, bad_below=result.bad_below, options=options)
    again = held(then, outcome, policy)
    return replace(
        result, outcome=again.outcome, passed=again.passed, rating=again.rating, blocks=again.blocks
    )
