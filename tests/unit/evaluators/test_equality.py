import asyncio
from typing import Any

import pytest

from holodeck_eval.domain.agent import EqualityOptions, MetricSpec
from holodeck_eval.domain.case import Turn
from holodeck_eval.domain.outcome import Outcome, Scored, Skipped
from holodeck_eval.errors import Place
from holodeck_eval.evaluators.equality import build


def measure(answer: str | None, expected: str | None, *, several: bool = False, **options: Any) -> Outcome:
    spec = MetricSpec(
        kind="standard",
        type="equality",
        name="equality",
        threshold=1.0,
        place=Place(file="agent.yaml"),
        options=EqualityOptions(**options) if options else None,
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
    ("answer", "expected", "option"),
    [
        ("STRASSE", "straße", "case_insensitive"),
        (" a \n b\t", "a b", "strip_whitespace"),
        ("a\u00a0b", "a b", "strip_whitespace"),
        ("yes!", "yes", "strip_punctuation"),
        ("«oui»", "oui", "strip_punctuation"),
        ("$5 + 1", "5  1", "strip_punctuation"),
    ],
)
def test_what_an_option_lets_differ_does_not_count_and_does_without_it(
    answer: str, expected: str, option: str
) -> None:
    assert score(answer, expected) == 0.0
    assert score(answer, expected, **{option: True}) == 1.0


def test_equal_texts_score_1() -> None:
    assert measure("Paris", "Paris") == Scored(score=1.0, reason="The answer equals the expected output.")


def test_texts_that_differ_score_0_and_both_are_quoted() -> None:
    outcome = measure("Rome", "Paris")
    assert outcome == Scored(score=0.0, reason="The answer is 'Rome', but 'Paris' was expected.")


def test_an_expected_empty_text_is_met_by_an_empty_answer_alone() -> None:
    assert score("", "") == 1.0
    assert score("x", "") == 0.0


def test_options_work_together() -> None:
    every = {"case_insensitive": True, "strip_whitespace": True, "strip_punctuation": True}
    assert score(" It's  PARIS. ", "its paris", **every) == 1.0


@pytest.mark.parametrize(
    ("answer", "expected", "points"),
    [
        ('{"a": "Paris"}', "Paris", 1.0),
        ('{"a": 4}', "4", 1.0),
        ('{"a": 4}', "5", 0.0),
        ('{"b": 4}', "4", 0.0),
    ],
)
def test_a_response_path_picks_what_is_compared(answer: str, expected: str, points: float) -> None:
    assert score(answer, expected, response_path="a") == points


def test_an_answer_that_is_not_json_scores_0_and_says_so() -> None:
    assert measure("Paris", "Paris", response_path="a") == Scored(
        score=0.0, reason="the answer is not JSON, so it has no a."
    )


def test_without_an_expected_output_nothing_is_measured_and_it_says_how_to_record_it() -> None:
    outcome = measure("Paris", None)
    assert isinstance(outcome, Skipped)
    assert outcome.cause == "missing_input"
    assert "ground_truth" in outcome.reason


def test_a_turn_among_several_need_not_have_an_expected_output() -> None:
    outcome = measure("Paris", None, several=True)
    assert isinstance(outcome, Skipped)
    assert outcome.cause == "not_applicable"


def test_a_turn_without_an_answer_is_not_measured() -> None:
    assert measure(None, "Paris") == Skipped(cause="no_answer", reason="the agent gave no answer")
