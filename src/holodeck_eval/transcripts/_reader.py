"""Reads one transcript file, whatever its format, and reports all that is wrong with it at once."""

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from holodeck_eval.domain.transcript import Transcript
from holodeck_eval.errors import TranscriptError
from holodeck_eval.transcripts._detect import DetectionError, Format, choose
from holodeck_eval.transcripts._layout import LAYOUTS, layout_of
from holodeck_eval.transcripts._limits import Limits
from holodeck_eval.transcripts._record import Job, Problems, Sample
from holodeck_eval.transcripts._source import Source, open_source

_SAMPLED = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a file was understood to hold. `file` is as messages show it; `format` a key of FORMATS."""

    file: str
    format: str
    transcripts: tuple[Transcript, ...]
    warnings: tuple[str, ...] = ()


def read_file(
    path: Path,
    formats: Mapping[str, Format],
    *,
    wanted: str | None,
    mapping: Mapping[str, str],
    limits: Limits,
    shown: str,
) -> Reading:
    """See `holodeck_eval.transcripts.read`."""
    problems = Problems(shown, limits.problems)
    try:
        source = open_source(path, shown, limits)
        reading = _read(source, problems, formats, wanted, mapping)
    except TranscriptError as error:
        raise problems.error(*error.problems) from None
    if problems:
        raise problems.error()
    return reading


def _read(
    source: Source,
    problems: Problems,
    formats: Mapping[str, Format],
    wanted: str | None,
    mapping: Mapping[str, str],
) -> Reading:
    layout = layout_of(source)
    records = LAYOUTS[layout](source, problems)
    head = tuple(itertools.islice(records, _SAMPLED))
    if not head:
        return _nothing(source, layout, problems)
    sample = Sample(container=layout, records=tuple(record.value for record in head), mapping=mapping)
    name = _choose(formats, sample, wanted, source)
    job = Job(file=source.shown, limits=source.limits, problems=problems, warnings=[], sample=sample)
    transcripts = tuple(_counted(formats[name].read(itertools.chain(head, records), job), source))
    if not transcripts:
        return _nothing(source, name, problems)
    return Reading(file=source.shown, format=name, transcripts=transcripts, warnings=tuple(job.warnings))


def _nothing(source: Source, name: str, problems: Problems) -> Reading:
    if not problems:
        problems.add(f"the file holds no records (read as {name})")
    return Reading(file=source.shown, format=name, transcripts=())


def _choose(formats: Mapping[str, Format], sample: Sample, wanted: str | None, source: Source) -> str:
    try:
        return choose(formats, sample, wanted)
    except DetectionError as error:
        raise source.error(str(error)) from None


def _counted(transcripts: Iterator[Transcript], source: Source) -> Iterator[Transcript]:
    for number, transcript in enumerate(transcripts, start=1):
        if number > source.limits.records:
            raise source.error(
                f"the file holds more than {source.limits.records} records, the limit `records`"
            )
        yield transcript
