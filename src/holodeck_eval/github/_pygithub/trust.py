"""Where a token may be sent, and whose certificates are believed there. Nothing here sends anything."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, urlsplit

from holodeck_eval.domain.wording import quoted
from holodeck_eval.errors import GitHubError
from holodeck_eval.github.context import Context

BUNDLES: Final = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE")
"""Variables that name certificates to trust; the first that is set and exists counts."""

_TOKEN: Final = re.compile(r"[\x21-\x7e]{1,10000}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A server that a token may be sent to.

    Attributes:
        api_url: its REST API.
        graphql_url: its GraphQL API, at the same host and port.
        repository: `owner/name` there.
    """

    api_url: str
    graphql_url: str
    repository: str


def server_of(context: Context) -> Server:
    """The server of a job.

    Raises:
        GitHubError: the runner does not say where it is, or it is reached without encryption.
    """
    if not (context.api_url and context.graphql_url and context.repository):
        raise GitHubError("; ".join(context.problems) or "the runner does not say where GitHub's API is")
    api, graphql = _split(context.api_url), _split(context.graphql_url)
    if api.scheme != "https" and not _is_loopback(api.hostname):
        raise GitHubError(
            f"a token is not sent in the clear: GITHUB_API_URL is {quoted(context.api_url)}, "
            "and should begin with https://"
        )
    if api[:2] != graphql[:2]:
        raise GitHubError(
            f"GITHUB_API_URL and GITHUB_GRAPHQL_URL name two servers, {quoted(context.api_url)} and "
            f"{quoted(context.graphql_url)}, and should name one"
        )
    return Server(api_url=context.api_url, graphql_url=context.graphql_url, repository=context.repository)


def bundle_of(environ: Mapping[str, str]) -> str | None:
    """The file or folder of certificates that the environment names; None for the usual ones."""
    named = (environ.get(name, "") for name in BUNDLES)
    return next((name for name in named if name and Path(name).exists()), None)


def checked_token(token: str) -> None:
    """See that a token fits into a header.

    Raises:
        GitHubError: it does not.
    """
    if not _TOKEN.fullmatch(token):
        raise GitHubError("github_token is empty or holds characters that no token has")


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:
        usable = None
    if not usable:
        raise GitHubError(f"{quoted(url)} is not the address of a server")
    return parts


def _is_loopback(host: str | None) -> bool:
    try:
        return host == "localhost" or ip_address(host or "").is_loopback
    except ValueError:
        return False
