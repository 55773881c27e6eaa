"""The measurements of a run while some of them are made again."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from holodeck_eval.domain.case import Case, Turn
from holodeck_eval.domain.outcome import Outcome, Scored
from holodeck_eval.domain.result import Measurement
from holodeck_eval.pipeline.bounded import bounded
from holodeck_eval.pipeline.failures import Failures, as_whole
from holodeck_eval.pipeline.measuring import Evaluators, has_errored, measure_one


@dataclass(slots=True, kw_only=True)
class Ledger:
    """Measurements, each known by its place among them.

    Attributes:
        measurements: as they are now.
        turns: what was measured, by agent, case id and index.
        evaluators: that of every metric.
        at_once: evaluations that are made again at a time.
        failures: what could not be judged again.
        closed: the places of what another try would not help.
    """

    measurements: list[Measurement]
    turns: Mapping[tuple[str, str, int], Turn]
    evaluators: Evaluators
    at_once: int
    failures: Failures
    closed: set[int] = field(default_factory=set)

    def scored(self) -> Iterator[tuple[int, Measurement, Scored]]:
        """The place of each that a judge gave a whole score, the measurement, and the score."""
        for place, made in enumerate(self.measurements):
            outcome = made.outcome
            if not isinstance(outcome, Scored) or outcome.by_person or has_errored(outcome):
                continue
            if outcome.replies:
                yield place, made, outcome

    async def extend(self, wanted: Mapping[int, int]) -> None:
        """Let some rest on so many judgements, and what shares a judgement with them on as many.

        What cannot be judged again stays as it is and is closed; so is what got no new judgement, as where
        nothing may be asked. What shares a judgement is read as a later run would read it, without a call.

        Args:
            wanted: how many judgements, by place.
        """
        grew = await self._measure(wanted)
        self.closed |= wanted.keys() - grew
        if grew:
            await self._measure(dict.fromkeys(self._sharing(grew), 1))

    async def _measure(self, wanted: Mapping[int, int]) -> set[int]:
        """Measure some again; the places of those that got more replies by it."""
        jobs = [partial(self._measure_one, place, replies) for place, replies in wanted.items()]
        grew = await bounded(jobs, self.at_once)
        return {place for place, more in zip(wanted, grew, strict=True) if more}

    async def _measure_one(self, place: int, replies: int) -> bool:
        made = self.measurements[place]
        evaluator = self.evaluators[made.metric]
        outcome, seconds = await measure_one(self._turn(made), made.metric, evaluator, replies)
        again = as_whole(outcome, made.outcome)
        if isinstance(again, str):
            self.failures.add(made.agent, made.metric.name, again)
            return False
        duration_s = round(made.duration_s + seconds, 3)
        self.measurements[place] = replace(made, outcome=again, duration_s=duration_s)
        return len(again.replies) > replies_in(made.outcome)

    def _sharing(self, grew: set[int]) -> list[int]:
        """The places of those that rest on judgements of these too.

        Equal keys are equal judgements. `generation` has one key for all its parts, of which each is judged
        and recorded by itself; every one of them is shown the answer.
        """
        sources = [(made, outcome.key) for place, made, outcome in self.scored() if place in grew]
        keys = {key for _, key in sources if key is not None}
        answers = {self._turn(made).actual_output for made, _ in sources if _has_parts(made)}
        return [
            place
            for place, made, outcome in self.scored()
            if place not in grew
            and (outcome.key in keys or (_has_parts(made) and self._turn(made).actual_output in answers))
        ]

    def _turn(self, made: Measurement) -> Turn:
        return self.turns[made.agent, made.case_id, made.turn]


def ledger_of(
    measurements: Sequence[Measurement],
    cases: Sequence[Case],
    evaluators: Evaluators,
    *,
    at_once: int,
    failures: Failures,
) -> Ledger:
    """The ledger of a run."""
    turns = {(case.agent, case.id, turn.index): turn for case in cases for turn in case.turns}
    return Ledger(
        measurements=list(measurements),
        turns=turns,
        evaluators=evaluators,
        at_once=at_once,
        failures=failures,
    )


def replies_in(outcome: Outcome) -> int:
    """How many replies an outcome rests on."""
    return len(outcome.replies) if isinstance(outcome, Scored) else 0


def _has_parts(made: Measurement) -> bool:
    return made.metric.kind == "generation"
