"""What the shards judged, in the order of the whole run, so that the merged folder can be judged again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from holodeck_eval.application.folder import CASES_FILE
from holodeck_eval.application.merging.parts import Named, files, some

LONGEST: Final = 64 * 1024 * 1024
"""Bytes of a line; what is longer was not written by this program."""

_TOLD: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """Where the line of one case stands, in bytes."""

    file: Path
    start: int
    length: int

    def text(self) -> str:
        """The line without its end. Each is read by itself: there may be more files than can be open."""
        with self.file.open("rb") as stream:
            stream.seek(self.start)
            return stream.read(self.length).decode().removesuffix("\n")


def merged_case_lines(runs: Sequence[Named]) -> tuple[Iterator[str] | None, tuple[str, ...]]:
    """The lines of all shards' cases.jsonl in the order of the whole run, read one at a time; and warnings.

    They lie beside the results files. Where one of them is missing or does not fit its results there are no
    lines, with a warning, since a part of them would pass for all. Where no shard has any, it was asked for.

    Args:
        runs: shards that could be merged, behind the paths of their results files.
    """
    if not any(_beside(name).exists() for name, _ in runs):
        return None, ()
    lines: dict[int, _Line] = {}
    faults: list[str] = []
    for name, run in runs:
        file = _beside(name)
        places = sorted((*run.shard.cases, *run.shard.waived)) if run.shard else []
        found = _lines(file, at_most=len(places))
        if isinstance(found, str):
            faults.append(f"{files([str(file)])} {found}")
        elif len(found) < len(places):
            faults.append(f"{files([str(file)])} holds {len(found):,} lines for {len(places):,} cases")
        else:
            lines.update(zip(places, found, strict=True))
    if faults:
        return None, (_warning(faults),)
    return (line.text() for _, line in sorted(lines.items())), ()


def _warning(faults: Sequence[str]) -> str:
    return f"what was judged is not kept, so this report cannot be judged again: {some(faults, _TOLD)}"


def _beside(name: str) -> Path:
    return Path(name).parent / CASES_FILE


def _lines(file: Path, *, at_most: int) -> list[_Line] | str:
    """Where each line of a file stands; or, as a clause, why it is none that this program wrote."""
    if not file.is_file():  # a pipe would be waited for
        return "is not there"
    lines: list[_Line] = []
    start = 0
    try:
        with file.open("rb") as stream:
            while line := stream.readline(LONGEST + 1):
                if len(lines) == at_most:
                    return f"holds more than {at_most:,} lines, one for each case"
                if not _is_whole(line):
                    return f"holds a line {len(lines) + 1:,} that is torn, too long or not UTF-8"
                lines.append(_Line(file=file, start=start, length=len(line)))
                start += len(line)
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    return lines


def _is_whole(line: bytes) -> bool:
    if not line.endswith(b"\n"):
        return False
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True
