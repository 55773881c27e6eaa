"""The rating rule, told by its consequences."""

import pytest

from holodeck_eval.domain.outcome import Part
from holodeck_eval.domain.rating import GENERATION, SCALES, rate, worst

BEST = {
    "completeness": 3,
    "groundedness": 3,
    "redundancy": 1,
    "language_consistency": 1,
    "refusal_alignment": 1,
}


def scored(name: str, score: float) -> Part:
    return Part(name=name, status="scored", explanation="because", score=score)


def skipped(name: str) -> Part:
    return Part(name=name, status="skipped", explanation="no context", cause="not_applicable")


def errored(name: str, why: str = "the judge did not answer") -> Part:
    return Part(name=name, status="errored", explanation=why)


def answer(**scores: float) -> list[Part]:
    return [scored(name, score) for name, score in (BEST | scores).items()]


def test_all_at_their_good_value_is_good() -> None:
    rating = rate(answer())
    assert (rating.relevancy_rating, rating.score, rating.binary_score, rating.avg_score) == (
        "good",
        1.0,
        1,
        1.0,
    )
    assert rating.possible_issues == ()
    assert rating.global_explanation == "All metrics met the expected values."


@pytest.mark.parametrize(
    ("name", "score"),
    [
        ("completeness", 1),
        ("groundedness", 1),
        ("redundancy", 3),
        ("language_consistency", 0),
        ("refusal_alignment", 0),
    ],
)
def test_one_metric_at_its_bad_value_makes_the_answer_bad(name: str, score: int) -> None:
    rating = rate(answer(**{name: score}))
    assert (rating.relevancy_rating, rating.score, rating.binary_score) == ("bad", 0.0, 0)
    assert rating.avg_score == 0.8


@pytest.mark.parametrize("name", ["completeness", "groundedness", "redundancy"])
def test_a_middle_value_makes_the_answer_incomplete(name: str) -> None:
    rating = rate(answer(**{name: 2}))
    assert (rating.relevancy_rating, rating.score, rating.binary_score) == ("incomplete", 0.5, 0)
    assert rating.avg_score == 0.9


@pytest.mark.parametrize("name", ["completeness", "groundedness"])
def test_what_retrieval_can_cause_is_a_retrieval_issue_too(name: str) -> None:
    assert rate(answer(**{name: 2})).possible_issues == ("Retrieval Issue", "Generation Issue")


@pytest.mark.parametrize(
    ("name", "score"), [("redundancy", 2), ("language_consistency", 0), ("refusal_alignment", 0)]
)
def test_what_retrieval_cannot_cause_is_a_generation_issue_alone(name: str, score: int) -> None:
    assert rate(answer(**{name: score})).possible_issues == ("Generation Issue",)


def test_the_explanation_numbers_what_failed_worst_gap_first_and_ties_in_table_order() -> None:
    rating = rate(answer(refusal_alignment=0, redundancy=2, completeness=2, groundedness=1))
    assert rating.global_explanation.splitlines() == [
        "The following metrics failed to meet expectations:",
        "1. Groundedness is 1 (should be 3)",
        "2. Refusal Alignment is 0 (should be 1)",
        "3. Completeness is 2 (should be 3)",
        "4. Redundancy is 2 (should be 1)",
    ]


def test_a_skipped_metric_leaves_the_mean_and_does_not_stand_in_the_way_of_a_rating() -> None:
    parts = [
        skipped("groundedness") if part.name == "groundedness" else part for part in answer(redundancy=2)
    ]
    rating = rate(parts)
    assert rating.relevancy_rating == "incomplete"
    assert rating.avg_score == 0.875
    assert "Groundedness" not in rating.global_explanation


def test_an_errored_metric_leaves_no_rating_and_is_named_first() -> None:
    parts = [
        errored("refusal_alignment") if part.name == "refusal_alignment" else part
        for part in answer(completeness=1)
    ]
    rating = rate(parts)
    assert (rating.relevancy_rating, rating.score, rating.binary_score) == (None, None, None)
    assert rating.avg_score == 0.75
    assert rating.global_explanation.splitlines()[1:] == [
        "1. Refusal Alignment could not be judged: the judge did not answer",
        "2. Completeness is 1 (should be 3)",
    ]
    assert rating.possible_issues == ("Retrieval Issue", "Generation Issue")


def test_nothing_scored_is_no_number_at_all() -> None:
    rating = rate([skipped("completeness"), skipped("groundedness")])
    assert (rating.relevancy_rating, rating.score, rating.binary_score, rating.avg_score) == (None,) * 4
    assert rating.global_explanation == "No metric could be judged."
    assert rating.possible_issues == ()


@pytest.mark.parametrize(
    ("name", "score", "rating"),
    [
        ("completeness", 20 / 7, "good"),
        ("completeness", 2.51, "good"),
        ("completeness", 2.5, "incomplete"),
        ("completeness", 1.51, "incomplete"),
        ("completeness", 1.5, "bad"),
        ("redundancy", 1.49, "good"),
        ("redundancy", 1.5, "incomplete"),
        ("redundancy", 2.5, "bad"),
        ("language_consistency", 4 / 7, "good"),
        ("language_consistency", 0.5, "bad"),
    ],
)
def test_a_mean_of_several_replies_counts_as_the_level_nearest_to_it_and_a_tie_as_the_worse(
    name: str, score: float, rating: str
) -> None:
    assert rate(answer(**{name: score})).relevancy_rating == rating


def test_a_mean_of_several_replies_is_averaged_and_shown_as_it_is() -> None:
    rating = rate(answer(completeness=20 / 7, groundedness=16 / 7))
    assert rating.avg_score == round((13 / 14 + 9 / 14 + 3) / 5, 6)
    assert rating.global_explanation.splitlines()[1:] == ["1. Groundedness is 2.29 (should be 3)"]
    assert rating.possible_issues == ("Retrieval Issue", "Generation Issue")


def test_a_whole_number_is_its_own_level() -> None:
    for scale in GENERATION:
        for score in range(min(scale.bad, scale.good), max(scale.bad, scale.good) + 1):
            assert scale.level(score) == score


def test_every_scale_runs_from_0_at_its_bad_end_to_1_at_its_good_end() -> None:
    for scale in GENERATION:
        assert (scale.normalize(scale.bad), scale.normalize(scale.good)) == (0.0, 1.0)
    assert SCALES["redundancy"].normalize(2) == 0.5


def test_the_worst_of_some_ratings() -> None:
    assert worst(["good", "bad", "incomplete"]) == "bad"
    assert worst(["good", "incomplete"]) == "incomplete"
    assert worst([]) is None
