"""`type: generation` as the gate runs it: each of the five recalled or judged by itself, then rated."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, replace

from holodeck_eval import judges
from holodeck_eval.domain.agent import GenerationOptions, MetricSpec
from holodeck_eval.domain.case import Turn
from holodeck_eval.domain.judgement import (
    JudgeIdentity,
    Judgement,
    JudgementRequest,
    sha256_of,
    versions_text,
)
from holodeck_eval.domain.outcome import Errored, Outcome, Part, Scored, Skipped
from holodeck_eval.domain.rating import SCALES, rate
from holodeck_eval.evaluators.generation import METRIC_NAMES, chosen
from holodeck_eval.evaluators.generation_part import REFUSAL, GenerationPart, bounds_of, needs_of, scored
from holodeck_eval.evaluators.generation_prompts import PROMPTS
from holodeck_eval.evaluators.inputs import Inputs, how_to_record
from holodeck_eval.evaluators.judged import host_of, judge_of, judgement_of, missing_cause, prompt_version
from holodeck_eval.evaluators.recorded import Ask, Reading, judged, recalled
from holodeck_eval.evaluators.toolbox import Toolbox, retry_of

_PartOutcome = Reading | Skipped | Errored

_PLACES = 6
"""Decimal places of a reply, as of the `avg_score` of one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationMetric:
    """The five, or some of them, on one turn (an `Evaluator` of the domain).

    `named` says that they were chosen by name, so that none may lack its inputs.
    """

    spec: MetricSpec
    toolbox: Toolbox
    metrics: tuple[str, ...]
    named: bool = False

    async def measure(self, turn: Turn, *, replies: int = 1) -> Outcome:
        """Scored where at least one part was; its `score` is their `avg_score`.

        Its replies are the means of the parts' first, second … replies, as far as every part has one.
        """
        inputs = Inputs.of_turn(turn)
        outcomes = await self._outcomes(turn, inputs, replies)
        parts = tuple(_part(name, outcome) for name, outcome in outcomes.items())
        rating = rate(parts)
        if rating.avg_score is None:
            return _unscored(tuple(outcomes.values()), parts)
        readings = {name: outcome for name, outcome in outcomes.items() if isinstance(outcome, Reading)}
        all_recorded = all(reading.recorded for reading in readings.values())
        return Scored(
            score=rating.avg_score,
            reason=rating.global_explanation,
            judge=str(JudgeIdentity.of(judge_of(self.spec))),
            recorded=sum(reading.recorded for reading in readings.values()) if all_recorded else 0,
            from_checkout=sum(reading.from_checkout for reading in readings.values()),
            details={"possible_issues": list(rating.possible_issues)},
            rating=rating.relevancy_rating,
            parts=parts,
            replies=_replies(readings),
            key=sha256_of({name: reading.key for name, reading in readings.items()}),
            judge_version=versions_text(reading.judge_version for reading in readings.values()),
        )

    async def _outcomes(self, turn: Turn, inputs: Inputs, replies: int) -> dict[str, _PartOutcome]:
        """What came of each part, in the table's order; those to be judged are judged at the same time."""
        outcomes: dict[str, _PartOutcome | None] = {}
        asking: dict[str, Awaitable[_PartOutcome]] = {}
        for name in self.metrics:
            outcomes[name] = self._lacking(name, turn, inputs)
            if outcomes[name] is None:
                request = self._request(name, turn, inputs)
                outcomes[name] = recalled(request, self.toolbox, replies)
                if outcomes[name] is None:
                    asking[name] = judged(request, self.toolbox, self._ask(name, turn, inputs), replies)
        if asking:
            outcomes |= zip(asking, await asyncio.gather(*asking.values()), strict=True)
        return {name: outcome for name, outcome in outcomes.items() if outcome is not None}

    def _lacking(self, name: str, turn: Turn, inputs: Inputs) -> Skipped | None:
        missing = inputs.missing(needs_of(name, is_refusal=turn.is_refusal))
        if not missing:
            return None
        cause = missing_cause(turn, missing) if self.named else "not_applicable"
        return Skipped(cause=cause, reason=how_to_record(missing))

    def _ask(self, name: str, turn: Turn, inputs: Inputs) -> Ask:
        async def ask() -> Judgement:
            pool = self.toolbox.judges_for(self.spec)
            part = GenerationPart(
                name=name,
                is_refusal=turn.is_refusal,
                with_expected=inputs.expected_output is not None,
                model_config=judges.DeepEvalModelConfig.from_spec(judge_of(self.spec)),
                retry_config=retry_of(self.spec),
                pool=pool,
            )
            judgement = judgement_of(await part.evaluate(**inputs.arguments()), pool.version)
            return replace(judgement, score=judgement.raw_score or 0.0, raw_score=None)

        return ask

    def _request(self, name: str, turn: Turn, inputs: Inputs) -> JudgementRequest:
        judge, (low, high) = judge_of(self.spec), bounds_of(name)
        status = {"is_refusal": turn.is_refusal} if name == REFUSAL and turn.is_refusal is not None else {}
        return JudgementRequest(
            metric=f"{self.spec.name}.{name}",
            metric_type=f"generation.{name}",
            configuration={"part": name},
            judge=JudgeIdentity.of(judge),
            prompt_version=prompt_version(judge),
            judged=inputs.shown(PROMPTS[name].needs) | status,
            case_id=turn.case_id,
            host=host_of(judge),
            scale=PROMPTS[name].scale,
            low=low,
            high=high,
            whole=True,
        )


def build(spec: MetricSpec, toolbox: Toolbox) -> GenerationMetric:
    """The evaluator of a `generation` metric."""
    options = spec.options if isinstance(spec.options, GenerationOptions) else None
    metrics = chosen(options.metrics) if options else METRIC_NAMES
    return GenerationMetric(
        spec=spec, toolbox=toolbox, metrics=metrics, named=bool(options and options.named)
    )


def _part(name: str, outcome: _PartOutcome) -> Part:
    if isinstance(outcome, Reading):
        return scored(name, outcome.score, outcome.reason, outcome.replies)
    if isinstance(outcome, Skipped):
        return Part(name=name, status="skipped", explanation=outcome.reason, cause=outcome.cause)
    return Part(name=name, status="errored", explanation=outcome.message, cause=outcome.kind)


def _replies(readings: Mapping[str, Reading]) -> tuple[float, ...]:
    normalized = (map(SCALES[name].normalize, part.replies) for name, part in readings.items())
    return tuple(round(sum(of_parts) / len(of_parts), _PLACES) for of_parts in zip(*normalized, strict=False))


def _unscored(outcomes: Sequence[_PartOutcome], parts: tuple[Part, ...]) -> Outcome:
    """What a generation evaluation without any score is: an error first, else what is missing."""
    errors = [outcome for outcome in outcomes if isinstance(outcome, Errored)]
    if errors:
        return Errored(kind=errors[0].kind, message=errors[0].message, parts=parts)
    skips = [outcome for outcome in outcomes if isinstance(outcome, Skipped)]
    skips.sort(key=lambda skip: skip.cause == "not_applicable")
    return Skipped(cause=skips[0].cause, reason=skips[0].reason, parts=parts)
