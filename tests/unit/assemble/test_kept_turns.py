from pathlib import Path
from typing import Any

import pytest

from holodeck_eval.assemble import kept_turns
from holodeck_eval.assemble.kept_turns import TurnKey, read_turns
from holodeck_eval.domain.case import Turn
from holodeck_eval.reports.results import parse
from tests.fakes.runs import AGENT, build_case, build_run, build_turn
from tests.fakes.saved import line_of, saved, turn_of


def read(folder: Path) -> tuple[dict[TurnKey, Turn], tuple[str, ...]]:
    """What was kept in a report folder, and the warnings."""
    run = parse((folder / "results.json").read_text(encoding="utf-8"), shown_as="r")
    return read_turns(folder / "cases.jsonl", run)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The report folder of a run with two cases, both kept."""
    return saved(tmp_path / "main", build_run(build_case("a"), build_case("b")), [line_of("a"), line_of("b")])


def test_bad_lines_of_cases_are_left_out_with_a_warning_each(folder: Path) -> None:
    (folder / "cases.jsonl").write_bytes(
        b"\n".join(
            [
                b"not JSON",
                line_of("a").encode(),
                b"",
                line_of("unknown").encode(),
                b"\xff\xfe",
                line_of("b", digest="1" * 64).encode(),
            ]
        )
    )
    turns, warnings = read(folder)
    assert set(turns) == {(AGENT, "a", 0)}
    file = folder / "cases.jsonl"
    assert warnings == (
        f"{file}:1: this line is left out: it is not JSON: Expecting value at column 1",
        f"{file}:4: this line is left out: case 'unknown' is not in the results",
        f"{file}:5: this line is left out: it is not UTF-8",
        f"{file}:6: this line is left out: case 'b' is not what the results show of it",
    )


def test_many_bad_lines_are_counted(folder: Path) -> None:
    (folder / "cases.jsonl").write_text("[]\n" * 1000)
    _, warnings = read(folder)
    assert len(warnings) == 6
    assert warnings[-1] == f"{folder / 'cases.jsonl'}: 995 more lines are left out"


@pytest.mark.parametrize(
    "fields",
    [
        {"actual_output": "You have 30 days."},
        {"actual_output": None},
        {"input": "?"},
        {"expected_output": None},
        {"no_answer": "it was cut"},
    ],
)
def test_a_case_that_is_not_what_the_results_show_is_not_judged_again(
    folder: Path, fields: dict[str, Any]
) -> None:
    (folder / "cases.jsonl").write_text(line_of("a", turn_of("a", **fields)) + "\n")
    turns, warnings = read(folder)
    assert (turns, len(warnings)) == ({}, 1)


def test_a_long_answer_is_told_by_its_head(tmp_path: Path) -> None:
    answer = "word " * 1000 + "\ud800"
    case = build_case("a", turns=(build_turn(actual_output=answer[:1999] + "…"),))
    folder = saved(tmp_path, build_run(case), [line_of("a", turn_of("a", actual_output=answer))])
    assert read(folder)[0][AGENT, "a", 0].actual_output == answer
    other = line_of("a", turn_of("a", actual_output="w" + answer))
    assert read(saved(tmp_path, build_run(case), [other]))[0] == {}


def test_a_lone_surrogate_is_told_by_what_the_results_show_of_it(tmp_path: Path) -> None:
    case = build_case("a", turns=(build_turn(actual_output="a\ud800"),))
    folder = saved(tmp_path, build_run(case), [line_of("a", turn_of("a", actual_output="a\ud800"))])
    assert read(folder)[0][AGENT, "a", 0].actual_output == "a\ud800"


def test_of_a_case_that_is_given_twice_neither_is_believed(folder: Path) -> None:
    lines = [line_of("a"), line_of("b"), line_of("a"), line_of("a")]
    (folder / "cases.jsonl").write_text("".join(f"{line}\n" for line in lines))
    turns, warnings = read(folder)
    assert set(turns) == {(AGENT, "b", 0)}
    assert [text.split(": ", 1)[1] for text in warnings] == [
        "this line is left out: case 'a' is given twice, and neither is believed"
    ] * 2


def test_a_turn_that_was_cut_cannot_be_judged_again(tmp_path: Path) -> None:
    answer = "x" * 200_000
    case = build_case("a", turns=(build_turn(actual_output=answer[:1999] + "…"), build_turn(index=1)))
    turns = turn_of("a", actual_output=answer), turn_of("a", 1)
    kept, warnings = read(saved(tmp_path, build_run(case), [line_of("a", *turns)]))
    assert set(kept) == {(AGENT, "a", 1)}
    assert warnings == (
        f"{tmp_path}/cases.jsonl: 1 turns are longer than what is kept, and cannot be judged again",
    )


def test_a_line_over_the_limit_is_passed_over(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_turns, "LONGEST_LINE", 1024 * 1024)
    lines = ["x" * 5 * 1024 * 1024, line_of("b"), "y" * 1024 * 1024]
    (folder / "cases.jsonl").write_text("\n".join(lines))
    turns, warnings = read(folder)
    assert set(turns) == {(AGENT, "b", 0)}
    assert warnings[0].endswith("cases.jsonl:1: this line is left out: it is longer than 1 MiB")
    assert "cases.jsonl:3: this line is left out: it is not JSON" in warnings[1]


def test_cases_over_the_limit_are_read_up_to_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_turns, "MAX_BYTES", len(line_of("a")) + 100)
    turns, warnings = read(folder)
    assert set(turns) == {(AGENT, "a", 0)}
    assert warnings == (f"{folder}/cases.jsonl is larger than 0 MiB; the rest is left out",)


def test_cases_that_cannot_be_read_leave_the_results_usable(folder: Path) -> None:
    file = folder / "cases.jsonl"
    file.unlink()
    file.mkdir()
    assert read(folder) == ({}, (f"{file} is a folder, not a file",))
    file.rmdir()
    file.symlink_to("/proc/self/mem")
    assert read(folder) == ({}, (f"{file} cannot be read: Input/output error",))
