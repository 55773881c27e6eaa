"""The event a workflow runs for: what it says of the code under test."""

from dataclasses import dataclass
from typing import Literal

from holodeck_eval.domain.options import Withheld
from holodeck_eval.github.ports import PullRequest

Trust = Literal["plain", "privileged"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TriggeringRun:
    """The run that a `workflow_run` event is about. All of it may be an attacker's but what GitHub counts.

    Attributes:
        id: its number.
        workflow: name of its workflow.
        event: what it ran for.
        head_sha: the commit it ran for: a pull request's head.
        head_branch: that commit's branch.
        head_repository: `owner/name` of that branch; None where the repository is gone.
        url: its page.
        attempt: how often it was started, from 1.
    """

    id: int
    workflow: str
    event: str
    head_sha: str
    head_branch: str
    head_repository: str | None
    url: str
    attempt: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An event, as far as this program needs it.

    Attributes:
        name: as in GITHUB_EVENT_NAME.
        head_sha: the commit under test, the pull request's own and not the merge commit; None where unknown.
        pull_request: the one it is about; None for pushes, merge queues, schedules and the rest.
        withheld: why this run may have been given no secrets and a token that may only read.
        trust: `privileged` events run with secrets for code that nobody may have reviewed.
        base_shas: commits of the repository's own branches: what a privileged run may have checked out.
        triggering: the run a `workflow_run` is about.
    """

    name: str
    head_sha: str | None = None
    pull_request: PullRequest | None = None
    withheld: Withheld | None = None
    trust: Trust = "plain"
    base_shas: frozenset[str] = frozenset()
    triggering: TriggeringRun | None = None
