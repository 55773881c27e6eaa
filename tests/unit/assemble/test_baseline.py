import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holodeck_eval.assemble import report_files
from holodeck_eval.assemble.baseline import UNTRUSTED_BASELINE, check_apart, read_baseline
from holodeck_eval.assemble.paths import Checkout
from holodeck_eval.domain.baseline import Baseline
from holodeck_eval.domain.options import Options
from holodeck_eval.domain.result import WaivedCase
from holodeck_eval.domain.run import Shard
from holodeck_eval.errors import InputError, UsageError
from tests.fakes.runs import AGENT, build_case, build_run, failed_run
from tests.fakes.saved import line_of, saved, turn_of

NOBODY = Checkout(None)


def options(baseline: str | Path | None, **settings: Any) -> Options:
    return Options(agent=(), transcripts=(), baseline=None if baseline is None else str(baseline), **settings)


def read(baseline: str | Path, checkout: Checkout = NOBODY, **settings: Any) -> Baseline:
    made = read_baseline(options(baseline, **settings), checkout)
    assert made is not None
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The report folder of a run with two cases, both kept."""
    run = build_run(build_case("a"), build_case("b"), started_at="2026-01-01T00:00:00Z", head_sha="c0ffee")
    return saved(tmp_path / "main", run, [line_of("a"), line_of("b")])


def problem_of(baseline: Baseline) -> tuple[str, str]:
    assert (baseline.run, baseline.info, baseline.turns) == (None, None, {})
    assert baseline.problem is not None
    return baseline.problem.cause, baseline.problem.message


def test_no_baseline_is_read_where_none_was_asked_for() -> None:
    assert read_baseline(options(None), NOBODY) is None


def test_an_empty_path_is_not_the_working_directory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    with pytest.raises(UsageError, match="the baseline's path is empty"):
        read_baseline(options(""), NOBODY)


@pytest.mark.parametrize("name", ["", "results.json"])
def test_a_folder_and_its_results_file_are_one_baseline(folder: Path, name: str) -> None:
    baseline = read(folder / name)
    assert baseline.problem is None
    assert baseline.run is not None
    assert [case.id for case in baseline.run.cases] == ["a", "b"]
    assert baseline.turns == {(AGENT, "a", 0): turn_of("a"), (AGENT, "b", 0): turn_of("b")}
    assert baseline.info is not None
    assert baseline.info.file == str(folder / "results.json")
    assert (baseline.info.status, baseline.info.started_at) == ("passed", "2026-01-01T00:00:00Z")
    assert (baseline.info.head_sha, baseline.info.rejudgeable) == ("c0ffee", True)
    assert not baseline.info.from_checkout
    assert baseline.warnings == ()


def test_a_results_file_alone_cannot_be_judged_again(folder: Path) -> None:
    (folder / "cases.jsonl").unlink()
    baseline = read(folder)
    assert baseline.info is not None
    assert (baseline.info.rejudgeable, baseline.turns, baseline.warnings) == (False, {}, ())


def test_a_baseline_that_failed_is_one_and_says_so(tmp_path: Path) -> None:
    baseline = read(saved(tmp_path, failed_run()))
    assert baseline.info is not None
    assert (baseline.problem, baseline.info.status) == (None, "failed")


def test_a_byte_order_mark_is_no_part_of_a_file(folder: Path) -> None:
    for name in ("results.json", "cases.jsonl"):
        text = (folder / name).read_bytes()
        (folder / name).write_bytes(b"\xef\xbb\xbf" + text)
    assert len(read(folder).turns) == 2


# What is not there, or cannot be read.


def test_what_is_not_there_is_missing(tmp_path: Path) -> None:
    assert problem_of(read(tmp_path / "none")) == (
        "missing",
        f"there is no baseline at {tmp_path}/none: no such file or folder",
    )
    assert problem_of(read(tmp_path)) == (
        "missing",
        f"there is no baseline at {tmp_path}: the folder has no results.json",
    )
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    assert problem_of(read(tmp_path / "file" / "results.json"))[0] == "missing"
    assert problem_of(read(tmp_path / "link"))[0] == "missing"


@pytest.mark.parametrize(
    ("content", "clause"),
    [
        (b"", "is empty"),
        (b"\xef\xbb\xbf \n", "is empty"),
        (b'{"schema_version": 1,\n "tool', "is cut off before its end (line 2, column 2)"),
        (
            b"{'schema_version': 1}",
            "is not JSON: Expecting property name enclosed in double quotes (line 1, ",
        ),
        (b'{"schema_version": 1}\x00', "is not JSON: Extra data (line 1, column 22)"),
        (b"\xff\xfe{\x00}\x00", "is not UTF-8"),
        (b"<html>", "is not JSON: Expecting value (line 1, column 1)"),
        (b"[" * 100_000, "is nested too deep to be a results file"),
        (b'{"a": NaN}', "holds NaN, which is no number"),
        (b"{}", "is not a results file of holodeck-eval: it has no schema_version"),
        (
            b'{"schema_version": 2}',
            "was written by a newer version of holodeck-eval (schema_version 2; this one reads up to 1)",
        ),
        (
            b'{"schema_version": 1}',
            "does not hold what a results file holds (tool_version: Field required; and ",
        ),
    ],
)
def test_a_file_that_is_no_results_file_is_unreadable_in_one_sentence(
    tmp_path: Path, content: bytes, clause: str
) -> None:
    file = tmp_path / "results.json"
    file.write_bytes(content)
    for given in (tmp_path, file):
        cause, message = problem_of(read(given))
        assert cause == "unreadable"
        assert message.startswith(f"the baseline {file} {clause}")


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "reports" / "results.json").mkdir(parents=True)
    for name, clause in {
        "pipe": "pipe is a pipe or a device, not a file",
        "/dev/zero": "/dev/zero is a pipe or a device, not a file",
        "reports": "reports/results.json is a folder, not a file",
    }.items():
        assert problem_of(read(tmp_path / name))[1].endswith(clause)


def test_what_the_system_refuses_is_said_in_its_words(tmp_path: Path) -> None:
    assert problem_of(read("/proc/self/mem")) == (
        "unreadable",
        "the baseline /proc/self/mem cannot be read: Input/output error",
    )
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert problem_of(read(tmp_path / "loop"))[1].endswith(
        "cannot be read: Too many levels of symbolic links"
    )
    assert problem_of(read(tmp_path / ("x" * 300)))[1].endswith("cannot be read: File name too long")


def test_a_file_over_the_limit_is_not_held_in_memory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_files, "MAX_BYTES", 1024 * 1024)
    with (folder / "results.json").open("r+b") as file:
        file.truncate(1024 * 1024 + 1)
    assert problem_of(read(folder)) == (
        "unreadable",
        f"the baseline {folder}/results.json is larger than 1 MiB",
    )


def test_a_part_of_a_run_is_no_baseline(tmp_path: Path) -> None:
    shard = Shard(index=2, count=4, cases=(0,), waived=(), total=4)
    assert problem_of(read(saved(tmp_path, build_run(build_case(), shard=shard)))) == (
        "unreadable",
        f"the baseline {tmp_path}/results.json is only part 2 of 4 of a run; merge the parts first",
    )


def test_a_hostile_path_is_shown_on_one_line(tmp_path: Path) -> None:
    _, message = problem_of(read(tmp_path / "a\n::error::b\x1b[31m"))
    assert message.isprintable()


# Whom it is believed.


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout, which is the working directory."""
    made = tmp_path / "workspace"
    made.mkdir()
    monkeypatch.chdir(made)
    return made


def refusal(baseline: str | Path, workspace: Path, **settings: Any) -> str:
    with pytest.raises(InputError) as caught:
        read_baseline(options(baseline, **settings), Checkout(workspace))
    assert caught.value.exit_code == 2
    return str(caught.value)


@pytest.mark.parametrize("given", ["base", "base/results.json", "./x/../base", "none"])
def test_a_baseline_in_the_checkout_is_refused(workspace: Path, given: str) -> None:
    (workspace / "x").mkdir()
    saved(workspace / "base", build_run(build_case("a")))
    assert refusal(given, workspace) == f"{given}: {UNTRUSTED_BASELINE}"


def test_a_baseline_outside_the_checkout_is_believed(workspace: Path, folder: Path) -> None:
    baseline = read(folder, Checkout(workspace))
    assert baseline.info is not None
    assert (baseline.problem, baseline.info.from_checkout) == (None, False)


@pytest.mark.parametrize("name", ["results.json", "cases.jsonl"])
def test_a_folder_outside_whose_file_is_one_of_the_checkout_is_refused(
    workspace: Path, folder: Path, name: str
) -> None:
    (folder / name).rename(workspace / name)
    (folder / name).symlink_to(workspace / name)
    assert refusal(folder, workspace) == f"{folder}: {UNTRUSTED_BASELINE}"
    assert refusal(folder / "results.json", workspace).endswith(UNTRUSTED_BASELINE)


def test_a_trusted_checkout_is_believed_and_named(workspace: Path) -> None:
    saved(workspace / "base", build_run(build_case("a")))
    baseline = read("base", Checkout(workspace), trust_checkout=True)
    assert baseline.info is not None
    assert baseline.info.from_checkout


@pytest.mark.parametrize("trust_checkout", [False, True])
def test_a_link_that_leads_out_of_the_checkout_is_refused(
    workspace: Path, folder: Path, *, trust_checkout: bool
) -> None:
    (workspace / "out").symlink_to(folder)
    (workspace / "base").mkdir()
    (workspace / "base" / "results.json").symlink_to(folder / "results.json")
    for given in ("out", "out/results.json", "base"):
        told = refusal(given, workspace, trust_checkout=trust_checkout)
        assert "this is a link that leads out of the checkout; it is not followed" in told


def test_a_baseline_in_the_report_folder_is_refused_before_it_is_removed(
    folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to(folder)
    for given in (folder, folder / "results.json", tmp_path / "link"):
        with pytest.raises(UsageError, match=r"lies in the report folder .* which is emptied at the start"):
            check_apart(options(given, out=str(folder)))
    with pytest.raises(UsageError, match="lies in the report folder"):
        check_apart(options("not-made-yet", out="not-made-yet"))
    check_apart(options(folder, out=str(tmp_path / "reports")))
    check_apart(options(None))


# Renamed agents.


def test_an_agent_that_was_renamed_is_found_under_its_new_name(tmp_path: Path) -> None:
    lost = WaivedCase(id="lost", agent=AGENT, reason="gone")
    run = build_run(build_case("a"), waived_cases=(lost,))
    folder = saved(tmp_path, run, [line_of("a")])
    baseline = read(folder, rename_agent=(f"{AGENT}=helper", "other=third"))
    assert baseline.run is not None
    assert [agent.name for agent in baseline.run.agents] == ["helper"]
    assert [case.agent for case in baseline.run.cases] == ["helper"]
    assert [case.agent for case in baseline.run.waived_cases] == ["helper"]
    assert [metric.agent for metric in baseline.run.summary.metrics] == ["helper"]
    assert set(baseline.turns) == {("helper", "a", 0)}
    assert baseline.warnings == ()


def test_a_rename_that_was_made_already_changes_nothing(folder: Path) -> None:
    assert read(folder, rename_agent=(f"old={AGENT}", f"{AGENT}={AGENT}")) == read(folder)


def test_an_agent_is_not_taken_for_another_that_is_there_too(tmp_path: Path) -> None:
    run = build_run(build_case("a"), build_case("a", agent="helper"))
    run = replace(run, agents=(*run.agents, replace(run.agents[0], name="helper")))
    baseline = read(saved(tmp_path, run), rename_agent=(f"{AGENT}=helper",))
    assert baseline.run is not None
    assert [case.agent for case in baseline.run.cases] == [AGENT, "helper"]
    assert baseline.warnings == (
        f"the baseline has both '{AGENT}' and 'helper', so that the first is not taken for the second",
    )


@pytest.mark.parametrize("rename", ["old", "=new", "old=", "", "="])
def test_a_rename_that_lacks_a_name_is_refused(folder: Path, rename: str) -> None:
    with pytest.raises(UsageError, match="--rename-agent takes OLD=NEW, not"):
        read(folder, rename_agent=(rename,))
