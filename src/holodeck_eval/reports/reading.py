"""Reads results.json back. What cannot be read is refused in one clause, whoever asked for it."""

import json
import math
import re
from dataclasses import fields
from functools import cache
from typing import Final, NoReturn

from pydantic import ConfigDict, RootModel, ValidationError

from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.run import SCHEMA_VERSION, Run
from holodeck_eval.domain.verdict import EXIT_CODES, Verdict
from holodeck_eval.reports._text import cut, encodable, one_line

MOST_PARTS: Final = 2_000_000
"""Objects and lists a file may hold: what fifty thousand cases with five metrics have.

Each takes up to 1.5 KB while the file is read, so that a small file of nothing else would fill a machine.
"""

_MOST_PROBLEMS: Final = 10
_STRING: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
_HUGE: Final = re.compile(r"[0-9][eE]\+?[0-9]{3,}\s*[,\]}]")


class UnreadableError(ValueError):
    """A text is no results file.

    Args:
        clause: says what is wrong, to follow the file's name or "this file".
        line, column: where it is, counted from 1; None where it is all of the file.
        details: every field that is wrong, a clause each; then `clause` sums them up.
    """

    def __init__(
        self,
        clause: str,
        *,
        line: int | None = None,
        column: int | None = None,
        details: tuple[str, ...] = (),
    ) -> None:
        super().__init__(clause)
        self.clause = clause
        self.line = line
        self.column = column
        self.details = details


def load(text: str) -> Run:
    """Read a run back.

    Fields this version does not know are passed over, so that the schema can grow.

    Raises:
        UnreadableError: when it is no JSON, no results file, of another version, or at odds with itself.
    """
    _check_size(text)
    if _HUGE.search(text) or "NaN" in text or "Infinity" in text:
        _document_of(text)  # refuses what only looks like a number, which the model lets into free values
    try:
        run = model().model_validate_json(text).root
    except ValidationError as error:
        _check_version(_document_of(text))
        raise _misfit(error) from None
    _check_version({"schema_version": run.schema_version})
    _check_verdict(run.verdict)
    _check_policy(run.policy)
    return run


@cache
def model() -> "type[RootModel[Run]]":
    """The model of results.json. Building it takes longer than most runs take to be read."""

    class Results(RootModel[Run]):
        model_config = ConfigDict(strict=True, allow_inf_nan=False)

    return Results


def _check_size(text: str) -> None:
    """Refuse a text of too many parts. Brackets in strings are told apart only where it matters."""
    if _parts(text) > MOST_PARTS and _parts(_STRING.sub("", text)) > MOST_PARTS:
        raise UnreadableError(f"holds more than {MOST_PARTS:,} objects and lists, which is too much to read")


def _parts(text: str) -> int:
    return text.count("{") + text.count("[")


def _document_of(text: str) -> object:
    """The text's JSON value.

    Raises:
        UnreadableError: when it is no JSON, or holds what JSON has not.
    """
    if not text.strip():
        raise UnreadableError("is empty")
    try:
        return json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
    except json.JSONDecodeError as error:
        clause = "is cut off before its end" if _is_cut_off(error) else f"is not JSON: {error.msg}"
        raise UnreadableError(clause, line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise UnreadableError("is nested too deep to be a results file") from None
    except UnreadableError:
        raise
    except ValueError:
        raise UnreadableError("holds a number of too many digits") from None


def _is_cut_off(error: json.JSONDecodeError) -> bool:
    return error.msg.startswith("Unterminated") or not error.doc[error.pos :].strip()


def _refuse_constant(name: str) -> NoReturn:
    raise UnreadableError(f"holds {name}, which is no number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise UnreadableError(f"holds a number that is too large: {cut(text, 20)}")
    return number


def _check_version(document: object) -> None:
    version = document.get("schema_version") if isinstance(document, dict) else None
    if type(version) is not int:
        raise UnreadableError("is not a results file of holodeck-eval: it has no schema_version")
    shown = cut(str(version), 20)
    if version > SCHEMA_VERSION:
        raise UnreadableError(
            f"was written by a newer version of holodeck-eval (schema_version {shown}; this one reads up to "
            f"{SCHEMA_VERSION})"
        )
    if version < 1:
        raise UnreadableError(f"has schema_version {shown}, which holodeck-eval has never written")


def _check_verdict(verdict: Verdict) -> None:
    waived = verdict.waived and verdict.status == "inconclusive"
    if verdict.exit_code != (0 if waived else EXIT_CODES[verdict.status]):
        raise UnreadableError(
            f"contradicts itself: its verdict has status {verdict.status} and exit code {verdict.exit_code}"
        )


def _check_policy(policy: Policy) -> None:
    """Refuse a rule that no run can have: what is reckoned with it would be no number."""
    for field in fields(policy):
        value = getattr(policy, field.name)
        if isinstance(value, float) and not 0 <= value <= 1:
            raise UnreadableError(f"holds a rule that no policy has: {field.name} is {value:g}, not 0 to 1")


def _misfit(error: ValidationError) -> UnreadableError:
    found = error.errors(include_url=False, include_context=False, include_input=False)
    details = [f"{_path(detail['loc'])}: {one_line(detail['msg'])}" for detail in found[:_MOST_PROBLEMS]]
    rest = len(found) - 1
    more = f"; and {rest} more problem{'s' if rest > 1 else ''}" if rest else ""
    if len(found) > _MOST_PROBLEMS:
        details.append(f"and {len(found) - _MOST_PROBLEMS} more problems")
    return UnreadableError(
        f"does not hold what a results file holds ({details[0]}{more})", details=tuple(details)
    )


def _path(location: tuple[int | str, ...]) -> str:
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in location)
    return cut(encodable("".join(steps)).lstrip(".") or "the file", 200)
