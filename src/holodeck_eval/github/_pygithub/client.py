"""PyGithub, locked: it follows no redirect, waits for nothing, logs nothing and reads bounded answers.

This module imports PyGithub and is imported only where a connection is made.
"""

import logging
import re
import warnings
from collections.abc import ItemsView
from dataclasses import dataclass
from typing import Final

from holodeck_eval import __version__
from holodeck_eval.github._pygithub.trust import Server

with warnings.catch_warnings():  # those of a mismatch between its libraries would stand in the job's log
    warnings.simplefilter("ignore")
    from github import Auth, Github
    from github.Requester import (
        HTTPRequestsConnectionClass,
        HTTPSRequestsConnectionClass,
        Requester,
        RequestsResponse,
    )

TIMEOUT: Final = 20
"""Seconds to wait for a connection, and then for each part of an answer."""

MAX_BYTES: Final = 32 * 1024 * 1024
"""Bytes of an answer that is read: 100 comments of 65,536 characters are at most 26 MB."""

_CHUNK: Final = 65_536
_NOT_YET: Final = 202
_COUNTS: Final = "x-ratelimit-"
_COUNT: Final = re.compile("[0-9]{1,15}")


class UnusableAnswerError(Exception):
    """An answer that nothing can be done with, whatever is in it.

    Args:
        why: a clause that says what it is, to follow "GitHub".
        status: its status; None where what was asked may have been done.
    """

    def __init__(self, why: str, status: int | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.status = status


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """What sends requests.

    Attributes:
        requester: PyGithub's; it builds addresses from paths.
        graphql_url: address of the GraphQL API.
    """

    requester: Requester
    graphql_url: str


class _Answer(RequestsResponse):
    """An answer of which no more is held than may be, and no header that PyGithub would stumble over."""

    def getheaders(self) -> ItemsView[str, str]:
        return {
            name: value
            for name, value in self.headers.items()
            if _COUNT.fullmatch(value) or not name.lower().startswith(_COUNTS)
        }.items()

    def read(self) -> str:
        with self.response as response:
            body = bytearray()
            for chunk in response.iter_content(_CHUNK):
                body += chunk
                if len(body) > MAX_BYTES:
                    raise UnusableAnswerError(f"answers with more than {MAX_BYTES // 1024**2} MiB")
        return body.decode("utf-8", "replace")


class _Plain(HTTPRequestsConnectionClass):
    """To a server on this machine, and through no proxy: the token is not encrypted."""

    def getresponse(self) -> RequestsResponse:
        self.session.trust_env = False
        self.session.stream = True
        return _usable(super().getresponse())


class _Secure(HTTPSRequestsConnectionClass):
    """To any other."""

    def getresponse(self) -> RequestsResponse:
        self.session.stream = True
        return _usable(super().getresponse())


def client_of(server: Server, token: str, bundle: str | None) -> Client:
    """A client of a server; nothing is sent yet.

    Args:
        server: may be sent the token.
        token: signs every request.
        bundle: file or folder of certificates to trust; None for the usual ones.
    """
    logging.getLogger("github").setLevel(logging.CRITICAL + 1)
    Requester.injectConnectionClasses(_Plain, _Secure)
    try:
        client = Github(
            auth=Auth.Token(token),
            base_url=server.api_url,
            timeout=TIMEOUT,
            user_agent=f"holodeck-eval/{__version__}",
            verify=bundle or True,
            retry=None,
            seconds_between_requests=None,
            seconds_between_writes=None,
        )
    finally:
        Requester.resetConnectionClasses()
    return Client(requester=client.requester, graphql_url=server.graphql_url)


def _usable(answer: RequestsResponse) -> RequestsResponse:
    """The answer, where PyGithub would neither send the token on to another address nor ask for ever."""
    if 300 <= answer.status < 400:  # noqa: PLR2004 - redirects
        answer.response.close()
        raise UnusableAnswerError("redirects elsewhere, where the token is not sent", answer.status)
    if answer.status == _NOT_YET:
        answer.response.close()
        raise UnusableAnswerError("has no answer yet")
    return _Answer(answer.response)
