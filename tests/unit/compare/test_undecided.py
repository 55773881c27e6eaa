from dataclasses import replace
from typing import Any

import pytest

from holodeck_eval.compare.pairs import paired
from holodeck_eval.compare.undecided import undecided
from holodeck_eval.domain.comparison import CaseChange
from holodeck_eval.domain.result import CaseResult
from tests.fakes.measured import DOWN, generation, part, result, run, scored, skipped, spec

PASSED = (spec("b"), scored(1.0))


def changes(before: CaseResult, now: CaseResult) -> list[CaseChange]:
    return list(undecided(paired(run(before), run(now)).pairs))


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (DOWN, "inconclusive"),
        (skipped("offline"), "inconclusive"),
        (skipped("missing_input"), "inconclusive"),
        (skipped("nothing_to_judge"), "passed"),
        (skipped("not_applicable"), "passed"),
    ],
)
def test_a_case_that_fails_by_a_metric_without_a_score_in_the_baseline_is_undecided(
    outcome: Any, status: Any
) -> None:
    before, now = result([(spec(), outcome), PASSED]), result([(spec(), scored(0.1)), PASSED])
    assert changes(before, now) == [CaseChange(agent="helper", case="a", before=status, now="failed")]


def test_a_case_whose_score_is_made_of_other_parts_than_in_the_baseline_is_undecided() -> None:
    def rated(rating: Any, *parts: Any) -> CaseResult:
        return result([(generation(), scored(0.5, rating=rating, parts=parts))])

    before = rated("good", part("completeness", "scored"), part("groundedness", "skipped", "not_applicable"))
    now = rated("bad", part("completeness", "scored"), part("groundedness", "scored"))
    assert [change.case for change in changes(before, now)] == ["a"]


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (result([(spec(), scored(0.9))]), result([(spec(), scored(0.1))])),
        (result([PASSED]), result([(spec(), scored(0.1)), PASSED])),
        (result([(spec(), DOWN), PASSED]), result([(spec(), DOWN), PASSED])),
        (result([(spec(), DOWN), PASSED]), result([(spec(), scored(0.9)), PASSED])),
        (result([(spec(), DOWN), (spec("b"), scored(0.1))]), result([(spec(), scored(0.1)), PASSED])),
        (result([(spec(), None)], no_answer=[0]), result([(spec(), scored(0.1))])),
        (result([(spec(), scored(0.9))]), result([(spec(), None)], no_answer=[0])),
        (result([(spec(), DOWN), PASSED]), replace(result([(spec(), scored(0.1)), PASSED]), digest="x")),
        (result([(spec(), DOWN), PASSED]), result([(spec(), scored(0.1)), PASSED], id="new")),
    ],
    ids=[
        "scored on both sides",
        "a new metric",
        "open on both sides",
        "passes now",
        "failed before",
        "no answer before",
        "no answer now",
        "other expectations",
        "another case",
    ],
)
def test_other_cases_are_not(before: CaseResult, now: CaseResult) -> None:
    assert changes(before, now) == []
