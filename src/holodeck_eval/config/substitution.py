"""`${VAR}` in a judge's fields: which variables may go where, and never a key where it could be shown."""

import re
from collections.abc import Collection
from fnmatch import fnmatchcase
from typing import Final

from holodeck_eval.domain.agent import Provider

VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]{0,79})\}")

KEYS: Final[dict[Provider, tuple[str, ...]]] = {
    "openai": ("OPENAI_API_KEY",),
    "azure_openai": ("AZURE_OPENAI_API_KEY", "AZURE_API_KEY"),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "ollama": ("OLLAMA_API_KEY",),
    "human": (),
}
"""The variables that hold a provider's key; the first one set is taken where no `api_key` is written."""

_MODELS: Final = ("*_MODEL", "*_MODEL_NAME", "*_DEPLOYMENT", "*_DEPLOYMENT_NAME")
_PATTERNS: Final[dict[str, tuple[str, ...]]] = {
    "endpoint": ("*_ENDPOINT", "*_BASE_URL", "OLLAMA_HOST"),
    "name": _MODELS,
    "deployment_name": _MODELS,
    "api_version": ("*_API_VERSION",),
}
_SECRETS: Final = ("*KEY*", "*TOKEN*", "*SECRET*", "*PASSWORD*")


def refusal(field: str, variable: str, provider: Provider, allowed: Collection[str]) -> str | None:
    """Why a variable may not be put into a judge's field, as a sentence; None where it may.

    Args:
        field: `api_key`, `endpoint`, `name`, `deployment_name` or `api_version`.
        variable: the variable's name.
        provider: whose judge it is.
        allowed: names let in by `--allow-env`.
    """
    if field == "api_key":
        return _refuse_key(variable, provider, allowed)
    if _matches(variable.upper(), _SECRETS):
        return f"`{variable}` looks like a secret and is never put into `{field}`; use another variable"
    if variable in allowed or _matches(variable, _PATTERNS[field]):
        return None
    patterns = ", ".join(_PATTERNS[field])
    return (
        f"`{field}` takes variables named {patterns}, not `{variable}`; let it in with --allow-env {variable}"
    )


def _refuse_key(variable: str, provider: Provider, allowed: Collection[str]) -> str | None:
    own = KEYS[provider]
    if variable in own:
        return None
    owner = next((other for other, names in KEYS.items() if variable in names), None)
    if owner is not None:
        return f"`{variable}` is a key for {owner} and never goes to {provider}; use {' or '.join(own)}"
    if variable in allowed:
        return None
    right = " or ".join(own)
    return (
        f"`api_key` of {provider} is taken from {right}, not from `{variable}`; "
        f"let it in with --allow-env {variable}"
    )


def _matches(name: str, patterns: Collection[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
