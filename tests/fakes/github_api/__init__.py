"""GitHub's API, played on loopback: REST as GitHub's own description has it, and one GraphQL query.

Every request is held against that description, and what it does not allow is answered 422 and kept in
`wrong`; so is every reply of the fake's own.
"""

import ssl
import threading
from collections import Counter
from collections.abc import Callable
from typing import Final, Self

from tests.fakes.github_api.description import operation_of, wrong_with_reply, wrong_with_request
from tests.fakes.github_api.faults import BAD_CREDENTIALS
from tests.fakes.github_api.repository import Repository
from tests.fakes.github_api.server import Server
from tests.fakes.github_api.wire import Asked, Reply, error

TOKEN: Final = "ghs_madeUpTokenOfTheFake0000000000000000"
VIEWER: Final = "query{viewer{login}}"


class GitHubApi:
    """A fake of GitHub. Start it with `with`.

    Args:
        base: path of the REST API, `/api/v3` on a GitHub Enterprise Server.
        tls: with a certificate, it is reached by https.

    Attributes:
        repository: what it plays; a test may look at it and change it.
        asked: everything that arrived, in order.
        wrong: what arrived, or was answered, that GitHub's description does not allow.
    """

    def __init__(self, base: str = "", tls: ssl.SSLContext | None = None) -> None:
        self.repository = Repository()
        self.asked: list[Asked] = []
        self.wrong: list[str] = []
        self.base = base
        self._graphql = f"{base.removesuffix('/v3')}/graphql"
        self._faults: list[Reply | None] = []
        self._always: Reply | None = None
        self._hooks: dict[str, Callable[[], object]] = {}
        self._lock = threading.Lock()
        self._server = Server(self.answer, self.wrong.append, tls)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def origin(self) -> str:
        """Where it listens."""
        return self._server.origin

    @property
    def api_url(self) -> str:
        """Address of the REST API."""
        return self.origin + self.base

    @property
    def graphql_url(self) -> str:
        """Address of the GraphQL API."""
        return self.origin + self._graphql

    @property
    def lines(self) -> list[str]:
        """Method and path of everything that arrived, in order."""
        return [asked.line for asked in self.asked]

    @property
    def connections(self) -> int:
        """How many connections were opened."""
        return self._server.connections

    @property
    def calls(self) -> Counter[str]:
        """How often each method was asked."""
        return Counter(asked.method for asked in self.asked)

    def fail(self, *faults: Reply | None) -> None:
        """Answer the next requests so, in order; None lets one through."""
        self._faults += faults

    def fail_always(self, fault: Reply) -> None:
        """Answer every request so that `fail` says nothing of."""
        self._always = fault

    def before(self, operation: str, hook: Callable[[], object]) -> None:
        """Call this once, right before the next such operation is done, as `issues/create-comment`."""
        self._hooks[operation] = hook

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Listen no more, and end all connections."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    def answer(self, asked: Asked) -> Reply:
        """What is answered to a request."""
        with self._lock:
            self.asked.append(asked)
            fault = self._faults.pop(0) if self._faults else self._always
            if fault is not None and not fault.done:
                return fault
            reply = self._answer(asked)
            return fault or reply

    def _answer(self, asked: Asked) -> Reply:
        if asked.headers.get("authorization") not in {f"token {TOKEN}", f"Bearer {TOKEN}"}:
            return BAD_CREDENTIALS
        if not asked.headers.get("user-agent"):
            return self._refuse(asked, "no User-Agent", 403)
        if asked.line == f"POST {self._graphql}":
            return self._viewer(asked)
        path = asked.path.removeprefix(self.base)
        operation = operation_of(asked.method, path) if asked.path.startswith(self.base) else None
        if operation is None:
            return self._refuse(asked, "there is no such operation", 404)
        problems = list(wrong_with_request(operation, asked))
        if problems:
            return self._refuse(asked, "; ".join(problems), 422)
        self._hooks.pop(operation.id, lambda: None)()
        reply = self.repository.answer(operation, asked)
        self.wrong += [f"{asked.line} answers {problem}" for problem in wrong_with_reply(operation, reply)]
        return reply

    def _viewer(self, asked: Asked) -> Reply:
        query = "".join(str(asked.body.get("query")).split())
        if query != VIEWER:
            return self._refuse(asked, f"the query {query!r} is not played", 400)
        return Reply(data={"data": {"viewer": {"login": self.repository.login}}})

    def _refuse(self, asked: Asked, why: str, status: int) -> Reply:
        self.wrong.append(f"{asked.line}: {why}")
        return error(status, why)
