"""Flat rows: a question and an answer each, under whatever names people give them."""

import ast
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from holodeck_eval.domain.transcript import RecordedTurn, Reference, Transcript
from holodeck_eval.domain.wording import listed, nearest, quoted
from holodeck_eval.transcripts import _json, holodeck, native
from holodeck_eval.transcripts._aliases import ABSENT, ALIASES, at_path, names, nested_rows, rows_in
from holodeck_eval.transcripts._fields import (
    as_flag,
    as_id,
    as_text,
    chunks,
    ended_in_error,
    failure,
    no_answer,
    one_text,
    texts,
    tool_calls,
)
from holodeck_eval.transcripts._record import Job, Record, RecordError, Sample

_QUOTED = r"""(?:'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+")"""
_TEXT_LIST = re.compile(rf"\[\s*+(?:{_QUOTED}\s*+(?:,\s*+{_QUOTED}\s*+)*+,?+\s*+)?+\]", re.DOTALL)
_UNFINISHED = frozenset({"error", "errored", "failed", "incomplete", "cancelled", "timeout"})
_LISTS = ("context", "reference_context", "tool_calls")
_DEPTH = 64
_SPANS = ("gen_ai.", "openinference.", "llm.")  # a span's input and output are not the agent's


def recognises(sample: Sample) -> bool:
    """Whether the records, or the lists in them, have a question and an answer by some known name."""
    if not sample.mappings() or native.recognises(sample) or holodeck.recognises(sample):
        return False
    return any(_is_row(row, sample.mapping) for row in rows_in(sample))


def _is_row(row: Mapping[str, object], mapping: Mapping[str, str]) -> bool:
    if isinstance(row.get("messages"), list) or any(key.startswith(_SPANS) for key in row):
        return False
    fields = _Fields(row=row, mapping=mapping)
    asked = fields.get("input")
    return not isinstance(asked, list | Mapping) and ABSENT not in (asked, fields.get("output"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fields:
    """A row's fields by our names."""

    row: Mapping[str, object]
    mapping: Mapping[str, str]

    def get(self, field: str) -> object:
        """The value as recorded, ABSENT where the row has none. The user's mapping comes first."""
        if field in self.mapping:
            return at_path(self.row, self.mapping[field])
        found = self.names(field)
        return self.row[found[0]] if found else ABSENT

    def value(self, field: str) -> object:
        """The value; None where it is absent."""
        found = self.get(field)
        return None if found is ABSENT else found

    def names(self, field: str) -> list[str]:
        """The names the row has for a field, best first."""
        if field in self.mapping:
            return [self.mapping[field]]
        found = names(self.row, field)
        if field == "reference_context" and not found and len(names(self.row, "context")) > 1:
            return ["context"] if "context" in self.row else []  # beside a retrieved one it is the ideal one
        return found

    def shown(self, field: str) -> str:
        """What messages call the field: as it stands in the file."""
        return next(iter(self.names(field)), field)


def read(records: Iterator[Record], job: Job) -> Iterator[Transcript]:
    """One transcript a row, wherever the rows are."""
    mapping = job.sample.mapping
    wrong = [name for name in mapping if name not in ALIASES]
    for name in wrong:
        job.problems.add(
            f"the mapping's field {quoted(name)} is not known; known are {', '.join(ALIASES)}"
            f"{nearest(name, ALIASES)}"
        )
    if wrong or not _check_sample(job):
        return iter(())
    table = job.sample.container == "csv"
    return job.each(_rows(records), lambda record: _transcripts(record, job, is_table=table))


def _check_sample(job: Job) -> bool:
    """Whether some row at the head has an answer; where not, that is the file's one problem."""
    rows = rows_in(job.sample)
    if any(_Fields(row=row, mapping=job.sample.mapping).get("output") is not ABSENT for row in rows):
        return True
    keys = dict.fromkeys(key for row in rows for key in row)
    path = job.sample.mapping.get("output")
    where = (
        f"at `{path}`, where the mapping looks for the answer"
        if path
        else "under any known name of an answer"
    )
    job.problems.add(f"no row has anything {where}; the keys are {listed(keys)}")
    return False


def _rows(records: Iterator[Record]) -> Iterator[Record]:
    number = 0
    for record in records:
        nested = nested_rows(record.value) if isinstance(record.value, Mapping) else ()
        for row in nested:
            number += 1
            yield Record(value=row, place=replace(record.place, record=number))
        if not nested:
            yield record


def _transcripts(record: Record, job: Job, *, is_table: bool) -> Iterable[Transcript]:
    if not isinstance(record.value, Mapping):
        raise RecordError("a row must be an object")
    row = _split_cells(record.value, job.sample.mapping) if is_table else record.value
    fields = _Fields(row=row, mapping=job.sample.mapping)
    _warn_of_choices(fields, job)
    yield Transcript(
        format="rows",
        place=record.place,
        turns=(_turn(fields),),
        id=_name(fields, "id"),
        test_case=_name(fields, "test_case"),
        agent=_name(fields, "agent"),
        model=as_text(fields.value("model")),
    )


def _name(fields: _Fields, field: str) -> str | None:
    return as_id(fields.value(field), fields.shown(field))


def _turn(fields: _Fields) -> RecordedTurn:
    asked = fields.value("input")
    if isinstance(asked, list | Mapping):
        raise RecordError(f"`{fields.shown('input')}` is no text; rows hold one question each")
    output = as_text(fields.value("output"))
    return RecordedTurn(
        input=as_text(asked),
        output=output,
        no_answer=_no_answer(fields, output),
        context=chunks(fields.value("context"), fields.shown("context")),
        tool_calls=tool_calls(fields.value("tool_calls"), fields.shown("tool_calls")),
        reference=_reference(fields),
    )


def _no_answer(fields: _Fields, output: str | None) -> str | None:
    if fields.get("output") is ABSENT:
        return "no answer was recorded"
    status = fields.row.get("status")
    if isinstance(status, str) and status.strip().lower() in _UNFINISHED:
        return f"the run ended with the status {quoted(status.strip(), 40)}"
    error = failure(fields.value("error"))
    return ended_in_error(error) if error else no_answer(output)


def _reference(fields: _Fields) -> Reference | None:
    reference = Reference(
        expected_output=one_text(fields.value("reference"), fields.shown("reference")),
        context=texts(fields.value("reference_context"), fields.shown("reference_context")),
        is_refusal=as_flag(fields.value("is_refusal"), fields.shown("is_refusal")),
    )
    return reference if reference != Reference() else None


def _warn_of_choices(fields: _Fields, job: Job) -> None:
    answers = fields.names("output")
    if len({as_text(fields.row[name]) for name in answers if name in fields.row}) > 1:
        raise RecordError(
            f"there are several answers, under {listed(answers)}; name the right one in the policy's "
            "`mapping`"
        )
    for field in ("input", "reference"):
        found = fields.names(field)
        if len(found) > 1:
            job.warn(f"rows have {listed(found)}; {quoted(found[0])} is read as the {field}")


def _split_cells(row: Mapping[str, object], mapping: Mapping[str, str]) -> dict[str, object]:
    """A table's row with its lists parsed, and blank cells of anything but the answer as null."""
    lists = {name for field in _LISTS for name in (*ALIASES[field], *_mapped(mapping, field))}
    lists.add("ground_truths")
    answers = {*ALIASES["output"], *_mapped(mapping, "output")}
    return {
        name: cell if name in answers else _cell(str(cell), split=name in lists) for name, cell in row.items()
    }


def _mapped(mapping: Mapping[str, str], field: str) -> tuple[str, ...]:
    return (mapping[field],) if field in mapping else ()


def _cell(cell: str, *, split: bool) -> object:
    if not cell.strip():
        return None
    text = cell.strip()
    if not split or not text.startswith("["):
        return cell
    try:
        return _json.loads(text, _DEPTH)
    except _json.JsonError:
        return _text_list(text) or cell


def _text_list(text: str) -> list[object] | None:
    """A list of texts as Python prints it; None for anything else, so that nothing else is evaluated."""
    if not _TEXT_LIST.fullmatch(text):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an unknown escape is kept as it stands, with a warning
            return list(ast.literal_eval(text))
    except (ValueError, SyntaxError, MemoryError):
        return None
