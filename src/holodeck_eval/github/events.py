"""What each event says of the code under test: one table, an event a line."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Self

from holodeck_eval.domain.options import Withheld
from holodeck_eval.github.event import Event, TriggeringRun, Trust
from holodeck_eval.github.payload import Payload, address, at, number, repository, sha, text
from holodeck_eval.github.ports import PullRequest

GITHUB: Final = "https://github.com"
DEPENDABOT: Final = "dependabot[bot]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the runner says of an event outside its payload.

    Attributes:
        name: of the event; "" where no workflow runs.
        sha: GITHUB_SHA. For pull requests a merge commit, for privileged events one of the default branch.
        repository: `owner/name` that the workflow runs in; None where unknown.
        actor: login of whoever caused the event.
        server_url: where people see the repository.
    """

    name: str
    sha: str | None = None
    repository: str | None = None
    actor: str = ""
    server_url: str = GITHUB

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> Self:
        """Read from the environment; what is malformed there counts as missing."""
        return cls(
            name=text(environ.get("GITHUB_EVENT_NAME")),
            sha=sha(environ.get("GITHUB_SHA")),
            repository=repository(environ.get("GITHUB_REPOSITORY")),
            actor=text(environ.get("GITHUB_ACTOR")),
            server_url=address(environ.get("GITHUB_SERVER_URL")) or GITHUB,
        )


def read_event(payload: Payload, facts: Facts) -> Event:
    """The event that a payload is of, as the table says; what cannot be read of it is left out."""
    return EVENTS.get(facts.name, _other)(payload, facts)


def _pull_request(payload: Payload, facts: Facts) -> Event:
    return Event(
        name=facts.name,
        head_sha=sha(at(payload, "pull_request", "head", "sha")),
        pull_request=_proposed(at(payload, "pull_request"), facts),
        withheld=_withheld(payload, facts),
    )


def _pull_request_target(payload: Payload, facts: Facts) -> Event:
    """A pull request whose workflow is the base's, with all its secrets, a fork's too."""
    return replace(
        _pull_request(payload, facts),
        withheld=None,
        trust="privileged",
        base_shas=_known(facts.sha, sha(at(payload, "pull_request", "base", "sha"))),
    )


def _merge_group(payload: Payload, facts: Facts) -> Event:
    """Several reviewed pull requests at once: none of them is the one to comment on."""
    return Event(name=facts.name, head_sha=sha(at(payload, "merge_group", "head_sha")) or facts.sha)


def _push(payload: Payload, facts: Facts) -> Event:
    return Event(
        name=facts.name,
        head_sha=sha(payload.get("after")) or facts.sha,
        withheld=_withheld(payload, facts),
    )


def _own_branch(_: Payload, facts: Facts) -> Event:
    return Event(name=facts.name, head_sha=facts.sha)


def _issue_comment(payload: Payload, facts: Facts) -> Event:
    """Anybody's comment, on the default branch; of a pull request it tells the number and no commit."""
    issue = at(payload, "issue")
    event = _other(payload, facts)
    if not isinstance(at(issue, "pull_request"), Mapping):
        return event
    return replace(event, head_sha=None, pull_request=_commented(issue, facts))


def _workflow_run(payload: Payload, facts: Facts) -> Event:
    """The end of another run, which may have been a fork's; of the own branches the commit is known.

    After `pull_request_target` it is not: what GitHub says of that run is partly the base's.
    """
    run = _triggering(at(payload, "workflow_run"), facts)
    own = run is not None and run.event != "pull_request_target" and _is_here(run.head_repository, facts)
    return Event(
        name=facts.name,
        head_sha=run.head_sha if run else facts.sha,
        trust="privileged",
        base_shas=_known(facts.sha, run.head_sha if run and own else None),
        triggering=run,
    )


def _other(_: Payload, facts: Facts) -> Event:
    """An event that may run with secrets for whatever the workflow checks out; without a name, no event."""
    trust: Trust = "privileged" if facts.name else "plain"
    return Event(name=facts.name, head_sha=facts.sha, trust=trust, base_shas=_known(facts.sha))


EVENTS: Final[Mapping[str, Callable[[Payload, Facts], Event]]] = {
    "pull_request": _pull_request,
    "pull_request_review": _pull_request,
    "pull_request_review_comment": _pull_request,
    "pull_request_target": _pull_request_target,
    "merge_group": _merge_group,
    "push": _push,
    "schedule": _own_branch,
    "workflow_dispatch": _own_branch,
    "workflow_run": _workflow_run,
    "issue_comment": _issue_comment,
}
"""How each event is read. Of one that is not here, GITHUB_SHA alone is believed."""


def _proposed(value: object, facts: Facts) -> PullRequest | None:
    """A pull request as payloads hold it; None without its number and its commit."""
    found, commit = number(at(value, "number")), sha(at(value, "head", "sha"))
    if found is None or commit is None:
        return None
    return PullRequest(
        number=found,
        head_sha=commit,
        head_repository=repository(at(value, "head", "repo", "full_name")),
        base_repository=repository(at(value, "base", "repo", "full_name")) or facts.repository or "",
    )


def _commented(issue: object, facts: Facts) -> PullRequest | None:
    """The pull request that an issue is, of which the payload does not say the commit."""
    found = number(at(issue, "number"))
    if found is None:
        return None
    return PullRequest(
        number=found,
        head_sha=None,
        head_repository=None,
        base_repository=facts.repository or "",
    )


def _triggering(value: object, facts: Facts) -> TriggeringRun | None:
    """The run that a `workflow_run` is about; None without its number and its commit."""
    found, commit = number(at(value, "id")), _ran_for(value)
    if found is None or commit is None:
        return None
    attempt = number(at(value, "run_attempt")) or 1
    return TriggeringRun(
        id=found,
        workflow=text(at(value, "name")),
        event=text(at(value, "event")),
        head_sha=commit,
        head_branch=text(at(value, "head_branch")),
        head_repository=repository(at(value, "head_repository", "full_name")),
        url=f"{facts.server_url}/{facts.repository or ''}/actions/runs/{found}/attempts/{attempt}",
        attempt=attempt,
    )


def _ran_for(run: object) -> str | None:
    """The commit under test: on `pull_request_target` GitHub gives the base's as the run's own."""
    if at(run, "event") == "pull_request_target":
        return sha(at(run, "head_commit", "id"))
    return sha(at(run, "head_sha"))


def _withheld(payload: Payload, facts: Facts) -> Withheld | None:
    """Why the run of a pull request or a push may have no secrets: whose branch it is, else who caused it."""
    proposed = at(payload, "pull_request")
    head = repository(at(proposed, "head", "repo", "full_name"))
    if isinstance(proposed, Mapping) and not _is_here(head, facts):
        return "fork"
    logins = {facts.actor, text(at(proposed, "user", "login")), text(at(payload, "sender", "login"))}
    return "dependabot" if DEPENDABOT in logins else None


def _is_here(name: str | None, facts: Facts) -> bool:
    """Whether a repository is the one the workflow runs in; one that is gone, or unknown, is not."""
    return name is not None and facts.repository is not None and name.lower() == facts.repository.lower()


def _known(*commits: str | None) -> frozenset[str]:
    return frozenset(commit for commit in commits if commit)
