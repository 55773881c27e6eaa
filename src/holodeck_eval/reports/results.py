"""results.json: the whole run, the one file every other report can be made from again."""

import json
from collections.abc import Mapping
from typing import Final

from holodeck_eval.domain.comparison import Comparison
from holodeck_eval.domain.run import Run
from holodeck_eval.errors import Place, Problem, ResultsError
from holodeck_eval.reports._plain import shallow
from holodeck_eval.reports._text import encodable

_PASSED: Final[dict[str, object]] = {
    "type": "boolean",
    "description": "True for the status `passed` alone. For readers: it follows from the status.",
}


def render(run: Run) -> str:
    """The run as JSON, fields in the order they are declared: a field a line, an item of a list a line.

    So it is within `comparison` too. `verdict.passed` is added for those who read only this. Lone
    surrogates are shown by number.

    Raises:
        ValueError: for NaN or an infinity anywhere in the run: it would be a number nobody measured.
    """
    return encodable(f"{_object(_document(run), '')}\n")


def parse(text: str, *, shown_as: str) -> Run:
    """Read a run back.

    Args:
        text: what `render` wrote.
        shown_as: the file's name in messages.

    Raises:
        ResultsError: when it is no JSON, no results file, of another schema version, or at odds with itself.
    """
    from holodeck_eval.reports.reading import UnreadableError, load  # noqa: PLC0415 - a run that reads no results needs none of it

    try:
        return load(text)
    except UnreadableError as error:
        place = Place(file=shown_as, line=error.line, column=error.column)
        sentences = error.details or (f"this file {error.clause}",)
        raise ResultsError(*(Problem(message=f"{text}.", place=place) for text in sentences)) from None


def json_schema() -> dict[str, object]:
    """The JSON Schema (2020-12) of results.json."""
    from holodeck_eval.reports.reading import model  # noqa: PLC0415 - a run that reads no results needs none of it

    schema = model().model_json_schema(mode="serialization")
    verdict = schema["$defs"]["Verdict"]["properties"]
    schema["$defs"]["Verdict"]["properties"] = {"status": verdict["status"], "passed": _PASSED} | verdict
    schema["title"] = "results.json of holodeck-eval"
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | schema


def _document(run: Run) -> dict[str, object]:
    verdict = {"status": run.verdict.status, "passed": run.verdict.passed}
    return shallow(run) | {"verdict": verdict | shallow(run.verdict)}


def _object(fields: Mapping[str, object], indent: str) -> str:
    lines = (
        f"{indent}  {json.dumps(name)}: {_field(value, indent + '  ')}" for name, value in fields.items()
    )
    return "{\n" + ",\n".join(lines) + f"\n{indent}}}"


def _field(value: object, indent: str) -> str:
    if isinstance(value, Comparison):
        return _object(shallow(value), indent)
    if isinstance(value, tuple) and value:
        items = ",\n".join(f"{indent}  {_compact(item)}" for item in value)
        return f"[\n{items}\n{indent}]"
    return _compact(value)


_COMPACT: Final = json.JSONEncoder(default=shallow, ensure_ascii=False, allow_nan=False)


def _compact(value: object) -> str:
    """One line of JSON. Indented, it would be written by Python code that takes ten times as long."""
    return _COMPACT.encode(value)
