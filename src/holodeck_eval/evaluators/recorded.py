"""Recorded verdicts come first; a judge is asked only for what nobody has judged yet."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Final

from holodeck_eval.domain.judgement import Judgement, JudgementRequest, versions_text
from holodeck_eval.domain.outcome import Errored, Skipped
from holodeck_eval.errors import DeepEvalError, EvaluationError, JudgeError, LimitReachedError
from holodeck_eval.evaluators.base import NothingToJudgeError
from holodeck_eval.evaluators.toolbox import Toolbox

NOTHING: Final = "nothing_to_judge"
"""The key of a judgement's details that says that nothing was found to judge."""

MAY_FIND_NOTHING: Final = frozenset({"faithfulness", "answer_relevancy", "contextual_relevancy"})
"""The metrics that look for claims or statements first; no other has a verdict without a score."""

_DIGITS: Final = 9
"""Distances that differ by less are alike: of such replies the first is quoted."""

Ask = Callable[[], Awaitable[Judgement]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What some judgements say together: a score on the request's scale, the mean of theirs.

    `key` is what they are recorded under. `replies` are their scores in the order they were made. `recorded`
    and `from_checkout` are as in `Scored`.
    """

    score: float
    reason: str
    key: str
    raw_score: float | None = None
    details: Mapping[str, object] = field(default_factory=dict)
    recorded: int = 0
    from_checkout: int = 0
    replies: tuple[float, ...] = ()
    judge_version: str | None = None


async def read(
    request: JudgementRequest, toolbox: Toolbox, ask: Ask, replies: int = 1
) -> Reading | Skipped | Errored:
    """The recorded verdicts of a request, and where they are too few the judge's, which are then recorded.

    Where no judge may be asked, or nobody but a person could be, those that are recorded do.

    Args:
        request: what is to be judged.
        toolbox: where verdicts are kept, and whether a judge may be called.
        ask: asks the judge once, with all its retries.
        replies: how many judgements it takes, recorded ones included.

    Returns:
        The failure, where one of those that were missing could not be had. What was had is recorded.
    """
    return recalled(request, toolbox, replies) or await judged(request, toolbox, ask, replies)


def recalled(request: JudgementRequest, toolbox: Toolbox, replies: int) -> Reading | Skipped | None:
    """What `read` says without asking a judge; None where one is to be asked."""
    judgements = toolbox.store.recall(request)
    refusal = _may_not_ask(request, toolbox) if len(judgements) < replies else None
    if judgements and (refusal or len(judgements) >= replies):
        return _mean(request, judgements)
    return refusal


async def judged(
    request: JudgementRequest, toolbox: Toolbox, ask: Ask, replies: int
) -> Reading | Skipped | Errored:
    """What `read` says where a judge is to be asked."""
    try:
        async with toolbox.alone(request.key()):
            return _mean(request, await _completed(request, toolbox, ask, replies))
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


async def _completed(
    request: JudgementRequest, toolbox: Toolbox, ask: Ask, replies: int
) -> tuple[Judgement, ...]:
    """The recorded judgements and those that were missing, which are asked for all at once.

    Raises:
        EvaluationError: the first failure, once the others are recorded: they were paid for.
    """
    recorded = toolbox.store.recall(request)  # another case may have asked the same meanwhile
    made: list[Judgement] = []

    async def add() -> None:
        judgement = await _judged(request, ask)
        toolbox.store.record(request, judgement)
        made.append(replace(judgement, fresh=True))

    missing = range(replies - len(recorded))
    failures = await asyncio.gather(*(add() for _ in missing), return_exceptions=True)
    for failure in failures:
        if failure is not None:
            raise failure
    return (*recorded, *made)


async def _judged(request: JudgementRequest, ask: Ask) -> Judgement:
    try:
        return await ask()
    except NothingToJudgeError as nothing:
        return Judgement(score=request.low, reason=str(nothing), details={**nothing.details, NOTHING: True})


def failed(error: EvaluationError) -> Skipped | Errored:
    """The outcome that an evaluation's error stands for."""
    if isinstance(error, LimitReachedError):
        return Skipped(cause=error.cause, reason=error.message)
    kind = error.kind if isinstance(error, DeepEvalError | JudgeError) else "internal"
    return Errored(kind=kind, message=str(error))


def _mean(request: JudgementRequest, judgements: Sequence[Judgement]) -> Reading | Skipped:
    """What several judgements say together, in the words of the one that is nearest to their mean."""
    counted = [judgement for judgement in judgements if not _found_nothing(request, judgement)]
    if not counted:
        from_checkout = sum(judgement.from_checkout for judgement in judgements)
        return Skipped(cause="nothing_to_judge", reason=judgements[0].reason, from_checkout=from_checkout)
    several = len(counted) > 1
    scores = tuple([judgement.score for judgement in counted])
    score = fmean(scores) if several else scores[0]
    told = min(counted, key=lambda judgement: round(abs(judgement.score - score), _DIGITS))
    earlier = [judgement for judgement in counted if not judgement.fresh]
    raw = [judgement.raw_score for judgement in counted if judgement.raw_score is not None]
    note = f" (one of {len(counted)} verdicts; the score is their mean)" if several else ""
    by_person = request.judge.provider == "human"
    return Reading(
        score=score,
        reason=told.reason + note,
        key=request.key(),
        raw_score=fmean(raw) if len(raw) == len(counted) else None,
        details=told.details,
        recorded=len(earlier) if len(earlier) == len(counted) else 0,
        from_checkout=sum([judgement.from_checkout for judgement in counted]),
        replies=scores,
        judge_version=None if by_person else versions_text([one.judge_version for one in counted]),
    )


def _found_nothing(request: JudgementRequest, judgement: Judgement) -> bool:
    """Whether nothing was found to judge. A line edited to say so beside a score counts as that score."""
    says_so = judgement.details.get(NOTHING) is True and judgement.score == request.low
    return says_so and request.metric_type in MAY_FIND_NOTHING
