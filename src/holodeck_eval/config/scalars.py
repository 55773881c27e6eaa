"""What an unquoted YAML text means: the reading of PyYAML's safe loader, which HoloDeck uses.

Two of its surprises are left out: dates and clock times (`2024-01-15`, `12:30`) stay text.
"""

import re
from typing import Final

from yaml.constructor import SafeConstructor
from yaml.nodes import ScalarNode
from yaml.resolver import Resolver

CORE: Final = "tag:yaml.org,2002:"
TEXT: Final = f"{CORE}str"
_NULL, _BOOL, _INT, _FLOAT = (f"{CORE}{name}" for name in ("null", "bool", "int", "float"))
_LONGEST_NUMBER: Final = 100
"""Characters; a longer run of digits is kept as text, because reading it could take for ever."""

_RULES: Final[dict[str, list[tuple[str, re.Pattern[str]]]]] = {
    first: [(tag, rule) for tag, rule in rules if tag in {_NULL, _BOOL, _INT, _FLOAT}]
    for first, rules in Resolver.yaml_implicit_resolvers.items()
}
_CONSTRUCTOR: Final = SafeConstructor()


def tag_of(text: str) -> str:
    """The tag an unquoted text has by its looks."""
    if len(text) > _LONGEST_NUMBER or ":" in text:
        return TEXT
    return next((tag for tag, rule in _RULES.get(text[:1], ()) if rule.match(text)), TEXT)


def value_of(text: str, tag: str) -> str | int | float | bool | None:
    """The value of a text under one of the core tags; the text itself where it does not fit the tag."""
    if tag == _NULL:
        return None
    if tag == _BOOL:
        return SafeConstructor.bool_values[text.lower()]
    return _number(text, tag) if tag in {_INT, _FLOAT} else text


def _number(text: str, tag: str) -> str | int | float:
    node = ScalarNode(tag, text)
    try:
        if tag == _INT:
            return int(_CONSTRUCTOR.construct_yaml_int(node))
        return float(_CONSTRUCTOR.construct_yaml_float(node))
    except ValueError:  # `0x_` looks like a number and is none
        return text
