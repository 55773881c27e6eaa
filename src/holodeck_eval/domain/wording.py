"""How messages show what was given: quoted, short, printable; and the nearest known name."""

import difflib
from collections.abc import Iterable

_SHOWN = 80


def quoted(text: str, limit: int = _SHOWN) -> str:
    """The text in quotes: control characters and lone surrogates escaped, cut after `limit` characters."""
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")


def listed(names: Iterable[str], limit: int = 12) -> str:
    """Names, quoted and joined by commas; after `limit` of them it says how many more there are."""
    shown = [quoted(name, 40) for name in names]
    rest = len(shown) - limit
    return ", ".join(shown[:limit]) + (f" and {rest} more" if rest > 0 else "")


def nearest(name: str, known: Iterable[str]) -> str:
    """A clause to end a sentence with: `; did you mean 'x'?` where a known name is near, else ``."""
    found = difflib.get_close_matches(name[:_SHOWN], list(known), n=1)
    return f"; did you mean {quoted(found[0])}?" if found else ""
