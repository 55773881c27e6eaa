"""GitHub on loopback."""

from collections.abc import Iterator

import pytest

from tests.fakes.github_api import GitHubApi


@pytest.fixture
def github() -> Iterator[GitHubApi]:
    """GitHub, with pull request 7 open; a request that its description does not allow fails the test."""
    with GitHubApi() as made:
        made.repository.open_pull(7)
        yield made
    assert made.wrong == []
