"""Fixtures every room may use."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.judge_double import JudgeDouble
from tests.fakes.project import Project


@pytest.fixture
def judge_double() -> Iterator[JudgeDouble]:
    """A judge on loopback, of its own for each test."""
    with JudgeDouble() as double:
        yield double


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty project folder."""
    return Project(tmp_path)
