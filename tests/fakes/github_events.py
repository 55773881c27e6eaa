"""Events as GitHub tells a workflow of them: the parts of a payload that matter here, and the runner's variables."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

REPOSITORY = "octo/demo"
FORK = "stranger/demo"
HEAD = "a" * 40
BASE = "b" * 40
DEFAULT = "d" * 40
MERGE = "e" * 40
MAIN: Mapping[str, Any] = {"ref": "main", "sha": BASE, "repo": {"full_name": REPOSITORY, "fork": False}}


def pull_request(
    number: int = 7,
    *,
    head: str = HEAD,
    branch: str = "kinder-answers",
    repository: str | None = REPOSITORY,
    author: str = "mona",
    **fields: Any,
) -> dict[str, Any]:
    """A pull request event; `repository` None is one whose fork is gone, `fields` are the pull request's own."""
    home = {"full_name": repository, "fork": repository != REPOSITORY} if repository else None
    proposed = {
        "number": number,
        "state": "open",
        "user": {"login": author},
        "head": {"ref": branch, "sha": head, "repo": home},
        "base": dict(MAIN),
    }
    return _payload("synchronize", author, number=number, pull_request=proposed | fields)


def pull_request_review(number: int = 7, **fields: Any) -> dict[str, Any]:
    """A review of a pull request, by somebody else than its author."""
    review = {"id": 80, "state": "approved", "user": {"login": "hubot"}}
    return pull_request(number, **fields) | {"action": "submitted", "review": review}


def merge_group(head: str = HEAD, base: str = BASE, **fields: Any) -> dict[str, Any]:
    """A merge queue's branch that is to be checked."""
    group = {
        "head_sha": head,
        "head_ref": f"refs/heads/gh-readonly-queue/main/pr-7-{base}",
        "base_sha": base,
        "base_ref": "refs/heads/main",
    }
    return _payload("checks_requested", "github-merge-queue[bot]", merge_group=group | fields)


def push(after: str = HEAD, sender: str = "mona", **fields: Any) -> dict[str, Any]:
    """A push to the default branch."""
    payload = _payload(None, sender, ref="refs/heads/main", before=BASE, after=after)
    return payload | {"head_commit": {"id": after}} | fields


def schedule(cron: str = "0 5 * * 1") -> dict[str, Any]:
    """A workflow's own clock."""
    return _payload(None, None, schedule=cron)


def workflow_dispatch(**inputs: str) -> dict[str, Any]:
    """A workflow started by hand."""
    return _payload(None, "mona", ref="refs/heads/main", inputs=inputs)


def workflow_run(
    run: int = 4001,
    *,
    head: str = HEAD,
    repository: str | None = FORK,
    event: str = "pull_request",
    **fields: Any,
) -> dict[str, Any]:
    """The end of another run, a fork's unless `repository` says otherwise; `fields` are that run's own."""
    ended = {
        "id": run,
        "name": "evals",
        "event": event,
        "status": "completed",
        "conclusion": "success",
        "head_branch": "kinder-answers",
        "head_sha": head,
        "head_commit": {"id": head},
        "head_repository": {"full_name": repository, "fork": True} if repository else None,
        "repository": {"full_name": REPOSITORY},
        "pull_requests": [],
        "run_attempt": 2,
        "html_url": f"https://github.com/{REPOSITORY}/actions/runs/{run}",
    }
    return _payload("completed", "stranger", workflow_run=ended | fields)


def issue_comment(number: int = 7, *, on_pull_request: bool = True, **fields: Any) -> dict[str, Any]:
    """A comment, on a pull request or on an issue; `fields` are the issue's own."""
    issue: dict[str, Any] = {"number": number, "state": "open", "user": {"login": "mona"}}
    if on_pull_request:
        issue["pull_request"] = {"html_url": f"https://github.com/{REPOSITORY}/pull/{number}"}
    comment = {"id": 90, "body": "/evaluate", "user": {"login": "stranger"}}
    return _payload("created", "stranger", issue=issue | fields, comment=comment)


def variables(name: str, payload: object, folder: Path, **changes: str) -> dict[str, str]:
    """What the runner sets for an event whose payload it has put into a folder; some of it changed."""
    path = folder / "event.json"
    path.write_text(json.dumps(payload), encoding="utf-8")
    shown = {"pull_request": MERGE, "pull_request_review": MERGE}
    return {
        "GITHUB_ACTIONS": "true",
        "GITHUB_EVENT_NAME": name,
        "GITHUB_EVENT_PATH": str(path),
        "GITHUB_SHA": shown.get(name, DEFAULT),
        "GITHUB_REPOSITORY": REPOSITORY,
        "GITHUB_ACTOR": "mona",
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_API_URL": "https://api.github.com",
        "GITHUB_GRAPHQL_URL": "https://api.github.com/graphql",
        "GITHUB_WORKFLOW": "evals",
        "GITHUB_JOB": "gate",
        "GITHUB_RUN_ID": "5001",
        "GITHUB_RUN_ATTEMPT": "1",
    } | changes


def _payload(action: str | None, sender: str | None, **fields: Any) -> dict[str, Any]:
    payload: dict[str, Any] = {"repository": {"full_name": REPOSITORY, "default_branch": "main"}, **fields}
    if action:
        payload["action"] = action
    if sender:
        payload["sender"] = {"login": sender}
    return payload
