"""An earlier run to compare with, and what was judged in it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from holodeck_eval.domain.case import Turn
from holodeck_eval.domain.comparison import BaselineProblem, BaselineRun
from holodeck_eval.domain.run import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """A baseline as it was read.

    Attributes:
        run: the earlier run; None where `problem` says why there is none.
        info: which run it was, for people; None as above.
        turns: what was judged, by agent, case id and the turn's index; empty where it was not kept.
        problem: why it cannot be compared with.
        warnings: sentences about what was found in it.
    """

    run: Run | None = None
    info: BaselineRun | None = None
    turns: Mapping[tuple[str, str, int], Turn] = field(default_factory=dict)
    problem: BaselineProblem | None = None
    warnings: tuple[str, ...] = ()
