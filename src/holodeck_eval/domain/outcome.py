"""What came of one evaluation: a score, a reason for none, or an error. Never a sentinel number."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from holodeck_eval.domain.agent import Rating
from holodeck_eval.domain.case import Turn
from holodeck_eval.errors import ErrorKind

SkipCause = Literal[
    "missing_input",  # a needed input was not recorded
    "not_applicable",  # an input the default metrics of `generation` may go without, or a turn without one
    "nothing_to_judge",  # zero claims or statements found
    "no_answer",  # the agent gave no answer
    "stopped",  # an earlier error of this case, under fail_on_error
    "offline",  # no recorded verdict, and calls are switched off
    "unlabelled",  # no recorded verdict by the person who judges
    "deadline",
    "budget",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One of the five metrics inside a `generation` evaluation.

    `score` is the integer the judge said (a mean where several were given), None where the part was
    skipped or errored; then `explanation` says why. `replies` are all of them, in the order they were made.
    """

    name: str
    status: Literal["scored", "skipped", "errored"]
    explanation: str
    score: float | None = None
    normalized_score: float | None = None
    success: bool | None = None
    cause: str | None = None
    replies: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A score from 0.0 to 1.0 and the judge's reason.

    `recorded` counts the recorded verdicts the score is the mean of; 0 when it was judged in this run.
    `from_checkout` counts those of them that lie in the checkout under test.
    `asserts` is false where nothing could have lowered the score: such a case was not measured by it.
    `rating` and `parts` are set by `generation` alone; other metrics are rated by their threshold.
    `replies` are the scores the judge gave, one a judgement in the order they were made; `score` is their
    mean. () for a metric without a judge, which has no noise.
    `key` is what the judgements are recorded under: two scores with one key judged the same texts, by the
    same judge, with the same prompts. None for a metric without a judge.
    `judge_version` is what the provider's replies called the judge, where they did.
    """

    score: float
    reason: str
    status: Literal["scored"] = "scored"
    raw_score: float | None = None
    judge: str | None = None
    recorded: int = 0
    from_checkout: int = 0
    details: Mapping[str, object] = field(default_factory=dict)
    asserts: bool = True
    rating: Rating | None = None
    parts: tuple[Part, ...] = ()
    replies: tuple[float, ...] = ()
    key: str | None = None
    judge_version: str | None = None

    @property
    def by_person(self) -> bool:
        """Whether a person judged it, whom nobody asks again."""
        return self.judge is not None and self.judge.startswith("human/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """Not measured, for a known cause that is no fault of the instrument.

    `from_checkout` counts the recorded verdicts in the checkout that say so.
    """

    cause: SkipCause
    reason: str
    status: Literal["skipped"] = "skipped"
    from_checkout: int = 0
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Errored:
    """The instrument failed. Says nothing about the agent."""

    kind: ErrorKind
    message: str
    status: Literal["errored"] = "errored"
    parts: tuple[Part, ...] = ()


Outcome = Scored | Skipped | Errored


class Evaluator(Protocol):
    """Measures one turn. Never raises for anything a judge or a transcript can do."""

    async def measure(self, turn: Turn, *, replies: int = 1) -> Outcome:
        """The outcome of this metric on this turn.

        Args:
            turn: what is measured.
            replies: how many judgements the outcome is to rest on, recorded ones included. What is
                missing is asked for; where nothing may be asked, those there are count.
        """
        ...
