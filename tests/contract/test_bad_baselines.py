"""A baseline may be anything: that ends in one sentence and an inconclusive run, never in a pass or a crash."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holodeck_eval.application.comparing import compare_results
from holodeck_eval.domain.options import Environment, Options, PolicyOptions
from holodeck_eval.reports.results import parse, render
from tests.fakes.project import Project
from tests.fakes.runs import HOSTILE, build_case, build_run, failed_run, hostile_run
from tests.fakes.saved import line_of, saved

ASKED = {"name": "capital", "input": "Capital of France?", "ground_truth": "Paris"}
EQUALITY = {"type": "standard", "metric": "equality"}


@pytest.fixture
def paris(project: Project) -> Project:
    """A project whose one answer is right, with the reports of an earlier run in `main`."""
    project.agent(EQUALITY, test_cases=[ASKED])
    project.transcripts({"input": "Capital of France?", "output": "Paris"})
    assert project.run() == 0
    project.out.rename(project.folder / "main")
    return project


def with_base(project: Project, content: str | None) -> str:
    """A folder with these results in it, or none."""
    project.write("base/.keep", "")
    if content is not None:
        project.write("base/results.json", content)
    return str(project.folder / "base")


def results_of(project: Project, edit: Callable[[dict[str, Any]], object]) -> str:
    """The earlier run's results, edited."""
    document = json.loads((project.folder / "main" / "results.json").read_text(encoding="utf-8"))
    edit(document)
    return json.dumps(document)


def twice(document: dict[str, Any]) -> None:
    document["cases"] *= 2


def of_another_agent(document: dict[str, Any]) -> None:
    for agent in document["agents"]:
        agent["name"] = "somebody"
    for case in document["cases"]:
        case["agent"] = "somebody"


def asked_otherwise(document: dict[str, Any]) -> None:
    for case in document["cases"]:
        case["digest"] = "0" * 64


def never_judged(document: dict[str, Any]) -> None:
    document["verdict"] = {"status": "error", "causes": [], "exit_code": 2}


BAD: dict[str, tuple[Callable[[Project], str | None], str, str]] = {
    "missing": (lambda _: None, "missing", "the folder has no results.json"),
    "empty": (lambda _: "", "unreadable", "results.json is empty"),
    "truncated": (
        lambda project: results_of(project, lambda _: None)[:-300],
        "unreadable",
        "results.json is cut off before its end (line 1, column ",
    ),
    "a web page": (lambda _: "<html>", "unreadable", "results.json is not JSON: Expecting value"),
    "newer": (
        lambda project: results_of(project, lambda document: document.update(schema_version=2)),
        "unreadable",
        "was written by a newer version of holodeck-eval (schema_version 2; this one reads up to 1)",
    ),
    "of another agent": (
        lambda project: results_of(project, of_another_agent),
        "other_agent",
        "no agent of this run ('helper') is in the baseline ('somebody')",
    ),
    "with duplicate ids": (
        lambda project: results_of(project, twice),
        "duplicate_cases",
        "the baseline has several cases of one id ('capital')",
    ),
    "with no overlap": (
        lambda project: results_of(project, asked_otherwise),
        "no_overlap",
        "no case of this run is in the baseline with the same expectations",
    ),
    "that could not run": (
        lambda project: results_of(project, never_judged),
        "not_judged",
        "the baseline could not be made (it ended as error)",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_baseline_is_inconclusive_in_a_sentence_of_its_own(
    paris: Project, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    make, cause, sentence = BAD[name]
    assert paris.run("--baseline", with_base(paris, make(paris))) == 3
    told = capsys.readouterr()
    assert sentence in told.err
    assert "Traceback" not in told.err
    results = paris.results
    assert results["comparison"]["problem"]["cause"] == cause
    assert sentence in results["comparison"]["problem"]["message"]
    assert (results["verdict"]["status"], results["verdict"]["passed"]) == ("inconclusive", False)
    assert any(sentence in item["message"] for item in results["verdict"]["causes"])


@pytest.mark.parametrize("name", BAD)
def test_only_a_baseline_that_is_not_there_can_be_let_go(paris: Project, name: str) -> None:
    base = with_base(paris, BAD[name][0](paris))
    rules = ("--on-missing-baseline", "report", "--on-gate-change", "report")
    assert paris.run("--baseline", base, *rules) == (0 if name == "missing" else 3)


def test_a_good_baseline_passes(paris: Project) -> None:
    assert paris.run("--baseline", str(paris.folder / "main")) == 0
    assert paris.results["comparison"]["paired"] == 1


def test_a_pipe_is_not_waited_for(paris: Project) -> None:
    os.mkfifo(paris.folder / "pipe")
    assert paris.run("--baseline", str(paris.folder / "pipe")) == 3


def test_the_report_folder_cannot_be_its_own_baseline(
    paris: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    assert paris.run() == 0
    assert paris.run("--baseline", str(paris.out)) == 2
    assert "lies in the report folder" in capsys.readouterr().err
    assert paris.results["verdict"]["status"] in {"passed", "error"}


def test_a_baseline_in_the_checkout_is_refused_by_the_action(
    checkout: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    inputs = {"agent": "helper.yaml", "transcripts": "runs.jsonl", "out": "out"}
    assert checkout.action(**inputs) == 0
    checkout.out.rename(checkout.folder / "main")
    assert checkout.action(**inputs, baseline="main") == 2
    assert "main: a baseline in the checkout is not believed" in capsys.readouterr().out
    assert checkout.action(**inputs, baseline="main", trust_checkout="true") == 0
    assert checkout.results["comparison"]["baseline"]["from_checkout"] is True


# Files that are nearly right.

EVIL = [None, True, -1, 0, 2.5, 1e308, 10**30, "", "x" * 500, HOSTILE, [], {}, [[]], {"a": None}]


def places(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Where a value can be put in a document."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from places(item, (*path, key))


def put(document: Any, path: tuple[str | int, ...], value: object) -> None:
    for key in path[:-1]:
        document = document[key]
    document[path[-1]] = value


DOCUMENTS = [
    render(run) for run in (failed_run(), hostile_run(), build_run(build_case("a"), build_case("b")))
]
PLACES = [list(places(json.loads(document))) for document in DOCUMENTS]


@st.composite
def spoilt(draw: st.DrawFn) -> str:
    """The results of a run with up to three values replaced by others."""
    which = draw(st.integers(0, len(DOCUMENTS) - 1))
    document = json.loads(DOCUMENTS[which])
    for path in draw(st.lists(st.sampled_from(PLACES[which]), min_size=1, max_size=3)):
        try:
            put(document, path, draw(st.sampled_from(EVIL)))
        except (KeyError, IndexError, TypeError):
            continue  # an earlier one took its place away
    return json.dumps(document)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=spoilt(), cut=st.none() | st.integers(0, 4000))
def test_no_baseline_breaks_a_comparison(tmp_path: Path, text: str, cut: int | None) -> None:
    head = saved(tmp_path / "head", failed_run())
    base = saved(tmp_path / "base", failed_run(), [line_of("refund-window"), "{", "[]"])
    (base / "results.json").write_text(text[:cut], encoding="utf-8")
    rules = PolicyOptions(min_pass_rate=1.0)
    asked = Options(agent=(), transcripts=(), baseline=str(base), rules=rules)
    run = compare_results(str(head), asked, Environment())
    assert run.comparison is not None
    assert run.verdict.status in {"failed", "inconclusive"}
    assert parse(render(run), shown_as="r").comparison == run.comparison
