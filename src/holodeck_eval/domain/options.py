"""What a run was asked for: the command line's options and the action's inputs, as one value."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from holodeck_eval.domain.agent import Secret
from holodeck_eval.domain.policy import PolicyOptions

__all__ = ["Environment", "Options", "PolicyOptions"]

NO_RULES = PolicyOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """The environment, read once. `variables` feeds `${VAR}`; the rest says how far things are trusted.

    Attributes:
        variables: the process's environment.
        workspace: the checkout's folder in the action; None on a command line.
        source_date_epoch: seconds since 1970 that reports are dated with, for reproducible ones.
        head_sha: the commit under test, for people.
    """

    variables: Mapping[str, Secret] = field(default_factory=dict)
    workspace: str | None = None
    source_date_epoch: int | None = None
    head_sha: str | None = None

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
    rules: PolicyOptions = NO_RULES
