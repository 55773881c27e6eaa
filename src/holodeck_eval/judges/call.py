"""One question to a judge, and what comes back: the words between the scheduler and the providers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from pydantic import BaseModel

from holodeck_eval.judges._deepeval import DeepEval
from holodeck_eval.judges.settings import JudgeSettings

MOST_TOKENS: Final = 2**53
"""More is no count of anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A prompt, and the form its answer must have; `top_logprobs` 0 asks for no probabilities.

    `schema` None takes any text. With `top_logprobs` the schema is not sent, only checked.
    """

    prompt: str
    schema: type[BaseModel] | None
    top_logprobs: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A judge's words and what they cost.

    `raw` is the SDK's own response. `fault` is a clause saying why the text cannot be an answer, None
    where it can. Tokens are None where the provider did not count them. `version` is what the provider
    calls the model that answered, None where it does not say.
    """

    text: str | None
    raw: Any
    input_tokens: int | None
    output_tokens: int | None
    fault: str | None = None
    version: str | None = None


class Provider(Protocol):
    """How one provider is asked. `key_variable` None: it needs no key.

    Settings come with the key that is to be sent in `api_key`, "" for none.
    """

    key_variable: str | None

    def native(self, door: DeepEval) -> Any:
        """DeepEval's own class for this provider."""
        ...

    def arguments(self, settings: JudgeSettings) -> Mapping[str, Any]:
        """What that class is constructed with."""
        ...

    def errors(self) -> tuple[type[Exception], ...]:
        """What the SDK raises for calls that failed."""
        ...

    def open(self, settings: JudgeSettings, connections: int) -> Any:
        """A client of the provider's SDK: asynchronous, pooled, without retries, redirects and timeouts."""
        ...

    async def ask(self, client: Any, model: Any, question: Question) -> Reply:
        """Ask once.

        Args:
            client: what `open` gave.
            model: an instance of the class that `native` gave.
            question: what to ask.
        """
        ...

    async def close(self, client: Any) -> None:
        """Close a client's connections."""
        ...


def as_name(value: object) -> str | None:
    """A name from a response; None for anything that is no text."""
    return value if isinstance(value, str) else None


def as_count(value: object) -> int | None:
    """A token count from a response; None for anything that is not one."""
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value <= MOST_TOKENS else None
