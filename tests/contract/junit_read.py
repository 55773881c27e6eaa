"""What a reader says of a JUnit file, the same words for all of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Status = Literal["passed", "failed", "error", "skipped"]
COUNTS: Final = ("tests", "failures", "errors", "skipped")


class RefusedError(Exception):
    """A reader without exceptions of its own takes a file for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A test case as a reader shows it.

    `message` and `text` are of what makes it red or skipped; `text` may be its beginning only. `time` is in
    seconds, and None, as `file` and `line`, where the reader takes nothing for one.
    """

    suite: str
    classname: str
    name: str
    status: Status
    message: str = ""
    text: str = ""
    time: float | None = None
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A file as one reader sees it: the counts it goes by, and every test case."""

    counts: Mapping[str, int]
    cases: tuple[Seen, ...]

    @property
    def names(self) -> tuple[tuple[str, str], ...]:
        """Class name and name of every test case."""
        return tuple((case.classname, case.name) for case in self.cases)

    @property
    def green(self) -> bool:
        """Whether it shows nothing that failed; a file without a test is as green."""
        return not self.counts["failures"] and not self.counts["errors"]
