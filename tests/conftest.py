"""Fixtures every room may use."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.judge_double import JudgeDouble
from tests.fakes.project import EQUALITY, Project


@pytest.fixture
def judge_double() -> Iterator[JudgeDouble]:
    """A judge on loopback, of its own for each test."""
    with JudgeDouble() as double:
        yield double


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty project folder."""
    return Project(tmp_path)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project as the action sees it, with one right answer: the working directory, the runner's files beside it."""
    project = Project(tmp_path / "workspace")
    project.folder.mkdir()
    monkeypatch.chdir(project.folder)
    project.environ.update(
        GITHUB_ACTIONS="true",
        GITHUB_WORKSPACE=str(project.folder),
        GITHUB_OUTPUT=str(tmp_path / "output"),
        GITHUB_STEP_SUMMARY=str(tmp_path / "summary"),
    )
    asked = {"name": "capital", "input": "Capital of France?", "ground_truth": "Paris"}
    project.agent(EQUALITY, test_cases=[asked])
    project.transcripts({"input": "Capital of France?", "output": "Paris"})
    return project
