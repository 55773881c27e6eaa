"""The folder the reports are written to."""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from holodeck_eval.domain.options import Environment
from holodeck_eval.errors import Problem, UsageError
from holodeck_eval.reports import REPORTS

CASES_FILE = "cases.jsonl"


@dataclass(frozen=True, slots=True)
class ReportFolder:
    """Where reports go. `boundary`, where set, is a folder they may not leave."""

    path: Path
    boundary: Path | None = None

    @classmethod
    def of(cls, out: str, environment: Environment) -> "ReportFolder":
        """The folder that was asked for; in a workflow it may not leave the workspace."""
        return cls(Path(out), Path(environment.workspace) if environment.workspace else None)

    def prepare(self) -> None:
        """Make the folder, and remove what an earlier run left, so that no old verdict can be read as new.

        Raises:
            UsageError: when the folder cannot be made or lies, or leads, outside the boundary.
        """
        self.make()
        problems = [problem for name in (*REPORTS, CASES_FILE) if (problem := self._remove(name))]
        if problems:
            raise UsageError(*problems)

    def make(self) -> None:
        """Make the folder where it is not there.

        Raises:
            UsageError: when the folder cannot be made or lies, or leads, outside the boundary.
        """
        if self.boundary and not _real(self.path).is_relative_to(_real(self.boundary)):
            raise UsageError(Problem(message=f"the report folder {str(self.path)!r} leaves the workspace"))
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _unwritable(self.path, error) from error

    def write(self, documents: Mapping[str, str]) -> None:
        """Write these documents, by file name.

        Raises:
            UsageError: when a file cannot be written.
        """
        for name, text in documents.items():
            self._write(name, [text])

    def write_cases(self, lines: Iterable[str]) -> None:
        """Write what was judged, a line a case.

        Raises:
            UsageError: when the file cannot be written.
        """
        self._write(CASES_FILE, (f"{line}\n" for line in lines))

    def _remove(self, name: str) -> Problem | None:
        """Remove an old report; what is wrong where it stays, so that the others can still be removed."""
        try:
            (self.path / name).unlink(missing_ok=True)
        except OSError as error:
            return _unwritable(self.path / name, error).problems[0]
        return None

    def _write(self, name: str, texts: Iterable[str]) -> None:
        target = self.path / name
        try:
            target.unlink(missing_ok=True)
            with os.fdopen(_create(target), "w", encoding="utf-8", newline="\n") as file:
                file.writelines(_encodable(texts))
        except OSError as error:
            raise _unwritable(target, error) from error


def _real(path: Path) -> Path:
    """Where a path leads. Unlike Path.resolve, a loop of links leads nowhere and is no error."""
    return Path(os.path.realpath(path))


def _create(path: Path) -> int:
    """A new file, never one that a link in the checkout points to."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o644)


def _encodable(texts: Iterable[str]) -> Iterator[str]:
    """The texts with lone surrogates, which UTF-8 does not have, shown as a question mark."""
    return (text.encode("utf-8", "replace").decode("utf-8") for text in texts)


def _unwritable(path: Path, error: OSError) -> UsageError:
    return UsageError(Problem(message=f"{str(path)!r} cannot be written: {error.strerror or error}"))
