"""Whose code is judged: on events that run with secrets, files of the base alone, unless that is waived.

What counts is the commit that a file's checkout is at. Files laid over a checkout by hand are not seen.
"""

import os.path
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from holodeck_eval.domain.wording import quoted
from holodeck_eval.errors import Problem
from holodeck_eval.github.event import Event
from holodeck_eval.github.git_head import read_head
from holodeck_eval.github.glob_places import places

REFUSED: Final = (
    "{name} lies in {where}: a workflow on {event} runs with the repository's secrets and a token that may "
    "write, and nobody may have reviewed what it would read; run the gate on pull_request and publish its "
    "report from workflow_run, or check out the base, or set allow_head_checkout: true"
)
JUDGED_BASE: Final = (
    "what is judged is commit {base} of the base: nothing that {head} changes can make this pass or fail"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkout:
    """A checkout that files lie in.

    Attributes:
        folder: the folder that holds its `.git`; None for a workspace without one.
        commit: the one it is at; None where unknown.
        why: a clause that says why it is unknown.
    """

    folder: str | None
    commit: str | None = None
    why: str = ""


def head_problem(event: Event, workspace: str, names: Sequence[str]) -> Problem | None:
    """Why a privileged event may not read these files; None where it may, and on all other events.

    Args:
        event: says which commits are the base's.
        workspace: the folder of the job's checkouts; files outside it lie in none unless a `.git` is above.
        names: files and globs, `NAME=` before some of them; those of which nothing is there are left out.
    """
    if event.trust == "plain":
        return None
    for name in names:
        for checkout in checkouts_of(name, workspace):
            if checkout.commit is None or checkout.commit not in event.base_shas:
                where = _where(checkout, event)
                shown = quoted(name, 200)
                return Problem(message=REFUSED.format(name=shown, where=where, event=quoted(event.name)))
    return None


def base_note(event: Event, workspace: str, names: Sequence[str]) -> str | None:
    """A sentence for a privileged event that judges the base alone, where a reader takes it for the proposal.

    None where something is judged that lies in no checkout, as what the run of a pull request recorded.
    """
    about = event.pull_request is not None or event.triggering is not None
    if event.trust == "plain" or not about or not names:
        return None
    found = [tuple(checkouts_of(name, workspace)) for name in names]
    commits = {checkout.commit for checkouts in found for checkout in checkouts}
    if not all(found) or not commits <= event.base_shas or event.head_sha in commits:
        return None
    head = f"commit {event.head_sha[:7]}" if event.head_sha else "the pull request"
    return JUDGED_BASE.format(base=", ".join(sorted(str(commit)[:7] for commit in commits)), head=head)


def checkouts_of(name: str, workspace: str) -> Iterator[Checkout]:
    """The checkouts that the files of a path or glob lie in, by their names and by where links lead."""
    seen: set[str | None] = set()
    for pattern in dict.fromkeys((name, name.partition("=")[2] or name)):
        for place in places(pattern):
            if place is None:
                yield Checkout(folder=None, why="there are too many files to look through")
                continue
            for folder in _nearest(place, workspace):
                if folder not in seen:
                    seen.add(folder)
                    yield _read(folder)


def _nearest(place: str, workspace: str) -> Iterator[str | None]:
    """The folder with a `.git` that is nearest above a place, links unresolved and resolved; None for none.

    The search ends at the workspace; a place outside it with no `.git` above lies in no checkout.
    """
    roots = {os.path.abspath(workspace), os.path.realpath(workspace)}  # noqa: PTH100 - Path resolves links
    for start in dict.fromkeys((os.path.abspath(place), os.path.realpath(place))):  # noqa: PTH100 - as above
        for folder in (Path(start), *Path(start).parents):
            if os.path.lexists(folder / ".git"):
                yield str(folder)
                break
            if str(folder) in roots:
                yield None
                break


def _read(folder: str | None) -> Checkout:
    if folder is None:
        return Checkout(
            folder=None, why="the workspace has no .git; downloads belong into ${{ runner.temp }}"
        )
    head = read_head(Path(folder) / ".git")
    return Checkout(folder=folder, commit=head.commit, why=head.why)


def _where(checkout: Checkout, event: Event) -> str:
    if checkout.commit is None:
        if checkout.folder is None:
            return f"a checkout whose commit is not known ({checkout.why})"
        return f"the checkout {quoted(checkout.folder)}, whose commit is not known ({checkout.why})"
    whose = "the one that is proposed" if checkout.commit == event.head_sha else "which is not the base's"
    return f"a checkout of commit {checkout.commit[:7]}, {whose}"
