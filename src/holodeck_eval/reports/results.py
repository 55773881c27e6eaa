"""results.json: the whole run, the one file every other report can be made from again."""

import json
from functools import cache
from typing import Final, NoReturn

from pydantic import ConfigDict, RootModel, ValidationError

from holodeck_eval.domain.run import SCHEMA_VERSION, Run
from holodeck_eval.domain.verdict import EXIT_CODES, Verdict
from holodeck_eval.errors import Place, Problem, ResultsError
from holodeck_eval.reports._plain import shallow
from holodeck_eval.reports._text import cut, encodable, one_line

_MOST_PROBLEMS: Final = 10
_PASSED: Final[dict[str, object]] = {
    "type": "boolean",
    "description": "True for the status `passed` alone. For readers: it follows from the status.",
}


def render(run: Run) -> str:
    """The run as JSON, fields in the order they are declared: a field a line, an item of a list a line.

    `verdict.passed` is added for those who read only this. Lone surrogates are shown by number.

    Raises:
        ValueError: for NaN or an infinity anywhere in the run: it would be a number nobody measured.
    """
    lines = ",\n".join(f"  {json.dumps(name)}: {_field(value)}" for name, value in _document(run).items())
    return encodable(f"{{\n{lines}\n}}\n")


def parse(text: str, *, shown_as: str) -> Run:
    """Read a run back.

    Fields this version does not know are passed over, so that the schema can grow.

    Args:
        text: what `render` wrote.
        shown_as: the file's name in messages.

    Raises:
        ResultsError: when it is no JSON, no results file, of another schema version, or at odds with itself.
    """
    _check_version(_load(text, shown_as), shown_as)
    try:
        run = _model().model_validate_json(text).root
    except ValidationError as error:
        raise ResultsError(*_problems(error, shown_as)) from None
    _check_verdict(run.verdict, shown_as)
    return run


def json_schema() -> dict[str, object]:
    """The JSON Schema (2020-12) of results.json."""
    schema = _model().model_json_schema(mode="serialization")
    verdict = schema["$defs"]["Verdict"]["properties"]
    schema["$defs"]["Verdict"]["properties"] = {"status": verdict["status"], "passed": _PASSED} | verdict
    schema["title"] = "results.json of holodeck-eval"
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | schema


def _document(run: Run) -> dict[str, object]:
    verdict = {"status": run.verdict.status, "passed": run.verdict.passed}
    return shallow(run) | {"verdict": verdict | shallow(run.verdict)}


def _field(value: object) -> str:
    if isinstance(value, tuple) and value:
        items = ",\n".join(f"    {_compact(item)}" for item in value)
        return f"[\n{items}\n  ]"
    return _compact(value)


_COMPACT: Final = json.JSONEncoder(default=shallow, ensure_ascii=False, allow_nan=False)


def _compact(value: object) -> str:
    """One line of JSON. Indented, it would be written by Python code that takes ten times as long."""
    return _COMPACT.encode(value)


@cache
def _model() -> "type[RootModel[Run]]":
    class Results(RootModel[Run]):
        model_config = ConfigDict(strict=True, allow_inf_nan=False)

    return Results


def _load(text: str, shown_as: str) -> object:
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        place = Place(file=shown_as, line=error.lineno, column=error.colno)
        raise ResultsError(Problem(message=f"this is not JSON: {error.msg}.", place=place)) from None
    except RecursionError:
        raise _refusal("this is nested too deep to be a results file.", shown_as) from None
    except ValueError as error:
        raise _refusal(f"this cannot be read as JSON: {error}.", shown_as) from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number JSON has")


def _check_version(document: object, shown_as: str) -> None:
    version = document.get("schema_version") if isinstance(document, dict) else None
    if type(version) is not int:
        raise _refusal("this is not a results file of holodeck-eval: it has no schema_version.", shown_as)
    if version > SCHEMA_VERSION:
        raise _refusal(
            f"this file was written by a newer version of holodeck-eval (schema_version {version}; this one "
            f"reads up to {SCHEMA_VERSION}). Use that version or a newer one.",
            shown_as,
        )
    if version < 1:
        raise _refusal(f"schema_version {version} has never been written by holodeck-eval.", shown_as)


def _check_verdict(verdict: Verdict, shown_as: str) -> None:
    waived = verdict.waived and verdict.status == "inconclusive"
    if verdict.exit_code != (0 if waived else EXIT_CODES[verdict.status]):
        raise _refusal(
            f"the verdict contradicts itself: status {verdict.status}, exit code {verdict.exit_code}.",
            shown_as,
        )


def _problems(error: ValidationError, shown_as: str) -> list[Problem]:
    details = error.errors(include_url=False, include_context=False, include_input=False)
    place = Place(file=shown_as)
    problems = [
        Problem(message=f"{_path(detail['loc'])}: {one_line(detail['msg'])}.", place=place)
        for detail in details[:_MOST_PROBLEMS]
    ]
    if len(details) > _MOST_PROBLEMS:
        problems.append(Problem(message=f"and {len(details) - _MOST_PROBLEMS} more problems.", place=place))
    return problems


def _path(location: tuple[int | str, ...]) -> str:
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in location)
    return cut(encodable("".join(steps)).lstrip(".") or "the file", 200)


def _refusal(sentence: str, shown_as: str) -> ResultsError:
    return ResultsError(Problem(message=sentence, place=Place(file=shown_as)))
