"""Recorded verdicts come first; a judge is asked only for what nobody has judged yet."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Final

from holodeck_eval.domain.judgement import Judgement, JudgementRequest
from holodeck_eval.domain.outcome import Errored, Skipped
from holodeck_eval.errors import DeepEvalError, EvaluationError, JudgeError, LimitReachedError
from holodeck_eval.evaluators.base import NothingToJudgeError
from holodeck_eval.evaluators.toolbox import Toolbox

NOTHING: Final = "nothing_to_judge"
"""The key of a judgement's details that says that nothing was found to judge."""

MAY_FIND_NOTHING: Final = frozenset({"faithfulness", "answer_relevancy", "contextual_relevancy"})
"""The metrics that look for claims or statements first; no other has a verdict without a score."""

Ask = Callable[[], Awaitable[Judgement]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A score on the request's scale, recorded or judged just now.

    `recorded` and `from_checkout` are as in `Scored`.
    """

    score: float
    reason: str
    raw_score: float | None = None
    details: Mapping[str, object] = field(default_factory=dict)
    recorded: int = 0
    from_checkout: int = 0


async def read(request: JudgementRequest, toolbox: Toolbox, ask: Ask) -> Reading | Skipped | Errored:
    """The recorded verdicts of a request, else the judge's, which is then recorded.

    Args:
        request: what is to be judged.
        toolbox: where verdicts are kept, and whether a judge may be called.
        ask: asks the judge once, with all its retries.
    """
    judgements = toolbox.store.recall(request)
    if judgements:
        return _mean(request, judgements)
    refusal = _may_not_ask(request, toolbox)
    if refusal:
        return refusal
    try:
        async with toolbox.alone(request.key()):
            judgements = toolbox.store.recall(request)  # another case may have asked the same meanwhile
            return _mean(request, judgements) if judgements else await _judged(request, toolbox, ask)
    except EvaluationError as error:
        return failed(error)


def _may_not_ask(request: JudgementRequest, toolbox: Toolbox) -> Skipped | None:
    if request.judge.provider == "human":
        return Skipped(
            cause="unlabelled",
            reason=f"{request.judge.name} has not judged this yet: run `holodeck-eval label`, fill in the"
            " lines it writes, and give the file as --verdicts.",
        )
    if toolbox.offline or toolbox.pool is None:
        return Skipped(
            cause="offline",
            reason="No verdict is recorded, and --offline allows no call: run once without --offline,"
            " with --verdicts FILE, to record it.",
        )
    return None


async def _judged(request: JudgementRequest, toolbox: Toolbox, ask: Ask) -> Reading | Skipped:
    try:
        judgement = await ask()
    except NothingToJudgeError as nothing:
        judgement = Judgement(
            score=request.low, reason=str(nothing), details={**nothing.details, NOTHING: True}
        )
    toolbox.store.record(request, judgement)
    reading = _mean(request, (judgement,))
    return _fresh(reading) if isinstance(reading, Reading) else reading


def failed(error: EvaluationError) -> Skipped | Errored:
    """The outcome that an evaluation's error stands for."""
    if isinstance(error, LimitReachedError):
        return Skipped(cause=error.cause, reason=error.message)
    kind = error.kind if isinstance(error, DeepEvalError | JudgeError) else "internal"
    return Errored(kind=kind, message=str(error))


def _mean(request: JudgementRequest, judgements: Sequence[Judgement]) -> Reading | Skipped:
    counted = [judgement for judgement in judgements if not _found_nothing(request, judgement)]
    if not counted:
        from_checkout = sum(judgement.from_checkout for judgement in judgements)
        return Skipped(cause="nothing_to_judge", reason=judgements[0].reason, from_checkout=from_checkout)
    first, several = counted[0], len(counted) > 1
    raw = [judgement.raw_score for judgement in counted if judgement.raw_score is not None]
    note = f" (the first of {len(counted)} recorded verdicts; the score is their mean)" if several else ""
    spread = {"scores": [judgement.score for judgement in counted]} if several else {}
    return Reading(
        score=fmean(judgement.score for judgement in counted),
        reason=first.reason + note,
        raw_score=fmean(raw) if len(raw) == len(counted) else None,
        details={**first.details, **spread},
        recorded=sum(not judgement.fresh for judgement in counted),
        from_checkout=sum(judgement.from_checkout for judgement in counted),
    )


def _found_nothing(request: JudgementRequest, judgement: Judgement) -> bool:
    """Whether nothing was found to judge. A line edited to say so beside a score counts as that score."""
    says_so = judgement.details.get(NOTHING) is True and judgement.score == request.low
    return says_so and request.metric_type in MAY_FIND_NOTHING


def _fresh(reading: Reading) -> Reading:
    return Reading(
        score=reading.score, reason=reading.reason, raw_score=reading.raw_score, details=reading.details
    )
