"""What GitHub does when it does not do what it was asked."""

from typing import Final

from tests.fakes.github_api.wire import Reply, error

NOW: Final = 1_800_000_000
"""Seconds since 1970 by the fake's clock, which stands."""

NOT_FOUND: Final = error(404, "Not Found")
FORBIDDEN: Final = error(403, "Resource not accessible by integration")
"""What the read-only token of a pull request from a fork gets."""

BAD_CREDENTIALS: Final = error(401, "Bad credentials")
BROKEN: Final = error(502, "Server Error")
DROPPED: Final = Reply(drops=True)
LOST: Final = Reply(drops=True, done=True)
"""It was done, and the connection broke before the reply."""

TOO_MANY: Final = error(429, "Too many requests", retry_after="7")
TOO_LONG: Final = Reply(
    status=422,
    data={
        "message": "Validation Failed",
        "documentation_url": "https://docs.github.com/rest/issues/comments",
        "errors": [
            {
                "resource": "IssueComment",
                "code": "unprocessable",
                "field": "data",
                "message": "Body is too long (maximum is 65536 characters)",
            }
        ],
    },
)

_SECONDARY: Final = (
    "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
)


def secondary(seconds: int | None = None, status: int = 403) -> Reply:
    """A limit on how fast requests come; it may not say how long to wait."""
    return error(status, _SECONDARY, **({} if seconds is None else {"retry_after": str(seconds)}))


def primary(seconds: int) -> Reply:
    """The limit of an hour is used up, and starts anew in so many seconds."""
    return error(
        403,
        "API rate limit exceeded for installation ID 1.",
        x_ratelimit_limit="1000",
        x_ratelimit_remaining="0",
        x_ratelimit_reset=str(NOW + seconds),
    )


def moved(location: str, status: int = 301) -> Reply:
    """The thing is elsewhere."""
    return Reply(
        status=status, data={"message": "Moved Permanently", "url": location}, headers={"location": location}
    )


def garbled(raw: bytes, status: int = 200) -> Reply:
    """An answer that is not what GitHub describes."""
    return Reply(status=status, raw=raw)
