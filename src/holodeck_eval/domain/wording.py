"""How messages show what was given: quoted, short, printable; and the nearest known name."""

import difflib
from collections.abc import Iterable, Sequence

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


def counted(cases: int) -> str:
    """A number of cases, in words."""
    return "1 case" if cases == 1 else f"{cases} cases"


def cases_named(ids: Sequence[str], limit: int = 5) -> str:
    """Cases, counted and the first `limit` of them by id: `2 cases ('a', 'b')`."""
    return f"{counted(len(ids))} ({listed(ids, limit)})"
