import pytest

from holodeck_eval.config.findings import MAX_TOLD, Findings, quoted
from holodeck_eval.errors import ConfigError, Place, Problem


def place(line: int, file: str = "f.yaml") -> Place:
    return Place(file=file, line=line, column=1)


def test_problems_come_file_by_file_and_line_by_line() -> None:
    findings = Findings()
    findings.problem(place(9), "nine")
    findings.problem(place(1, "other.yaml"), "other")
    findings.problem(place(2), "two")
    assert [problem.message for problem in findings.error().problems] == ["two", "nine", "other"]


def test_a_problem_without_a_place_comes_last() -> None:
    findings = Findings()
    findings.absorb(ConfigError(Problem(message="nowhere")))
    findings.problem(place(2), "two")
    assert [problem.message for problem in findings.error().problems] == ["two", "nowhere"]


def test_the_same_problem_or_warning_is_told_once() -> None:
    findings = Findings()
    for _ in range(2):
        findings.problem(place(1), "p")
        findings.warn(place(1), "w")
    assert len(findings.error().problems) == 1
    assert findings.warnings == ("f.yaml:1:1: w",)


def test_without_problems_nothing_is_raised() -> None:
    findings = Findings()
    findings.warn(place(1), "w")
    findings.raise_if_any()
    findings.problem(place(1), "p")
    with pytest.raises(ConfigError, match=r"^f\.yaml:1:1: p$"):
        findings.raise_if_any()


def test_a_flood_of_problems_is_cut_and_counted() -> None:
    findings = Findings()
    for line in range(MAX_TOLD + 5):
        findings.problem(place(line), "p")
        findings.warn(place(line), "w")
    problems = findings.error().problems
    assert len(problems) == MAX_TOLD + 1
    assert problems[-1].message == "and 5 more problems; mend these first"
    assert len(findings.warnings) == MAX_TOLD


def test_a_quoted_text_is_one_short_line() -> None:
    assert quoted("plain") == "'plain'"
    assert quoted("a\n::error::b\u202e") == "'a\\n::error::b\\u202e'"
    assert quoted("é") == "'é'"
    assert quoted("x" * 81) == f"'{'x' * 79}…'"
    assert quoted("\n" + "x" * 90) == f"'\\n{'x' * 78}…'"
