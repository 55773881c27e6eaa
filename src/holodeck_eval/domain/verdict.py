"""The gate's answer."""

from dataclasses import dataclass
from typing import Literal

from holodeck_eval.errors import Place

Status = Literal["passed", "failed", "error", "inconclusive", "bug"]

EXIT_CODES: dict[Status, int] = {"passed": 0, "failed": 1, "error": 2, "inconclusive": 3, "bug": 4}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """One reason for a verdict, as a sentence. `code` is stable and snake_case; `cases` are ids."""

    status: Literal["failed", "error", "inconclusive", "bug"]
    code: str
    message: str
    cases: tuple[str, ...] = ()
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Status and causes, worst first.

    `exit_code` is the process's: EXIT_CODES of the status, but 0 where `waived` says that the policy
    lets an inconclusive run through.
    """

    status: Status
    causes: tuple[Cause, ...]
    exit_code: int
    waived: bool = False

    @property
    def passed(self) -> bool:
        """True for `passed` alone, whatever the exit code."""
        return self.status == "passed"
