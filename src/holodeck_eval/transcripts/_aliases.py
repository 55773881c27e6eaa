"""What people call the fields of a row: our name, then the names found in files, best first."""

import re
from collections.abc import Iterable, Mapping

from holodeck_eval.transcripts._record import Sample

ALIASES: Mapping[str, tuple[str, ...]] = {
    "input": ("input", "question", "query", "user_input", "test_input", "prompt"),
    "output": (
        "output",
        "answer",
        "response",
        "actual_output",
        "generated_response",
        "agent_response",
        "final_answer",
    ),
    "context": ("retrieval_context", "retrieved_context", "retrieved_contexts", "contexts", "context"),
    "reference": (
        "reference",
        "expected_output",
        "ground_truth",
        "ground_truths",
        "expected_response",
        "truth",
    ),
    "reference_context": ("reference_contexts", "expected_retrieved_context"),
    "tool_calls": ("tool_calls", "tools_called"),
    "is_refusal": ("is_refusal",),
    "id": ("id", "question_id"),
    "test_case": ("test_case", "test_name", "name"),
    "agent": ("agent", "agent_name"),
    "error": ("error",),
    "model": ("model",),
}
"""Fields of a row that can be mapped, each with its aliases."""

LISTS = ("data", "rows", "records", "results", "samples", "examples", "items", "test_cases", "goldens")
"""Keys under which a file may keep its list of rows."""

_INDEX = re.compile(r"[0-9]{1,9}")

ABSENT = object()
"""Stands for a field that a row does not have; null is not that."""


def names(keys: Iterable[str], field: str) -> list[str]:
    """The aliases of a field that are among the keys, best first."""
    known = set(keys)
    return [alias for alias in ALIASES[field] if alias in known]


def rows_in(sample: Sample) -> list[Mapping[str, object]]:
    """The rows of the sampled records, those in a list under one of LISTS too."""
    return [row for record in sample.mappings() for row in nested_rows(record) or (record,)]


def nested_rows(record: Mapping[str, object]) -> tuple[Mapping[str, object], ...]:
    """The rows in a list under one of LISTS; () where there are none."""
    for key in LISTS:
        value = record.get(key)
        if isinstance(value, list) and value and all(isinstance(row, Mapping) for row in value):
            return tuple(value)
    return ()


def at_path(row: Mapping[str, object], path: str) -> object:
    """The value at a dotted path (`outputs.answer`, `choices.0.text`); ABSENT where it leads nowhere.

    A key that holds the whole path, dots included, wins.
    """
    if path in row:
        return row[path]
    value: object = row
    for step in path.split("."):
        value = _step(value, step)
        if value is ABSENT:
            return ABSENT
    return value


def _step(value: object, step: str) -> object:
    if isinstance(value, Mapping):
        return value.get(step, ABSENT)
    if isinstance(value, list) and _INDEX.fullmatch(step) and int(step) < len(value):
        return value[int(step)]
    return ABSENT
