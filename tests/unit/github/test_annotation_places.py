import io
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holodeck_eval.console import Console
from holodeck_eval.domain.comparison import Comparison, GateChange
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.staleness import Staleness
from holodeck_eval.errors import Place
from holodeck_eval.github.annotations import Annotation, annotations
from holodeck_eval.github.commands import fence
from tests.fakes import runs
from tests.fakes.compared_runs import COMPARED
from tests.fakes.comparisons import build_comparison, build_flip, build_moved, cause
from tests.fakes.runner_log import Command, RunnerLog
from tests.fakes.runs import build_run, build_verdict, hostile_run
from tests.unit.github.annotated import WORKSPACE

TWO_LINES = "x\n  pull-requests: write"


def placed(place: Place, workspace: str = WORKSPACE) -> Annotation:
    problem = replace(cause("bad_input", "wrong", status="error"), place=place)
    return annotations(build_run(verdict=build_verdict("error", problem)), workspace)[0]


@pytest.mark.parametrize(
    ("file", "shown"),
    [
        ("agents/a.yaml", "agents/a.yaml"),
        ("./agents/../a.yaml", "a.yaml"),
        ("/github/workspace/a.yaml", "a.yaml"),
        ("/github/workspace/../workspace//a, b: 50%.yaml", "a, b: 50%.yaml"),
    ],
)
def test_a_file_is_shown_by_its_name_below_the_checkout(file: str, shown: str) -> None:
    found = placed(Place(file=file, line=3, column=9))
    assert (found.file, found.line, found.message) == (shown, 3, "wrong")


@pytest.mark.parametrize(
    "file",
    [
        *(
            "../a.yaml",
            "/github/workspace-2/a.yaml",
            "/policy.yaml",
            "",
            ".",
            "a\n.yaml",
            "a\x1b.yaml",
            " a.yaml",
        ),
        *("=a.yaml", "a##[.yaml", "::a.yaml", "a" * 2000, "\ud800.yaml", "a\u202e.yaml"),
    ],
)
def test_a_file_elsewhere_or_of_a_name_no_command_carries_is_named_in_the_message(file: str) -> None:
    found = placed(Place(file=file, line=3))
    assert (found.file, found.line) == (None, None)
    assert found.message.startswith("wrong\nAt ")
    assert len(found.message) <= 130


def test_a_record_without_a_line_is_named_in_the_message() -> None:
    found = placed(Place(file="runs.json", record=4))
    assert (found.file, found.line, found.message) == ("runs.json", None, "wrong\nAt runs.json: record 4")


@pytest.mark.parametrize("line", [0, -1, 2**31])
def test_a_line_that_cannot_be_is_left_out(line: int) -> None:
    assert placed(Place(file="a.yaml", line=line)).line is None


def test_the_root_may_be_the_checkout() -> None:
    assert placed(Place(file="/a.yaml"), "/").file == "a.yaml"


def test_an_annotation_is_a_command_that_keeps_its_lines() -> None:
    own = Annotation(level="warning", title="a, b", message=TWO_LINES, file="a.yaml", line=2)
    assert RunnerLog().read(str(own)).annotations == [
        Command("warning", TWO_LINES, {"file": "a.yaml", "line": "2", "title": "a, b"})
    ]


def seen(run: Run) -> tuple[RunnerLog, tuple[Annotation, ...]]:
    """What a runner makes of a run's whole output, and what we meant to tell it."""
    screen = Console(out=io.StringIO(), err=io.StringIO())
    found = annotations(run, WORKSPACE)
    with screen.fenced(fence("0123456789abcdef")):
        for read in run.files:
            screen.note(f"read {read.file}")
        screen.verdict(run, "eval-report")
        screen.command(*map(str, found))
    assert isinstance(screen.out, io.StringIO)
    return RunnerLog().read(screen.out.getvalue()), found


def expected(found: Sequence[Annotation]) -> list[Command]:
    """The commands of some annotations, as a runner should understand them."""
    return [
        Command(
            one.level,
            one.message if one.message[:1].isascii() else f" {one.message}",
            {
                key: str(value)
                for key, value in (("file", one.file), ("line", one.line), ("title", one.title))
                if value is not None
            },
        )
        for one in found
    ]


def check_seen(run: Run) -> None:
    log, found = seen(run)
    assert [command.name for command in log.obeyed[:1]] == ["stop-commands"]
    assert log.obeyed[1:] == expected(found)
    assert log.ignored == []
    assert log.stopped_by is None
    assert {command.name for command in log.annotations} <= {"error", "warning", "notice"}
    assert len(log.annotations) == len(found)


@pytest.mark.parametrize("make", [runs.failed_run, runs.error_run, hostile_run, *COMPARED.values()])
def test_the_runner_obeys_our_annotations_and_nothing_else(make: Any) -> None:
    check_seen(make())


ATTACKS = (
    *(
        "\n::error::x",
        "::set-output name=status::passed",
        "##[set-output name=status]passed",
        "\r",
        "%0A::error::x",
    ),
    *(
        ",title=x",
        ",file=y",
        "::",
        "%",
        "\x1b[31m",
        "\ud800",
        "\u2028::error::x",
        "\u0301",
        "\u200d",
        "=",
        "##[",
    ),
    *("\n::0123456789abcdef::\n::set-output name=status::passed", "##[0123456789abcdef]", "..", "/", "'"),
)
HOSTILE = st.lists(st.text(max_size=6) | st.sampled_from(ATTACKS), min_size=1, max_size=12).map("".join)


def hostile_compared(text: str) -> Run:
    flips = (
        build_flip(text, agent=text, metric=text, why=text),
        build_flip(f"{text}2", agent=text, metric="", why=text),
    )
    change = GateChange(code=text, message=text, loosens=True, agent=text, metric=text)
    comparison: Comparison = build_comparison(
        build_moved(0.9, 0.1, agent=text, name=text, verdict="worse"), flips=flips, gate_changes=(change,)
    )
    run = hostile_run(text)
    cases = tuple(replace(one, staleness=Staleness(status="stale", differs=(text,))) for one in run.cases)
    return replace(run, cases=cases, comparison=comparison, policy=Policy(on_gate_change="report"))


@settings(deadline=None)
@given(HOSTILE)
def test_whatever_texts_say_the_runner_obeys_our_annotations_and_nothing_else(text: str) -> None:
    check_seen(hostile_run(text))
    check_seen(hostile_compared(text))


@given(HOSTILE)
def test_whatever_a_file_is_called_an_annotation_stays_below_the_checkout(text: str) -> None:
    for name in (text, f"agents/{text}.yaml", f"{WORKSPACE}/{text}"):
        (command,) = RunnerLog().read(str(placed(Place(file=name, line=1)))).annotations
        assert command.properties.keys() <= {"file", "line", "title"}
        file = command.properties.get("file", "x")
        assert not file.startswith(("/", "../"))
        assert file not in {"..", "."}
