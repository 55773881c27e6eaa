"""Replies of two runs on the same texts are one outcome."""

from typing import Any

import pytest

from holodeck_eval.domain.outcome import Part, Scored
from holodeck_eval.domain.rating import rate
from holodeck_eval.pipeline.joining import in_order, joined


@pytest.mark.parametrize(
    ("before", "again", "together"),
    [
        ((0.7,), (0.7, 0.8), (0.7, 0.8)),
        ((0.666667,), (2 / 3, 0.8), (2 / 3, 0.8)),
        ((0.7,), (0.8, 0.7), (0.7, 0.8)),
        ((0.7,), (0.8, 0.9), (0.7, 0.8, 0.9)),
        ((1.0, 1.0), (1.0, 0.5), (1.0, 1.0, 0.5)),
        ((), (0.5,), (0.5,)),
    ],
)
def test_replies_of_the_earlier_run_come_first_and_each_counts_once(
    before: tuple[float, ...], again: tuple[float, ...], together: tuple[float, ...]
) -> None:
    assert in_order(before, again) == together


def test_what_the_later_run_found_recorded_is_all_there_is() -> None:
    again = Scored(score=0.75, reason="first of 2", replies=(0.7, 0.8), recorded=2)
    assert joined(Scored(score=0.7, reason="then", replies=(0.7,)), again) is again


def part(name: str, *replies: float, **settings: Any) -> Part:
    score = sum(replies) / len(replies)
    return Part(name=name, status="scored", explanation="", score=score, replies=replies, **settings)


def generated(*parts: Part, replies: tuple[float, ...]) -> Scored:
    rating = rate(parts)
    assert rating.avg_score is not None
    return Scored(
        score=rating.avg_score, reason="", replies=replies, parts=parts, rating=rating.relevancy_rating
    )


def test_the_parts_of_generation_are_joined_one_by_one_and_rated_again() -> None:
    before = generated(part("completeness", 3), part("language_consistency", 1), replies=(1.0,))
    again = generated(part("completeness", 2, 2), part("language_consistency", 0, 1), replies=(0.25, 0.75))
    both = joined(before, again)
    assert [one.replies for one in both.parts] == [(3, 2, 2), (1, 0)]
    assert both.replies == (1.0, 0.25, 0.75)
    assert (both.rating, both.score) == ("bad", round((2 / 3 + 0.5) / 2, 6))
    assert [one.score for one in both.parts] == [7 / 3, 0.5]
    assert both.parts[0].normalized_score == pytest.approx(2 / 3)
    assert both.reason.splitlines()[1:] == [
        "1. Language Consistency is 0.5 (should be 1)",
        "2. Completeness is 2.33 (should be 3)",
    ]
    assert both.details == {"possible_issues": ["Retrieval Issue", "Generation Issue"]}


def test_a_binary_part_succeeds_by_all_replies() -> None:
    before = generated(part("language_consistency", 1), part("redundancy", 1), replies=(1.0,))
    again = generated(part("language_consistency", 0, 0), part("redundancy", 1, 1), replies=(0.5, 0.5))
    assert joined(before, again).parts[0].success is False


def test_a_part_whose_replies_were_not_kept_counts_with_its_score() -> None:
    then = Part(name="completeness", status="scored", explanation="", score=3)
    gone = Part(name="redundancy", status="skipped", explanation="no")
    before = Scored(score=1.0, reason="", replies=(1.0,), parts=(then, gone))
    again = generated(part("completeness", 1), part("redundancy", 1), replies=(0.5,))
    assert [one.replies for one in joined(before, again).parts] == [(3, 1), (1,)]
