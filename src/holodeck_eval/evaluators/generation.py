"""GEvalGenerationEvaluator: is this a good answer? Five questions to the judge, one rating."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from holodeck_eval import judges
from holodeck_eval.domain.agent import Rating
from holodeck_eval.domain.outcome import Part
from holodeck_eval.domain.rating import GENERATION, RATING_ORDER, GenerationRating, rate
from holodeck_eval.errors import EvaluationError, LimitReachedError
from holodeck_eval.evaluators.generation_part import GenerationPart, needs_of, scored
from holodeck_eval.evaluators.inputs import Inputs
from holodeck_eval.evaluators.ports import Judges

METRIC_NAMES: Final[tuple[str, ...]] = tuple(scale.name for scale in GENERATION)
"""The five, in the order of every output."""

_FIELDS: Final[dict[str, str]] = {
    "input": "query",
    "actual_output": "generated_response",
    "expected_output": "expected_response",
    "retrieval_context": "retrieved_context",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RAGData:
    """A question, its answer, and what the answer is held against.

    Attributes:
        query: what the user asked.
        generated_response: what was answered.
        expected_response: what should have been answered; None where that is not known.
        retrieved_context: what the answer was made from, as one text or as chunks. None is "not known"; ""
            and an empty list are "nothing was retrieved", which is judged.
        is_refusal: whether a refusal was expected; None leaves that to be read from `expected_response`.
    """

    query: str
    generated_response: str
    expected_response: str | None = None
    retrieved_context: str | Sequence[str] | None = None
    is_refusal: bool | None = None

    def inputs(self) -> Inputs:
        """The same by the names every evaluator has.

        Raises:
            ValueError: where something is of the wrong type, or the question or the answer is missing.
        """
        context = self.retrieved_context
        given = {
            "input": self.query,
            "actual_output": self.generated_response,
            "expected_output": self.expected_response,
            "retrieval_context": context if context is None or isinstance(context, str) else list(context),
        }
        inputs = Inputs.of(given)
        missing = inputs.missing(("input", "actual_output"))
        if missing:
            raise ValueError(f"RAGData needs {' and '.join(f'`{_FIELDS[name]}`' for name in missing)}")
        return inputs


class GEvalGenerationEvaluator:
    """Rates an answer by up to five metrics, each a GEval with preset steps and a rubric of whole numbers.

    Args:
        model_config: the judge; None is Ollama's `gpt-oss:20b` on this machine.
        metrics: some of the five; None is all of them.
        threshold: lowest passing `avg_score`, 0.0 to 1.0; None passes by `min_rating`.
        min_rating: lowest passing rating.
        timeout: seconds each metric may take, retries included; None for no bound.
        retry_config: how calls to the judge are repeated.
        pool: judges to share with other evaluators; None opens one for each `evaluate` and closes it.
    """

    def __init__(
        self,
        model_config: judges.DeepEvalModelConfig | None = None,
        metrics: Sequence[str] | None = None,
        threshold: float | None = None,
        min_rating: Rating = "good",
        timeout: float | None = 60.0,
        retry_config: judges.RetryConfig | None = None,
        *,
        pool: Judges | None = None,
    ) -> None:
        self.metrics = chosen(metrics)
        if threshold is not None and not 0.0 <= threshold <= 1.0:
            raise ValueError(f"threshold must be from 0.0 to 1.0, not {threshold}")
        if min_rating not in RATING_ORDER:
            raise ValueError(f"min_rating must be one of {', '.join(RATING_ORDER)}")
        self.model_config = model_config or judges.DeepEvalModelConfig()
        self.threshold = threshold
        self.min_rating = min_rating
        self.timeout = timeout
        self.retry_config = retry_config or judges.RetryConfig()
        self._pool = pool

    async def evaluate(self, data: RAGData) -> dict[str, dict[str, object]]:
        """Rate one answer.

        Returns:
            `{"generation": {…}}` with `global_explanation`, `relevancy_rating`, `score` (bad 0.0, incomplete
            0.5, good 1.0), `possible_issues`, `binary_score`, `avg_score` and a key for each metric. A metric
            that was skipped or could not be judged is None; its reason stands under `skipped` or `errors`,
            which are there only then. After an error there is no rating, and `relevancy_rating`, `score` and
            `binary_score` are None.

        Raises:
            ValueError: where the question or the answer is missing.
            LimitReachedError: where the pool's time or budget is used up.
        """
        inputs = data.inputs()
        pool = self._pool or judges.JudgePool(retry=self.retry_config, timeout=None)
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._part(name, inputs, data, pool)) for name in self.metrics]
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from None
        finally:
            if self._pool is None:
                await pool.aclose()
        parts = [task.result() for task in tasks]
        return {"generation": as_dict(parts, rate(parts))}

    def passes(self, result: dict[str, dict[str, object]]) -> bool | None:
        """Whether a result of `evaluate` reaches `threshold`, else `min_rating`; None for neither."""
        generation = result["generation"]
        if self.threshold is not None:
            average = generation["avg_score"]
            return average >= self.threshold if isinstance(average, float) else None
        rating = generation["relevancy_rating"]
        return rating in RATING_ORDER[RATING_ORDER.index(self.min_rating) :] if rating else None

    async def _part(self, name: str, inputs: Inputs, data: RAGData, pool: Judges) -> Part:
        missing = inputs.missing(needs_of(name, is_refusal=data.is_refusal))
        if missing:
            lacking = " and ".join(f"`{_FIELDS[field]}`" for field in missing)
            return Part(
                name=name, status="skipped", explanation=f"{lacking} not given", cause="not_applicable"
            )
        part = GenerationPart(
            name=name,
            is_refusal=data.is_refusal,
            with_expected=inputs.expected_output is not None,
            model_config=self.model_config,
            timeout=self.timeout,
            retry_config=self.retry_config,
            pool=pool,
        )
        try:
            result = await part.evaluate(**inputs.arguments())
        except LimitReachedError:
            raise
        except EvaluationError as error:
            return Part(name=name, status="errored", explanation=str(error))
        return scored(name, result["raw_score"] or 0.0, result["reasoning"])


def chosen(metrics: Sequence[str] | None) -> tuple[str, ...]:
    """Some of the five in the table's order; None is all of them.

    Raises:
        ValueError: where there are none, or one is unknown.
    """
    if metrics is None:
        return METRIC_NAMES
    unknown = sorted(set(metrics) - set(METRIC_NAMES))
    if unknown or not metrics:
        raise ValueError(
            f"metrics must be some of {', '.join(METRIC_NAMES)}, not {', '.join(unknown) or 'none'}"
        )
    return tuple(name for name in METRIC_NAMES if name in metrics)


def as_dict(parts: Sequence[Part], rating: GenerationRating) -> dict[str, object]:
    """The parts and their rating as the documented output."""
    unscored = [part for part in parts if part.status != "scored"]
    skipped = {part.name: part.explanation for part in unscored if part.status == "skipped"}
    errors = {part.name: part.explanation for part in unscored if part.status == "errored"}
    return {
        "global_explanation": rating.global_explanation,
        "relevancy_rating": rating.relevancy_rating,
        "score": rating.score,
        "possible_issues": list(rating.possible_issues),
        "binary_score": rating.binary_score,
        "avg_score": rating.avg_score,
        **{part.name: _part_dict(part) for part in parts},
        **({"skipped": skipped} if skipped else {}),
        **({"errors": errors} if errors else {}),
    }


def _part_dict(part: Part) -> dict[str, object] | None:
    if part.status != "scored":
        return None
    success = {} if part.success is None else {"success": part.success}
    return {
        "score": part.score,
        "explanation": part.explanation,
        **success,
        "normalized_score": part.normalized_score,
    }
