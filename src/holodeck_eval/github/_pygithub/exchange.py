"""What is asked of GitHub, and what came of it, in words."""

import json
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import requests

from holodeck_eval.domain.text import log_line
from holodeck_eval.github._pygithub.client import TIMEOUT
from holodeck_eval.github.payload import at, text

WHY_LIMIT: Final = 200
"""Characters of a library's words that are shown."""

_DEEPEST: Final = 10
_PASSING: Final = (requests.ConnectionError, requests.Timeout, requests.exceptions.ChunkedEncodingError)
_UNSENT: Final = (requests.ConnectTimeout, requests.exceptions.ProxyError)
_CERTIFICATE: Final = (
    "certificate verification failed ({}); where the server's certificate is signed by an authority of your "
    "own, name that one's certificate in REQUESTS_CA_BUNDLE"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A request.

    Attributes:
        doing: what it is for, to follow "asked to".
        method: as in HTTP.
        path: below the API's address, or a whole address of the same server.
        query: parameters.
        body: what is sent as JSON; None for nothing.
        adds: whether sending it twice may do it twice: it is not, where the first may have been done.
    """

    doing: str
    method: str
    path: str
    query: Mapping[str, str | int] | None = None
    body: Mapping[str, object] | None = None
    adds: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What GitHub answered.

    Attributes:
        status: as in HTTP.
        headers: by their names in small letters.
        data: its JSON; None where it has no body.
        is_json: whether it has no body, or one of JSON.
    """

    status: int
    headers: Mapping[str, str]
    data: object
    is_json: bool = True

    @property
    def is_graphql_failure(self) -> bool:
        """Whether it says in JSON alone, and not by its status, that it was not done."""
        return bool(at(self.data, "errors"))

    @property
    def message(self) -> str:
        """GitHub's own sentence, and the first of its details; "" for none."""
        errors = at(self.data, "errors")
        detail = at(errors[0], "message") if isinstance(errors, list) and errors else None
        return ": ".join(filter(None, (text(at(self.data, "message")), text(detail))))


@dataclass(frozen=True, slots=True, kw_only=True)
class NoAnswer:
    """Nothing came back.

    Attributes:
        why: a clause.
        passes: whether another try may help.
        unsent: whether GitHub surely has not done it.
    """

    why: str
    passes: bool
    unsent: bool


def answer_of(status: int, headers: Mapping[str, str], body: str) -> Answer:
    """An answer, read."""
    try:
        data: object = json.loads(body) if body else None
    except (ValueError, RecursionError):
        return Answer(status=status, headers=headers, data=None, is_json=False)
    return Answer(status=status, headers=headers, data=data)


def no_answer(error: OSError) -> NoAnswer:
    """What a failure to send, or to read, comes to. Addresses in the library's words are left out."""
    root = _root(error)
    foreign = isinstance(root, ssl.SSLError) and not isinstance(root, ssl.SSLEOFError)
    passes = isinstance(error, _PASSING) and not foreign
    return NoAnswer(
        why=_why(error, root),
        passes=passes,
        unsent=isinstance(error, _UNSENT) or isinstance(root, ConnectionRefusedError | socket.gaierror),
    )


def _why(error: OSError, root: BaseException) -> str:
    if isinstance(error, requests.Timeout):
        return f"no answer within {TIMEOUT} s"
    if isinstance(root, ssl.SSLCertVerificationError):
        return _CERTIFICATE.format(log_line(root.verify_message, WHY_LIMIT))
    said = root.strerror if isinstance(root, OSError) else None
    return log_line(said or str(root), WHY_LIMIT)


def _root(error: BaseException) -> BaseException:
    """The failure that the others were raised for, which says it in the fewest words."""
    for _ in range(_DEEPEST):
        error = error.__cause__ or error.__context__ or error
    return error
