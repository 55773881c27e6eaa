from dataclasses import replace
from typing import Any

import pytest

from holodeck_eval.compare import ComparisonPolicy, Look, compare, doubtful, with_replies
from holodeck_eval.compare.pairs import status_of
from holodeck_eval.domain.comparison import Rejudged
from holodeck_eval.domain.outcome import Errored
from holodeck_eval.domain.result import MetricResult
from holodeck_eval.domain.run import Run
from tests.fakes.comparing import by_person, case, judged, ruled, run, turn, unscored


def looks(before: MetricResult, now: MetricResult) -> list[tuple[str, int, str]]:
    found = doubtful(run(case("a", before)), run(case("a", now)))
    return [(look.case, look.turn, look.metric) for look in found]


def test_a_flip_can_be_settled_by_judging_again() -> None:
    found = doubtful(run(case("a", judged(0.8))), run(case("a", judged(0.6))))
    assert found == (Look(agent="helper", case="a", turn=0, metric="faithful"),)


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (judged(0.8), judged(0.75)),
        (judged(0.6), judged(0.8)),
        (judged(0.8, key="k"), judged(0.6, key="k")),
        (judged(0.8), judged(0.6, digest="another")),
        (ruled(1.0), ruled(0.0)),
        (by_person(0.8), by_person(0.6)),
    ],
)
def test_what_is_no_flip_or_certain_or_not_comparable_cannot(before: MetricResult, now: MetricResult) -> None:
    assert looks(before, now) == []


def test_each_look_is_named_by_its_turn_and_metric() -> None:
    before = case("b", turn(judged(0.8), judged(0.8, name="tone")), turn(judged(0.9), index=3))
    now = case("b", turn(judged(0.8), judged(0.1, name="tone")), turn(judged(0.2), index=3))
    found = doubtful(run(before), run(now))
    assert [(look.turn, look.metric) for look in found] == [(3, "faithful"), (0, "tone")]


@pytest.mark.parametrize(
    ("before", "now", "again"),
    [
        (0.6, 0.1, True),  # it may have passed, but for bad luck, and fell far
        (0.47, 0.1, True),
        (0.45, 0.1, False),  # more than three times 0.08 under 0.7: it failed
        (0.6, 0.3, False),  # it fell by less than three times what two replies differ by
        (0.1, 0.05, False),
    ],
)
def test_a_collapse_may_hide_behind_a_baseline_that_failed_by_bad_luck(
    before: float, now: float, *, again: bool
) -> None:
    assert bool(looks(judged(before), judged(now))) is again


@pytest.mark.parametrize("settings", [{"key": "k"}, {"threshold": None, "passed": False}])
def test_no_collapse_hides_in_unchanged_texts_or_behind_a_rating(settings: dict[str, Any]) -> None:
    assert looks(judged(0.6, **settings), judged(0.0, **settings)) == []


def test_more_replies_leave_less_to_bad_luck() -> None:
    assert looks(judged(0.6, 0.6, 0.55, 0.65), judged(0.1)) == [("a", 0, "faithful")]
    assert looks(judged(*[0.5, 0.55] * 8), judged(0.1)) == []


@pytest.mark.parametrize(
    "broken",
    [run(status="error", agents=()), run(case("a", judged(0.8)), case("a", judged(0.8))), run()],
)
def test_nothing_is_judged_again_for_runs_that_cannot_be_compared(broken: Run) -> None:
    whole = run(case("a", judged(0.8)))
    assert doubtful(broken, whole) == doubtful(whole, broken) == ()


# What came of it.


def rejudged(result: MetricResult, index: int = 0, **where: str) -> Rejudged:
    return Rejudged(**{"agent": "helper", "case": "a"} | where, turn=index, result=result)  # type: ignore[arg-type]


def test_results_on_more_replies_take_the_place_of_those_they_add_to() -> None:
    before = run(
        case("a", turn(judged(0.8), ruled(1.0)), turn(judged(0.9), index=1)),
        case("b", judged(0.8)),
        case("a", judged(0.8), agent="other"),
    )
    result = judged(0.8, 0.5, 0.4)
    made = with_replies(before, (rejudged(result),))
    assert made.cases[0].turns[0].metrics == (result, ruled(1.0))
    assert made.cases[0].turns[1] == before.cases[0].turns[1]
    assert made.cases[1:] == before.cases[1:]


def test_what_a_case_was_decided_to_be_stays() -> None:
    before = run(case("a", judged(0.8)))
    made = with_replies(before, (rejudged(judged(0.8, 0.1)),))
    assert made.cases[0].turns[0].metrics[0].passed is False
    assert (made.cases[0].status, made.cases[0].turns[0].status) == ("passed", "passed")
    assert replace(made, cases=before.cases) == before


def test_a_baseline_that_failed_by_bad_luck_hides_no_collapse() -> None:
    before, now = run(case("a", judged(0.6))), run(case("a", judged(0.1, 0.2, 0.1, 0.15, 0.1, 0.2, 0.1)))
    lucky = rejudged(judged(0.6, 0.9, 0.88, 0.91, 0.9, 0.92, 0.87))
    found = compare(with_replies(before, (lucky,)), now, ComparisonPolicy())
    assert [(flip.case, flip.proven) for flip in found.flips] == [("a", True)]
    assert (found.still_failing, found.newly_passing) == ((), ())


def test_a_case_that_is_still_open_beside_what_was_judged_again_has_not_passed() -> None:
    late = unscored(Errored(kind="timeout", message="late"), "tone")
    before = run(case("a", judged(0.6), late))
    made = with_replies(before, (rejudged(judged(0.6, 0.9, 0.9)),))
    assert (made.cases[0].status, status_of(made.cases[0])) == ("failed", "inconclusive")


def test_results_that_belong_nowhere_change_nothing() -> None:
    before = run(case("a", judged(0.8)))
    result = judged(0.1)
    strays = (
        rejudged(result, index=1),
        rejudged(result, case="z"),
        rejudged(result, agent="z"),
        rejudged(judged(0.1, name="tone")),
    )
    assert with_replies(before, strays) == before
    assert with_replies(before, ()) is before
