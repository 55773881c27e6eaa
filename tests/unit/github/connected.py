"""A connection to the fake of GitHub, as a job makes it."""

from collections.abc import Callable, Mapping

import pytest

from holodeck_eval.github import ports
from holodeck_eval.github._pygithub import connect
from holodeck_eval.github.context import Context
from holodeck_eval.github.event import Event
from tests.fakes.github_api import TOKEN, GitHubApi


def no_wait(seconds: float) -> None:
    """A wait that no test asked for."""
    pytest.fail(f"it waits {seconds} s")


def context_of(github: GitHubApi, **others: str) -> Context:
    """The job of a workflow in the fake's repository."""
    about = {"repository": "octo/demo", "api_url": github.api_url, "graphql_url": github.graphql_url}
    return Context(event=Event(name="pull_request"), **(about | others))  # type: ignore[arg-type]


def connected(
    github: GitHubApi,
    sleep: Callable[[float], object] = no_wait,
    environ: Mapping[str, str] | None = None,
) -> ports.Repository:
    """The fake's repository."""
    return connect(TOKEN, context_of(github), environ or {}, sleep=sleep)
