"""Ready-made judges, turns, metrics and toolboxes for tests of the evaluators."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from holodeck_eval.domain.agent import JudgeSpec, MetricSpec, Provider, RagOptions, Secret
from holodeck_eval.domain.case import Turn
from holodeck_eval.domain.judgement import Judgement, JudgementRequest
from holodeck_eval.errors import Place
from holodeck_eval.evaluators import Toolbox
from holodeck_eval.judges import DeepEvalModelConfig, JudgePool, ProviderEnum
from holodeck_eval.verdicts import VerdictFile

if TYPE_CHECKING:
    from tests.fakes.judge_double import JudgeDouble

PROVIDERS: dict[str, str] = {
    "openai": "gpt-4o",
    "azure_openai": "gpt-4o",
    "anthropic": "claude-3-5-sonnet-latest",
    "ollama": "gpt-oss:20b",
}
"""A model of each provider."""

PLACE = Place(file="agent.yaml", line=1)


def judge_config(
    double: JudgeDouble, provider: str = "openai", model: str | None = None
) -> DeepEvalModelConfig:
    """A judge at the double."""
    return DeepEvalModelConfig(
        provider=ProviderEnum(provider),
        model_name=model or PROVIDERS[provider],
        endpoint=double.endpoint(provider),
        api_key="made-up-key",
        deployment_name="judge-deployment" if provider == "azure_openai" else None,
    )


def judge_spec(double: JudgeDouble | None = None, provider: Provider = "openai") -> JudgeSpec:
    """The same as an agent YAML has it; without a double, a judge that nothing can ask."""
    endpoint = double.endpoint(provider) if double else None
    return JudgeSpec(
        provider=provider,
        name=PROVIDERS.get(provider, "Ada"),
        endpoint=endpoint,
        api_key=Secret("made-up-key"),
    )


def metric_spec(kind: str = "faithfulness", **changes: Any) -> MetricSpec:
    """A metric of some type."""
    family: Any = kind if kind in ("geval", "generation") else "rag"
    given: dict[str, Any] = {"name": kind, "threshold": 0.5, "options": RagOptions(), "judge": judge_spec()}
    return MetricSpec(kind=family, type=kind, place=PLACE, **(given | changes))


def turn(**changes: Any) -> Turn:
    """A recorded turn with everything in it."""
    given: dict[str, Any] = {
        "case_id": "hours",
        "index": 0,
        "input": "When are you open?",
        "actual_output": "We open at nine and close at five.",
        "expected_output": "From nine to five.",
        "retrieval_context": ("Opening hours: nine to five.", "The shop was founded in 1990."),
    }
    return Turn(**(given | changes))


class EarlierRun:
    """A store in memory whose verdicts all count as recorded by an earlier run."""

    def __init__(self) -> None:
        store = VerdictFile.open(None, now=lambda: "2026-01-01T00:00:00Z")
        self._store = store
        self.record, self.recall_steps, self.record_steps = (
            store.record,
            store.recall_steps,
            store.record_steps,
        )

    def recall(self, request: JudgementRequest) -> tuple[Judgement, ...]:
        return tuple(replace(judgement, fresh=False) for judgement in self._store.recall(request))


def toolbox(pool: JudgePool | None = None, *, offline: bool = False) -> Toolbox:
    """A toolbox whose verdicts are kept in memory."""
    return Toolbox(pool=pool, store=EarlierRun(), offline=offline)
