"""The job that runs: what the runner says of it, as one value."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Self

from holodeck_eval.domain.wording import quoted
from holodeck_eval.github.event import Event
from holodeck_eval.github.events import GITHUB, Facts, read_event
from holodeck_eval.github.payload import address, read_payload, text

API: Final = "https://api.github.com"
GRAPHQL: Final = f"{API}/graphql"

_COUNT: Final = re.compile("[1-9][0-9]{0,18}")
_NAMES_ONE: Final = ("pull_request", "issue_comment", "workflow_run")
"""How the names of events begin whose payload says which pull request, or which run, they are about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """A job. Where the runner says nothing usable, as outside a workflow, values are empty or GitHub's own.

    Attributes:
        event: what it runs for.
        repository: `owner/name` it runs in.
        workflow: name of the workflow.
        job: the job's key in the workflow.
        run_id: the run's number; 0 where unknown.
        run_attempt: how often the run was started, from 1.
        api_url: the REST API, without a slash at its end; "" where the runner names a server, but no usable
            address of its API.
        graphql_url: the GraphQL API; "" likewise.
        problems: what keeps a comment from being written, a sentence each.
        event_problem: whether the first of them is that the event does not say what it is about.
    """

    event: Event
    repository: str = ""
    workflow: str = ""
    job: str = ""
    run_id: int = 0
    run_attempt: int = 1
    api_url: str = API
    graphql_url: str = GRAPHQL
    problems: tuple[str, ...] = ()
    event_problem: bool = False

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> Self:
        """Read from the environment and the event's file; nothing in either makes it fail."""
        facts = Facts.of(environ)
        payload, unread = read_payload(environ)
        event = read_event(payload, facts)
        unknown = tuple(_event_problems(event, unread))
        return cls(
            event=event,
            repository=facts.repository or "",
            workflow=text(environ.get("GITHUB_WORKFLOW")),
            job=text(environ.get("GITHUB_JOB")),
            run_id=_count(environ, "GITHUB_RUN_ID") or 0,
            run_attempt=_count(environ, "GITHUB_RUN_ATTEMPT") or 1,
            api_url=_api(environ, "GITHUB_API_URL", API),
            graphql_url=_api(environ, "GITHUB_GRAPHQL_URL", GRAPHQL),
            problems=(*unknown, *_problems(environ, facts)),
            event_problem=bool(unknown),
        )


def _count(environ: Mapping[str, str], name: str) -> int | None:
    given = environ.get(name, "")
    return int(given) if _COUNT.fullmatch(given) else None


def _api(environ: Mapping[str, str], name: str, default: str) -> str:
    """An address of the API; GitHub's own only where no other server is named, for that one's token stays."""
    server = environ.get("GITHUB_SERVER_URL", "").removesuffix("/")
    if not environ.get(name) and server in {"", GITHUB}:
        return default
    return address(environ.get(name)) or ""


def _event_problems(event: Event, unread: str | None) -> Iterator[str]:
    """Why the event does not say which pull request to comment on, though it is about one."""
    if event.pull_request or event.triggering or not event.name.startswith(_NAMES_ONE):
        return
    if unread:
        yield f"the payload of the event {quoted(event.name)} is not known: {unread}"
    elif event.name != "issue_comment":
        about = "run" if event.name == "workflow_run" else "pull request"
        yield f"the payload of the event {quoted(event.name)} names no {about} with a number and a commit"


def _problems(environ: Mapping[str, str], facts: Facts) -> Iterator[str]:
    if facts.repository is None:
        yield f"{_shown(environ, 'GITHUB_REPOSITORY')}, and should be OWNER/NAME"
    if _count(environ, "GITHUB_RUN_ID") is None:
        yield f"{_shown(environ, 'GITHUB_RUN_ID')}, and should be the number that tells newer comments"
    for name, default in {"GITHUB_API_URL": API, "GITHUB_GRAPHQL_URL": GRAPHQL}.items():
        if not _api(environ, name, default):
            yield f"{_shown(environ, name)}, and should be the address of the server's API"


def _shown(environ: Mapping[str, str], name: str) -> str:
    given = environ.get(name, "")
    return f"{name} is {quoted(given)}" if given else f"{name} is not set"
