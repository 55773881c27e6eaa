"""A judge that is a real HTTP server on loopback, and does what a test tells it to.

It speaks the wire formats of OpenAI, Azure OpenAI, Anthropic and Ollama (see judge_wire). For a
benchmark it runs in its own process: `python -m tests.fakes.judge_double --latency 0.2`.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Self

from tests.fakes import judge_wire
from tests.fakes.judge_answers import sensible
from tests.fakes.judge_wire import Asked, Reply

Answer = Mapping[str, Any] | str | Reply
Answerer = Callable[[Asked], Answer]

_REASONS = {200: "OK", 307: "Temporary Redirect", 401: "Unauthorized", 429: "Too Many Requests"}


class JudgeDouble:
    """A judge double. Start it with `with`; `url` is where it listens.

    Attributes:
        requests: everything that arrived, in order.
        max_in_flight: the most requests that were being answered at one moment.
        connections: how many connections were opened.
        latency: seconds before each reply.
    """

    def __init__(self, latency: float = 0.0) -> None:
        self.latency = latency
        self.requests: list[Asked] = []
        self.max_in_flight = 0
        self.connections = 0
        self.keep_requests = True
        self._in_flight = 0
        self._answer: Answerer = sensible
        self._queued: list[Answer] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._serving: set[asyncio.Task[None]] = set()
        self.port = 0

    @property
    def url(self) -> str:
        """The server's address, without a path."""
        return f"http://127.0.0.1:{self.port}"

    def endpoint(self, provider: str) -> str:
        """The endpoint to configure for a provider."""
        return f"{self.url}/v1" if provider == "openai" else self.url

    @property
    def last(self) -> Asked:
        """The latest request."""
        return self.requests[-1]

    def answer(self, answer: Answerer | Answer) -> None:
        """Answer every request from now on so: a function of the request, or one fixed answer."""
        self._answer = answer if callable(answer) else lambda _: answer

    def answer_next(self, *answers: Answer) -> None:
        """Answer the next requests so, in order, and then as before."""
        self._queued += answers

    def __enter__(self) -> Self:
        self._thread.start()
        self._server = self._await(self._listen())
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_: object) -> None:
        self._await(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()

    def _await(self, coroutine: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(10)

    async def _listen(self) -> asyncio.Server:
        return await asyncio.start_server(self._connected, "127.0.0.1", 0, limit=2**26, backlog=512)

    async def _close(self) -> None:
        self._server.close()
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        if task is not None:
            self._serving.add(task)
            task.add_done_callback(self._serving.discard)
        gone = (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError)
        with contextlib.suppress(*gone):
            while await self._serve(reader, writer):
                pass
        writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; false when the connection is to be closed."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, path, _ = head[0].split(" ")
        pairs = (line.partition(":") for line in head[1:] if line)
        headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
        raw = await reader.readexactly(int(headers.get("content-length", 0)))
        asked = judge_wire.read(method, path, headers, raw, time.monotonic())
        if self.keep_requests:
            self.requests.append(asked)
        self._in_flight += 1
        self.max_in_flight = max(self.max_in_flight, self._in_flight)
        try:
            return await self._reply(asked, writer)
        finally:
            self._in_flight -= 1

    async def _reply(self, asked: Asked, writer: asyncio.StreamWriter) -> bool:
        reply = _as_reply(self._queued.pop(0) if self._queued else self._answer(asked))
        if reply.fault == "hang":
            await asyncio.Event().wait()
        if self.latency or reply.delay:
            await asyncio.sleep(self.latency + reply.delay)
        if reply.fault == "drop":
            return False
        body = judge_wire.write(asked, reply)
        head = {"content-type": "application/json", "content-length": str(len(body)), **reply.headers}
        lines = [f"HTTP/1.1 {reply.status} {_REASONS.get(reply.status, 'Status')}"]
        lines += [f"{name}: {value}" for name, value in head.items()]
        writer.write("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)
        await writer.drain()
        return True


def _as_reply(answer: Answer) -> Reply:
    if isinstance(answer, Reply):
        return answer
    return Reply(text=answer if isinstance(answer, str) else json.dumps(answer))


def main() -> None:
    """Serve until standard input ends; the first line printed is the address."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--latency", type=float, default=0.0)
    with JudgeDouble(parser.parse_args().latency) as double:
        double.keep_requests = False
        print(double.url, flush=True)  # noqa: T201  # the caller reads it
        with contextlib.suppress(EOFError):
            while True:
                input()


if __name__ == "__main__":
    main()
