import pytest

from holodeck_eval.domain.findings import Finding, badness, blamed, findings, gap
from holodeck_eval.domain.outcome import Errored, Part, Scored
from tests.fakes.comparisons import cause
from tests.fakes.runs import build_case, build_metric, build_run, build_turn, build_verdict


def part(name: str, score: float | None, why: str = "so it is.") -> Part:
    return Part(name=name, status="scored" if score is not None else "errored", explanation=why, score=score)


def generation(*parts: Part, reason: str = "all in all") -> Scored:
    return Scored(score=0.5, reason=reason, parts=parts)


def reason_of(outcome: Scored) -> str:
    metric = build_metric(outcome, name="generation", threshold=None, passed=False, rating="bad")
    return findings(build_case(status="failed", turns=(build_turn(metric),)))[0].reason


def test_a_missed_metric_is_told_with_its_score_and_what_it_needed() -> None:
    assert findings(build_case(status="failed")) == (
        Finding(subject="faithfulness", reason="The context says 30 days.", score=0.33, threshold=0.7),
    )


def test_the_widest_gap_is_told_first_and_a_missing_answer_before_all() -> None:
    metrics = (
        build_metric(0.6, name="near"),
        build_metric(0.9, name="fine"),
        build_metric(0.1, name="far", threshold=0.9),
        build_metric(0.5, name="rated", threshold=None, passed=False, rating="incomplete"),
    )
    turn = build_turn(*metrics, no_answer="it broke off")
    found = findings(build_case(status="failed", turns=(turn,)))
    assert [finding.subject for finding in found] == ["no answer", "far", "rated", "near"]
    assert found[0].reason == "it broke off"
    assert found[2].rating == "incomplete"


def test_the_turn_is_told_where_there_are_several() -> None:
    turns = (build_turn(build_metric(0.9)), build_turn(build_metric(0.1)))
    assert [finding.turn for finding in findings(build_case(turns=turns))] == [2]


def test_a_case_without_a_missed_metric_is_told_by_its_own_reasons() -> None:
    case = build_case(status="failed", turns=(), reasons=("no transcript was recorded", "and more"))
    assert findings(case) == (
        Finding(subject="", reason="no transcript was recorded"),
        Finding(subject="", reason="and more"),
    )


def test_a_metric_that_failed_without_a_score_has_no_reason() -> None:
    metric = build_metric(Errored(kind="timeout", message="late"), passed=False)
    (found,) = findings(build_case(turns=(build_turn(metric),)))
    assert (found.score, found.reason) == (None, "")


def test_of_generation_the_parts_that_are_not_good_are_told_the_widest_gap_first() -> None:
    assert reason_of(
        generation(
            part("completeness", 2, "half of it is missing"),
            part("groundedness", 1, "It is made up.\n"),
            part("redundancy", 1),
            part("refusal_alignment", None),
            part("unheard_of", 0),
        )
    ) == (
        "Groundedness is 1, should be 3: It is made up. "
        "Completeness is 2, should be 3: half of it is missing."
    )


def test_of_generation_with_good_parts_its_own_reason_is_told() -> None:
    assert reason_of(generation(part("completeness", 3))) == "all in all"


@pytest.mark.parametrize(
    ("score", "threshold", "expected"),
    [(0.25, 0.75, -0.5), (0.75, None, -0.25), (None, 0.75, -2.0), (1.0, 0.5, 0.5)],
)
def test_a_gap_is_how_far_a_score_is_below_what_it_needs(
    score: float | None, threshold: float | None, expected: float
) -> None:
    assert gap(score, threshold) == expected


def test_the_worst_case_has_no_rating_then_the_worst_one_then_the_lowest_score() -> None:
    cases = (
        build_case("good"),
        build_case("higher", "failed", avg_score=0.4),
        build_case("lower", "failed", avg_score=0.1),
        build_case("unscored", "failed", avg_score=None),
        build_case("unrated", "failed", rating=None),
    )
    assert [case.id for case in sorted(cases, key=badness)] == [
        *("unrated", "unscored", "lower", "higher", "good"),
    ]


def test_cases_are_blamed_by_absolute_rules_alone() -> None:
    verdict = build_verdict(
        "failed",
        cause("pass_rate", "too few passed", "a"),
        cause("guardrail", "it broke", "b", "a"),
        cause("timeout", "late", "c", status="inconclusive"),
        *(
            cause(code, "not a rule for failed cases", "d")
            for code in ("case_regression", "removed_cases", "gate_loosened", "stale_transcripts")
        ),
    )
    assert blamed(build_run(build_case(), verdict=verdict)) == {"a", "b"}
