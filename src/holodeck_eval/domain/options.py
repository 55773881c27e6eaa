"""What a run was asked for: the command line's options and the action's inputs, as one value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from holodeck_eval.domain.agent import Secret
from holodeck_eval.domain.policy import PolicyOptions

__all__ = ["CommentMode", "Environment", "Options", "PolicyOptions", "Withheld"]

CommentMode = Literal["update", "new", "on_failure", "on_change", "off"]
"""When a pull request is commented on, and whether one comment is kept current or each run adds one."""

Withheld = Literal["fork", "dependabot"]
"""Whose pull requests get no secrets of the repository, and a token that may only read."""

NO_RULES = PolicyOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """The environment, read once. `variables` feeds `${VAR}`; the rest says how far things are trusted.

    Attributes:
        variables: the process's environment.
        workspace: the checkout's folder in the action; None on a command line.
        source_date_epoch: seconds since 1970 that reports are dated with, for reproducible ones.
        head_sha: the commit under test, for people.
        pull_request: number of the pull request under test; None where there is none.
        withheld: why this run may have been given no secrets; None where it gets them like any other.
        caution: a sentence that every report of the run must tell, as of an event that judges the base.
        hidden: secrets that nothing here may read, and that no report may show.
    """

    variables: Mapping[str, Secret] = field(default_factory=dict)
    workspace: str | None = None
    source_date_epoch: int | None = None
    head_sha: str | None = None
    pull_request: int | None = None
    withheld: Withheld | None = None
    caution: str | None = None
    hidden: tuple[Secret, ...] = ()

    def get(self, name: str) -> str | None:
        """A variable's text; None where it is unset or empty."""
        secret = self.variables.get(name)
        return (secret.reveal() or None) if secret is not None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options of `run`. Paths and globs are as given; times are in seconds, costs in USD.

    `transcripts` items are `GLOB` or `NAME=GLOB`; `rename_agent` items are `OLD=NEW`. `baseline` is an
    earlier report folder or a results.json. `repeats` judgements are made of everything, and up to
    `max_rejudge` more of what is in doubt. `shard` (I, N) is the I-th of N parts of the run, counted from 1.
    `comment` None leaves it to the role: the action keeps one comment current, a command line writes none.
    """

    agent: tuple[str, ...]
    transcripts: tuple[str, ...]
    format: str | None = None
    policy: str | None = None
    out: str = "eval-report"
    verdicts: str | None = None
    baseline: str | None = None
    offline: bool = False
    trust_checkout: bool = False
    trusted_endpoint: tuple[str, ...] = ()
    allow_env: tuple[str, ...] = ()
    max_concurrency: int = 16
    timeout: float = 60.0
    deadline: float | None = None
    max_cost: float | None = None
    max_tokens: int | None = None
    repeats: int = 1
    max_rejudge: int = 6
    shard: tuple[int, int] | None = None
    rename_agent: tuple[str, ...] = ()
    link_by_position: bool = False
    max_file_bytes: int = 64 * 1024 * 1024
    max_text_chars: int = 1024 * 1024
    write_cases: bool = True
    comment: CommentMode | None = None
    comment_key: str = ""
    github_token: Secret | None = None
    allow_head_checkout: bool = False
    rules: PolicyOptions = NO_RULES
