"""`type: geval` as the gate runs it: steps that nobody wrote are generated once and recorded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from holodeck_eval import judges
from holodeck_eval.domain.agent import GEvalOptions, MetricSpec
from holodeck_eval.domain.judgement import JudgeIdentity, JudgementRequest
from holodeck_eval.evaluators.base import EvaluationResult
from holodeck_eval.evaluators.inputs import Inputs
from holodeck_eval.evaluators.judged import JudgedMetric, host_of, judge_of, prompt_version
from holodeck_eval.evaluators.ports import Judges
from holodeck_eval.evaluators.toolbox import Toolbox, retry_of

if TYPE_CHECKING:
    from holodeck_eval.evaluators.geval import GEvalEvaluator


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asker:
    """Asks a judge by some criteria, with the same steps for every case."""

    spec: MetricSpec
    toolbox: Toolbox
    options: GEvalOptions

    async def ask(self, inputs: Inputs, pool: Judges) -> EvaluationResult:
        written = self.options.evaluation_steps
        evaluator = self._evaluator(written or await self._steps(), pool)
        result = await evaluator.evaluate(**inputs.arguments())
        result["metadata"]["auto_generated_steps"] = not written
        return result

    async def _steps(self) -> tuple[str, ...]:
        request = steps_request(self.spec)
        async with self.toolbox.alone(f"steps {request.key()}"):
            steps = self.toolbox.store.recall_steps(request)
            if steps is None:
                pool = self.toolbox.judges_for(self.spec)
                steps = tuple(await self._evaluator(None, pool).generate_steps())
                self.toolbox.store.record_steps(request, steps)
        return steps

    def _evaluator(self, steps: tuple[str, ...] | None, pool: Judges) -> GEvalEvaluator:
        from holodeck_eval.evaluators.geval import GEvalEvaluator  # noqa: PLC0415 - only where a judge is asked

        return GEvalEvaluator(
            name=self.spec.name,
            criteria=self.options.criteria,
            evaluation_params=list(self.options.evaluation_params),
            evaluation_steps=list(steps) if steps else None,
            model_config=judges.DeepEvalModelConfig.from_spec(judge_of(self.spec)),
            strict_mode=self.options.strict_mode,
            timeout=None,  # each call has its own
            retry_config=retry_of(self.spec),
            pool=pool,
        )


def steps_request(spec: MetricSpec) -> JudgementRequest:
    """What the steps that a judge wrote for a metric are recorded under.

    Raises:
        ValueError: where the spec has no options of `geval`, or no judge, which configuration always sets.
    """
    judge, options = judge_of(spec), _options_of(spec)
    return JudgementRequest(
        metric=spec.name,
        metric_type="geval",
        configuration={
            "criteria": options.criteria,
            "evaluation_params": list(dict.fromkeys(options.evaluation_params)),
        },
        judge=JudgeIdentity.of(judge),
        prompt_version=prompt_version(judge),
        judged={},
        case_id="",
        host=host_of(judge),
    )


def _options_of(spec: MetricSpec) -> GEvalOptions:
    if not isinstance(spec.options, GEvalOptions):
        raise ValueError(f"metric {spec.name!r} has no criteria")  # noqa: TRY004 - a value of ours, not a caller's type
    return spec.options


def build(spec: MetricSpec, toolbox: Toolbox) -> JudgedMetric:
    """The evaluator of a `geval` metric.

    Raises:
        ValueError: where the spec has no options of `geval`, which configuration always sets.
    """
    options = _options_of(spec)
    params = tuple(dict.fromkeys(options.evaluation_params))
    return JudgedMetric(
        spec=spec,
        toolbox=toolbox,
        needs=params,
        judged=params,
        configuration={
            "criteria": options.criteria,
            "evaluation_steps": list(options.evaluation_steps) if options.evaluation_steps else None,
            "evaluation_params": list(params),
            "strict_mode": options.strict_mode,
        },
        ask=_Asker(spec=spec, toolbox=toolbox, options=options).ask,
        empty_context=True,
    )
