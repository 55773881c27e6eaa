"""What reading a configuration finds: problems that refuse it, warnings that do not."""

from typing import Final

from holodeck_eval.errors import ConfigError, Place, Problem

ECHO: Final = 80
"""Most characters of a written value that a message repeats."""


class Findings:
    """Collects problems and warnings, so that all of a file are told at once."""

    __slots__ = ("_problems", "_warnings")

    def __init__(self) -> None:
        self._problems: list[Problem] = []
        self._warnings: list[Problem] = []

    def problem(self, place: Place, message: str) -> None:
        """Note what refuses the configuration; a sentence noted twice counts once."""
        found = Problem(message=message, place=place)
        if found not in self._problems:
            self._problems.append(found)

    def warn(self, place: Place, message: str) -> None:
        """Note what is worth knowing, but refuses nothing."""
        found = Problem(message=message, place=place)
        if found not in self._warnings:
            self._warnings.append(found)

    def absorb(self, error: ConfigError) -> None:
        """Note the problems of a file that could not be read at all."""
        self._problems.extend(error.problems)

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings, each behind its place."""
        return tuple(str(warning) for warning in self._warnings)

    def error(self) -> ConfigError:
        """All problems as one error, file by file in the order they were opened, then by line."""
        files = list(dict.fromkeys(problem.place.file for problem in self._problems if problem.place))
        return ConfigError(*sorted(self._problems, key=lambda problem: _order(problem, files)))

    def raise_if_any(self) -> None:
        """End here if anything refuses the configuration.

        Raises:
            ConfigError: with every problem noted.
        """
        if self._problems:
            raise self.error()


def quoted(text: str) -> str:
    """A written text as a message may show it: one line, escaped, at most `ECHO` characters."""
    cut = text if len(text) <= ECHO else f"{text[: ECHO - 1]}…"
    return ascii(cut).replace("\\u2026", "…") if not cut.isprintable() else repr(cut)


def _order(problem: Problem, files: list[str]) -> tuple[int, int, int]:
    place = problem.place
    if place is None:
        return (-1, 0, 0)
    return (files.index(place.file), place.line or 0, place.column or 0)
