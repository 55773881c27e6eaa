"""Runs made up for tests of their annotations."""

from collections.abc import Sequence
from typing import Any, Final

from holodeck_eval.domain.result import CaseResult
from holodeck_eval.domain.run import Run
from holodeck_eval.errors import Place
from holodeck_eval.github.annotations import Annotation, annotations
from tests.fakes.comparisons import cause
from tests.fakes.runs import build_case, build_metric, build_run, build_turn, build_verdict

WORKSPACE: Final = "/github/workspace"


def of(run: Run, level: str = "error") -> list[Annotation]:
    return [one for one in annotations(run, WORKSPACE) if one.level == level]


def titles(found: Sequence[Annotation]) -> list[str]:
    return [one.title for one in found]


def failed(number: int, **case: Any) -> CaseResult:
    place = Place(file="runs/today.jsonl", line=number)
    return build_case(f"case-{number}", "failed", **{"transcript": place} | case)


def failed_run(*cases: CaseResult, code: str = "pass_rate", **settings: Any) -> Run:
    blame = cause(code, "too few passed", *(case.id for case in cases if case.status == "failed"))
    return build_run(*cases, **{"verdict": build_verdict("failed", blame)} | settings)


def missed(name: str, score: float = 0.3, **settings: Any) -> Any:
    return build_metric(score, name=name, **{"place": Place(file="agent.yaml", line=len(name))} | settings)


def case_of(*metrics: Any, number: int = 1, **settings: Any) -> CaseResult:
    return failed(number, turns=(build_turn(*metrics, status="failed"),), **settings)
