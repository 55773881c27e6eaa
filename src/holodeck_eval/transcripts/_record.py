"""What a file falls into before any format reads it, and what goes wrong on the way."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from holodeck_eval.domain.transcript import Transcript
from holodeck_eval.errors import Place, Problem, TranscriptError
from holodeck_eval.transcripts._limits import Limits


class RecordError(Exception):
    """A record cannot be read; each argument is one sentence about it."""

    def __init__(self, *messages: str) -> None:
        super().__init__(*messages)
        self.messages = messages


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One parsed record and where it starts."""

    value: object
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The head of a file, for detection: its first records, and how it was laid out.

    `container` is `json`, `jsonl`, `csv` or `yaml`. `mapping` is the user's, field to dotted path.
    """

    container: str
    records: tuple[object, ...]
    mapping: Mapping[str, str] = field(default_factory=dict)

    def mappings(self) -> list[Mapping[str, object]]:
        """The sampled records that are objects."""
        return [record for record in self.records if isinstance(record, Mapping)]


class Problems:
    """What is wrong with one file. Keeps the first `limit` and counts the rest."""

    def __init__(self, file: str, limit: int) -> None:
        self._file = file
        self._limit = limit
        self._kept: list[Problem] = []
        self._count = 0

    def add(self, message: str, place: Place | None = None) -> None:
        """Note a problem; without a place it concerns the file."""
        self._count += 1
        if self._count <= self._limit:
            self._kept.append(Problem(message=message, place=place or Place(file=self._file)))

    def __bool__(self) -> bool:
        return self._count > 0

    def error(self, *last: Problem) -> TranscriptError:
        """All of them as one error, `last` behind them; those that were only counted get a line."""
        rest = self._count - len(self._kept)
        more = [Problem(message=f"and {rest} more problems", place=Place(file=self._file))] if rest else []
        return TranscriptError(*self._kept, *more, *last)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What a format is told beside the records. `warn` takes a sentence about the whole file."""

    file: str
    limits: Limits
    problems: Problems
    warnings: list[str]
    sample: Sample

    def warn(self, message: str) -> None:
        """Keep a warning, once."""
        if message not in self.warnings:
            self.warnings.append(message)

    def each(
        self, records: Iterable[Record], make: Callable[[Record], Iterable[Transcript]]
    ) -> Iterator[Transcript]:
        """The transcripts made of each record; a record that cannot be read becomes a problem."""
        for record in records:
            try:
                made = tuple(make(record))
            except RecordError as error:
                for message in error.messages:
                    self.problems.add(message, record.place)
            else:
                yield from made
