"""What shapes an agent's behaviour: as its YAML says it now, or as a record says it was."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from holodeck_eval.errors import Problem

Part = Literal["model", "instructions", "tools", "settings"]

PARTS: Final[tuple[Part, ...]] = ("model", "instructions", "tools", "settings")


@dataclass(frozen=True, slots=True, kw_only=True)
class Instructions:
    """The text the agent is told, as far as it is known.

    Attributes:
        text: the text; None where only hashes of it are known.
        inline: whether it stands in the YAML itself, where HoloDeck puts variables into it.
        bodies: SHA-256 digests, in hex, that HoloDeck may have recorded of it: of the text behind the front
            matter, white space at its ends removed.
        front: the front matter, as HoloDeck records it: version, author, description, tags, extra. None where
            it is not known.
    """

    text: str | None
    inline: bool = False
    bodies: tuple[str, ...] = ()
    front: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Behaviour:
    """The four parts as they were written or recorded; None for a part that is not known.

    Attributes:
        model: the provider, the model and how it is sampled.
        instructions: what the agent is told.
        tools: every tool's settings, in any order.
        settings: `response_format`, `claude`, `openai` and `embedding_provider`.
        problems: why parts are not known, where something is wrong with them.
    """

    model: Mapping[str, object] | None = None
    instructions: Instructions | None = None
    tools: Sequence[Mapping[str, object]] | None = None
    settings: Mapping[str, object] | None = None
    problems: tuple[Problem, ...] = ()
