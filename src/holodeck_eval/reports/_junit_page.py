"""What stands in a JUnit file: texts that order nobody about, names of their own, and no more than fits."""

import re
from dataclasses import dataclass, field
from typing import Final

from holodeck_eval.errors import Place
from holodeck_eval.reports._text import cut, head, one_line, uncoloured

MESSAGE_LIMIT: Final = 200
_NAME_LIMIT: Final = 300
_NO_TEXT: Final = "see results.json"
"""For an element that must say something: some readers show its text alone, and some break on none."""

_CASE_BYTES: Final = len('<testcase name="" time="0.001000" classname="" />')
_ROOM: Final = 2
_PLAIN: Final = re.compile(r"[ -~\t\n…]*")
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?Z?")
_ATTACHMENT: Final = re.compile(r"\[\[(?=ATTACHMENT\|)", re.IGNORECASE)
_COMMAND: Final = re.compile(r"(^[^\S\n]*|\.[^\S\n]*)::", re.MULTILINE)


class NoRoomError(Exception):
    """What is written does not fit on the page."""


@dataclass(slots=True, kw_only=True)
class Page:
    """What one rendering has written so far.

    Attributes:
        text_limit: how many characters a text may have; 0 for a mere pointer to where it is.
        left: bytes that there is still room for.
        taken: the names given away, each with the number its search goes on from.
    """

    text_limit: int
    left: float
    taken: dict[tuple[str, str], int] = field(default_factory=dict)

    def label(self, text: str) -> str:
        """A name: on one line, never empty, for test cases without a name are dropped.

        Raises:
            NoRoomError: there is none left, as for everything that is written.
        """
        return self._write(named(text) or "(no name)")

    def name(self, suite: str, text: str) -> str:
        """The name of a test case, numbered where the suite has it already: some readers keep one alone."""
        wanted = name = self.label(text)
        self._spend(_CASE_BYTES)
        number = self.taken.get((suite, name), 1)
        while (suite, name) in self.taken:
            number += 1
            name = f"{wanted} ({number})"
        self.taken[suite, wanted] = number  # where the search goes on: from 1 again, it would take minutes
        self.taken.setdefault((suite, name), 1)
        return name

    def message(self, text: str) -> str:
        """A sentence on one short line, never empty."""
        return self._write(_line(text, MESSAGE_LIMIT) or "(no message)")

    def text(self, text: str) -> str:
        """A text as it is, but at most as long as the limit allows, and never empty."""
        made = cut(_disarmed(_begun(text, self.text_limit)), self.text_limit) if self.text_limit else ""
        return self._write(made if made.strip() else _NO_TEXT)

    def _write(self, text: str) -> str:
        """The text, its room taken: at least its bytes, `&` being written as five characters, `<` as four."""
        self._spend(len(text.encode()) + 4 * text.count("&") + 3 * (text.count("<") + text.count(">")))
        return text

    def _spend(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise NoRoomError


def named(text: str) -> str:
    """A name on one short line; "" where nothing is left of it."""
    return _line(text, _NAME_LIMIT)


def location(place: Place | None) -> tuple[str | None, str | None]:
    """A file under the workspace and the line in it, 1 where only the file is known; neither for others.

    A path that leads elsewhere names no file to a tool that shows annotations, and breaks one of them.
    Without a line, the same tool looks for one in the text, for as long as a hostile text makes it.
    """
    if place is None or not _is_relative(place.file):
        return None, None
    return place.file, str(place.line or 1)


def moment(text: str) -> str | None:
    """A date and time in UTC, None for what is none."""
    return text if _DATE.fullmatch(text) else None


def _is_relative(path: str) -> bool:
    return path == named(path) and not {"", ".", ".."} & set(path.split("/"))


def _line(text: str, limit: int) -> str:
    return cut(_disarmed(one_line(_fit(head(text, limit)))), limit)


def _begun(text: str, limit: int) -> str:
    """At least `limit` characters of a text made fit, where it has so many.

    Most need little beyond what is kept; only one that is full of terminal sequences is read on.
    """
    made = _fit(text[: _ROOM * limit])
    return made if len(made) > limit or len(text) <= _ROOM * limit else _fit(head(text, limit))


def _fit(text: str) -> str:
    """The text as `uncoloured`, which takes a second for some megabytes; most texts need nothing of it."""
    return text if _PLAIN.fullmatch(text) else uncoloured(text)


def _disarmed(text: str) -> str:
    """The text without orders to those who print it or look for files in it.

    Report actions print messages, behind a path or the end of a class name, into a log that the runner
    scans: `##[name]` anywhere and `::name::` where a line begins are commands. `[[ATTACHMENT|path]]` makes
    Jenkins and GitLab publish that file, from wherever it lies.
    """
    return _COMMAND.sub(r"\1: :", _ATTACHMENT.sub("[ [", text.replace("##[", "## [")))
