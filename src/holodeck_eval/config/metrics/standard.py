"""`type: standard`: measures with a fixed name; `equality` and `numeric` need no judge."""

from typing import Annotated, ClassVar, Final, Literal, get_args

from pydantic import Field, StringConstraints

from holodeck_eval.config.base import EXPONENT
from holodeck_eval.config.metrics.base import DEFAULT_THRESHOLD, RatedMetric, Shape
from holodeck_eval.domain.agent import EqualityOptions, MetricOptions, NumericOptions

StandardName = Literal[
    "equality",
    "numeric",
    "bleu",
    "rouge",
    "meteor",
    "groundedness",
    "relevance",
    "coherence",
    "fluency",
]
STANDARD_NAMES: Final[tuple[str, ...]] = get_args(StandardName)

RESPONSE_PATH: Final = r"^[\w-]+(\[[0-9]{1,6}\])*(\.[\w-]+(\[[0-9]{1,6}\])*)*$"
_EQUALITY: Final = frozenset({"case_insensitive", "strip_whitespace", "strip_punctuation", "response_path"})
_NUMERIC: Final = frozenset(
    {
        "absolute_tolerance",
        "relative_tolerance",
        "accept_percent",
        "accept_thousands_separators",
        "response_path",
    }
)
_OWN: Final = {"equality": _EQUALITY, "numeric": _NUMERIC}

Tolerance = Annotated[float, Field(ge=0), EXPONENT]
ResponsePath = Annotated[str, StringConstraints(pattern=RESPONSE_PATH, max_length=200)]


class StandardMetric(RatedMetric):
    """A measure named by `metric`. `response_path` picks a leaf of a JSON answer, as in `a.b[0]`.

    `scale` and `custom_prompt` are HoloDeck's and mean nothing here.
    """

    noun: ClassVar[str] = "a standard metric"

    type: Literal["standard"] = "standard"
    metric: StandardName
    scale: object = None
    custom_prompt: object = None
    case_insensitive: bool = False
    strip_whitespace: bool = False
    strip_punctuation: bool = False
    absolute_tolerance: Tolerance = 1e-6
    relative_tolerance: Tolerance = 0.0
    accept_percent: bool = False
    accept_thousands_separators: bool = False
    response_path: ResponsePath | None = None

    def shape(self) -> Shape:
        """What this metric is to the rest of the program."""
        own = _OWN.get(self.metric)
        written = self.model_fields_set & (_EQUALITY | _NUMERIC)
        return Shape(
            kind="standard",
            type=self.metric,
            name=self.metric,
            threshold=1.0 if own else DEFAULT_THRESHOLD,
            options=self._options(),
            named_by="metric",
            ignored=tuple(sorted(written - own)) if own else (),
        )

    def _options(self) -> MetricOptions:
        if self.metric == "equality":
            return EqualityOptions(
                case_insensitive=self.case_insensitive,
                strip_whitespace=self.strip_whitespace,
                strip_punctuation=self.strip_punctuation,
                response_path=self.response_path,
            )
        if self.metric == "numeric":
            return NumericOptions(
                absolute_tolerance=self.absolute_tolerance,
                relative_tolerance=self.relative_tolerance,
                accept_percent=self.accept_percent,
                accept_thousands_separators=self.accept_thousands_separators,
                response_path=self.response_path,
            )
        return None
