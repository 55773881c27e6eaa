"""Takes out of the environment what the runner hands to every action, and what none here may read."""

from collections.abc import MutableMapping
from typing import Final

RUNNER_SECRETS: Final = frozenset(
    {
        "ACTIONS_RUNTIME_TOKEN",
        "ACTIONS_RUNTIME_URL",
        "ACTIONS_RESULTS_URL",
        "ACTIONS_CACHE_URL",
        "ACTIONS_CACHE_SERVICE_V2",
        "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
        "ACTIONS_ID_TOKEN_REQUEST_URL",
        "ACTIONS_ORCHESTRATION_ID",
    }
)
"""With these one writes caches and artifacts as the job, and signs in to clouds as the repository."""

_TOKENS: Final = ("INPUT_GITHUB_TOKEN", "GITHUB_TOKEN")
"""Where a token to comment with is looked for, the action's input first."""

_OTHER_TOKENS: Final = ("GH_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN")
"""Tokens of GitHub's own command line, which nothing here uses."""


def drop_runner_secrets(environ: MutableMapping[str, str]) -> None:
    """Take the runner's secrets out of the environment, before anything of the checkout is read."""
    for name in [name for name in environ if _is_secret(name)]:
        del environ[name]


def take_token(environ: MutableMapping[str, str]) -> str | None:
    """The token to comment with, taken out of the environment with all others of GitHub; None for none."""
    found = [environ.pop(name, "").strip() for name in (*_TOKENS, *_OTHER_TOKENS)]
    return next(filter(None, found[: len(_TOKENS)]), None)


def _is_secret(name: str) -> bool:
    return name in RUNNER_SECRETS or (name.startswith("ACTIONS_") and "TOKEN" in name)
