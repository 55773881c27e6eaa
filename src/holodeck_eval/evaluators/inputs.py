"""What an evaluation is given: the seeds' keyword arguments or a recorded turn, as one value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from holodeck_eval.domain.case import Turn

ALIASES: Final[dict[str, str]] = {
    "query": "input",
    "response": "actual_output",
    "ground_truth": "expected_output",
}
TEXTS: Final = ("input", "actual_output", "expected_output")
LISTS: Final = ("context", "retrieval_context")
IGNORED: Final = ("metadata",)

_HOW_TO_RECORD: Final[dict[str, str]] = {
    "input": "record the question as `input` in the transcript",
    "actual_output": "record the answer as `output` in the transcript",
    "expected_output": "write `ground_truth` in the test case",
    "context": "give `context` in the transcript's `reference`",
    "retrieval_context": "record what was retrieved as `context` in the transcript, name the retrieval tools"
    " under `context_from_tools`, or write `retrieval_context` in the test case",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The texts of one evaluation. None is "not given"; an empty context is "nothing was retrieved"."""

    input: str | None = None
    actual_output: str | None = None
    expected_output: str | None = None
    context: tuple[str, ...] | None = None
    retrieval_context: tuple[str, ...] | None = None

    @classmethod
    def of(cls, given: Mapping[str, object]) -> "Inputs":
        """The inputs out of keyword arguments, aliases (`query`, `response`, `ground_truth`) included.

        Raises:
            ValueError: naming an argument that is unknown, given twice or of the wrong type.
        """
        named: dict[str, object] = {}
        for name, value in given.items():
            field = ALIASES.get(name, name)
            if field in named:
                raise ValueError(f"`{field}` is given twice, once as `{name}`: give it once")
            named[field] = value
        unknown = sorted(set(named) - {*TEXTS, *LISTS, *IGNORED})
        if unknown:
            raise ValueError(f"unknown input {_listed(unknown)}: known are {_listed([*TEXTS, *LISTS])}")
        return cls(
            input=_text("input", named),
            actual_output=_text("actual_output", named),
            expected_output=_text("expected_output", named),
            context=_texts("context", named),
            retrieval_context=_texts("retrieval_context", named),
        )

    @classmethod
    def of_turn(cls, turn: Turn) -> "Inputs":
        """The inputs of a recorded turn."""
        return cls(
            input=turn.input,
            actual_output=turn.actual_output,
            expected_output=turn.expected_output,
            context=turn.context,
            retrieval_context=turn.retrieval_context,
        )

    def arguments(self) -> dict[str, object]:
        """The inputs as keyword arguments of `evaluate`."""
        return {name: value for name in (*TEXTS, *LISTS) if (value := getattr(self, name)) is not None}

    def shown(self, fields: Sequence[str]) -> dict[str, object]:
        """Some fields as JSON values."""
        values = {name: getattr(self, name) for name in fields}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    def missing(self, needs: Sequence[str]) -> tuple[str, ...]:
        """Those of the needed fields that were not given; blank answers count as not given."""
        return tuple(name for name in needs if self._lacks(name))

    def nothing_retrieved(self) -> bool:
        """Whether the retrieval context was recorded but holds no text."""
        chunks = self.retrieval_context
        return chunks is not None and not any(chunk.strip() for chunk in chunks)

    def _lacks(self, name: str) -> bool:
        value = getattr(self, name)
        return value is None or (name in ("actual_output", "expected_output") and not value.strip())


def how_to_record(missing: Sequence[str]) -> str:
    """A sentence that names what is missing and says how to record it."""
    advice = "; ".join(_HOW_TO_RECORD[name] for name in missing)
    verb = "is" if len(missing) == 1 else "are"
    return f"{_listed(missing)} {verb} missing: {advice}."


def _text(name: str, named: Mapping[str, object]) -> str | None:
    value = named.get(name)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"`{name}` must be a text, not {type(value).__name__}")
    return value


def _texts(name: str, named: Mapping[str, object]) -> tuple[str, ...] | None:
    value = named.get(name)
    if value is None:
        return None
    chunks = [value] if isinstance(value, str) else value
    if not isinstance(chunks, list | tuple) or not all(isinstance(chunk, str) for chunk in chunks):
        raise ValueError(f"`{name}` must be a text or a list of texts")
    return tuple(chunks)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
