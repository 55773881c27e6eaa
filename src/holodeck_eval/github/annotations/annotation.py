"""One annotation: a level, a title, a message, and the line it stands on."""

import posixpath
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from holodeck_eval.domain.text import log_line
from holodeck_eval.errors import Place
from holodeck_eval.github.commands import command

Level = Literal["error", "warning", "notice"]

TITLE: Final = 200
"""Characters of a title; GitHub takes 255."""

LINE: Final = 600
"""Characters of a line of a message, whatever texts of others stand in it."""

_PLACE: Final = 120
_LAST_LINE: Final = 2**31


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """What GitHub shows beside a line of a file, or of the whole run where `file` is None.

    `message` is plain text of one line or few. `file` is relative to the checkout; without a `line`, GitHub
    shows it on the first.
    """

    level: Level
    title: str
    message: str
    file: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        """The workflow command that makes it."""
        return command(self.level, self.message, file=self.file, line=self.line, title=self.title)


def annotate(
    level: Level, title: str, lines: Iterable[str], place: Place | None, workspace: str
) -> Annotation:
    """An annotation on a place. A place that GitHub cannot show is named in the message.

    Args:
        level: how bad it is.
        title: untrusted names in it are quoted already.
        lines: the message. Texts of others in it are cleaned here.
        place: where it stands; None where it stands nowhere.
        workspace: the checkout's folder.
    """
    file = _file(place.file, workspace) if place else None
    named = [] if place is None or (file and (place.line or not place.record)) else [f"At {spelt(place)}"]
    return Annotation(
        level=level,
        title=log_line(title, TITLE),
        message="\n".join(log_line(line, LINE) for line in (*lines, *named)),
        file=file,
        line=_line(place) if place and file else None,
    )


def spelt(place: Place) -> str:
    """A place in a sentence."""
    return log_line(str(place), _PLACE)


def _file(name: str, workspace: str) -> str | None:
    """A file's name below the checkout; None where it is elsewhere or no command can carry it."""
    path = posixpath.normpath(posixpath.join(workspace, name))
    root = posixpath.normpath(workspace).rstrip("/") + "/"
    inside = path.removeprefix(root)
    carried = path.startswith(root) and inside == log_line(inside) and not inside.startswith("=")
    return inside if carried else None


def _line(place: Place) -> int | None:
    return place.line if place.line is not None and 0 < place.line < _LAST_LINE else None
