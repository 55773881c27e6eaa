"""The payload of an event: read once, and asked with types, for its texts may be anybody's."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

Payload = Mapping[str, object]

MAX_BYTES: Final = 25 * 1024 * 1024
"""Bytes of a payload that is read: GitHub sends none that is larger."""

NAME_LIMIT: Final = 255
"""Characters of a name that are kept: GitHub's own are shorter."""

_SHA: Final = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")
_REPOSITORY: Final = re.compile(r"(?!\.{1,2}/)[A-Za-z0-9_.-]{1,100}/(?!\.{1,2}$)[A-Za-z0-9_.-]{1,100}")
_ADDRESS: Final = re.compile(r"https?://[A-Za-z0-9.:\[\]-]{1,255}(?:/[A-Za-z0-9._~-]{1,100}){0,8}")


def read_payload(environ: Mapping[str, str]) -> tuple[Payload, str | None]:
    """The payload in the file the runner names; empty, with a clause that says why, if it cannot be read."""
    name = environ.get("GITHUB_EVENT_PATH", "")
    if not name:
        return {}, "GITHUB_EVENT_PATH is not set"
    try:
        with Path(name).open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            return {}, f"its file is larger than {MAX_BYTES // 1024**2} MiB"
        payload: object = json.loads(raw)
    except OSError as error:
        return {}, f"its file cannot be read: {error.strerror or error}"
    except (ValueError, RecursionError):
        return {}, "its file is not JSON"
    return (payload, None) if isinstance(payload, dict) else ({}, "its file holds no JSON object")


def at(value: object, *keys: str) -> object:
    """What stands under these keys, one in the other; None where one of them is missing or no object."""
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def text(value: object, limit: int = NAME_LIMIT) -> str:
    """A text, cut at `limit` characters, that UTF-8 can hold; "" for anything else."""
    if not isinstance(value, str):
        return ""
    return value[:limit].encode("utf-8", "replace").decode("utf-8")


def number(value: object) -> int | None:
    """A number that GitHub counts with, 1 or more; None for anything else."""
    return value if type(value) is int and 0 < value < 2**63 else None


def sha(value: object) -> str | None:
    """The full digest of a commit, in small letters; None for anything else."""
    given = value.lower() if isinstance(value, str) else ""
    return given if _SHA.fullmatch(given) else None


def repository(value: object) -> str | None:
    """A repository's `owner/name`; None for anything that could lead elsewhere in an address."""
    return value if isinstance(value, str) and _REPOSITORY.fullmatch(value) else None


def address(value: object) -> str | None:
    """An http or https address without a user, a query or a slash at its end; None for anything else."""
    given = value.removesuffix("/") if isinstance(value, str) else ""
    return given if _ADDRESS.fullmatch(given) else None
