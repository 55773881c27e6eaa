"""Small runs of judged cases to compare, an agent's before and after."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from holodeck_eval.aggregate import summarize
from holodeck_eval.domain.outcome import Errored, Outcome, Scored
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import CaseResult, CaseStatus, MetricConfig, MetricResult, TurnResult
from holodeck_eval.domain.run import AgentRun, Run
from holodeck_eval.domain.verdict import EXIT_CODES, Status, Verdict
from holodeck_eval.errors import Place

HELPER = "helper"
LANGUAGE_MODEL = "openai/gpt-4o"
THRESHOLD = 0.7
HERE = Place(file="agent.yaml", line=3)


def judged(*replies: float, name: str = "faithful", **settings: Any) -> MetricResult:
    """A metric that a language model judged so many times, held against 0.7.

    Settings of `Scored` (`key`, `judge`, `judge_version`, `parts` …) and of `MetricResult` may be given.
    """
    of_result = {key: settings.pop(key) for key in tuple(settings) if key in _RESULT}
    threshold = of_result.get("threshold", THRESHOLD)
    score = round(sum(replies) / len(replies), 6)
    said: dict[str, Any] = {"score": score, "reason": f"it is {score:g}", "judge": LANGUAGE_MODEL}
    outcome = Scored(**said | {"replies": replies} | settings)
    passed = None if threshold is None else outcome.score >= threshold
    made: dict[str, Any] = {
        "name": name,
        "type": "geval",
        "threshold": THRESHOLD,
        "outcome": outcome,
        "passed": passed,
        "digest": name,
    }
    return MetricResult(**made | of_result)


_RESULT = frozenset(MetricResult.__dataclass_fields__) - {"outcome"}


def ruled(score: float, name: str = "equality", **settings: Any) -> MetricResult:
    """A metric without a judge, held against 1."""
    return judged(score, name=name, **{"threshold": 1.0, "judge": None, "replies": ()} | settings)


def by_person(score: float, name: str = "tone", **settings: Any) -> MetricResult:
    """A metric that a person judged, held against 0.7."""
    return judged(score, name=name, **{"judge": "human/ada"} | settings)


def unscored(outcome: Outcome, name: str = "faithful", **settings: Any) -> MetricResult:
    """A judged metric without a score; it leaves its case open where it errored."""
    return replace(
        judged(0.0, name=name),
        outcome=outcome,
        passed=None,
        **{"blocks": isinstance(outcome, Errored)} | settings,
    )


def turn(*metrics: MetricResult, index: int = 0, **settings: Any) -> TurnResult:
    """A judged turn, with the status its metrics give it."""
    failed = "no_answer" in settings or any(metric.passed is False for metric in metrics)
    is_open = any(metric.blocks for metric in metrics)
    status: CaseStatus = "failed" if failed else "inconclusive" if is_open else "passed"
    made: dict[str, Any] = {
        "index": index,
        "input": "what?",
        "actual_output": "that",
        "expected_output": None,
    }
    return TurnResult(**made | {"status": status, "metrics": metrics} | settings)


def case(id: str, *measured: MetricResult | TurnResult, **settings: Any) -> CaseResult:  # noqa: A002
    """A case of these turns; metrics by themselves are one turn's."""
    metrics = [item for item in measured if isinstance(item, MetricResult)]
    turns = [item for item in measured if isinstance(item, TurnResult)]
    turns = turns or ([turn(*metrics)] if metrics else [])
    statuses: list[CaseStatus] = [item.status for item in turns]
    order: tuple[CaseStatus, ...] = ("failed", "inconclusive", "passed")
    scores = [
        item.outcome.score for made in turns for item in made.metrics if isinstance(item.outcome, Scored)
    ]
    return CaseResult(
        **{
            "id": id,
            "agent": HELPER,
            "name": None,
            "status": min(statuses, key=order.index) if statuses else "failed",
            "reasons": (),
            "turns": tuple(turns),
            "digest": f"what {id} asks",
            "avg_score": round(sum(scores) / len(scores), 6) if scores else None,
            "transcript": Place(file="runs.jsonl", line=1) if turns else None,
        }
        | settings
    )


def config(name: str = "faithful", **settings: Any) -> MetricConfig:
    """A metric as a run says that it was configured; its digest is what `judged` gives its results."""
    made: dict[str, Any] = {
        "name": name,
        "kind": "geval",
        "type": "geval",
        "enabled": True,
        "guardrail": False,
        "threshold": THRESHOLD,
        "bad_below": None,
        "judge": LANGUAGE_MODEL,
        "configuration": {},
        "digest": name,
        "place": HERE,
        "prompt_version": "1",
    }
    return MetricConfig(**made | settings)


def agent(*metrics: MetricConfig, name: str = HELPER) -> AgentRun:
    """An agent whose own list has these metrics."""
    return AgentRun(name=name, file="agent.yaml", metrics=metrics, test_cases=1, transcripts=1)


def run(*cases: CaseResult, status: Status = "passed", **settings: Any) -> Run:
    """A run of these cases, everything judged once."""
    made: dict[str, Any] = {
        "schema_version": 1,
        "tool_version": "0",
        "started_at": "2026-01-02T03:04:05Z",
        "duration_s": 1.0,
        "verdict": Verdict(status=status, causes=(), exit_code=EXIT_CODES[status]),
        "policy": Policy(min_pass_rate=None),
        "summary": summarize(cases),
        "agents": (agent(),),
        "cases": cases,
    }
    return Run(**made | settings)


def scores(values: Iterable[float], name: str = "faithful", **settings: Any) -> list[CaseResult]:
    """A case for each score, judged once by one metric."""
    return [case(f"c{place:03}", judged(value, name=name, **settings)) for place, value in enumerate(values)]


def judged_again(run: Run, case: str, replies: Sequence[float], metric: str = "faithful") -> Run:
    """The run with a metric of a case of one turn resting on these replies."""

    def replaced(result: MetricResult) -> MetricResult:
        if result.name != metric or not isinstance(result.outcome, Scored):
            return result
        score = round(sum(replies) / len(replies), 6)
        outcome = replace(result.outcome, score=score, replies=tuple(replies))
        return replace(result, outcome=outcome, passed=score >= (result.threshold or 0.0))

    cases = tuple(
        replace(item, turns=(turn(*map(replaced, item.turns[0].metrics)),)) if item.id == case else item
        for item in run.cases
    )
    return replace(run, cases=cases)
