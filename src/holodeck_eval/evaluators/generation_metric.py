"""`type: generation` as the gate runs it: each of the five recalled or judged by itself, then rated."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from holodeck_eval import judges
from holodeck_eval.domain.agent import GenerationOptions, MetricSpec
from holodeck_eval.domain.case import Turn
from holodeck_eval.domain.judgement import JudgeIdentity, Judgement, JudgementRequest
from holodeck_eval.domain.outcome import Errored, Outcome, Part, Scored, Skipped
from holodeck_eval.domain.rating import rate
from holodeck_eval.evaluators.generation import METRIC_NAMES, chosen
from holodeck_eval.evaluators.generation_part import REFUSAL, GenerationPart, bounds_of, needs_of, scored
from holodeck_eval.evaluators.generation_prompts import PROMPTS
from holodeck_eval.evaluators.inputs import Inputs, how_to_record
from holodeck_eval.evaluators.judged import host_of, judge_of, judgement_of, missing_cause, prompt_version
from holodeck_eval.evaluators.recorded import Reading, read
from holodeck_eval.evaluators.toolbox import Toolbox, retry_of

_PartOutcome = Reading | Skipped | Errored


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationMetric:
    """The five, or some of them, on one turn (an `Evaluator` of the domain).

    `named` says that they were chosen by name, so that none may lack its inputs.
    """

    spec: MetricSpec
    toolbox: Toolbox
    metrics: tuple[str, ...]
    named: bool = False

    async def measure(self, turn: Turn) -> Outcome:
        """Scored where at least one part was; its `score` is their `avg_score`."""
        inputs = Inputs.of_turn(turn)
        outcomes = await asyncio.gather(*(self._outcome(name, turn, inputs) for name in self.metrics))
        parts = tuple(_part(name, outcome) for name, outcome in zip(self.metrics, outcomes, strict=True))
        rating = rate(parts)
        if rating.avg_score is None:
            return _unscored(outcomes, parts)
        readings = [outcome for outcome in outcomes if isinstance(outcome, Reading)]
        all_recorded = all(reading.recorded for reading in readings)
        return Scored(
            score=rating.avg_score,
            reason=rating.global_explanation,
            judge=str(JudgeIdentity.of(judge_of(self.spec))),
            recorded=sum(reading.recorded for reading in readings) if all_recorded else 0,
            from_checkout=sum(reading.from_checkout for reading in readings),
            details={"possible_issues": list(rating.possible_issues)},
            rating=rating.relevancy_rating,
            parts=parts,
        )

    async def _outcome(self, name: str, turn: Turn, inputs: Inputs) -> _PartOutcome:
        missing = inputs.missing(needs_of(name, is_refusal=turn.is_refusal))
        if missing:
            cause = missing_cause(turn, missing) if self.named else "not_applicable"
            return Skipped(cause=cause, reason=how_to_record(missing))

        async def ask() -> Judgement:
            part = GenerationPart(
                name=name,
                is_refusal=turn.is_refusal,
                with_expected=inputs.expected_output is not None,
                model_config=judges.DeepEvalModelConfig.from_spec(judge_of(self.spec)),
                retry_config=retry_of(self.spec),
                pool=self.toolbox.judges_for(self.spec),
            )
            judgement = judgement_of(await part.evaluate(**inputs.arguments()))
            return Judgement(
                score=judgement.raw_score or 0.0, reason=judgement.reason, details=judgement.details
            )

        return await read(self._request(name, turn, inputs), self.toolbox, ask)

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
        return scored(name, outcome.score, outcome.reason)
    if isinstance(outcome, Skipped):
        return Part(name=name, status="skipped", explanation=outcome.reason, cause=outcome.cause)
    return Part(name=name, status="errored", explanation=outcome.message, cause=outcome.kind)


def _unscored(outcomes: Sequence[_PartOutcome], parts: tuple[Part, ...]) -> Outcome:
    """What a generation evaluation without any score is: an error first, else what is missing."""
    errors = [outcome for outcome in outcomes if isinstance(outcome, Errored)]
    if errors:
        return Errored(kind=errors[0].kind, message=errors[0].message, parts=parts)
    skips = [outcome for outcome in outcomes if isinstance(outcome, Skipped)]
    skips.sort(key=lambda skip: skip.cause == "not_applicable")
    return Skipped(cause=skips[0].cause, reason=skips[0].reason, parts=parts)
