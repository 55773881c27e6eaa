"""What the tests of the pipeline share: metrics, cases and whole stories with a scripted judge."""

import asyncio
from collections.abc import Sequence
from typing import Any

from holodeck_eval.domain.agent import GenerationOptions, MetricSpec
from holodeck_eval.domain.case import Case, Turn
from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.result import Measurement
from holodeck_eval.errors import Place
from holodeck_eval.pipeline import Effort, Evaluators, measure

HERE = Place(file="agent.yaml", line=1)


def metric(name: str = "clear", **settings: Any) -> MetricSpec:
    """A geval metric with threshold 0.7, unless told otherwise."""
    kind = "expected_tools" if name == "expected_tools" else "geval"
    return MetricSpec(
        **{"kind": kind, "type": kind, "name": name, "threshold": 0.7, "place": HERE, **settings}
    )


def rated(min_rating: Any = "good", **settings: Any) -> MetricSpec:
    """A generation metric that passes by its rating."""
    options = GenerationOptions(metrics=("completeness", "redundancy"), min_rating=min_rating)
    return metric("rated", **{"kind": "generation", "threshold": None, "options": options, **settings})


def case(name: str, *metrics: MetricSpec, answer: str | None = None, **settings: Any) -> Case:
    """A case of one turn, answered by its own name unless told otherwise."""
    agent = settings.pop("agent", "helper")
    turn = Turn(
        **{
            "case_id": name,
            "index": 0,
            "input": "q",
            "actual_output": answer or name,
            "metrics": metrics,
            **settings,
        }
    )
    return Case(id=name, agent=agent, name=name, turns=(turn,), digest="d", transcript=Place(file="t"))


def measured(
    cases: Sequence[Case], evaluators: Evaluators, *, replies: int = 1, at_once: int = 4
) -> tuple[Measurement, ...]:
    """The cases measured the first time."""
    return asyncio.run(
        measure(cases, evaluators, at_once=at_once, replies=replies, progress=lambda _done, _total: None)
    )


def replies_of(measurements: Sequence[Measurement]) -> list[tuple[float, ...]]:
    """Every reply of each."""
    return [made.outcome.replies if isinstance(made.outcome, Scored) else () for made in measurements]


def effort(repeats: int = 1, max_rejudge: int = 6, at_once: int = 4) -> Effort:
    """How much may be judged."""
    return Effort(at_once=at_once, repeats=repeats, max_rejudge=max_rejudge)
