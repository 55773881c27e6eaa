"""What a judge said of the same texts in two runs, as one outcome."""

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean
from typing import Final

from holodeck_eval.domain.judgement import versions_text
from holodeck_eval.domain.outcome import Part, Scored
from holodeck_eval.domain.rating import SCALES, rate

ROUNDING: Final = 1e-6
"""How far a reply that was written to a report may be from what was said."""


def joined(before: Scored, again: Scored) -> Scored:
    """The later outcome on all replies, those of the earlier run first, as they were counted then.

    As a rule the later run finds them recorded, and they are its first already. Where they are not, as in
    another verdict file, they are put there; a reply that both have counts once.
    """
    replies = in_order(before.replies, again.replies)
    parts = _joined_parts(before.parts, again.parts)
    if replies == again.replies and parts == again.parts:
        return again
    version = versions_text([before.judge_version, again.judge_version])
    again = replace(again, replies=replies, judge_version=version)
    if not parts:
        return replace(again, score=fmean(replies), reason=before.reason)
    rating = rate(parts)
    return replace(
        again,
        score=again.score if rating.avg_score is None else rating.avg_score,
        reason=rating.global_explanation,
        details={**again.details, "possible_issues": list(rating.possible_issues)},
        rating=rating.relevancy_rating,
        parts=parts,
    )


def in_order(before: Sequence[float], again: Sequence[float]) -> tuple[float, ...]:
    """All replies of two runs, those of the earlier first; those that both have as the later has them."""
    rest = list(again)
    first = []
    for reply in before:
        same = next((other for other in rest if abs(other - reply) <= ROUNDING), None)
        if same is not None:
            rest.remove(same)
        first.append(reply if same is None else same)
    return (*first, *rest)


def _joined_parts(before: Sequence[Part], again: Sequence[Part]) -> tuple[Part, ...]:
    earlier = {part.name: part for part in before if part.score is not None}
    return tuple(_joined_part(earlier[part.name], part) if part.name in earlier else part for part in again)


def _joined_part(before: Part, again: Part) -> Part:
    known = before.replies or ((before.score,) if before.score is not None else ())
    replies = in_order(known, again.replies)
    if replies == again.replies:
        return again
    score, scale = fmean(replies), SCALES[again.name]
    return replace(
        again,
        score=score,
        normalized_score=scale.normalize(score),
        success=scale.level(score) == scale.good if scale.binary else None,
        replies=replies,
    )
