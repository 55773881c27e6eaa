"""Which format a file is in: by the keys of its first records; exactly one format may claim it."""

from collections.abc import Iterator, Mapping
from typing import Protocol

from holodeck_eval.domain.transcript import Transcript
from holodeck_eval.domain.wording import listed, nearest, quoted
from holodeck_eval.transcripts import _aliases
from holodeck_eval.transcripts._record import Job, Record, Sample

_SCORES = ("score", "faithfulness", "relevan", "precision", "recall", "similarity", "correctness", "accuracy")
_CONVERSATIONS = frozenset(
    {
        "messages",
        "turns",
        "conversation",
        "conversations",
        "trajectory",
        "history",
        "events",
        "choices",
        "spans",
    }
)

GENERAL = frozenset({"rows", "messages"})
"""Formats whose few keys stand in many others' files too."""


class Format(Protocol):
    """What a module in FORMATS has."""

    def recognises(self, sample: Sample) -> bool:
        """Whether the first records are in this format. No two say yes to one file, but for GENERAL ones."""
        ...

    def read(self, records: Iterator[Record], job: Job) -> Iterator[Transcript]:
        """The transcripts of a file, one by one; problems of single records go to `job.problems`."""
        ...


class DetectionError(Exception):
    """No format fits, or more than one; the argument is the sentence."""


def choose(formats: Mapping[str, Format], sample: Sample, wanted: str | None) -> str:
    """The key of the format that reads a file.

    Raises:
        DetectionError: in one sentence that says what to do.
    """
    if wanted is not None:
        return _known(formats, wanted)
    claims = claiming(formats, sample)
    if len(claims) == 1:
        return claims[0]
    if claims:
        raise DetectionError(f"this could be {' or '.join(claims)}; say which with --format")
    raise DetectionError(_unknown(formats, sample))


def claiming(formats: Mapping[str, Format], sample: Sample) -> list[str]:
    """The formats that claim a file; the general ones only where no other does."""
    for general in (False, True):
        found = [
            name
            for name, module in formats.items()
            if (name in GENERAL) is general and module.recognises(sample)
        ]
        if found:
            return found
    return []


def _known(formats: Mapping[str, Format], wanted: str) -> str:
    if wanted in formats:
        return wanted
    raise DetectionError(
        f"--format {quoted(wanted)} is not known; known are {', '.join(formats)}{nearest(wanted, formats)}"
    )


def _unknown(formats: Mapping[str, Format], sample: Sample) -> str:
    keys = _keys(sample)
    if not keys:
        return "the records are no objects; each must be one with a question and an answer"
    without = _without_answers(sample, keys)
    if without is not None:
        return without
    return (
        f"no format is recognised; the top-level keys are {listed(keys)}. Known formats are "
        f"{', '.join(formats)}: pick one with --format, or name the fields in the policy's `mapping`"
    )


def _without_answers(sample: Sample, keys: list[str]) -> str | None:
    rows = _aliases.rows_in(sample)
    inner = list(dict.fromkeys(key for row in rows for key in row)) or keys
    if _aliases.names(inner, "output") or not _CONVERSATIONS.isdisjoint(inner):
        return None
    if any(_aliases.names(inner, field) for field in ("input", "reference")):
        return (
            f"this file holds questions and expectations but no recorded answers (its keys: {listed(inner)})"
        )
    if any(_is_score(key) for key in inner):
        return f"this file holds scores but no recorded answers (its keys: {listed(inner)})"
    return None


def _is_score(key: str) -> bool:
    return any(word in key.lower().replace("_", " ") for word in _SCORES)


def _keys(sample: Sample) -> list[str]:
    return list(dict.fromkeys(key for record in sample.mappings() for key in record))
