"""One judge of one metric: asks until an answer fits, within the pool's limits."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from holodeck_eval.domain.judgement import version_text
from holodeck_eval.domain.redaction import redact
from holodeck_eval.judges.call import Provider, Question, Reply
from holodeck_eval.judges.failures import Failure, classify, invalid_reply, timed_out
from holodeck_eval.judges.kinds import RetryConfig
from holodeck_eval.judges.line import Line
from holodeck_eval.judges.reply import MalformedReplyError, parse
from holodeck_eval.judges.settings import JudgeSettings
from holodeck_eval.judges.usage import price

Check = Callable[[object], str | None]
"""Gets a parsed reply; gives a clause saying what is wrong with it ("has a score of 15"), or None."""

VENDOR_FAULTS: Final = (OSError, ValueError, TypeError, AttributeError, LookupError, RuntimeError)
"""What an SDK raises beside its own errors. None of it may reach DeepEval, which asks again on some."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A reply that fits.

    `parsed` is an instance of the question's schema and `data` its plain values; without a schema the
    text and nothing.
    """

    reply: Reply
    parsed: Any
    data: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Asks one judge for one metric.

    Attributes:
        line: what all callers of a pool stand in.
        settings: the judge, its key in `api_key`.
        errors: what the provider's SDK raises, VENDOR_FAULTS among them.
        metric: whose usage is counted.
        timeout: seconds a call may take once it is in flight; None for no end.
        sleep: waits some seconds between two attempts.
        jitter: a number from 0 to 1.
    """

    line: Line
    provider: Provider
    errors: tuple[type[Exception], ...]
    settings: JudgeSettings
    metric: str
    timeout: float | None
    retry: RetryConfig
    check: Check | None = None
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    jitter: Callable[[], float] = random.random

    async def ask(self, model: Any, question: Question) -> Answer:
        """Ask, and ask again where that can help.

        Raises:
            JudgeError: the last failure, where none of the attempts gave an answer that fits.
            LimitReachedError: where the run's time or budget is used up.
        """
        attempt = 1
        while True:
            async with self.line.slot():
                reply = await self._call(model, question)
            outcome = reply if isinstance(reply, Failure) else self._read(reply, question)
            if isinstance(outcome, Answer):
                return outcome
            if attempt >= self.retry.attempts or not outcome.retry:
                raise outcome.error(f" (asked {attempt} times)" if attempt > 1 else "")
            await self.sleep(self._pause(outcome, attempt))
            attempt += 1

    async def _call(self, model: Any, question: Question) -> Reply | Failure:
        """One call in flight, counted whatever comes of it."""
        left = self.line.limits.left()
        spans = [span for span in (self.timeout, left) if span is not None]
        timer = asyncio.timeout(min(spans, default=None))
        try:
            client = self.line.client(self.provider, self.settings)
            async with timer:
                reply = await self.provider.ask(client, model, question)
        except asyncio.CancelledError:
            self._count(model, (None, None))
            raise
        except self.errors as error:
            late = timer.expired()
            failure = timed_out(self.settings, min(spans)) if late else classify(error, self.settings)
            self._count(model, (None, None) if failure.billed else (0, 0))
            if late and left == min(spans):
                raise self.line.limits.over() from None
            return failure
        tokens = (reply.input_tokens, reply.output_tokens)
        self._count(model, tokens)
        self.line.total.silent |= None in tokens
        return self._readable(reply)

    def _readable(self, reply: Reply) -> Reply:
        """The reply without the key, before anything of it is cut or kept; what is no text is a fault."""
        key = (self.settings.api_key or "",)
        reply = replace(reply, version=version_text(redact(reply.version, key)))
        text: object = reply.text  # SDKs pass on what was sent, whatever they call its type
        if text is None:
            return reply
        if not isinstance(text, str):
            return replace(reply, text=None, fault=reply.fault or "is not a text")
        return replace(reply, text=redact(text, key))

    def _count(self, model: Any, tokens: tuple[int | None, int | None]) -> None:
        self.line.count(self.metric, *tokens, price(model, *tokens))

    def _read(self, reply: Reply, question: Question) -> Answer | Failure:
        fault = reply.fault
        if fault is None and question.schema is None:
            return Answer(reply=reply, parsed=reply.text or "", data={})
        if fault is None and question.schema is not None:
            try:
                parsed, data = parse(reply.text, question.schema)
            except MalformedReplyError as error:
                fault = str(error)
            else:
                fault = self.check(parsed) if self.check else None
                if fault is None:
                    return Answer(reply=reply, parsed=parsed, data=data)
        return invalid_reply(self.settings, fault or "is empty", reply.text)

    def _pause(self, failure: Failure, attempt: int) -> float:
        """Seconds until the next attempt; a malformed reply is asked for again at once."""
        jitter = self.jitter()
        asked = failure.retry_after
        if asked is not None and asked > self.retry.max_delay:
            raise failure.error(f"; it asks to wait {asked:.6g} s, longer than {self.retry.max_delay:g} s")
        at_once = failure.kind == "invalid_reply"
        delay = self.retry.delay(attempt, jitter) if asked is None else asked + jitter * min(1.0, asked)
        delay = 0.0 if at_once else delay
        left = self.line.limits.left()
        if left is not None and delay >= left:
            raise failure.error("; the run's deadline leaves no time to ask again")
        return delay
