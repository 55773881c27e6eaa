"""Which values of an environment are secret, by their names and by what they are."""

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

from holodeck_eval.domain.options import Environment
from holodeck_eval.domain.secret_forms import SHORTEST

_SECRET_NAME: Final = re.compile(
    r"(?:^|[_.-])(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|PAT|CREDENTIAL|COOKIE|DSN|SAS"
    r"|CONNECTION_?STRING|CONN_?STR|WEBHOOK)S?(?:$|[_.-])"
    r"|(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL)S?$|[_.-]AUTH$",
    re.IGNORECASE,
)

_NO_SECRET_NAME: Final = re.compile(
    r"^(?:OLD)?PWD$"  # folders
    r"|^INPUT_(?!GITHUB_TOKEN$)"  # what the workflow's file says in the open
    r"|[_.-](?:PATH|FILE|FILENAME|DIR|DIRECTORY|NAME|TYPE|ALGORITHM|LENGTH|SIZE|LIMIT|TTL|VERSION"
    r"|HEADER|MODEL|RATE|THRESHOLD|POLICY|LABEL)$"
    r"|(?<!WEBHOOK)[_.-](?:URL|URI|HOST|ENDPOINT)$",
    re.IGNORECASE,
)

_FOLDERS: Final = "home|Users|root|github|etc|var|tmp|opt|usr|run|mnt|srv|dev|proc|private|workspaces?"
_NO_SECRET: Final = re.compile(
    r"[A-Za-z][a-z]{0,11}"  # a plain word, which any text may hold
    r"|[0-9]{1,11}(?:\.[0-9]{1,11})?|[0-9]{4}-[0-9]{2}-[0-9]{2}"  # a number, a date
    rf"|(?:~|\.\.?|/(?:{_FOLDERS}))/\S*|[A-Za-z]:\\\S*"  # a path
)

_PARTS: Final = re.compile(r"[\s,;\"']+|\\n")
_RANDOM: Final = re.compile(r"(?=\S*[A-Za-z])(?=\S*[0-9])\S{16,}")
"""What could be a key within a longer secret. Shorter or plainer, it could be a word of its format."""

_LOGIN: Final = re.compile(r"://([^\s/?#:@]{0,200})(?::((?![0-9]{1,5}/)\S{1,500}))?@")
"""Who signs in at a host, and with which password. One that is not escaped may hold what ends a host."""


def secrets_of(environment: Environment) -> frozenset[str]:
    """The texts of an environment that are not to be shown, those among them that nothing here may read.

    They are the values whose names say so, the keys within such values (a connection string, a list, JSON),
    and the passwords in URLs under any name. A plain word, a number and a path are never secret: starred
    out, they would garble every report that says them.
    """
    texts = (
        text
        for name, value in environment.variables.items()
        for text in (*_named(name, value.reveal()), *_logins(value.reveal()))
    )
    hidden = (secret.reveal() for secret in environment.hidden)
    return frozenset((*filter(_is_telling, texts), *(text for text in hidden if len(text) >= SHORTEST)))


def _is_telling(text: str) -> bool:
    return len(text) >= SHORTEST and not _NO_SECRET.fullmatch(text)


def _named(name: str, value: str) -> Iterator[str]:
    if not _SECRET_NAME.search(name) or _NO_SECRET_NAME.search(name):
        return
    yield value
    yield value.strip()
    for part in _PARTS.split(value):
        for text in (part, part.partition("=")[2]):
            if "://" not in text and _RANDOM.fullmatch(text):
                yield text


def _logins(value: str) -> Iterator[str]:
    """Passwords of URLs, and what stands before the host as a whole: basic authentication encodes that."""
    for user, password in _LOGIN.findall(value):
        login = f"{user}:{password}"
        if password:
            yield from (login, password, unquote(login), unquote(password))
        elif _RANDOM.fullmatch(user):
            yield user
