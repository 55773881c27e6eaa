"""The metrics that can be written. To add one: a file with its model, and a line in FAMILIES."""

from typing import Annotated, Final

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from holodeck_eval.config.metrics.base import MetricModel
from holodeck_eval.config.metrics.code import CodeMetric
from holodeck_eval.config.metrics.generation import GenerationMetric
from holodeck_eval.config.metrics.geval import GEvalMetric
from holodeck_eval.config.metrics.rag import RAG_NAMES, RagMetric
from holodeck_eval.config.metrics.standard import STANDARD_NAMES, StandardMetric

FAMILIES: Final[dict[str, type[MetricModel]]] = {
    "geval": GEvalMetric,
    "rag": RagMetric,
    "standard": StandardMetric,
    "generation": GenerationMetric,
    "code": CodeMetric,
}

SHORT_FORMS: Final[dict[str, str]] = dict.fromkeys(RAG_NAMES, "rag")
"""Names that may stand under `type` in place of their family's."""

TELLING_KEYS: Final[dict[str, str]] = {
    "metric": "standard",
    "metric_type": "rag",
    "criteria": "geval",
    "grader": "code",
}
"""Keys that tell the family of a metric written without `type`."""

__all__ = [
    "FAMILIES",
    "SHORT_FORMS",
    "STANDARD_NAMES",
    "TELLING_KEYS",
    "AnyMetric",
    "MetricModel",
    "family_of",
]


def family_of(value: object) -> str | None:
    """The family of a written metric: by `type`, else by a key only that family has, else None."""
    if isinstance(value, MetricModel):
        return next(name for name, model in FAMILIES.items() if isinstance(value, model))
    if not isinstance(value, dict):
        return None
    if "type" in value:
        written = value["type"]
        return SHORT_FORMS.get(written, written) if isinstance(written, str) else None
    return next((family for key, family in TELLING_KEYS.items() if key in value), None)


class _ByFamily:
    """Lets pydantic choose a metric's model by the table above."""

    @classmethod
    def __get_pydantic_core_schema__(cls, _: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        choices = {name: handler.generate_schema(model) for name, model in FAMILIES.items()}
        return core_schema.tagged_union_schema(choices, discriminator=family_of)


AnyMetric = Annotated[MetricModel, _ByFamily]
