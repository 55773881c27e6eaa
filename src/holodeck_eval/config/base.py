"""What the models of written configuration share: strictness, and the kinds of values they hold."""

import re
from typing import Annotated, ClassVar, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

SAID: Final = "said"
"""Type of errors that bring their own sentence."""

NOT_BLANK: Final = r"\S"
_EXPONENT: Final = re.compile(r"[-+]?[0-9]+(\.[0-9]*)?[eE][-+]?[0-9]+")


class Written(BaseModel):
    """A mapping as it was written. Unknown keys and values of another type are errors."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False, defer_build=True)
    noun: ClassVar[str] = "this mapping"


def said(sentence: str) -> PydanticCustomError:
    """An error that is its own sentence."""
    return PydanticCustomError(SAID, "{sentence}", {"sentence": sentence})


def _exponent(value: object) -> object:
    """`1e-6` is a text in YAML 1.1; where a number is wanted, it is one."""
    if isinstance(value, str) and _EXPONENT.fullmatch(value):
        return float(value)
    return value


Text = Annotated[str, StringConstraints(pattern=NOT_BLANK)]
EXPONENT: Final = BeforeValidator(_exponent)
Unit = Annotated[float, Field(ge=0, le=1), EXPONENT]
