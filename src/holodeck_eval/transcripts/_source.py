"""A file's bytes as text: regular files of bounded size only, strict UTF-8, lines end at line feeds alone."""

import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from holodeck_eval.errors import Place, Problem, TranscriptError
from holodeck_eval.transcripts._limits import Limits

_OTHERS = (
    (b"PK\x03\x04", "this is a ZIP archive, which is not read; unpack it"),
    (b"\x1f\x8b", "this is compressed with gzip, which is not read; unpack it"),
    (b"\xff\xfe", "this is UTF-16, not UTF-8; save it as UTF-8"),
    (b"\xfe\xff", "this is UTF-16, not UTF-8; save it as UTF-8"),
)
_KINDS = (
    (stat.S_ISDIR, "this is a folder; name the files in it, for example with `/*.jsonl`"),
    (stat.S_ISFIFO, "this is a pipe, not a file; write it to a file first"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A transcript file that exists and is small enough. `shown` is what messages call it."""

    path: Path
    shown: str
    limits: Limits

    def lines(self) -> Iterator[tuple[int, str]]:
        """The lines that are not blank, with their numbers; at no time more than one in memory.

        Raises:
            TranscriptError: where a line is not UTF-8.
        """
        start = 0
        with self.path.open("rb") as file:
            for number, raw in enumerate(file, start=1):
                if start + len(raw) > self.limits.file_bytes:
                    raise self.error(too_large(self.limits))
                line = self._decode(raw, number, start)
                if line.strip():
                    yield number, line.rstrip("\r\n")
                start += len(raw)

    def text(self) -> str:
        """The whole file.

        Raises:
            TranscriptError: where it is not UTF-8, or holds nothing.
        """
        with self.path.open("rb") as file:
            raw = file.read(self.limits.file_bytes + 1)
        if len(raw) > self.limits.file_bytes:
            raise self.error(too_large(self.limits))
        return self._decode(raw, 1, 0)

    def error(self, message: str, line: int | None = None) -> TranscriptError:
        """One problem of this file, as an error."""
        return TranscriptError(Problem(message=message, place=Place(file=self.shown, line=line)))

    def _decode(self, raw: bytes, line: int, start: int) -> str:
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            at = line + raw.count(b"\n", 0, error.start)
            message = f"this is not UTF-8 (byte {start + error.start} of the file); save it as UTF-8"
            raise self.error(message, at) from None
        return text.removeprefix("\ufeff") if start == 0 else text


def open_source(path: Path, shown: str, limits: Limits) -> Source:
    """Look at a file before it is read.

    Raises:
        TranscriptError: where it is missing, no regular file, unreadable, or too large.
    """
    source = Source(path=path, shown=shown, limits=limits)
    try:
        status = path.stat()
        _refuse_kind(source, status.st_mode)
        with path.open("rb") as file:
            head = file.read(4)
    except FileNotFoundError:
        raise source.error("there is no such file") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise source.error(f"the file cannot be opened: {reason}") from None
    if status.st_size > limits.file_bytes:
        raise source.error(too_large(limits))
    for start, message in _OTHERS:
        if head.startswith(start):
            raise source.error(message)
    return source


def _refuse_kind(source: Source, mode: int) -> None:
    for is_kind, message in _KINDS:
        if is_kind(mode):
            raise source.error(message)
    if not stat.S_ISREG(mode):
        raise source.error("this is no regular file")


def too_large(limits: Limits) -> str:
    """The sentence for a file over the limit."""
    return f"the file is larger than {limits.file_bytes} bytes, the limit of --max-file-bytes; split it"
