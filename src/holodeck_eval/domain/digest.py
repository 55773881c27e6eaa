"""The digest of what shapes an agent's behaviour, a piece for each part, so that two tell what differs."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from holodeck_eval.domain.behaviour import PARTS, Behaviour, Part
from holodeck_eval.domain.judgement import sha256_of
from holodeck_eval.domain.shapes import MODEL, SETTINGS, normal, plain, tool_shape

VERSION: Final = "1"
_DIGITS: Final = 16
_DIGEST: Final = re.compile(rf"{VERSION}((?:\.[0-9a-f]{{{_DIGITS}}}){{{len(PARTS)}}})")


def digest_of(behaviour: Behaviour) -> str:
    """The digest: `1.` and 16 hex digits for each of model, instructions, tools and settings.

    A part that is not known has no piece, so that what comes of it is a digest of nothing.
    """
    return ".".join((VERSION, *digests_of(behaviour).values()))


def digests_of(behaviour: Behaviour) -> dict[Part, str]:
    """The digests of the parts that are known, in order."""
    known = {part: _CANONICAL[part](behaviour) for part in PARTS}
    return {part: sha256_of(value)[:_DIGITS] for part, value in known.items() if value is not None}


def parts_of(digest: str) -> dict[Part, str] | None:
    """The pieces of a digest by part; None for a text that is none of this kind and version."""
    found = _DIGEST.fullmatch(digest.strip())
    return dict(zip(PARTS, found[1].split(".")[1:], strict=True)) if found else None


def _model(behaviour: Behaviour) -> object:
    return None if behaviour.model is None else normal(behaviour.model, MODEL)


def _instructions(behaviour: Behaviour) -> object:
    """The text without white space at its ends, which editors add and remove."""
    if behaviour.instructions is None or behaviour.instructions.text is None:
        return None
    return str(plain(behaviour.instructions.text)).strip()


def _tools(behaviour: Behaviour) -> object:
    """The tools in an order of their own: the one they are written in means nothing."""
    if behaviour.tools is None:
        return None
    return sorted((normal(tool, tool_shape(tool)) for tool in behaviour.tools), key=sha256_of)


def _settings(behaviour: Behaviour) -> object:
    return None if behaviour.settings is None else normal(behaviour.settings, SETTINGS)


_CANONICAL: Final[Mapping[Part, Callable[[Behaviour], object]]] = {
    "model": _model,
    "instructions": _instructions,
    "tools": _tools,
    "settings": _settings,
}
"""A part as a JSON value that is equal for equal behaviour; None where it is not known."""
