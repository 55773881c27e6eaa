"""What is wrong with a written value, as a sentence a person can act on."""

import difflib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final

from holodeck_eval.config.base import NOT_BLANK, SAID, Written
from holodeck_eval.config.findings import quoted
from holodeck_eval.config.metrics import FAMILIES, SHORT_FORMS, STANDARD_NAMES
from holodeck_eval.config.metrics.code import GRADER
from holodeck_eval.config.metrics.standard import RESPONSE_PATH

_NOUNS: Final = {
    "string_type": "a text",
    "float_type": "a number",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "finite_number": "a finite number",
}
_PATTERNS: Final = {
    NOT_BLANK: "must not be blank",
    GRADER: "must be written as `module:function`",
    RESPONSE_PATH: "must be keys and indexes like `a.b[0]`",
}
_SCALES: Final = {"threshold", "bad_below"}
TOOLS_METRIC: Final = "expected_tools"
"""The name of the check of expected tools, which is written in test cases."""
_OTHER_NAMES: Final = {
    "expected_output": "ground_truth",
    "expected": "ground_truth",
    "context": "retrieval_context",
    "model_name": "name",
    "steps": "evaluation_steps",
    "evaluators": "metrics",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One error of pydantic with what a sentence about it needs."""

    label: str
    key: str
    value: object
    context: Mapping[str, object]
    model: type[Written]
    secret: bool
    metric_types: Collection[str]

    @property
    def but(self) -> str:
        """What is written instead, as the end of a sentence; nothing where it could be a secret."""
        return "" if self.secret else f", not {described(self.value)}"


def nearest(name: str, known: Collection[str]) -> str | None:
    """The known name a person most likely meant, or None."""
    if name in _OTHER_NAMES and _OTHER_NAMES[name] in known:
        return _OTHER_NAMES[name]
    found = difflib.get_close_matches(name[:100].lower(), sorted(known), n=1, cutoff=0.6)
    return found[0] if found else None


def described(value: object) -> str:
    """A written value as a message may show it."""
    if isinstance(value, str):
        return f"the text {quoted(value)}"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, list):
        return "a list"
    return "a mapping" if isinstance(value, dict) else "nothing"


def _missing(fault: Fault) -> str:
    return f"`{fault.key}` is missing in {fault.model.noun}"


def _unknown(fault: Fault) -> str:
    known = fault.model.model_fields.keys()
    meant = nearest(fault.key, known)
    hint = f"did you mean `{meant}`?" if meant else f"known are {', '.join(known)}"
    return f"unknown key {quoted(fault.key)} in {fault.model.noun}; {hint}"


def _wrong_type(fault: Fault, noun: str) -> str:
    quotes = "; put it in quotes" if noun == "a text" and isinstance(fault.value, bool | int | float) else ""
    return f"{fault.label} must be {noun}{fault.but}{quotes}"


def _not_one_of(fault: Fault) -> str:
    known = _literals(fault)
    meant = nearest(fault.value, known) if isinstance(fault.value, str) else None
    hint = f"; did you mean `{meant}`?" if meant else ""
    return f"{fault.label} must be one of {', '.join(known)}{fault.but}{hint}"


def _literals(fault: Fault) -> list[str]:
    expected = str(fault.context.get("expected", ""))
    return [part.strip("'") for part in expected.replace(" or ", ", ").split(", ")]


def _bound(words: str, name: str) -> Callable[[Fault], str]:
    def sentence(fault: Fault) -> str:
        limit = fault.context[name]
        scale = " (scores run from 0 to 1)" if fault.key in _SCALES else ""
        return f"{fault.label} must be {words} {limit:g}{fault.but}{scale}"

    return sentence


def _pattern(fault: Fault) -> str:
    return f"{fault.label} {_PATTERNS[str(fault.context['pattern'])]}"


def _too_short(fault: Fault) -> str:
    return f"{fault.label} must not be empty"


def _too_long(fault: Fault) -> str:
    unit = "characters" if isinstance(fault.value, str) else "items"
    return f"{fault.label} may have at most {fault.context['max_length']:,} {unit}"


def _said(fault: Fault) -> str:
    return str(fault.context["sentence"])


def _no_family(fault: Fault) -> str:
    if not isinstance(fault.value, dict):
        return f"a metric must be a mapping like `type: faithfulness`{fault.but}"
    if "type" in fault.value:
        return f"`type` must be the name of a metric, not {described(fault.value['type'])}"
    return f"`type` is missing in a metric: one of {', '.join(FAMILIES)}"


def _unknown_family(fault: Fault) -> str:
    written = str(fault.context["tag"])
    if written in STANDARD_NAMES:
        return f"{quoted(written)} is written as `type: standard` with `metric: {written}`"
    if written == TOOLS_METRIC:
        return f"{quoted(written)} is no metric to configure; write it in a test case or turn"
    meant = nearest(written, {*FAMILIES, *SHORT_FORMS, *STANDARD_NAMES, *fault.metric_types} - {written})
    hint = f"did you mean `{meant}`?" if meant else f"known are {', '.join((*FAMILIES, *SHORT_FORMS))}"
    return f"unknown metric type {quoted(written)}; {hint}"


def _unfit(fault: Fault) -> str:
    return f"{fault.label} is not what is expected there"


_SENTENCES: Final[Mapping[str, Callable[[Fault], str]]] = {
    "missing": _missing,
    "extra_forbidden": _unknown,
    "literal_error": _not_one_of,
    "greater_than": _bound("more than", "gt"),
    "greater_than_equal": _bound("at least", "ge"),
    "less_than_equal": _bound("at most", "le"),
    "string_pattern_mismatch": _pattern,
    "string_too_long": _too_long,
    "too_short": _too_short,
    "too_long": _too_long,
    "union_tag_not_found": _no_family,
    "union_tag_invalid": _unknown_family,
    SAID: _said,
}


def sentence_of(kind: str, fault: Fault) -> str:
    """The sentence about an error.

    Args:
        kind: pydantic's name for that kind of error.
        fault: what was written, and where.
    """
    if kind in _NOUNS:
        return _wrong_type(fault, _NOUNS[kind])
    return _SENTENCES.get(kind, _unfit)(fault)
