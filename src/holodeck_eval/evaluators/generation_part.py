"""One of the five generation metrics as a DeepEval GEval with preset steps and a rubric of whole numbers."""

from __future__ import annotations

from typing import Final

from holodeck_eval import judges
from holodeck_eval.domain.outcome import Part
from holodeck_eval.domain.rating import SCALES
from holodeck_eval.evaluators.base import EvaluationResult
from holodeck_eval.evaluators.deepeval_base import DeepEvalBaseEvaluator
from holodeck_eval.evaluators.generation_prompts import PROMPTS, refusal_steps
from holodeck_eval.evaluators.ports import DeepEvalMetric, Judges
from holodeck_eval.judges._deepeval import load

REFUSAL: Final = "refusal_alignment"


def needs_of(name: str, *, is_refusal: bool | None) -> tuple[str, ...]:
    """The inputs one of the five cannot do without; a known refusal status replaces the expected answer."""
    needs = PROMPTS[name].needs
    known = name == REFUSAL and is_refusal is not None
    return tuple(need for need in needs if need != "expected_output") if known else needs


class GenerationPart(DeepEvalBaseEvaluator):
    """One of the five. `raw_score` is the whole number the judge said, `score` its normalized form.

    No probabilities are asked for: a weighted 2.6 is no score of the rubric.

    Args:
        name: which of the five.
        is_refusal: whether a refusal was expected, where that is known; for `refusal_alignment`.
        with_expected: whether the expected output is shown though it is not needed.
        model_config: as in the base class, like the rest.
    """

    weighted = False

    def __init__(
        self,
        *,
        name: str,
        is_refusal: bool | None = None,
        with_expected: bool = False,
        model_config: judges.DeepEvalModelConfig | None = None,
        timeout: float | None = None,
        retry_config: judges.RetryConfig | None = None,
        pool: Judges | None = None,
    ) -> None:
        super().__init__(model_config, 1.0, timeout, retry_config, pool=pool)
        self._scale, self._prompt = SCALES[name], PROMPTS[name]
        self.needs = needs_of(name, is_refusal=is_refusal)
        self._shown = self._prompt.needs if with_expected else self.needs
        known = name == REFUSAL and is_refusal is not None
        self._steps = refusal_steps(is_refusal=bool(is_refusal)) if known else self._prompt.steps
        self.metric_name = f"generation.{name}"
        self._numbers = (*bounds_of(name), True)

    def _needs_context(self) -> bool:
        return False  # groundedness is judged on an empty context: claims without any are not grounded

    def _create_metric(self) -> DeepEvalMetric:
        door = load()
        metric: DeepEvalMetric = door.GEval(
            name=self._scale.title,
            criteria=self._prompt.criteria,
            evaluation_steps=list(self._steps),
            evaluation_params=[door.SingleTurnParams(field) for field in self._shown],
            rubric=[
                door.Rubric(score_range=(score, score), expected_outcome=meaning)
                for score, meaning in self._prompt.rubric
            ],
            model=self._judge(),
        )
        return metric

    def _extract_result(self, metric: DeepEvalMetric) -> EvaluationResult:
        said = int(self._said if self._said is not None else -1)
        low, high, _ = self._numbers
        if metric.score != (said - low) / (high - low):
            raise self._unusable(f"DeepEval made {metric.score!r} of a score of {said}")
        return self._result(
            metric, score=self._scale.normalize(said), raw_score=said, metadata={"score_source": "judge"}
        )


def bounds_of(name: str) -> tuple[int, int]:
    """The lowest and the highest score of one of the five."""
    scale = SCALES[name]
    return min(scale.bad, scale.good), max(scale.bad, scale.good)


def scored(name: str, score: float, explanation: str, replies: tuple[float, ...] = ()) -> Part:
    """The part of a score, which is a whole number or the mean of these replies."""
    scale = SCALES[name]
    return Part(
        name=name,
        status="scored",
        explanation=explanation,
        score=int(score) if score == int(score) else score,
        normalized_score=scale.normalize(score),
        success=scale.level(score) == scale.good if scale.binary else None,
        replies=replies,
    )
