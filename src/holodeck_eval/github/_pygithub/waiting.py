"""How long to wait before a request is sent again: what GitHub asks for, else twice as long each time."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Final

PATIENCE: Final = 120.0
"""Seconds that all requests of a connection may wait for another try, together."""

TRIES: Final = 5
"""How often a request is sent, at most."""

LIMITED_PAUSE: Final = 60.0
"""Seconds to wait for a limit that does not say when it ends, as GitHub's documentation asks."""

_DENIED: Final = frozenset({403, 429})
_BROKEN: Final = 500


@dataclass(slots=True, kw_only=True)
class Patience:
    """The seconds that are left to wait in, of one connection.

    Attributes:
        sleep: waits some seconds.
        left: seconds it may still be asked to wait.
    """

    sleep: Callable[[float], object]
    left: float = PATIENCE

    def wait(self, seconds: float) -> bool:
        """Wait, unless that is more than is left: then return False at once."""
        if seconds > self.left:
            return False
        self.left -= seconds
        self.sleep(seconds)
        return True


def backoff(tries: int) -> float:
    """Seconds to wait after a request has failed so many times, 1 or more, for no reason that says more."""
    return float(2 ** (tries - 1))


def is_limited(status: int, headers: Mapping[str, str], message: str) -> bool:
    """Whether an answer says that too much was asked for, rather than that it may not be asked for.

    Args:
        status: of the answer.
        headers: of the answer, by their names in small letters.
        message: GitHub's sentence.
    """
    if status not in _DENIED:
        return False
    told = message.casefold()
    return (
        status == 429  # noqa: PLR2004 - what it means
        or "retry-after" in headers
        or headers.get("x-ratelimit-remaining") == "0"
        or "rate limit" in told
        or "abuse detection" in told
    )


def pause_after(status: int, headers: Mapping[str, str], message: str, tries: int) -> float | None:
    """Seconds to wait before the request is sent again; None where another try would not help."""
    if status >= _BROKEN:
        return _asked_for(headers) or backoff(tries)
    if not is_limited(status, headers, message):
        return None
    return _asked_for(headers) or _until_reset(headers) or max(LIMITED_PAUSE, backoff(tries))


def _asked_for(headers: Mapping[str, str]) -> float | None:
    """What `Retry-After` says, a second at least; None where it says no number of seconds."""
    given = headers.get("retry-after", "").strip()
    return max(1.0, float(given)) if given.isascii() and given.isdigit() else None


def _until_reset(headers: Mapping[str, str]) -> float | None:
    """Seconds until the limit that is used up starts anew, both times by the server's clock."""
    given = headers.get("x-ratelimit-reset", "").strip()
    if headers.get("x-ratelimit-remaining") != "0" or not (given.isascii() and given.isdigit()):
        return None
    try:
        now = parsedate_to_datetime(headers.get("date", "")).timestamp()
    except (ValueError, OverflowError):
        return None
    return max(1.0, float(given) - now + 1)
