import os
from pathlib import Path

import pytest

from holodeck_eval.application.merging import case_lines, merged_case_lines
from holodeck_eval.domain.case import Case
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.run import Run
from holodeck_eval.reports.cases import render_case
from tests.fakes.measured import HERE, case, scored, spec
from tests.fakes.shards import build_parts

NOT_KEPT = "what was judged is not kept, so this report cannot be judged again: "


def some_cases() -> tuple[Case, ...]:
    """Nine cases, one of them waived, one with a text that some readers take for several lines."""
    recorded = [case([(spec(), None)], id=f"case {number}") for number in range(7)]
    waived = Case(id="lost", agent="helper", name=None, turns=(), digest="d", test_case=HERE)
    return (*recorded[:3], waived, *recorded[3:], case([(spec(), None)], id="a\u2028b\r\x85c\ud800"))


def written(folder: Path, count: int = 3) -> list[tuple[str, Run]]:
    """Report folders of all shards of a run, with what was judged in each."""
    cases = some_cases()
    outcomes = {(one.agent, one.id, 0, "faithfulness"): scored(0.9) for one in cases}
    parts = [
        (str(folder / name), run)
        for name, run in build_parts(cases, outcomes, count, policy=Policy(allow_missing=True))
    ]
    for name, run in parts:
        Path(name).parent.mkdir()
        assert run.shard
        mine = sorted((*run.shard.cases, *run.shard.waived))
        text = "".join(f"{render_case(cases[place])}\n" for place in mine)
        beside(name).write_text(text, encoding="utf-8", newline="\n")
    return parts


def beside(name: str) -> Path:
    return Path(name).parent / "cases.jsonl"


def warning_of(parts: list[tuple[str, Run]]) -> str:
    lines, (warning,) = merged_case_lines(parts)
    assert lines is None
    assert warning.startswith(NOT_KEPT)
    return warning.removeprefix(NOT_KEPT)


@pytest.mark.parametrize("count", [1, 3, 20])
def test_the_lines_come_in_the_order_of_the_whole_run(tmp_path: Path, count: int) -> None:
    parts = written(tmp_path, count)
    lines, warnings = merged_case_lines(list(reversed(parts)))
    assert lines is not None
    assert list(lines) == [render_case(one) for one in some_cases()]
    assert warnings == ()


def test_where_no_shard_kept_what_was_judged_none_is_missed(tmp_path: Path) -> None:
    parts = written(tmp_path)
    for name, _ in parts:
        beside(name).unlink()
    assert merged_case_lines(parts) == (None, ())


def test_a_part_of_the_lines_does_not_pass_for_all(tmp_path: Path) -> None:
    parts = written(tmp_path)
    beside(parts[1][0]).unlink()
    assert warning_of(parts) == f"'{beside(parts[1][0])}' is not there"


def test_a_file_with_too_few_lines_is_refused(tmp_path: Path) -> None:
    parts = written(tmp_path)
    file = beside(parts[0][0])
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:-1]))
    assert warning_of(parts) == f"'{file}' holds {len(lines) - 1} lines for {len(lines)} cases"


def test_a_file_with_too_many_lines_is_refused(tmp_path: Path) -> None:
    parts = written(tmp_path)
    file = beside(parts[0][0])
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines, lines[0]]))
    assert warning_of(parts) == f"'{file}' holds more than {len(lines)} lines, one for each case"


@pytest.mark.parametrize("bytes_", [b'{"id": "a"}', b"\xff\n", b"\xed\xa0\x80\n"])
def test_a_line_that_is_torn_or_not_utf_8_is_refused(tmp_path: Path, bytes_: bytes) -> None:
    parts = written(tmp_path)
    beside(parts[0][0]).write_bytes(bytes_)
    assert warning_of(parts) == f"'{beside(parts[0][0])}' holds a line 1 that is torn, too long or not UTF-8"


def test_a_line_that_never_ends_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = written(tmp_path)
    assert merged_case_lines(parts)[1] == ()
    monkeypatch.setattr(case_lines, "LONGEST", 50)
    assert "holds a line 1 that is torn, too long or not UTF-8" in warning_of(parts)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    parts = written(tmp_path)
    beside(parts[0][0]).unlink()
    os.mkfifo(beside(parts[0][0]))
    assert warning_of(parts) == f"'{beside(parts[0][0])}' is not there"


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that cannot be read")
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    parts = written(tmp_path)
    beside(parts[0][0]).unlink()
    beside(parts[0][0]).symlink_to("/proc/self/mem")  # its first bytes belong to no one
    assert warning_of(parts) == f"'{beside(parts[0][0])}' cannot be read (Input/output error)"


def test_many_faults_are_counted(tmp_path: Path) -> None:
    parts = written(tmp_path, 20)
    for name, _ in parts[5:]:
        beside(name).unlink()
    assert warning_of(parts).endswith("is not there, and 12 more")
