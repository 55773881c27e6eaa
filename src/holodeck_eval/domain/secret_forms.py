"""A secret as others may write it: what a runner masks in its log is to be found everywhere else, too."""

import json
from base64 import b64encode
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote

SHORTEST: Final = 8
"""Texts shorter than this are no keys; starring them out would only garble reports."""

_ARMOUR: Final = "-----"
"""Begins the lines around a key, which are no secret."""

_SAFE_IN_SCRIPTS: Final = "!'()*"
"""What JavaScript leaves as it is in a URL, and Python does not."""


def plain_forms(secret: str) -> frozenset[str]:
    """The secret, and each of its lines: of a key of many lines a part may be quoted.

    What is shorter than `SHORTEST` is left out.
    """
    lines = (line.strip() for line in secret.replace("\\n", "\n").splitlines())
    return _long_enough(secret, *(line for line in lines if not line.startswith(_ARMOUR)))


def forms_of(secret: str) -> frozenset[str]:
    """The plain forms, and the secret in JSON, Python, a URL, and in base64 wherever it begins there."""
    encoded = (*_in_json(secret), *_in_python(secret), *_in_url(secret), *_in_base64(secret))
    return plain_forms(secret) | _long_enough(*encoded)


def _long_enough(*forms: str) -> frozenset[str]:
    return frozenset(form for form in forms if len(form) >= SHORTEST)


def _in_json(secret: str) -> Iterator[str]:
    return (json.dumps(secret, ensure_ascii=ascii_only)[1:-1] for ascii_only in (False, True))


def _in_python(secret: str) -> Iterator[str]:
    """As Python shows a text, whichever quotes the text around it has."""
    yield repr(secret)[1:-1]
    yield repr(f'"{secret}')[2:-1]


def _in_url(secret: str) -> Iterator[str]:
    for safe in ("", "/", _SAFE_IN_SCRIPTS):
        escaped = quote(secret, safe=safe, errors="replace")
        yield escaped
        yield escaped.replace("%20", "+")  # as forms are sent


def _in_base64(secret: str) -> Iterator[str]:
    """What of it stands in the base64 of a text that it is in, at each of the three places it may begin."""
    raw = secret.encode(errors="replace")
    for before in range(3):
        bits = 8 * (before + len(raw))
        encoded = b64encode(bytes(before) + raw).decode()[-(-8 * before // 6) : bits // 6]
        yield encoded
        yield encoded.translate(_URL_ALPHABET)


_URL_ALPHABET: Final = str.maketrans("+/", "-_")
