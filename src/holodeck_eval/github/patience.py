"""How long GitHub is waited for: as long as it asks, within bounds."""

import email.utils
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

LONGEST: Final = 120.0
"""Seconds that all requests of a run may wait together."""

TRIES: Final = 4
"""How often a request is sent at most."""

SECONDARY: Final = 60.0
"""Seconds to wait where a limit's refusal does not say how long: GitHub's advice is no less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A request that came to nothing.

    Attributes:
        why: a clause for people, without the token.
        status: HTTP status of the answer; None where there was none.
        said: GitHub's own words.
        headers: of the answer, their names in small letters.
        is_outage: whether the same request may well succeed in a moment, though it may have done its work.
    """

    why: str
    status: int | None = None
    said: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    is_outage: bool = False

    @property
    def is_limit(self) -> bool:
        """Whether it was refused for being one too many. Then it did nothing."""
        if self.status not in {403, 429}:
            return False
        spent = self.headers.get("x-ratelimit-remaining") == "0"
        return self.status == 429 or spent or "retry-after" in self.headers or _is_limit(self.said)

    def pause(self, attempt: int, now: float) -> float | None:
        """Seconds to wait before the request is sent again; None where that would not help.

        Args:
            attempt: how often it was sent, from 1.
            now: seconds since 1970.
        """
        if self.is_limit:
            return _first(self._retry_after(now), self._reset(now), SECONDARY * attempt)
        if self.is_outage:
            return _first(self._retry_after(now), 2.0 ** (attempt - 1))
        return None

    def _retry_after(self, now: float) -> float | None:
        given = self.headers.get("retry-after", "")
        if given.isascii() and given.isdigit():
            return float(given[:9])
        try:
            return max(0.0, email.utils.parsedate_to_datetime(given).timestamp() - now)
        except (ValueError, OverflowError):
            return None

    def _reset(self, now: float) -> float | None:
        """Seconds until the hour's limit is new; the second it happens in is waited for whole."""
        given = self.headers.get("x-ratelimit-reset", "")
        if self.headers.get("x-ratelimit-remaining") != "0" or not (given.isascii() and given.isdigit()):
            return None
        return max(0.0, float(given[:12]) - now) + 1


@dataclass(slots=True, kw_only=True)
class Patience:
    """What is left of the waiting.

    Attributes:
        sleep: waits some seconds.
        left: seconds it may still wait.
    """

    sleep: Callable[[float], None]
    left: float = LONGEST

    def allows(self, seconds: float) -> bool:
        """Whether there is as much left."""
        return seconds <= self.left

    def wait(self, seconds: float) -> None:
        """Wait, and have less left."""
        self.left -= seconds
        self.sleep(seconds)


def _is_limit(said: str) -> bool:
    said = said.lower()
    return "rate limit" in said or "abuse detection" in said


def _first(*pauses: float | None) -> float | None:
    return next((pause for pause in pauses if pause is not None), None)
