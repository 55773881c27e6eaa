"""Short ways to write agents, test cases and transcripts."""

from typing import Any

from holodeck_eval.domain.agent import Agent, MetricSpec, TestCase, TurnExpectation
from holodeck_eval.domain.transcript import RecordedTurn, Transcript
from holodeck_eval.errors import Place


def metric(name: str, **fields: Any) -> MetricSpec:
    return MetricSpec(
        kind="geval", type="geval", name=name, threshold=0.5, place=Place(file="a.yaml"), **fields
    )


def wanted(line: int, *inputs: str | TurnExpectation, name: str | None = None, **fields: Any) -> TestCase:
    turns = tuple(
        text if isinstance(text, TurnExpectation) else TurnExpectation(input=text) for text in inputs
    )
    place = Place(file="a.yaml", line=line)
    return TestCase(name=name, turns=turns, place=place, **{"multi_turn": len(turns) > 1, **fields})


def agent(*cases: TestCase, name: str = "bot", **fields: Any) -> Agent:
    fields = {"metrics": (metric("m"),), **fields}
    return Agent(name=name, place=Place(file=f"{name}.yaml"), test_cases=cases, **fields)


def turn(question: str | None, answer: str | None = "a", **fields: Any) -> RecordedTurn:
    return RecordedTurn(input=question, output=answer, **fields)


def transcript(record: int, *turns: RecordedTurn | str | None, **fields: Any) -> Transcript:
    made = tuple(item if isinstance(item, RecordedTurn) else turn(item) for item in turns)
    return Transcript(format="native", place=Place(file="t.jsonl", line=record), turns=made, **fields)
