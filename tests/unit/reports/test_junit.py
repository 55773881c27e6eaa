from dataclasses import replace
from time import process_time
from xml.etree import ElementTree as ET

import pytest

from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.verdict import Cause
from holodeck_eval.errors import Place
from holodeck_eval.reports.junit import FILE_LIMIT, render, render_within
from tests.fakes.runs import (
    PASS_RATE,
    build_case,
    build_metric,
    build_run,
    build_turn,
    build_verdict,
    error_run,
    failed_run,
    inconclusive_run,
    passed_run,
    waived_run,
)
from tests.unit.reports.snapshots import RUNS


def suites(run: Run) -> dict[str, ET.Element]:
    root = ET.fromstring(render(run))  # noqa: S314 - a file of our own
    return {suite.get("name", ""): suite for suite in root}


def marks(suite: ET.Element) -> list[tuple[str | None, list[str]]]:
    """Each test case's name, and what stands in it besides output."""
    return [(case.get("name"), [mark.tag for mark in case if mark.tag != "system-out"]) for case in suite]


def test_a_failed_case_is_a_failure_and_the_rest_passed() -> None:
    assert marks(suites(failed_run())["support"]) == [
        ("refund-window", ["failure"]),
        ("refund-end", ["failure"]),
        ("greeting", []),
        ("goodbye", []),
    ]


def test_a_case_that_could_not_be_judged_is_an_error_and_never_a_failure() -> None:
    assert marks(suites(inconclusive_run())["support"])[1] == ("slow", ["error"])


def test_only_a_waived_case_is_skipped() -> None:
    assert marks(suites(waived_run())["support"])[2] == ("lost", ["skipped"])


def test_a_verdict_that_was_let_through_stays_an_error_and_says_so() -> None:
    (error,) = suites(waived_run())["gate"].iter("error")
    assert str(error.get("message")).startswith("not blocking, as on_inconclusive: pass asks: 1 case is open")


@pytest.mark.parametrize("name", RUNS)
def test_the_gate_is_green_for_a_passed_run_alone(name: str) -> None:
    gate = suites(RUNS[name]())["gate"]
    red = [mark.tag for mark in gate.iter() if mark.tag in {"failure", "error"}]
    assert bool(red) != RUNS[name]().verdict.passed


def test_the_gate_of_a_passed_run_has_one_test_case() -> None:
    assert marks(suites(passed_run())["gate"]) == [("gate", [])]


@pytest.mark.parametrize("status", ["failed", "inconclusive", "error", "bug"])
def test_the_gate_is_red_even_where_nobody_gave_a_cause(status: str) -> None:
    run = build_run(build_case(), verdict=build_verdict(status))  # type: ignore[arg-type]
    (error,) = suites(run)["gate"].iter("error")
    assert error.get("message") == f"the run ended as {status}, and no cause was given"


def test_an_exit_code_is_red_even_for_a_run_that_says_it_passed() -> None:
    assert list(suites(build_run(verdict=build_verdict(exit_code=3)))["gate"].iter("error"))


def test_a_run_that_could_not_begin_has_an_error_for_each_problem() -> None:
    found = suites(error_run())
    assert list(found) == ["gate"]
    assert marks(found["gate"]) == [("bad_input", ["error"]), ("bad_input (2)", ["error"])]
    (first, _) = found["gate"].iter("error")
    assert first.text == "agent.yaml:14:9: unknown key 'treshold'; did you mean 'threshold'?"
    assert [(case.get("file"), case.get("line")) for case in found["gate"]] == [
        ("agent.yaml", "14"),
        ("runs/today.jsonl", "2"),
    ]


def test_a_message_is_one_short_line_and_the_text_holds_everything() -> None:
    reason = "a reason\n" * 100
    case = build_case("long", "failed", reasons=(reason,))
    (failure,) = suites(build_run(case, verdict=build_verdict("failed", PASS_RATE)))["support"].iter(
        "failure"
    )
    message = failure.get("message") or ""
    assert (len(message), message[:17], message[-1]) == (200, "a reason a reason", "…")
    assert str(failure.text).startswith(reason)
    assert "answered: You have 60 days." in str(failure.text)


def test_a_case_that_failed_without_a_reason_is_red_all_the_same() -> None:
    case = build_case("odd", "failed", reasons=(), turns=())
    (failure,) = suites(build_run(case))["support"].iter("failure")
    assert failure.get("message") == "the case failed, and no reason was given"
    assert str(failure.text).strip() == "the case failed, and no reason was given"


def test_scores_are_repeated_in_the_output() -> None:
    rated = build_metric(Scored(score=0.6, reason="So."), "generation", threshold=None, rating="bad")
    case = build_case(turns=(build_turn(build_metric(0.9), rated),))
    (output,) = suites(build_run(case))["support"].iter("system-out")
    assert output.text == (
        "faithfulness: 0.9, needs 0.7: The context says 30 days.\ngeneration: 0.6, rated bad: So."
    )


def test_a_turn_without_texts_says_so() -> None:
    turn = build_turn(input=None, actual_output=None, expected_output=None)
    (failure,) = suites(build_run(build_case("x", "failed", turns=(turn,))))["support"].iter("failure")
    assert str(failure.text).endswith("asked: (not recorded)\nanswered: (no answer)")


@pytest.mark.parametrize(
    ("duration", "time"),
    [(0.25, "0.250000"), (0.0, "0.001000"), (-1.0, "0.001000"), (float("inf"), "0.001000")],
)
def test_a_time_is_never_nothing(duration: float, time: str) -> None:
    case = build_case(turns=(build_turn(build_metric(0.9, duration_s=duration)),))
    assert [case.get("time") for case in suites(build_run(case))["support"]] == [time]


def test_no_two_test_cases_share_a_name() -> None:
    cases = [
        build_case(name, agent=agent)
        for agent in ("support", "gate")
        for name in ("x\x1b[1m", "x", "x (2)", "gate")
    ]
    run = build_run(*cases, verdict=build_verdict("failed", replace(PASS_RATE, code="x")))
    root = ET.fromstring(render(run))  # noqa: S314 - a file of our own
    names = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
    assert len(set(names)) == len(names) == 9
    assert names[:3] == [("support", "x"), ("support", "x (2)"), ("support", "x (2) (2)")]


def test_cases_of_one_name_are_numbered_on() -> None:
    cases = [build_case(f"x\x1b[{number}m") for number in range(4)]
    names = [case.get("name") for case in suites(build_run(*cases))["support"]]
    assert names == ["x", "x (2)", "x (3)", "x (4)"]


def test_a_test_case_is_never_without_a_name() -> None:
    assert marks(suites(build_run(build_case("\x1b[0m", agent=" ")))["(no name)"]) == [("(no name)", [])]


def test_a_cause_names_each_of_its_cases_on_a_line_of_its_own() -> None:
    """A report action looks through the lines of a text, for as long as the longest of them makes it."""
    cause = replace(PASS_RATE, cases=("a\nb", "c" * 1_000))
    (failure,) = suites(build_run(verdict=build_verdict("failed", cause)))["gate"].iter("failure")
    assert str(failure.text).split("\n")[1:] == ["a b", "c" * 299 + "…"]


def test_only_the_first_thousand_causes_are_listed_and_the_rest_counted() -> None:
    causes = [Cause(status="error", code="bad_input", message=f"problem {n}") for n in range(1_003)]
    gate = suites(build_run(verdict=build_verdict("error", *causes)))["gate"]
    assert gate.get("tests") == "1000"
    assert {error.get("type") for error in gate.iter("error")} == {"error"}
    assert gate[-1].findtext("system-out") == "3 more causes are listed in results.json"


def big(cases: int, text: str) -> Run:
    """A run of failed cases whose answer, reason and score each hold a text."""
    turn = build_turn(build_metric(Scored(score=0.1, reason=text)), actual_output=text, status="failed")
    made = [build_case(f"case {n}", "failed", turns=(turn,), reasons=(text,)) for n in range(cases)]
    return build_run(*made, verdict=build_verdict("failed", PASS_RATE))


def test_one_case_keeps_64_kib_of_text() -> None:
    text = render(big(1, "x" * 1_000_000))
    failure = next(ET.fromstring(text).iter("failure"))  # noqa: S314 - a file of our own
    assert len(failure.text or "") == 64 * 1024
    assert len(text) < 140_000


@pytest.mark.parametrize(
    ("limit", "output", "texts", "kept"),
    [
        (40_000, 3, 9_117, 3),
        (30_000, 0, 9_117, 3),
        (27_000, 0, 8_192, 3),
        (20_000, 0, 1_000, 3),
        (4_000, 0, 16, 3),
        (1_500, 1, 0, 0),
    ],
)
def test_a_large_run_loses_output_first_then_texts_then_cases_but_never_its_verdict(
    limit: int, output: int, texts: int, kept: int
) -> None:
    text = render_within(big(3, "x" * 3_000), limit)
    assert len(text.encode()) <= limit
    root = ET.fromstring(text)  # noqa: S314 - a file of our own
    suite = {suite.get("name"): suite for suite in root}
    assert len(suite.get("support", ())) == kept
    assert len(list(root.iter("system-out"))) == output
    assert suite["gate"].get("failures") == "1"
    found = suite["support"].iter("failure") if kept else ()
    assert max((len(failure.text or "") for failure in found), default=0) == texts


def test_what_passed_is_left_out_before_what_failed_and_the_gate_says_how_much() -> None:
    passed = [build_case(f"passed {n}", turns=()) for n in range(100)]
    run = build_run(*passed, build_case("odd", "failed"), verdict=build_verdict("failed", PASS_RATE))
    root = ET.fromstring(render_within(run, 4_000))  # noqa: S314 - a file of our own
    assert [case.get("name") for case in root.iter("testcase")] == ["odd", "pass_rate"]
    (failure, _) = root.iter("failure")
    assert str(failure.text).endswith("answered: You have 60 days.\nexpected: 30 days after delivery.")
    (output,) = root.iter("system-out")
    assert (
        output.text == "100 cases that passed would make this file too large, and are in results.json alone"
    )


def test_where_no_case_fits_the_gate_says_how_many_there_are() -> None:
    root = ET.fromstring(render_within(waived_run(), 1_000))  # noqa: S314 - a file of our own
    (output,) = root.iter("system-out")
    assert output.text == "3 cases would make this file too large, and are in results.json alone"
    assert [case.get("name") for case in root.iter("testcase")] == ["timeout"]


def test_a_thousand_causes_at_their_longest_fit_into_the_file() -> None:
    place = Place(file='"' * 300, line=1)
    causes = [
        Cause(status="error", code='"' * 400, message="&" * 5_000, cases=("&" * 400,) * 9, place=place)
        for _ in range(1_003)
    ]
    run = build_run(build_case(), verdict=build_verdict("error", *causes))
    least = render_within(run, 1)
    assert (least.count("<testcase "), render(run).count("<testcase ")) == (1_000, 1_001)
    assert len(least.encode()) <= FILE_LIMIT


def test_two_thousand_long_cases_take_about_a_second() -> None:
    """Texts that are thrown away must not be made fit first: that took minutes."""
    run = big(2_000, "x" * 70_000)
    started = process_time()
    assert len(render(run).encode()) <= FILE_LIMIT
    assert process_time() - started < 10


def test_the_verdict_is_written_whatever_the_limit() -> None:
    assert "the pass rate is 0.50" in render_within(big(1, "x"), 10)


def test_the_file_stays_under_8_mib() -> None:
    assert 4_000_000 < len(render(big(40, "é" * 32_000)).encode()) <= FILE_LIMIT
