"""The wire formats the judge double speaks: requests to `Asked`, replies to JSON bodies."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Provider = Literal["openai", "azure_openai", "anthropic", "ollama"]

_AZURE = re.compile(r"/openai/deployments/(?P<deployment>[^/]+)/chat/completions")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request as it arrived.

    `schema` and `schema_name` are None where the request asked for free text. `at` is the seconds
    of a monotonic clock.
    """

    provider: Provider
    model: str
    prompt: str
    schema_name: str | None
    schema: Mapping[str, Any] | None
    method: str
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    raw: bytes
    at: float

    @property
    def key(self) -> str | None:
        """The API key the request carried, whatever header it came in."""
        bearer = self.headers.get("authorization", "").removeprefix("Bearer ")
        return self.headers.get("api-key") or self.headers.get("x-api-key") or bearer or None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the double sends back, or does instead.

    Attributes:
        text: the judge's words; None is a null content.
        status: HTTP status; from 300 on `error` is the body's message and `code` its code.
        tokens: input and output counts; None leaves usage out.
        logprobs: probabilities by token, for the token of the score in `text`.
        finish: OpenAI's word for why the reply ended; translated for the others.
        body: raw bytes to send as the HTTP body instead.
        delay: seconds before the reply starts.
        model: what the model calls itself; None is what it was asked as.
        fault: `hang` never answers, `drop` closes the connection instead.
    """

    text: str | None = None
    status: int = 200
    error: str = "made-up failure"
    code: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    tokens: tuple[int, int] | None = (100, 20)
    logprobs: Mapping[str, float] | None = None
    refusal: str | None = None
    finish: str = "stop"
    body: bytes | None = None
    delay: float = 0.0
    model: str | None = None
    fault: Literal["hang", "drop"] | None = None


def read(method: str, path: str, headers: Mapping[str, str], raw: bytes, at: float) -> Asked:
    """A request, understood."""
    body = json.loads(raw) if raw.strip() else {}
    provider = _provider(path)
    name, schema = _schema(provider, body)
    return Asked(
        provider=provider,
        model=str(body.get("model", "")),
        prompt="\n".join(_texts(body.get("messages", []))),
        schema_name=name,
        schema=schema,
        method=method,
        path=path,
        headers=headers,
        body=body,
        raw=raw,
        at=at,
    )


def write(asked: Asked, reply: Reply) -> bytes:
    """The HTTP body of a reply, in the wire format of whoever asked."""
    if reply.body is not None:
        return reply.body
    if reply.status >= 300:
        return json.dumps(_error(asked, reply)).encode()
    shape = {"anthropic": _anthropic, "ollama": _ollama}.get(asked.provider, _openai)
    return json.dumps(shape(asked, reply)).encode()


def _provider(path: str) -> Provider:
    if _AZURE.search(path):
        return "azure_openai"
    if path.endswith("/v1/messages"):
        return "anthropic"
    return "ollama" if path.endswith("/api/chat") else "openai"


def _texts(messages: list[Mapping[str, Any]]) -> list[str]:
    texts: list[str] = []
    for message in messages:
        content = message.get("content")
        parts = content if isinstance(content, list) else [{"text": content}]
        texts += [str(part["text"]) for part in parts if isinstance(part, dict) and part.get("text")]
    return texts


def _schema(provider: Provider, body: Mapping[str, Any]) -> tuple[str | None, Mapping[str, Any] | None]:
    if provider == "ollama":
        schema = body.get("format") or None
        return (schema or {}).get("title"), schema
    if provider == "anthropic":
        schema = ((body.get("output_config") or {}).get("format") or {}).get("schema")
        return (schema or {}).get("title"), schema
    wanted = (body.get("response_format") or {}).get("json_schema") or {}
    return wanted.get("name"), wanted.get("schema")


def _error(asked: Asked, reply: Reply) -> dict[str, Any]:
    if asked.provider == "ollama":
        return {"error": reply.error}
    inner = {"message": reply.error, "type": reply.code or "error", "code": reply.code}
    return {"type": "error", "error": inner}


def _openai(asked: Asked, reply: Reply) -> dict[str, Any]:
    message = {"role": "assistant", "content": reply.text, "refusal": reply.refusal}
    choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": reply.finish, "logprobs": None}
    if asked.body.get("logprobs"):
        choice["logprobs"] = {"content": _logprobs(reply), "refusal": None}
    sent: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": reply.model or asked.model,
    }
    sent["choices"] = [choice]
    if reply.tokens:
        given, taken = reply.tokens
        sent["usage"] = {"prompt_tokens": given, "completion_tokens": taken, "total_tokens": given + taken}
    return sent


def _logprobs(reply: Reply) -> list[dict[str, Any]]:
    """The reply cut into tokens, where a number is one token and carries its alternatives."""
    tokens = re.findall(r"\d+|\D+", reply.text or "")
    return [_token(token, reply.logprobs if token.isdecimal() else None) for token in tokens]


def _token(token: str, others: Mapping[str, float] | None) -> dict[str, Any]:
    chances = others or {token: 1.0}
    top = [{"token": text, "logprob": math.log(chance), "bytes": None} for text, chance in chances.items()]
    return {"token": token, "logprob": top[0]["logprob"], "bytes": None, "top_logprobs": top}


def _anthropic(asked: Asked, reply: Reply) -> dict[str, Any]:
    finish = {"stop": "end_turn", "length": "max_tokens"}.get(reply.finish, reply.finish)
    content = [] if reply.text is None else [{"type": "text", "text": reply.text}]
    sent: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": reply.model or asked.model,
    }
    sent |= {"content": content, "stop_reason": finish, "stop_sequence": None}
    if reply.tokens:
        sent["usage"] = {"input_tokens": reply.tokens[0], "output_tokens": reply.tokens[1]}
    return sent


def _ollama(asked: Asked, reply: Reply) -> dict[str, Any]:
    message = {"role": "assistant", "content": reply.text or ""}
    sent: dict[str, Any] = {
        "model": reply.model or asked.model,
        "created_at": "2025-01-01T00:00:00Z",
        "message": message,
        "done": True,
    }
    sent["done_reason"] = reply.finish
    if reply.tokens:
        sent |= {"prompt_eval_count": reply.tokens[0], "eval_count": reply.tokens[1]}
    return sent
