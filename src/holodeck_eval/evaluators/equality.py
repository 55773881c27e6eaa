"""`standard` `equality`: the answer is the expected text, up to what the options let differ."""

import string
import unicodedata
from dataclasses import dataclass

from holodeck_eval.domain.agent import EqualityOptions, MetricSpec
from holodeck_eval.domain.case import Turn
from holodeck_eval.domain.outcome import Evaluator, Outcome, Scored
from holodeck_eval.domain.wording import quoted
from holodeck_eval.evaluators.expected_text import lacking
from holodeck_eval.evaluators.response_path import NoValueError, value_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Equality:
    """Scores 1.0 where the answer equals the expected output, else 0.0."""

    options: EqualityOptions

    async def measure(self, turn: Turn, *, replies: int = 1) -> Outcome:  # noqa: ARG002 - one is as good as many
        """The outcome of this metric on this turn."""
        if turn.actual_output is None or turn.expected_output is None:
            return lacking(turn)
        try:
            actual = value_at(turn.actual_output, self.options.response_path)
        except NoValueError as error:
            return Scored(score=0.0, reason=f"{error}.")
        if self._normal(actual) == self._normal(turn.expected_output):
            return Scored(score=1.0, reason="The answer equals the expected output.")
        reason = f"The answer is {quoted(actual)}, but {quoted(turn.expected_output)} was expected."
        return Scored(score=0.0, reason=reason)

    def _normal(self, text: str) -> str:
        """The text without the differences that do not count."""
        if self.options.case_insensitive:
            text = text.casefold()
        if self.options.strip_punctuation:
            text = "".join(character for character in text if not _is_punctuation(character))
        return " ".join(text.split()) if self.options.strip_whitespace else text


def build(spec: MetricSpec, _toolbox: object) -> Evaluator:
    """The evaluator of an `equality` metric."""
    options = spec.options if isinstance(spec.options, EqualityOptions) else EqualityOptions()
    return Equality(options=options)


def _is_punctuation(character: str) -> bool:
    """ASCII's punctuation and symbols, as HoloDeck has it, and what Unicode calls punctuation."""
    return character in string.punctuation or unicodedata.category(character).startswith("P")
