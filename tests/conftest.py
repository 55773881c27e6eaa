"""Fixtures every room may use."""

from collections.abc import Iterator

import pytest

from tests.fakes.judge_double import JudgeDouble


@pytest.fixture
def judge_double() -> Iterator[JudgeDouble]:
    """A judge on loopback, of its own for each test."""
    with JudgeDouble() as double:
        yield double
