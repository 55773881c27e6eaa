"""A GitHub runner as far as it reads a step's log: which lines it obeys, which it shows, what it annotates.

Written after the runner's documented grammar and what its source does: a command of today's spelling stands at the
start of a line, one of the old spelling anywhere in it; between a stop and its token neither is obeyed.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

MOST_ANNOTATIONS: Final = 10
MOST_UNITS: Final = 4096

KNOWN: Final = frozenset(
    {"add-mask", "add-matcher", "add-path", "debug", "echo", "endgroup", "error", "group", "notice"}
    | {"remove-matcher", "save-state", "set-env", "set-output", "stop-commands", "warning"}
)
_ANNOTATING: Final = ("error", "warning", "notice")
_WHITE: Final = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    chr(code) for code in range(0x2000, 0x200B)
)
_ESCAPES: Final = (("%0D", "\r"), ("%0A", "\n"))
_IN_PROPERTIES: Final = (*_ESCAPES, ("%3A", ":"), ("%2C", ","))
_IN_OLD: Final = (("%3B", ";"), *_ESCAPES, ("%5D", "]"))


@dataclass(frozen=True, slots=True)
class Command:
    """A command as the runner understood it."""

    name: str
    data: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class RunnerLog:
    """What a runner makes of the lines of a step.

    `obeyed` are the commands it obeyed, in order, `ignored` those it saw but was told not to obey; `shown` are
    the other lines, with stars for what is masked.
    """

    obeyed: list[Command] = field(default_factory=list)
    ignored: list[Command] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    masks: list[str] = field(default_factory=list)
    stopped_by: str | None = None

    def read(self, output: str) -> "RunnerLog":
        """Read what a step printed; gives itself."""
        lines = re.split("\r\n|\r|\n", output)
        for line in lines[:-1] if lines[-1] == "" else lines:
            self._read_line(line)
        return self

    @property
    def annotations(self) -> list[Command]:
        """The annotations that GitHub keeps: the first ten of each level, their messages cut."""
        kept: dict[str, list[Command]] = {level: [] for level in _ANNOTATING}
        for command in self.obeyed:
            if command.name in kept and len(kept[command.name]) < MOST_ANNOTATIONS and command.data.strip():
                cut = command.data.encode("utf-16-le", "surrogatepass")[: 2 * MOST_UNITS]
                kept[command.name].append(
                    Command(command.name, cut.decode("utf-16-le", "surrogatepass"), command.properties)
                )
        return [command for commands in kept.values() for command in commands]

    def _read_line(self, line: str) -> None:
        command = _new(line, self.stopped_by) or _old(line, self.stopped_by)
        if command is None:
            self.shown.append(self._masked(line))
        elif self.stopped_by is not None and command.name == self.stopped_by:
            self.stopped_by = None
            self.shown.append("::***::")
        elif self.stopped_by is not None:
            self.ignored.append(command)
            self.shown.append(self._masked(line))
        else:
            self._obey(command)

    def _obey(self, command: Command) -> None:
        if command.name == "stop-commands":
            self.stopped_by = command.data.lower()
        elif command.name == "add-mask":
            self.masks.append(command.data)
        self.obeyed.append(command)

    def _masked(self, line: str) -> str:
        for mask in self.masks:
            line = line.replace(mask, "***")
        return line


def _new(line: str, token: str | None) -> Command | None:
    """A command of today's spelling: `::name key=value,key=value::data`."""
    line = line.lstrip(_WHITE)
    end = line.find("::", 2)
    if not line.startswith("::") or end < 0:
        return None
    name, _, properties = line[2:end].partition(" ")
    if not _is_known(name, token):
        return None
    pairs = _pairs(properties.strip(_WHITE).split(","), _IN_PROPERTIES)
    return Command(name.lower(), _unescaped(line[end + 2 :], _ESCAPES), dict(pairs))


def _old(line: str, token: str | None) -> Command | None:
    """A command of the old spelling: `##[name key=value;key=value]data`, of which the first in a line counts."""
    start = line.find("##[")
    end = line.find("]", start)
    if start < 0 or end < 0:
        return None
    name, _, properties = line[start + 3 : end].partition(" ")
    if not _is_known(name, token):
        return None
    pairs = _pairs(properties.split(";"), _IN_OLD)
    return Command(name.lower(), _unescaped(line[end + 1 :], _IN_OLD), dict(pairs))


def _is_known(name: str, token: str | None) -> bool:
    return name.lower() in KNOWN or (token is not None and name.lower() == token)


def _pairs(parts: list[str], escapes: tuple[tuple[str, str], ...]) -> Iterator[tuple[str, str]]:
    """Properties; one without a name or a value is dropped, as is a sign at the beginning of either."""
    for part in parts:
        key, _, value = part.lstrip("=").partition("=")
        if key and value.lstrip("="):
            yield key, _unescaped(value.lstrip("="), escapes)


def _unescaped(text: str, escapes: tuple[tuple[str, str], ...]) -> str:
    for escape, plain in escapes:
        text = text.replace(escape, plain)
    return text.replace("%25", "%")
