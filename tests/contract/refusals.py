"""A project with one right answer, to be spoilt, and what every refusal has in common."""

import json
from xml.etree import ElementTree as ET

import pytest

from tests.fakes.project import Project

PARIS = {"name": "capital", "input": "Capital of France?", "ground_truth": "Paris"}
AGENT = """\
name: helper
evaluations:
  metrics:
  - type: standard
    metric: equality
test_cases:
- name: capital
  input: Capital of France?
  ground_truth: Paris
"""
ANSWER = '{"input": "Capital of France?", "output": "Paris"}\n'
REPORTS = {"results.json", "junit.xml", "comment.md", "summary.md"}
DEEP = 100_000


def written(project: Project) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in project.out.iterdir()}


def assert_refused(
    project: Project, capsys: pytest.CaptureFixture[str], place: str, sentence: str, *, transcripts: str = ""
) -> None:
    """That the run ends in error 2, in this sentence at this place, in reports, and in no traceback."""
    more = ("--transcripts", str(project.folder / transcripts)) if transcripts else ()
    assert project.run(*more) == 2
    told = capsys.readouterr()
    assert f"error: {project.folder / place}: {sentence}" in told.err
    assert "Traceback" not in told.out + told.err
    last = told.out.splitlines()[-1]
    assert last.startswith("holodeck-eval: error: ")
    assert last.endswith(" (exit 2)")
    reports = written(project)
    assert set(reports) == REPORTS
    verdict = json.loads(reports["results.json"])["verdict"]
    assert (verdict["status"], verdict["passed"], verdict["exit_code"]) == ("error", False, 2)
    assert any(sentence in cause["message"] for cause in verdict["causes"])
    assert "could not run" in reports["comment.md"].lower()
    assert "could not run" in reports["summary.md"].lower()
    (gate,) = ET.fromstring(reports["junit.xml"]).findall("testsuite")  # noqa: S314 - our own report
    assert gate.get("errors") == str(len(verdict["causes"]))


def changed(old: str, new: str) -> str:
    assert old in AGENT
    return AGENT.replace(old, new)
