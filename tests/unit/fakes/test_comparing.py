import pytest

from holodeck_eval.domain.outcome import Errored, Scored, Skipped
from tests.fakes.comparing import (
    by_person,
    case,
    config,
    judged,
    judged_again,
    ruled,
    run,
    scores,
    turn,
    unscored,
)


def test_a_judged_metric_is_the_mean_of_its_replies_held_against_its_threshold() -> None:
    made = judged(0.8, 0.5, key="k", guardrail=True)
    assert isinstance(made.outcome, Scored)
    assert (made.outcome.score, made.outcome.replies, made.outcome.key) == (0.65, (0.8, 0.5), "k")
    assert (made.passed, made.threshold, made.guardrail) == (False, 0.7, True)
    assert judged(0.1, threshold=None).passed is None
    assert judged(0.1, score=0.9).passed is True


def test_a_rule_and_a_person_give_a_score_that_no_model_gave() -> None:
    rule, person = ruled(1.0).outcome, by_person(0.8).outcome
    assert isinstance(rule, Scored)
    assert isinstance(person, Scored)
    assert (rule.judge, rule.replies, person.by_person) == (None, (), True)


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (Errored(kind="timeout", message="late"), "inconclusive"),
        (Skipped(cause="nothing_to_judge", reason="no claims"), "passed"),
    ],
)
def test_a_metric_without_a_score_leaves_its_case_open_where_it_errored(
    outcome: Errored | Skipped, status: str
) -> None:
    made = unscored(outcome)
    assert (made.outcome, made.passed) == (outcome, None)
    assert case("a", judged(0.9), made).status == status


def test_a_case_is_as_good_as_its_worst_turn() -> None:
    made = case("a", turn(judged(0.9)), turn(judged(0.1), index=1))
    assert ([item.status for item in made.turns], made.status, made.avg_score) == (
        ["passed", "failed"],
        "failed",
        0.5,
    )
    assert turn(no_answer="it broke").status == "failed"
    assert (case("a").status, case("a").transcript) == ("failed", None)


def test_a_run_adds_its_cases_up() -> None:
    made = run(*scores([0.9, 0.1]), status="failed")
    assert ([item.id for item in made.cases], made.summary.pass_rate) == (["c000", "c001"], 0.5)
    assert (made.verdict.status, made.verdict.exit_code) == ("failed", 1)
    assert config().digest == made.cases[0].turns[0].metrics[0].digest


def test_one_metric_of_one_case_is_judged_again() -> None:
    before = run(*(case(name, judged(0.9), judged(0.9, name="tone")) for name in "ab"))
    made = judged_again(before, "a", [0.9, 0.1])
    first, other = made.cases[0].turns[0].metrics
    assert isinstance(first.outcome, Scored)
    assert (first.outcome.replies, first.passed, made.cases[0].turns[0].status) == (
        (0.9, 0.1),
        False,
        "failed",
    )
    assert other == before.cases[0].turns[0].metrics[1]
    assert made.cases[1] == before.cases[1]
