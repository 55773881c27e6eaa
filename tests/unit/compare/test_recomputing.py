from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holodeck_eval.aggregate import summarize
from holodeck_eval.compare import recomputed
from holodeck_eval.domain.outcome import Errored, Scored, Skipped
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import CaseResult, MetricResult, TurnResult
from holodeck_eval.domain.run import Run
from holodeck_eval.errors import Place
from tests.fakes import measured
from tests.fakes.comparing import case, judged, ruled, run, turn, unscored
from tests.fakes.measured import DOWN, generation, missing, part, skipped, spec

NAN = float("nan")


def edited(*results: MetricResult, **settings: Any) -> tuple[CaseResult, list[str]]:
    """A case of one turn of these results, computed again, and what was said of it."""
    made, said = recomputed(run(case("a", *results, **settings)))
    return made.cases[0], list(said)


OUTCOMES = st.one_of(
    st.floats(min_value=0.0, max_value=1.0).map(measured.scored),
    st.lists(st.sampled_from([0.0, 0.3, 0.8, 1.0]), min_size=1, max_size=3).map(
        lambda of: measured.scored(sum(of) / len(of), replies=tuple(of))
    ),
    st.sampled_from([DOWN, skipped("missing_input"), skipped("nothing_to_judge"), skipped("offline")]),
)


@st.composite
def honest(draw: st.DrawFn) -> Run:
    """A run as it is made, by whatever outcomes."""
    policy = draw(st.sampled_from([Policy(), Policy(on_missing_input="skip")]))
    specs = [
        spec(),
        spec("tone", bad_below=0.1),
        spec("b", threshold=0.0),
        generation(),
        generation(threshold=0.5),
    ]
    cases = [missing(policy)] if draw(st.booleans()) else []
    for number in range(draw(st.integers(min_value=0, max_value=4))):
        turns = [
            [
                (metric, draw(OUTCOMES if metric.kind == "rag" else rated()))
                for metric in draw(st.permutations(specs))
            ]
            for _ in range(draw(st.integers(min_value=1, max_value=2)))
        ]
        silent = draw(st.sampled_from([(), (), (0,)]))
        cases.append(measured.result(*turns, policy=policy, no_answer=silent, id=f"c{number}"))
    made = tuple(item for item in cases if isinstance(item, CaseResult))
    return replace(run(*made), policy=policy, summary=summarize(made))


def rated() -> st.SearchStrategy[Scored]:
    """What `generation` may say, whole or lacking a part."""
    open_part = st.sampled_from([part("redundancy", "scored"), part("redundancy", "errored")])
    return st.builds(
        lambda rating, last: measured.scored(
            0.5, rating=rating, parts=(part("completeness", "scored"), last)
        ),
        st.sampled_from(["bad", "incomplete", "good"]),
        open_part,
    )


@given(honest())
def test_a_run_that_was_made_is_given_back_as_it_is(made: Run) -> None:
    same, said = recomputed(made)
    assert said == ()
    assert same is made


def test_a_metric_that_is_said_to_have_passed_under_its_threshold_fails() -> None:
    made, said = edited(judged(0.4, passed=True))
    assert made.turns[0].metrics[0].passed is False
    assert (made.status, made.turns[0].status, made.rating) == ("failed", "failed", "incomplete")
    assert made.reasons == ("faithful scored 0.40, under its threshold of 0.70: it is 0.4",)
    (sentence,) = said
    assert sentence == (
        "case 'a' contradicts itself: 'faithful' is said to have passed, and failed by 0.4 against 0.7"
        " (and 1 more); it was computed again"
    )


def test_a_metric_that_is_said_to_have_failed_above_its_threshold_passes() -> None:
    made, said = edited(judged(0.8, passed=False))
    assert (made.turns[0].metrics[0].passed, made.status, made.rating) == (True, "passed", "good")
    assert "is said to have failed, and passed by 0.8 against 0.7" in said[0]


def test_a_score_that_is_not_the_mean_of_its_replies_is_that_mean() -> None:
    made, said = edited(judged(0.4, 0.2, score=0.9, passed=True))
    outcome = made.turns[0].metrics[0].outcome
    assert isinstance(outcome, Scored)
    assert (outcome.score, made.turns[0].metrics[0].passed, made.avg_score) == (0.3, False, 0.3)
    assert "the score of 'faithful' is 0.9, and its replies give 0.3 (and 3 more)" in said[0]


def test_a_mean_may_be_rounded() -> None:
    made, said = edited(judged(0.7, 0.7, 0.8, score=0.733333))
    assert said == []
    assert made == case("a", judged(0.7, 0.7, 0.8, score=0.733333))


@pytest.mark.parametrize(
    "settings", [{"score": NAN}, {"score": 7.0}, {"replies": (0.5, NAN)}, {"replies": (-1.0,)}]
)
def test_a_score_that_is_no_number_leaves_its_case_open(settings: dict[str, Any]) -> None:
    made, said = edited(judged(0.9, **settings | {"passed": True}), status="passed", avg_score=0.9)
    result = made.turns[0].metrics[0]
    assert isinstance(result.outcome, Errored)
    assert (result.passed, result.blocks, made.status, made.avg_score) == (None, True, "inconclusive", None)
    assert said[0].startswith(
        "case 'a' contradicts itself: the score of 'faithful' is not a number from 0 to 1"
    )


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (DOWN, "'faithful' is open, and said not to be"),
        (Skipped(cause="offline", reason="no verdict"), "'faithful' is open, and said not to be"),
    ],
)
def test_what_has_no_score_keeps_its_case_open(outcome: Any, said: str) -> None:
    made, sentences = edited(unscored(outcome, blocks=False), ruled(1.0))
    assert (made.turns[0].metrics[0].blocks, made.status) == (True, "inconclusive")
    assert said in sentences[0]


def test_what_has_no_score_decides_nothing() -> None:
    made, said = edited(replace(unscored(DOWN), passed=True))
    assert made.turns[0].metrics[0].passed is None
    assert "'faithful' is said to have passed, and decided nothing by no score against 0.7" in said[0]


def test_what_need_not_be_scored_keeps_no_case_open() -> None:
    made, said = edited(unscored(Skipped(cause="nothing_to_judge", reason=""), blocks=True), ruled(1.0))
    assert (made.turns[0].metrics[0].blocks, made.status) == (False, "passed")
    assert "'faithful' is settled, and said not to be" in said[0]


@pytest.mark.parametrize(
    ("said", "results", "status"),
    [
        ("passed", (judged(0.1),), "failed"),
        ("failed", (judged(0.9),), "passed"),
        ("passed", (unscored(DOWN),), "inconclusive"),
        ("passed", (judged(0.9, asserts=False),), "inconclusive"),
        ("passed", (turn(no_answer="it broke", actual_output=None),), "failed"),
    ],
)
def test_a_case_is_what_its_results_make_it(said: Any, results: Any, status: str) -> None:
    whole = case("a", *results, status=said)
    made, sentences = recomputed(run(replace(whole, turns=(replace(whole.turns[0], status=said),))))
    assert (made.cases[0].status, made.cases[0].turns[0].status) == (status, status)
    assert f"it is said to be {said}, and its results make it {status}" in sentences[0]


def test_a_turn_is_what_its_metrics_make_it() -> None:
    first, second = turn(judged(0.1)), turn(judged(0.1), index=1, status="passed")
    made, said = recomputed(run(case("a", first, second)))
    assert [turn.status for turn in made.cases[0].turns] == ["failed", "failed"]
    assert made.cases[0].reasons[0].startswith("turn 1: ")
    assert "the statuses of its turns are not those of their metrics" in said[0]


@pytest.mark.parametrize(
    ("transcript", "said", "status"),
    [(None, "passed", "failed"), (Place(file="runs.jsonl", line=1), "passed", "inconclusive")],
)
def test_a_case_without_turns_has_not_passed(transcript: Place | None, said: Any, status: str) -> None:
    empty = case("a", status=said, transcript=transcript, reasons=("it was lost",))
    made, sentences = recomputed(run(empty))
    assert (made.cases[0].status, made.cases[0].reasons) == (status, ("it was lost",))
    assert len(sentences) == 1


@pytest.mark.parametrize(("average", "said"), [(0.99, "0.99"), (None, "none")])
def test_an_average_is_that_of_the_scores(average: float | None, said: str) -> None:
    talk = turn(judged(0.8), ruled(1.0)), turn(judged(0.9), index=1)
    made, sentences = recomputed(run(case("a", *talk, avg_score=average)))
    assert made.cases[0].avg_score == 0.925
    assert f"its average is said to be {said}, and its scores give 0.925" in sentences[0]


def test_a_rating_is_the_worst_of_the_metrics() -> None:
    results = judged(0.8, rating="good"), judged(0.1, name="tone", rating="bad")
    wrong = case("a", *results, rating="good", score=1.0, binary_score=1)
    made, said = recomputed(run(wrong))
    assert (made.cases[0].rating, made.cases[0].score, made.cases[0].binary_score) == ("bad", 0.0, 0)
    assert "it is said to be rated good, and its results are bad" in said[0]


@pytest.mark.parametrize(("rating", "passed"), [("good", True), ("bad", False)])
def test_a_metric_is_rated_as_its_score_has_it(rating: Any, *, passed: bool) -> None:
    wrong = "bad" if rating == "good" else "good"
    made, said = edited(judged(0.9 if passed else 0.1, rating=wrong, bad_below=0.5))
    assert made.turns[0].metrics[0].rating == rating
    assert f"'faithful' is said to be rated {wrong}, and is {rating}" in said[0]


# Metrics that are rated, and have no threshold.


def rated_result(rating: Any, *, passed: bool | None, **settings: Any) -> MetricResult:
    made: dict[str, Any] = {"name": "generation", "type": "generation", "threshold": None, "digest": "g"}
    outcome = Scored(score=0.5, reason="", rating=rating, judge="openai/gpt-4o")
    return MetricResult(**made | {"outcome": outcome, "rating": rating, "passed": passed} | settings)


@pytest.mark.parametrize(
    ("rating", "passed", "settings", "believed"),
    [
        ("incomplete", True, {}, True),  # what it had to reach is not known
        ("bad", True, {}, True),
        ("bad", False, {}, False),
        ("incomplete", True, {"min_rating": "good"}, False),
        ("incomplete", False, {"min_rating": "incomplete"}, True),
        ("good", False, {}, True),  # there is nothing better
    ],
)
def test_a_rated_metric_is_believed_as_far_as_its_rating_allows(
    rating: Any, settings: dict[str, Any], *, passed: bool, believed: bool
) -> None:
    result = rated_result(rating, passed=passed, **settings)
    status = "passed" if passed else "failed"
    whole = case("a", result, status=status, rating=rating)
    made, said = edited(
        result, status=status, rating=whole.rating, score=_SCORE[rating], binary_score=int(rating == "good")
    )
    assert made.turns[0].metrics[0].passed is believed
    assert bool(said) is (believed is not passed)


_SCORE = {"bad": 0.0, "incomplete": 0.5, "good": 1.0}


def test_a_metric_without_a_rating_has_decided_nothing() -> None:
    made, said = edited(rated_result(None, passed=True))
    assert (made.turns[0].metrics[0].passed, made.status, made.rating) == (None, "inconclusive", None)
    assert "'generation' is said to have passed, and decided nothing" in said[0]


def test_a_failure_may_be_rated_by_a_bound_that_is_not_known() -> None:
    made, said = edited(judged(0.3, 0.3, rating="incomplete", blocks=True))
    assert (made.turns[0].metrics[0].rating, len(said)) == ("incomplete", 1)


# The run.


def test_the_summary_is_that_of_the_cases() -> None:
    whole = run(case("a", judged(0.1)), case("b", judged(0.9)))
    wrong = replace(whole, summary=replace(whole.summary, passed=2, failed=0, pass_rate=1.0))
    made, said = recomputed(wrong)
    assert made == whole
    assert said == ("the summary contradicts the cases it is made of; it was computed again",)


def test_the_summary_follows_what_was_computed_again() -> None:
    made, said = recomputed(run(case("a", judged(0.4, passed=True)), case("b", judged(0.9))))
    assert (made.summary.failed, made.summary.pass_rate, len(said)) == (1, 0.5, 1)
    assert made.cases[1] == case("b", judged(0.9))


def test_only_the_first_contradictions_are_told_one_by_one() -> None:
    wrong = [case(f"c{number}\n" + "x" * 900, judged(0.4, passed=True)) for number in range(400)]
    _, said = recomputed(run(*wrong))
    assert len(said) == 11
    assert said[-1].startswith("390 cases ('c10\\n")
    assert said[-1].endswith("more contradict themselves; what follows from scores was computed again")
    assert all("\n" not in sentence and len(sentence) < 600 for sentence in said)
    _, said = recomputed(run(*wrong[:11]))
    assert "more contradicts itself" in said[-1]


def test_the_turns_that_hold_are_kept_as_they_are() -> None:
    first, second = turn(judged(0.9)), turn(judged(0.4, passed=True), index=1)
    made, _ = recomputed(run(case("a", first, second)))
    turns: tuple[TurnResult, ...] = made.cases[0].turns
    assert turns[0] is first
    assert turns[1].metrics[0].place is None
    assert turns[1].metrics[0].digest == "faithful"
