"""`standard` `numeric`: the answer is the expected number, within a tolerance."""

import re
from dataclasses import dataclass
from decimal import Context, Decimal
from typing import Final

from holodeck_eval.domain.agent import MetricSpec, NumericOptions
from holodeck_eval.domain.case import Turn
from holodeck_eval.domain.outcome import Evaluator, Outcome, Scored
from holodeck_eval.domain.wording import quoted
from holodeck_eval.evaluators.expected_text import lacking
from holodeck_eval.evaluators.response_path import NoValueError, value_at

_LONGEST: Final = 400
"""Characters of a number; also the largest power of ten, in both directions."""

_PLAIN: Final = r"\d+"
_GROUPED: Final = r"\d{1,3}(?P<separator>[,_ \u00a0\u202f])\d{3}(?:(?P=separator)\d{3})*|\d+"
_FORM: Final = (
    r"(?P<number>[+\-\u2212]?(?:(?:%s)(?:\.\d*)?|\.\d+)(?:[eE][+\-\u2212]?\d{1,4})?)(?P<percent>\s*%%)?"
)
_UNGROUPED_NUMBER: Final = re.compile(_FORM % _PLAIN, re.ASCII)
_GROUPED_NUMBER: Final = re.compile(_FORM % _GROUPED, re.ASCII)
_SEPARATORS: Final = str.maketrans({"\u2212": "-", **dict.fromkeys(",_ \u00a0\u202f")})

_EXACT: Final = Context(prec=2 * _LONGEST)


@dataclass(frozen=True, slots=True, kw_only=True)
class Numeric:
    """Scores 1.0 where |answer - expected| is within absolute + relative * |expected|, else 0.0.

    Decimal arithmetic, so that 0.3 is within 0.1 of 0.2. An expected text that is no number, as `NaN` or
    `yes`, is met by that text alone, whatever its case.
    """

    options: NumericOptions

    async def measure(self, turn: Turn, *, replies: int = 1) -> Outcome:  # noqa: ARG002 - one is as good as many
        """The outcome of this metric on this turn."""
        if turn.actual_output is None or turn.expected_output is None:
            return lacking(turn)
        expected = self._number(turn.expected_output)
        try:
            text = value_at(turn.actual_output, self.options.response_path)
        except NoValueError as error:
            return Scored(score=0.0, reason=f"{error}.")
        return self._compared(text, expected, turn.expected_output)

    def _compared(self, text: str, expected: Decimal | None, wanted: str) -> Scored:
        if expected is None:
            met = _folded(text) == _folded(wanted)
            verb = "is" if met else "is not"
            why = f"which is not a number{self._hint(wanted)}"
            return Scored(
                score=float(met), reason=f"The answer {quoted(text)} {verb} {quoted(wanted)}, {why}."
            )
        actual = self._number(text)
        if actual is None:
            return Scored(score=0.0, reason=f"The answer {quoted(text)} is not a number{self._hint(text)}.")
        met = _EXACT.abs(_EXACT.subtract(actual, expected)) <= self._tolerance(expected)
        verb = "is" if met else "is not"
        reason = f"{quoted(text)} {verb} within the tolerance of {quoted(wanted)}."
        return Scored(score=float(met), reason=reason)

    def _number(self, text: str) -> Decimal | None:
        """The number a text is, and nothing else beside it; None for prose, infinities and NaN."""
        form = _GROUPED_NUMBER if self.options.accept_thousands_separators else _UNGROUPED_NUMBER
        match = form.fullmatch(text.strip()) if len(text) <= _LONGEST else None
        if match is None or (match["percent"] and not self.options.accept_percent):
            return None
        number = Decimal(match["number"].translate(_SEPARATORS))
        if number and abs(number.adjusted()) > _LONGEST:
            return None
        return _EXACT.scaleb(number, -2) if match["percent"] else number

    def _tolerance(self, expected: Decimal) -> Decimal:
        absolute = Decimal(str(self.options.absolute_tolerance))
        relative = Decimal(str(self.options.relative_tolerance))
        return _EXACT.add(absolute, _EXACT.multiply(relative, abs(expected)))

    def _hint(self, text: str) -> str:
        """What option would make a number of a text."""
        if text.strip().endswith("%") and not self.options.accept_percent:
            return ", since accept_percent is not set"
        if "," in text and not self.options.accept_thousands_separators:
            return ", since accept_thousands_separators is not set"
        return ""


def build(spec: MetricSpec, _toolbox: object) -> Evaluator:
    """The evaluator of a `numeric` metric."""
    options = spec.options if isinstance(spec.options, NumericOptions) else NumericOptions()
    return Numeric(options=options)


def _folded(text: str) -> str:
    return text.strip().casefold()
