"""The hidden line by which a comment is found again: what it is about, and which run wrote it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, Self

from holodeck_eval.domain.judgement import sha256_of
from holodeck_eval.domain.verdict import EXIT_CODES, Status

Word = Literal["comment", "report"]
"""`comment` marks the one that is kept current, `report` one of many that nothing touches again."""

LONGEST_BODY: Final = 65_536
"""Characters at the end of a body that are looked at: GitHub's comments have no more."""

_STATUSES: Final[Mapping[str, Status]] = {status: status for status in EXIT_CODES}
_MARKER: Final = re.compile(
    r"^<!-- holodeck-eval:(?P<word>comment|report) (?P<surface>[0-9a-f]{32})"
    r" run=(?P<run>0|[1-9][0-9]{0,18})\.(?P<attempt>[1-9][0-9]{0,18})"
    rf" says=(?P<says>[0-9a-f]{{16}}) status=(?P<status>{'|'.join(_STATUSES)}) -->[ \t\r]*$",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface:
    """What a comment is about: a job of a workflow, and a key that tells its comments apart."""

    workflow: str
    job: str
    comment_key: str = ""

    @property
    def digest(self) -> str:
        """32 hex digits in the place of the names, which may hold anything."""
        return sha256_of([self.workflow, self.job, self.comment_key])[:32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """Which run wrote a comment, and what it says.

    Attributes:
        run_id: the run's number, 0 where unknown; later runs have greater ones.
        attempt: how often the run was started, from 1.
        says: 16 hex digits, equal where two comments say the same to a reader.
        status: the verdict's.

    Raises:
        ValueError: for what a marker cannot hold.
    """

    run_id: int
    attempt: int
    says: str
    status: Status

    def __post_init__(self) -> None:
        if not _MARKER.fullmatch(str(Marker(word="comment", surface="0" * 32, stamp=self))):
            raise ValueError("a stamp has a run's number, an attempt from 1, 16 hex digits and a status")

    @property
    def age(self) -> tuple[int, int]:
        """Grows from run to run, and from attempt to attempt."""
        return self.run_id, self.attempt


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """A marker. Its text is a line of its own.

    Attributes:
        word: which kind of comment it marks.
        surface: the digest of what the comment is about.
        stamp: which run wrote it.
    """

    word: Word
    surface: str
    stamp: Stamp

    @classmethod
    def of(cls, word: Word, surface: Surface, stamp: Stamp) -> Self:
        """The marker of a comment to be written."""
        return cls(word=word, surface=surface.digest, stamp=stamp)

    def __str__(self) -> str:
        stamp = self.stamp
        return (
            f"<!-- holodeck-eval:{self.word} {self.surface} run={stamp.run_id}.{stamp.attempt}"
            f" says={stamp.says} status={stamp.status} -->"
        )


def read_marker(body: str) -> Marker | None:
    """The marker of a comment; None where it has none.

    A marker is a line of its own, and of several the last counts: this program ends its comments with
    theirs, so that nothing quoted in a report comes behind it. People may add text below. Anybody can write
    any marker: it does not tell who wrote the comment.
    """
    lines = list(_MARKER.finditer(body[-LONGEST_BODY:]))
    return _read(lines[-1]) if lines else None


def _read(line: re.Match[str]) -> Marker:
    return Marker(
        word="report" if line["word"] == "report" else "comment",
        surface=line["surface"],
        stamp=Stamp(
            run_id=int(line["run"]),
            attempt=int(line["attempt"]),
            says=line["says"],
            status=_STATUSES[line["status"]],
        ),
    )
