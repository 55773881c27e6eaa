"""How a file lays out its records: JSON, JSON lines, CSV or YAML. Gives them one by one."""

import collections
import csv
import io
import itertools
from collections.abc import Callable, Iterator, Mapping

from holodeck_eval.domain.wording import listed, quoted
from holodeck_eval.errors import Place
from holodeck_eval.transcripts import _json, _yaml
from holodeck_eval.transcripts._limits import Limits
from holodeck_eval.transcripts._record import Problems, Record
from holodeck_eval.transcripts._source import Source

_SUFFIXES = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".yaml": "yaml",
    ".yml": "yaml",
}


def layout_of(source: Source) -> str:
    """The key of LAYOUTS that reads a file, by its name's ending and its first lines.

    Raises:
        TranscriptError: where the file is empty, or neither tells.
    """
    head = list(itertools.islice(source.lines(), 2))
    if not head:
        raise source.error("the file is empty")
    named = _SUFFIXES.get(source.path.suffix.lower())
    looks_json = head[0][1].lstrip()[:1] in ("{", "[")
    if named in ("json", None) and looks_json:
        return "jsonl" if len(head) > 1 and _is_whole(head[0][1], source.limits) else "json"
    if named is None:
        raise source.error("what this file holds is not clear; end its name in " + ", ".join(_SUFFIXES))
    return named


def _is_whole(line: str, limits: Limits) -> bool:
    try:
        _json.loads(line, limits.depth)
    except _json.JsonError:
        return False
    return True


def json_lines(source: Source, problems: Problems) -> Iterator[Record]:
    """One record a line; a line that is no JSON becomes a problem, and the next ones are still read."""
    for number, line in source.lines():
        place = Place(file=source.shown, line=number)
        try:
            value = _json.loads(line, source.limits.depth)
        except _json.JsonError as error:
            problems.add(f"{error.message} (one record a line)", place)
        else:
            yield from _bounded(value, place, len(line), source, problems)


def json_document(source: Source, problems: Problems) -> Iterator[Record]:
    """The items of a top-level list, else the whole value as one record."""
    text = source.text()
    try:
        value = _json.loads(text, source.limits.depth)
    except _json.JsonError as error:
        raise source.error(error.message, error.line) from None
    for item, place in _items(value, source.shown):
        yield from _bounded(item, place, len(text), source, problems)


def yaml_document(source: Source, problems: Problems) -> Iterator[Record]:
    """The items of a top-level list, each with its line, else the whole value as one record."""
    text = source.text()
    try:
        value, lines = _yaml.loads(text, source.limits.depth)
    except _yaml.YamlError as error:
        raise source.error(error.message, error.line) from None
    for index, (item, place) in enumerate(_items(value, source.shown)):
        at = Place(file=source.shown, line=lines[index]) if isinstance(value, list) else place
        yield from _bounded(item, at, len(text), source, problems)


def csv_rows(source: Source, problems: Problems) -> Iterator[Record]:
    """One record a row, its cells by the header's names; every cell is text."""
    text = source.text()
    csv.field_size_limit(max(csv.field_size_limit(), source.limits.text_chars + 1))
    rows = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=_delimiter(text))
    try:
        header = _header(next(rows), source)
        before = rows.line_num
        for cells in rows:
            place = Place(file=source.shown, line=before + 1)
            before = rows.line_num
            if cells:
                yield from _row(header, cells, place, source, problems)
    except csv.Error as error:
        raise source.error(f"this is no CSV: {error}", rows.line_num) from None


def _row(
    header: list[str], cells: list[str], place: Place, source: Source, problems: Problems
) -> Iterator[Record]:
    if len(cells) != len(header):
        problems.add(f"this row has {len(cells)} cells, the header has {len(header)}", place)
        return
    row = dict(zip(header, cells, strict=True))
    yield from _bounded(row, place, sum(map(len, cells)), source, problems)


def _header(cells: list[str], source: Source) -> list[str]:
    names = [cell.strip() for cell in cells]
    twice = sorted(name for name, count in collections.Counter(names).items() if count > 1)
    if twice:
        raise source.error(f"the header names a column twice: {listed(twice)}", 1)
    return names


def _delimiter(text: str) -> str:
    head = text[: text.find("\n")] if "\n" in text else text
    return next((mark for mark in (",", ";", "\t") if mark in head), ",")


def _items(value: object, shown: str) -> Iterator[tuple[object, Place]]:
    if not isinstance(value, list):
        yield value, Place(file=shown)
        return
    for number, item in enumerate(value, start=1):
        yield item, Place(file=shown, record=number)


def _bounded(value: object, place: Place, size: int, source: Source, problems: Problems) -> Iterator[Record]:
    limit = source.limits.text_chars
    too_long = _longer(value, limit) if size > limit else None
    if too_long is None:
        yield Record(value=value, place=place)
    else:
        problems.add(
            f"the text that starts {quoted(too_long, 40)} is longer than {limit} characters, "
            "the limit of --max-text-chars",
            place,
        )


def _longer(value: object, limit: int) -> str | None:
    """The first text in a value that is over the limit; depth is bounded by the parser."""
    if isinstance(value, str):
        return value if len(value) > limit else None
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return next((found for part in parts if (found := _longer(part, limit)) is not None), None)


LAYOUTS: Mapping[str, Callable[[Source, Problems], Iterator[Record]]] = {
    "json": json_document,
    "jsonl": json_lines,
    "csv": csv_rows,
    "yaml": yaml_document,
}
"""How the records of a file are found, by layout; each may raise TranscriptError for the whole file."""
