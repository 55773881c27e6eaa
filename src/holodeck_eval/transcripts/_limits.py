"""How much of a file is read before it is refused."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Upper bounds of one transcript file. A message about a limit names its option.

    Attributes:
        file_bytes: size of the file, in bytes.
        depth: nesting of lists and mappings.
        text_chars: length of one text, in characters.
        records: transcripts in the file.
        problems: problems told before the rest is only counted.
    """

    file_bytes: int = 64 * 1024 * 1024
    depth: int = 64
    text_chars: int = 1024 * 1024
    records: int = 100_000
    problems: int = 20


DEFAULT_LIMITS = Limits()
