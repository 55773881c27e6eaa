"""GEval: the judge scores by criteria written in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, cast

from holodeck_eval import judges
from holodeck_eval.evaluators.base import EvaluationResult
from holodeck_eval.evaluators.deepeval_base import DeepEvalBaseEvaluator
from holodeck_eval.evaluators.inputs import LISTS, TEXTS
from holodeck_eval.evaluators.markers import sendable
from holodeck_eval.evaluators.ports import DeepEvalMetric, Judges
from holodeck_eval.judges._deepeval import load


class _Judge(Protocol):
    score_source: str | None


class _Measured(DeepEvalMetric, Protocol):
    model: _Judge
    evaluation_steps: Sequence[str]

    async def _a_generate_evaluation_steps(self, multimodal: bool) -> list[str]:  # noqa: FBT001 - DeepEval's
        ...


class GEvalEvaluator(DeepEvalBaseEvaluator):
    """Scores by criteria of one's own; the judge says 0 to 10, or 0 or 1 in strict mode.

    Where the judge gives token probabilities, DeepEval weights its score with them: `metadata.score_source`
    says `logprobs` then, and `judge` where the score is what the judge said. `raw_score` is what it said.

    In strict mode the judge is asked for 0 or 1, and any other number is an invalid reply.

    Args:
        name: what the metric is called.
        criteria: what is judged, in plain words.
        evaluation_params: the inputs the judge sees, of `input`, `actual_output`, `expected_output`,
            `context` and `retrieval_context`; None is `actual_output` alone.
        evaluation_steps: what the judge does; None lets it write the steps itself, with one call more.
        strict_mode: 1.0 for all criteria met, else 0.0.
        model_config: as in the base class, like the rest.
    """

    metric_name = "GEval"

    def __init__(  # noqa: PLR0913, PLR0917 - the seeds' signature
        self,
        name: str,
        criteria: str,
        evaluation_params: list[str] | None = None,
        evaluation_steps: list[str] | None = None,
        model_config: judges.DeepEvalModelConfig | None = None,
        threshold: float = 0.5,
        strict_mode: bool = False,  # noqa: FBT001, FBT002 - the seeds' signature
        timeout: float | None = 60.0,
        retry_config: judges.RetryConfig | None = None,
        *,
        pool: Judges | None = None,
    ) -> None:
        super().__init__(model_config, threshold, timeout, retry_config, pool=pool)
        if not criteria.strip():
            raise ValueError("criteria must not be blank")
        params = tuple(dict.fromkeys(["actual_output"] if evaluation_params is None else evaluation_params))
        if not params or not set(params) <= {*TEXTS, *LISTS}:
            raise ValueError(f"evaluation_params must be one or more of {', '.join((*TEXTS, *LISTS))}")
        self.name = name
        self.criteria = criteria
        self.evaluation_steps = list(evaluation_steps) if evaluation_steps else None
        self.strict_mode = strict_mode
        self.needs = params
        if strict_mode:
            self._numbers = (0, 1, True)

    async def generate_steps(self) -> list[str]:
        """The steps the judge writes for these criteria, by one call; to be given as `evaluation_steps`.

        Raises:
            DeepEvalError: where the judge gave none.
        """
        async with self._at_work() as worker:
            metric = cast("_Measured", worker._create_metric())  # noqa: SLF001 - a copy of itself
            with worker._failures({}):  # noqa: SLF001 - as above
                return await metric._a_generate_evaluation_steps(multimodal=False)  # noqa: SLF001 - no public way

    def _needs_context(self) -> bool:
        return False  # criteria may be about an empty context

    def _create_metric(self) -> DeepEvalMetric:
        door = load()
        metric: DeepEvalMetric = door.GEval(
            name=sendable(self.name),
            criteria=sendable(self.criteria),
            evaluation_steps=[sendable(step) for step in self.evaluation_steps]
            if self.evaluation_steps
            else None,
            evaluation_params=[door.SingleTurnParams(param) for param in self.needs],
            model=self._judge(),
            strict_mode=self.strict_mode,
        )
        return metric

    def _extract_result(self, metric: DeepEvalMetric) -> EvaluationResult:
        measured = cast("_Measured", metric)
        result = self._result(
            metric,
            raw_score=self._said,
            metadata={
                "criteria": self.criteria,
                "auto_generated_steps": self.evaluation_steps is None,
                "strict_mode": self.strict_mode,
                "score_source": "logprobs" if measured.model.score_source == "logprobs" else "judge",
            },
        )
        result["evaluation_steps"] = list(measured.evaluation_steps)
        return result
