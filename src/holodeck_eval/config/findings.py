"""What reading a configuration finds: problems that refuse it, warnings that do not."""

from typing import Final

from holodeck_eval.errors import ConfigError, Place, Problem

ECHO: Final = 80
"""Most characters of a written value that a message repeats."""


MAX_TOLD: Final = 100
"""Most problems, and most warnings, of one file that are told; more would not be read."""


class Findings:
    """Collects problems and warnings, so that all of a file are told at once."""

    __slots__ = ("left_out", "problems", "warned")

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.warned: list[Problem] = []
        self.left_out = 0

    def problem(self, place: Place, message: str) -> None:
        """Note what refuses the configuration; a sentence noted twice counts once."""
        if self.full:
            self.leave_out(1)
        elif (found := Problem(message=message, place=place)) not in self.problems:
            self.problems.append(found)

    @property
    def full(self) -> bool:
        """Whether no further problem would be told."""
        return len(self.problems) >= MAX_TOLD

    def leave_out(self, count: int) -> None:
        """Count problems that are not told."""
        self.left_out += max(count, 0)

    def warn(self, place: Place, message: str) -> None:
        """Note what is worth knowing, but refuses nothing."""
        found = Problem(message=message, place=place)
        if len(self.warned) < MAX_TOLD and found not in self.warned:
            self.warned.append(found)

    def absorb(self, error: ConfigError) -> None:
        """Note the problems of a file that could not be read at all."""
        self.problems.extend(error.problems)

    def include(self, others: "Findings") -> None:
        """Note everything that others found, in a file of their own."""
        self.problems.extend(others.problems)
        self.warned.extend(others.warned)
        self.leave_out(others.left_out)

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings, each behind its place."""
        return tuple(str(warning) for warning in self.warned)

    def error(self) -> ConfigError:
        """All problems as one error, file by file in the order they were opened, then by line."""
        files = list(dict.fromkeys(problem.place.file for problem in self.problems if problem.place))
        told = sorted(self.problems, key=lambda problem: _order(problem, files))
        if self.left_out:
            told.append(Problem(message=f"and {self.left_out:,} more problems; mend these first"))
        return ConfigError(*told)

    def raise_if_any(self) -> None:
        """End here if anything refuses the configuration.

        Raises:
            ConfigError: with every problem noted.
        """
        if self.problems:
            raise self.error()


def quoted(text: str) -> str:
    """A written text as a message may show it: one line, escaped, at most `ECHO` characters."""
    cut = text if len(text) <= ECHO else f"{text[: ECHO - 1]}…"
    return ascii(cut).replace("\\u2026", "…") if not cut.isprintable() else repr(cut)


def _order(problem: Problem, files: list[str]) -> tuple[int, int, int]:
    place = problem.place
    if place is None:
        return (len(files), 0, 0)
    return (files.index(place.file), place.line or 0, place.column or 0)
