"""Recorded transcripts, whatever shape they were kept in. Adding a format is one file and one line here."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from holodeck_eval.transcripts import holodeck, messages, native, rows
from holodeck_eval.transcripts._detect import Format
from holodeck_eval.transcripts._limits import DEFAULT_LIMITS, Limits
from holodeck_eval.transcripts._reader import Reading, read_file
from holodeck_eval.transcripts._schema import NativeTranscript

FORMATS: Mapping[str, Format] = {
    "native": native,
    "rows": rows,
    "holodeck": holodeck,
    "messages": messages,
}
"""Each format's name, as `--format` takes it, and the module that recognises and reads it."""

_NO_MAPPING: Mapping[str, str] = MappingProxyType({})


def read(
    path: Path,
    *,
    format: str | None = None,  # noqa: A002 - the option's own name
    mapping: Mapping[str, str] = _NO_MAPPING,
    limits: Limits = DEFAULT_LIMITS,
    shown_as: str | None = None,
) -> Reading:
    """Read one file of transcripts.

    Args:
        path: a regular file of JSON, JSON lines, CSV or YAML.
        format: a key of FORMATS; None to detect it.
        mapping: for rows, our field to the dotted path it stands at; wins over the known names.
        limits: how much is read before the file is refused.
        shown_as: what messages call the file; None for the path.

    Raises:
        TranscriptError: with every problem of the file; then nothing of it is used.
    """
    return read_file(
        path, FORMATS, wanted=format, mapping=mapping, limits=limits, shown=shown_as or str(path)
    )


def transcript_schema() -> dict[str, object]:
    """The JSON Schema of one native record."""
    schema: dict[str, object] = NativeTranscript.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


__all__ = ["DEFAULT_LIMITS", "FORMATS", "Limits", "Reading", "read", "transcript_schema"]
