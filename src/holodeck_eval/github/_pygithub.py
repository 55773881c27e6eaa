"""The one door to PyGithub: the only module that imports it, and only once something is to be posted.

Requests go through PyGithub's requester alone. Its objects ask GitHub again, unbidden, for what an answer
leaves out, and its lists follow the address of the next page wherever it leads. Nor may it wait or follow
redirects, of which it does both without an end.
"""

import ipaddress
import logging
import time
import urllib.parse
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from holodeck_eval import __version__
from holodeck_eval.domain.redaction import redact
from holodeck_eval.domain.wording import quoted
from holodeck_eval.errors import GitHubError
from holodeck_eval.github import payload
from holodeck_eval.github.answers import login_of
from holodeck_eval.github.patience import LONGEST, TRIES, Patience, Refusal
from holodeck_eval.github.payload import at
from holodeck_eval.github.ports import Repository
from holodeck_eval.github.rest import PER_PAGE, Request, RestRepository

if TYPE_CHECKING:
    from github.Requester import Requester

T = TypeVar("T")

TIMEOUT: Final = 15
"""Seconds until a connection stands, and between two parts of an answer."""

BUNDLES: Final = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE")
"""Variables that name a file of certificate authorities. The first counts that names one that exists."""

_NOT_FOLLOWED: Final = frozenset({202, 301, 302, 303, 307, 308})
"""Statuses at which PyGithub asks somewhere else, or again for as long as it gets them."""

_FAULTS: Final = (OSError, ValueError, TypeError, AttributeError, LookupError, RuntimeError, AssertionError)
"""What PyGithub and its libraries raise beside its own errors, where a server does not keep to the API."""


def connect(
    token: str,
    *,
    api_url: str,
    repository: str,
    environ: Mapping[str, str],
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.time,
) -> Repository:
    """A repository on GitHub. Nothing is asked yet.

    Args:
        token: of the job, an app or a person.
        api_url: where the API is, as in GITHUB_API_URL.
        repository: `owner/name`.
        environ: names the certificate authorities to trust, see `BUNDLES`.
        sleep: waits some seconds.
        clock: seconds since 1970.

    Raises:
        GitHubError: the token could not be sent, or not in safety.
    """
    name = payload.repository(repository)
    if name is None:
        raise GitHubError(f"GitHub cannot be asked about {quoted(repository)}: that is no OWNER/NAME")
    token = token.strip()
    if not (token.isascii() and token.isprintable() and token):
        raise GitHubError("GitHub cannot be asked without a token: github_token is empty, or is none")
    url = _safe(api_url)
    requester = _requester(token, url, _authorities(environ))
    api = _Api(requester=requester, token=token, url=url, patience=Patience(sleep=sleep), clock=clock)
    return RestRepository(api=api, name=name)


def _safe(api_url: str) -> str:
    """The API's address, if what is sent there cannot be read on the way."""
    url = payload.address(api_url)
    if url is None:
        raise GitHubError(f"GitHub cannot be asked at {quoted(api_url)}: that is no address of an API")
    where = urllib.parse.urlsplit(url)
    if where.scheme != "https" and not _is_loopback(where.hostname or ""):
        raise GitHubError(f"GitHub is not asked at {quoted(url)}: without https, anybody can read the token")
    return url


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _authorities(environ: Mapping[str, str]) -> str:
    """The file of certificate authorities to trust."""
    from requests.certs import where  # noqa: PLC0415 - loaded when something is posted

    named = (environ.get(name) for name in BUNDLES)
    return next((path for path in named if path and Path(path).exists()), where())


def _requester(token: str, url: str, authorities: str) -> "Requester":
    """PyGithub's requester, which sends each request once and says nothing on its own."""
    for library in ("github", "requests", "urllib3"):
        logging.getLogger(library).setLevel(logging.CRITICAL + 1)
    with _quiet():
        from github import Auth, Github  # noqa: PLC0415 - loaded when something is posted
        from urllib3 import Retry  # noqa: PLC0415 - same

        return Github(
            auth=Auth.Token(token),
            base_url=url,
            timeout=TIMEOUT,
            user_agent=f"holodeck-eval/{__version__}",
            per_page=PER_PAGE,
            verify=authorities,
            retry=Retry(total=0, status_forcelist=_NOT_FOLLOWED, allowed_methods=None),
            seconds_between_requests=None,
            seconds_between_writes=None,
            lazy=True,
        ).requester


@contextmanager
def _quiet() -> Iterator[None]:
    """Libraries' advice to whoever writes programs is not for whoever runs this one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@dataclass(frozen=True, slots=True, kw_only=True)
class _Api:
    """GitHub's API over PyGithub; see `rest.Api`."""

    requester: "Requester"
    token: str = field(repr=False)
    url: str
    patience: Patience
    clock: Callable[[], float]

    def send(self, request: Request, read: Callable[[object], T]) -> tuple[T, bool]:
        """Send a request; what `read` makes of the answer, and whether another page follows."""

        def once() -> tuple[T, bool]:
            headers, value = self.requester.requestJsonAndCheck(
                request.verb, request.path, parameters=dict(request.parameters), input=request.body
            )
            return read(value), 'rel="next"' in str(headers.get("link", ""))

        return self._patiently(once, request.doing, repeatable=request.repeatable)

    def login(self) -> str:
        """Whom the token writes as. REST would not say: `GET /user` is closed to a job's own token."""

        def once() -> str:
            return login_of(self.requester.graphql_query("{ viewer { login } }", {})[1])

        return self._patiently(once, "say whose token this is", repeatable=True)

    def _patiently(self, once: Callable[[], T], doing: str, *, repeatable: bool) -> T:
        """Do it, again where that helps, with every library's error in one sentence of ours."""
        from github import GithubException  # noqa: PLC0415 - loaded by now
        from urllib3.exceptions import HTTPError  # noqa: PLC0415 - same

        attempt = 1
        while True:
            try:
                with _quiet():
                    return once()
            except (GithubException, HTTPError, *_FAULTS) as error:
                refusal = _refusal(error, self.token, self.url)
            pause = refusal.pause(attempt, self.clock())
            may_wait = refusal.is_limit or repeatable
            if pause is None or not may_wait or attempt == TRIES:
                raise _given_up(doing, refusal)
            if not self.patience.allows(pause):
                raise _given_up(doing, refusal, f"; it asks to wait {pause:.0f} s, {LONGEST:.0f} s are waited")
            self.patience.wait(pause)
            attempt += 1
