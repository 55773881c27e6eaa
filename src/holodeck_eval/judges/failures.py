"""What went wrong with a call to a judge: its kind, whether to try again, and a sentence without keys."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Final

from holodeck_eval.errors import ErrorKind, JudgeError
from holodeck_eval.judges.kinds import ProviderEnum
from holodeck_eval.judges.retry_after import retry_after
from holodeck_eval.judges.settings import JudgeSettings
from holodeck_eval.judges.trust import is_loopback

HEAD: Final = 200
"""Characters kept of what a judge or its server said."""

_TOO_LONG = re.compile(
    r"context_length_exceeded|maximum context length|prompt is too long|context window"
    r"|exceeds? the .{0,20}context|input length exceeds|string_above_max_length|request_too_large",
    re.IGNORECASE,
)
_QUOTA = re.compile(
    r"insufficient_quota|exceeded your current quota|billing_hard_limit|credit balance", re.IGNORECASE
)
_CONTAINER_MARKS = (Path("/.dockerenv"), Path("/run/.containerenv"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One failed attempt. `retry_after` is the seconds the server asked to wait, None where it did not.

    `billed` is false where the server said no, so that nothing was spent.
    """

    kind: ErrorKind
    message: str
    retry: bool = False
    retry_after: float | None = None
    reply_head: str = ""
    billed: bool = False

    def error(self, note: str = "") -> JudgeError:
        """The error that ends the call; `note` is put behind the sentence."""
        return JudgeError(f"{self.message}{note}", kind=self.kind, reply_head=self.reply_head)


def no_key(settings: JudgeSettings, key_variable: str) -> JudgeError:
    """The error of a judge that needs a key and has none."""
    message = f"the judge {settings.title} needs an API key: set {key_variable} in the environment"
    return JudgeError(
        f"{message}, or `api_key: ${{{key_variable}}}` in the judge's configuration", kind="no_key"
    )


def timed_out(settings: JudgeSettings, seconds: float) -> Failure:
    """The failure of a call that took longer than it may."""
    message = f"the judge {settings.title} at {settings.host} did not answer within {seconds:g} s"
    return Failure(kind="timeout", message=message, retry=True, billed=True)


def invalid_reply(settings: JudgeSettings, fault: str, reply: str | None) -> Failure:
    """The failure of a reply that is not what was asked for. `fault` is a clause: "is not JSON"."""
    head = (reply or "")[:HEAD]
    message = f"the reply of the judge {settings.title} {fault}"
    return Failure(kind="invalid_reply", message=message, retry=True, reply_head=head)


def classify(error: Exception, settings: JudgeSettings, *, in_container: bool | None = None) -> Failure:
    """What an SDK's exception means.

    Args:
        error: what the SDK raised.
        settings: the judge that was asked.
        in_container: whether `localhost` is a container; None looks.
    """
    error = _unwrapped(error)
    status = getattr(error, "status_code", None)
    if isinstance(status, int) and status > 0:
        return _refused(error, status, settings)
    if isinstance(error, TimeoutError) or "Timeout" in type(error).__name__:
        message = f"the judge {settings.title} at {settings.host} did not answer in time"
        return Failure(kind="timeout", message=message, retry=True, billed=True)
    if isinstance(error, json.JSONDecodeError | UnicodeDecodeError) or "Validation" in type(error).__name__:
        return invalid_reply(settings, "is no answer in the provider's format", None)
    if isinstance(error, OSError) or _is_transport(error):
        here = _in_container() if in_container is None else in_container
        message = _unreachable(settings, in_container=here)
        return Failure(kind="judge_unavailable", message=message, retry=True, billed=True)
    message = f"asking the judge {settings.title} failed in the SDK: {type(error).__name__}"
    return Failure(kind="internal", message=f"{message}: {_said(error, settings)}")


def _unwrapped(error: Exception) -> Exception:
    """What a tenacity.RetryError stands for."""
    attempt = getattr(error, "last_attempt", None)
    inner = attempt.exception() if attempt is not None else None
    return inner if isinstance(inner, Exception) else error


def _is_transport(error: Exception) -> bool:
    names = {base.__name__ for base in type(error).__mro__}
    return bool(names & {"APIConnectionError", "TransportError"})


def _refused(error: Exception, status: int, settings: JudgeSettings) -> Failure:
    who = f"the judge {settings.title} at {settings.host}"
    said = _said(error, settings)
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        return Failure(kind="auth", message=f"{who} refused the API key (HTTP {status})")
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return _rate_limited(error, who, said)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        message = f"{who} failed (HTTP {status}: {said})"
        return Failure(kind="judge_unavailable", message=message, retry=True, retry_after=retry_after(error))
    if status in {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY}:
        return Failure(kind="timeout", message=f"{who} gave up waiting (HTTP {status})", retry=True)
    if HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
        message = f"{who} answered with a redirect (HTTP {status}), which is not followed: set its endpoint"
        return Failure(kind="refused_request", message=message)
    if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE or _TOO_LONG.search(
        f"{getattr(error, 'code', '')} {error}"
    ):
        message = f"the prompt is too long for {who} (HTTP {status}: {said})"
        return Failure(kind="context_too_long", message=message)
    message = f"{who} refused the request (HTTP {status}: {said}){_advice(status, settings)}"
    return Failure(kind="refused_request", message=message)


def _advice(status: int, settings: JudgeSettings) -> str:
    if status == HTTPStatus.NOT_FOUND and settings.provider is ProviderEnum.OLLAMA:
        return f": run `ollama pull {settings.model_name}`"
    return ": check the model's name and the endpoint" if status == HTTPStatus.NOT_FOUND else ""


def _rate_limited(error: Exception, who: str, said: str) -> Failure:
    if _QUOTA.search(f"{getattr(error, 'code', '')} {error}"):
        return Failure(kind="rate_limited", message=f"the quota at {who} is used up (HTTP 429: {said})")
    message = f"{who} limits the rate of calls (HTTP 429: {said})"
    return Failure(kind="rate_limited", message=message, retry=True, retry_after=retry_after(error))


def _said(error: Exception, settings: JudgeSettings) -> str:
    """The head of the server's own words, on one line and without the key."""
    body = getattr(error, "body", None)
    inner = body.get("error", body) if isinstance(body, Mapping) else None
    words = inner.get("message") if isinstance(inner, Mapping) else getattr(error, "error", None)
    text = " ".join(str(words or error).split())
    text = "".join(letter for letter in text if letter.isprintable())
    if settings.api_key:
        text = text.replace(settings.api_key, "***")
    return text[:HEAD]


def _unreachable(settings: JudgeSettings, *, in_container: bool) -> str:
    if settings.provider is not ProviderEnum.OLLAMA:
        return f"the judge {settings.title} could not be reached at {settings.host}"
    message = f"Ollama not available at {settings.host}: start Ollama or set OLLAMA_HOST to where it runs"
    if in_container and is_loopback(settings.host):
        return f"{message}; in a container, as in the action, localhost is the container itself"
    return message


def _in_container() -> bool:
    return any(mark.exists() for mark in _CONTAINER_MARKS)
