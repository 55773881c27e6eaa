from dataclasses import replace

import pytest

from holodeck_eval.compare import Comparison, ComparisonPolicy, compare
from holodeck_eval.domain.comparison import BaselineRun, CaseChange
from holodeck_eval.domain.outcome import Errored
from holodeck_eval.domain.result import WaivedCase
from holodeck_eval.domain.run import Run, Shard
from tests.fakes.comparing import (
    HELPER,
    agent,
    by_person,
    case,
    config,
    judged,
    judged_again,
    ruled,
    run,
    scores,
    unscored,
)
from tests.unit.compare.test_metrics import _generation

POLICY = ComparisonPolicy()
ONE = case("a", judged(0.8))


def compared(before: Run, now: Run) -> Comparison:
    return compare(before, now, POLICY)


def change(name: str, before: str | None, now: str | None) -> CaseChange:
    return CaseChange(agent=HELPER, case=name, before=before, now=now)  # type: ignore[arg-type]


def test_the_baseline_is_told_as_far_as_its_run_knows() -> None:
    before = run(ONE, status="failed", head_sha="abc", started_at="2026-01-01T00:00:00Z")
    assert compared(before, run(ONE)).baseline == BaselineRun(
        file="", status="failed", started_at="2026-01-01T00:00:00Z", head_sha="abc"
    )


def test_cases_pair_by_id_and_by_what_they_expect_and_none_is_dropped() -> None:
    before = run(
        ONE,
        case("moved", judged(0.8), digest="asked"),
        case("gone", judged(0.8)),
        case("lost", judged(0.1)),
        case("shy", unscored(Errored(kind="timeout", message="late"))),
    )
    now = run(
        case("z", judged(0.1)),
        case("moved", judged(0.2), digest="asked otherwise"),
        ONE,
        case("b", judged(0.9)),
    )
    found = compared(before, now)
    assert found.paired == 1
    assert found.new == (change("b", None, "passed"), change("z", None, "failed"))
    assert found.vanished == (
        change("gone", "passed", None),
        change("lost", "failed", None),
        change("shy", "inconclusive", None),
    )
    assert found.changed == (change("moved", "passed", "failed"),)


def test_a_case_that_is_waived_now_has_vanished() -> None:
    waived = WaivedCase(id="a", agent=HELPER, reason="no transcript")
    now = run(case("b", judged(0.8)), waived_cases=(waived,))
    assert compared(run(ONE, case("b", judged(0.8))), now).vanished == (change("a", "passed", None),)


def test_a_case_of_one_id_in_two_agents_is_two_cases() -> None:
    other = case("a", judged(0.3), agent="other")
    found = compared(run(ONE, other), run(other, ONE))
    assert (found.paired, found.new, found.vanished) == (2, (), ())


def test_pairs_that_pass_now_or_fail_still_are_listed() -> None:
    before = run(*scores([0.1, 0.1, 0.9, 0.9]))
    found = compared(before, run(*scores([0.9, 0.2, 0.9, 0.1])))
    assert found.newly_passing == (change("c000", "failed", "passed"),)
    assert found.still_failing == (change("c001", "failed", "failed"),)
    assert [flip.case for flip in found.flips] == ["c003"]


def test_a_case_without_a_score_then_that_fails_now_is_undecided() -> None:
    late = Errored(kind="timeout", message="late")
    before = run(*(case(name, unscored(late)) for name in "ba"), ONE_MORE)
    found = compared(before, run(*(case(name, judged(0.1)) for name in "ba"), ONE_MORE))
    assert [item.case for item in found.undecided] == ["a", "b"]


ONE_MORE = case("more", judged(0.8))


def test_what_differs_in_the_gate_is_told() -> None:
    before = run(ONE, agents=(agent(config(threshold=0.8)),))
    (found,) = compared(before, run(ONE, agents=(agent(config(threshold=0.5)),))).gate_changes
    assert (found.code, found.loosens) == ("threshold", True)


# Why two runs cannot be compared at all.


@pytest.mark.parametrize("status", ["error", "bug"])
def test_a_run_that_could_not_be_made_is_compared_with_nothing(status: str) -> None:
    broken = run(status=status, agents=())  # type: ignore[arg-type]
    found = compared(broken, run(ONE))
    assert found.problem is not None
    assert found.problem.cause == "not_judged"
    assert (
        found.problem.message == f"the baseline could not be made (it ended as {status}), and judged nothing"
    )
    assert (found.metrics, found.new, found.gate_changes) == ((), (), ())
    found = compared(run(ONE), broken)
    assert found.problem is not None
    assert found.problem.message == f"this run could not be made (it ended as {status}), and judged nothing"


def test_a_run_of_other_agents_is_compared_with_nothing() -> None:
    before = run(case("a", judged(0.8), agent="billing"), agents=(agent(name="billing"),))
    found = compared(before, run(ONE))
    assert found.problem is not None
    assert found.problem.cause == "other_agent"
    assert found.problem.message == "no agent of this run ('helper') is in the baseline ('billing')"
    found = compared(run(agents=()), run(ONE))
    assert found.problem is not None
    assert found.problem.message == "no agent of this run ('helper') is in the baseline (it has none)"


def test_two_cases_of_one_id_cannot_be_told_apart() -> None:
    for before, now, which in (
        (run(ONE, ONE), run(ONE), "the baseline"),
        (run(ONE), run(ONE, ONE), "this run"),
    ):
        found = compared(before, now)
        assert found.problem is not None
        assert found.problem.cause == "duplicate_cases"
        assert (
            found.problem.message == f"{which} has several cases of one id ('a'), which cannot be told apart"
        )
        assert (found.paired, found.metrics, found.flips) == (0, (), ())


def test_the_gates_of_runs_with_two_cases_of_one_id_are_compared_all_the_same() -> None:
    before = run(ONE, ONE, agents=(agent(config(threshold=0.8)),))
    found = compared(before, run(ONE, agents=(agent(config(threshold=0.5)),)))
    assert [change.code for change in found.gate_changes] == ["threshold"]


def test_runs_without_a_pair_list_what_became_of_their_cases() -> None:
    found = compared(
        run(ONE, case("b", judged(0.8))), run(case("c", judged(0.1)), replace(ONE, digest="other"))
    )
    assert found.problem is not None
    assert found.problem.cause == "no_overlap"
    assert found.problem.message == (
        "no case of this run is in the baseline with the same expectations (1 has the same id, and others)"
    )
    assert [len(cases) for cases in (found.new, found.vanished, found.changed)] == [1, 1, 1]
    assert (found.paired, found.metrics, found.notes) == (0, (), ())
    found = compared(run(), run(ONE))
    assert found.problem is not None
    assert found.problem.message == "no case of this run is in the baseline with the same expectations"


def test_a_problem_stays_short_whatever_the_names_are() -> None:
    many = [case(f"{number}" + "x" * 500 + "\n::error::", judged(0.8)) for number in range(100)]
    found = compared(run(*many, *many), run(*many))
    assert found.problem is not None
    assert len(found.problem.message) < 800
    assert "\n" not in found.problem.message


# Notes.


def noted(before: Run, now: Run) -> list[str]:
    return list(compared(before, now).notes)


def test_a_comparison_with_nothing_to_be_said_has_no_notes() -> None:
    repeated = [case(f"c{n}", judged(0.8, 0.9, 0.85)) for n in range(3)]
    assert noted(run(*repeated, repeats=3), run(*repeated, repeats=3)) == []
    assert noted(run(case("a", by_person(0.8))), run(case("a", by_person(0.9)))) == []


@pytest.mark.parametrize(("status", "ended"), [("failed", "failed"), ("inconclusive", "was inconclusive")])
def test_a_baseline_that_did_not_pass_is_usable_and_said_so(status: str, ended: str) -> None:
    before = run(case("a", ruled(1.0)), status=status)  # type: ignore[arg-type]
    assert noted(before, run(case("a", ruled(1.0)))) == [
        f"the baseline itself {ended}: what failed in it already is not blamed on this run"
    ]


def test_a_baseline_that_is_a_part_is_said_so() -> None:
    part = Shard(index=2, count=3, cases=(1,), waived=(), total=3)
    assert noted(run(case("a", ruled(1.0)), shard=part), run(case("a", ruled(1.0)))) == [
        "the baseline is only part 2 of 3 of a run; merge the parts and compare with the whole"
    ]


def test_runs_of_the_same_texts_are_said_to_be() -> None:
    same = run(case("a", judged(0.8, 0.9, key="k")), case("b", judged(0.8, 0.9, key="l")), repeats=2)
    assert (
        noted(same, same)[0] == "no judged text changed since the baseline, so that no metric can have moved"
    )
    other = run(case("a", judged(0.8, 0.9, key="k")), case("b", judged(0.8, 0.9, key="m")), repeats=2)
    assert "no judged text changed" not in "".join(noted(same, other))


def test_noise_that_was_not_measured_is_said_to_be_assumed() -> None:
    cases = [case("a", judged(0.8), judged(0.8, name="tone"), ruled(1.0))]
    (note,) = noted(run(*cases), run(*cases))
    assert note == (
        "the judge's noise was not measured for 'faithful', 'tone': a standard deviation of 0.08 is assumed,"
        " which repeats would replace"
    )


@pytest.mark.parametrize(
    ("flipped", "said"),
    [(1, "1 score that fails now rests"), (2, "2 scores that fail now rest")],
)
def test_flips_that_were_not_judged_again_are_counted(flipped: int, said: str) -> None:
    before = run(*scores([0.8, 0.8, 0.8]))
    found = noted(before, run(*scores([0.6] * flipped + [0.8] * (3 - flipped))))
    assert found[-1].startswith(f"{said} on fewer than 5 judgements on one side")


def test_flips_that_were_judged_again_on_both_sides_are_not() -> None:
    before = judged_again(run(*scores([0.8])), "c000", [0.8] * 5)
    now = judged_again(run(*scores([0.6])), "c000", [0.6] * 5)
    assert noted(before, now) == []


def test_flips_that_cannot_be_settled_by_judging_are_not() -> None:
    before = run(case("a", judged(0.8, key="k")), case("b", ruled(1.0)), case("c", by_person(0.8)))
    now = run(case("a", judged(0.6, key="k")), case("b", ruled(0.0)), case("c", by_person(0.1)))
    assert "judgements on one side" not in "".join(noted(before, now))


@pytest.mark.parametrize(("number", "said"), [(1, "1 score is"), (2, "2 scores are")])
def test_scores_made_of_other_parts_are_counted(number: int, said: str) -> None:
    whole = _generation(("completeness", "scored"), ("redundancy", "scored"))
    less = _generation(("completeness", "scored"), ("redundancy", "skipped"))
    before = run(case("x", ruled(1.0)), *(case(f"c{n}", whole) for n in range(number)))
    now = run(case("x", ruled(1.0)), *(case(f"c{n}", less) for n in range(number)))
    assert noted(before, now) == [f"{said} made of other parts than in the baseline, and not compared"]
