"""Whether a transcript was recorded with the agent as it is configured now."""

from dataclasses import dataclass
from typing import Final, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Staleness:
    """`fresh`: recorded with this very agent; `stale`: known to differ; `unknown`: the record does not say.

    `differs` names the parts that do, of "model", "instructions", "tools" and "settings"; () where the record
    only tells that something does.
    """

    status: Literal["fresh", "stale", "unknown"]
    differs: tuple[str, ...] = ()


UNKNOWN: Final = Staleness(status="unknown")
