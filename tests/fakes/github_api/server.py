"""The fake's server: it reads requests off the wire and puts replies on it."""

import contextlib
import socket
import ssl
import sys
from collections.abc import Callable
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.fakes.github_api.faults import NOW
from tests.fakes.github_api.wire import Asked, Reply

Answerer = Callable[[Asked], Reply]


class Server(ThreadingHTTPServer):
    """Listens on loopback and answers every request by a function.

    Args:
        answer: makes the reply to a request.
        complain: is told of a fault in the fake itself.
        tls: with a certificate, it is reached by https.
    """

    daemon_threads = True
    block_on_close = False

    def __init__(
        self, answer: Answerer, complain: Callable[[str], object], tls: ssl.SSLContext | None
    ) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer = answer
        self.complain = complain
        self.scheme = "https" if tls else "http"
        self.open: set[socket.socket] = set()
        self.connections = 0
        if tls:
            self.socket = tls.wrap_socket(self.socket, server_side=True)

    @property
    def origin(self) -> str:
        """The address without a path."""
        return f"{self.scheme}://localhost:{self.server_port}"

    def server_close(self) -> None:
        """Stop listening, and end the connections that clients keep."""
        super().server_close()
        for connection in tuple(self.open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Remember a connection until it ends."""
        self.open.add(request)
        self.connections += 1
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Forget a connection."""
        self.open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, *_: object) -> None:
        """Pass on what went wrong, but not that a client left in the middle."""
        fault = sys.exc_info()[1]
        if not isinstance(fault, OSError):
            self.complain(f"the fake failed: {fault!r}")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body in one packet: two would wait for each other
    server: Server

    def _handle(self) -> None:
        parts = urlsplit(self.path)
        asked = Asked(
            method=self.command,
            origin=self.server.origin,
            path=parts.path,
            query=parse_qs(parts.query, keep_blank_values=True),
            headers={name.lower(): value for name, value in self.headers.items()},
            raw=self.rfile.read(int(self.headers.get("content-length", 0))),
        )
        reply = self.server.answer(asked)
        if reply.drops:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        self._send(reply)

    def _send(self, reply: Reply) -> None:
        """Send a reply, its date by the fake's clock."""
        usual = {"content-type": "application/json; charset=utf-8", "date": formatdate(NOW, usegmt=True)}
        if reply.status != 204:
            usual["content-length"] = str(len(reply.content))
        self.send_response_only(reply.status)
        for name, value in (usual | dict(reply.headers)).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(reply.content)

    do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = _handle  # noqa: N815 - the library's names

    def log_message(self, *_: object) -> None:
        """Nothing is printed."""
