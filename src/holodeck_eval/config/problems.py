"""Pydantic's findings as sentences a person can act on, each at the place it is about."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final, TypeVar, get_args

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from holodeck_eval.config.base import Written
from holodeck_eval.config.case_model import TOOL_CALL, TOOL_NAME
from holodeck_eval.config.document import Section
from holodeck_eval.config.findings import ECHO, MAX_TOLD, Findings, quoted
from holodeck_eval.config.judge_model import ProviderEntry
from holodeck_eval.config.metrics import FAMILIES
from holodeck_eval.config.sentences import Fault, sentence_of

T = TypeVar("T")

_SHOWN: Final = (["provider"], ["temperature"])
"""Ends of paths in a judge whose values a message may repeat; any other could be a key."""
_CHOICES: Final = {*FAMILIES, TOOL_NAME, TOOL_CALL}


def check(
    model: type[Written], section: Section, findings: Findings, metric_types: Collection[str] = ()
) -> None:
    """Note everything that is wrong with a section.

    Args:
        model: what the section should be.
        section: the written values.
        findings: where problems are noted.
        metric_types: names of measurable metrics, to suggest the nearest from.
    """
    try:
        model.model_validate(section.value)
    except ValidationError as error:
        for details in error.errors(include_url=False)[:MAX_TOLD]:
            _note(details, model, section, findings, metric_types)
        findings.leave_out(error.error_count() - MAX_TOLD)


def quiet(adapter: TypeAdapter[T], section: Section) -> T | None:
    """A section's values by their model; None where they do not fit it, which `check` has told."""
    try:
        return adapter.validate_python(section.value)
    except ValidationError:
        return None


def _note(
    details: ErrorDetails,
    root: type[Written],
    section: Section,
    findings: Findings,
    metric_types: Collection[str],
) -> None:
    kind, path = details["type"], _path(details["loc"])
    fault = Fault(
        label=_label(path) or root.noun,
        key=str(path[-1]) if path else "",
        value=details["input"],
        context=details.get("ctx", {}),
        model=_model_at(root, details["loc"][:-1]),
        secret=issubclass(_model_at(root, details["loc"]), ProviderEntry) and path[-1:] not in _SHOWN,
        metric_types=metric_types,
    )
    place = section.locate(path, key=kind == "extra_forbidden")
    if kind == "union_tag_invalid":
        place = section.locate((*path, "type"))
    findings.problem(place, sentence_of(kind, fault))


def _steps(location: Sequence[str | int]) -> Iterator[tuple[str | int, bool]]:
    """The parts of pydantic's location, and whether a part names a choice it made rather than a key."""
    previous: str | int | None = None
    for part in location:
        choice = isinstance(previous, int) and part in _CHOICES
        yield part, choice
        previous = None if choice else part


def _path(location: Sequence[str | int]) -> list[str | int]:
    return [part for part, choice in _steps(location) if not choice]


def _label(path: Sequence[str | int]) -> str:
    if not path:
        return ""
    if isinstance(path[-1], str):
        return f"`{path[-1]}`" if _plain(path[-1]) else quoted(path[-1])
    owner = next((part for part in reversed(path) if isinstance(part, str)), "the list")
    return f"item {path[-1] + 1} of `{owner}`"


def _plain(name: str) -> bool:
    return name.isidentifier() and len(name) <= ECHO


def _model_at(root: type[Written], location: Sequence[str | int]) -> type[Written]:
    """The model a location lies in, or leads to."""
    model = root
    for part, choice in _steps(location):
        if choice:
            model = FAMILIES.get(str(part), model)
        elif part in model.model_fields:
            model = next(_models_in(model.model_fields[str(part)].annotation), model)
    return model


def _models_in(annotation: object) -> Iterator[type[Written]]:
    if isinstance(annotation, type) and issubclass(annotation, Written):
        yield annotation
    for argument in get_args(annotation):
        yield from _models_in(argument)
