import asyncio
from typing import Any

import pytest

from holodeck_eval.domain.agent import MetricSpec, NumericOptions
from holodeck_eval.domain.case import Turn
from holodeck_eval.domain.outcome import Outcome, Scored, Skipped
from holodeck_eval.errors import Place
from holodeck_eval.evaluators.numeric import build

PERCENT = {"accept_percent": True}
THOUSANDS = {"accept_thousands_separators": True}


def measure(answer: str | None, expected: str | None, *, several: bool = False, **options: Any) -> Outcome:
    spec = MetricSpec(
        kind="standard",
        type="numeric",
        name="numeric",
        threshold=1.0,
        place=Place(file="agent.yaml"),
        options=NumericOptions(**options) if options else None,
    )
    turn = Turn(
        case_id="a", index=0, input="q", actual_output=answer, expected_output=expected, several=several
    )
    return asyncio.run(build(spec, None).measure(turn))


def score(answer: str, expected: str, **options: Any) -> float:
    outcome = measure(answer, expected, **options)
    assert isinstance(outcome, Scored)
    return outcome.score


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("4", "4.0"),
        (" 4\n", "4"),
        ("+4", "4"),
        ("-4", "\u22124"),
        ("4e2", "400"),
        ("4E\u22122", ".04"),
        ("4.", "4"),
        ("0.0000001", "0"),
        ("1e400", "1e400"),
        ("0e9999", "0"),
    ],
)
def test_the_same_number_written_in_another_way_scores_1(answer: str, expected: str) -> None:
    assert score(answer, expected) == 1.0


@pytest.mark.parametrize(
    "answer", ["5", "4.1", "-4", "about 4", "4 apples", "four", "", "inf", "-Infinity", "NaN", "0x4", "٤", "4e999", "4e99999", "1_0", "4" * 401, "4 4"]
)  # fmt: skip
def test_another_number_prose_or_what_is_none_scores_0(answer: str) -> None:
    assert score(answer, "4", absolute_tolerance=0.05) == 0.0


@pytest.mark.parametrize(
    ("answer", "options", "points"),
    [
        ("0.3", {"absolute_tolerance": 0.1}, 1.0),
        ("0.31", {"absolute_tolerance": 0.1}, 0.0),
        ("0.202", {"absolute_tolerance": 0.0, "relative_tolerance": 0.01}, 1.0),
        ("0.2021", {"absolute_tolerance": 0.0, "relative_tolerance": 0.01}, 0.0),
        ("0.302", {"absolute_tolerance": 0.1, "relative_tolerance": 0.01}, 1.0),
        ("0.198", {"absolute_tolerance": 0.0, "relative_tolerance": 0.01}, 1.0),
    ],
)
def test_tolerances_are_met_at_their_very_edge_and_add_up(
    answer: str, options: dict[str, float], points: float
) -> None:
    assert score(answer, "0.2", **options) == points


def test_a_relative_tolerance_works_below_zero() -> None:
    assert score("-101", "-100", relative_tolerance=0.01) == 1.0


def test_large_numbers_are_told_apart() -> None:
    assert score("12345678901234567890", "12345678901234567891") == 0.0


@pytest.mark.parametrize(
    ("answer", "expected", "points"),
    [
        ("33.2%", "0.332", 1.0),
        ("33.2 %", "33.2%", 1.0),
        ("33.2", "0.332", 0.0),
        ("%", "1", 0.0),
        ("5%%", "0.05", 0.0),
    ],
)
def test_percentages_count_as_hundredths_where_they_are_accepted(
    answer: str, expected: str, points: float
) -> None:
    assert score(answer, expected, **PERCENT) == points


@pytest.mark.parametrize(
    ("answer", "points"),
    [
        ("1,234,567.5", 1.0),
        ("1_234_567.5", 1.0),
        ("1\u00a0234\u00a0567.5", 1.0),
        ("1 234 567.5", 1.0),
        ("1234567.5", 1.0),
        ("1,234 567.5", 0.0),
        ("1,23,4567.5", 0.0),
        ("1234,567.5", 0.0),
    ],
)
def test_thousands_separators_must_stand_where_thousands_do(answer: str, points: float) -> None:
    assert score(answer, "1234567.5", **THOUSANDS) == points


def test_percentages_and_separators_work_together() -> None:
    assert score("1,200%", "12", **PERCENT, **THOUSANDS) == 1.0


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        ("33%", "The answer '33%' is not a number, since accept_percent is not set."),
        ("1,000", "The answer '1,000' is not a number, since accept_thousands_separators is not set."),
        ("many", "The answer 'many' is not a number."),
    ],
)
def test_what_is_not_taken_for_a_number_names_the_option_that_would(answer: str, hint: str) -> None:
    assert measure(answer, "4") == Scored(score=0.0, reason=hint)


def test_an_expected_nan_is_met_by_nan_alone() -> None:
    assert score("nan", " NaN ") == 1.0
    assert measure("4", "NaN") == Scored(
        score=0.0, reason="The answer '4' is not 'NaN', which is not a number."
    )
    assert score('{"a": NaN}', "NaN", response_path="a") == 1.0


def test_the_reason_says_both_numbers() -> None:
    assert measure("5", "4") == Scored(score=0.0, reason="'5' is not within the tolerance of '4'.")
    assert measure("4", "4") == Scored(score=1.0, reason="'4' is within the tolerance of '4'.")


@pytest.mark.parametrize(
    ("answer", "points"), [('{"a": [4]}', 1.0), ('{"a": ["4"]}', 1.0), ('{"a": [true]}', 0.0)]
)
def test_a_response_path_picks_what_is_compared(answer: str, points: float) -> None:
    assert score(answer, "4", response_path="a[0]") == points


def test_an_answer_that_is_not_json_scores_0_and_says_so() -> None:
    outcome = measure("4 or so", "4", response_path="a")
    assert outcome == Scored(score=0.0, reason="the answer is not JSON, so it has no a.")


@pytest.mark.parametrize(
    ("answer", "expected", "met"), [("Yes", "yes", 1.0), ("no", "yes", 0.0), ("4", "four", 0.0)]
)
def test_an_expected_text_that_is_no_number_is_met_by_that_text_alone(
    answer: str, expected: str, met: float
) -> None:
    assert score(answer, expected) == met


def test_an_expected_number_in_a_form_that_is_not_accepted_says_what_would_accept_it() -> None:
    reason = "The answer '0.33' is not '33%', which is not a number, since accept_percent is not set."
    assert measure("0.33", "33%") == Scored(score=0.0, reason=reason)


@pytest.mark.parametrize(("several", "cause"), [(False, "missing_input"), (True, "not_applicable")])
def test_without_an_expected_output_nothing_is_measured(*, several: bool, cause: str) -> None:
    outcome = measure("4", None, several=several)
    assert isinstance(outcome, Skipped)
    assert outcome.cause == cause
