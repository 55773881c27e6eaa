"""The lines that are written to a verdict file, readable for people first, with no secret in them.

A file of verdicts travels: it is kept in caches that pull requests of strangers may read.
"""

import json
from collections.abc import Collection, Mapping

from holodeck_eval.domain.judgement import Judgement, JudgementRequest
from holodeck_eval.domain.redaction import redact

TORN_MARK = b'{"kind": "torn", "note": "the line above was cut off when a run was killed; it is skipped"}\n'
HEAD = 2000
"""Characters of a judged text that a line still to be scored shows."""


def judgement_line(
    request: JudgementRequest, judgement: Judgement, date: str, secrets: Collection[str] = ()
) -> bytes:
    """A judgement as one line, `secrets` and everything that looks like a key starred out."""
    record: dict[str, object] = {
        **_who(request),
        "scale": _scale(request),
        "score": judgement.score,
        "reason": judgement.reason,
    }
    if judgement.raw_score is not None:
        record["raw_score"] = judgement.raw_score
    if judgement.judge_version is not None:
        record["judge_version"] = judgement.judge_version
    if judgement.details:
        record["details"] = dict(judgement.details)
    return _encoded(record, request, date, secrets)


def steps_line(
    request: JudgementRequest, steps: tuple[str, ...], date: str, secrets: Collection[str] = ()
) -> bytes:
    """Generated GEval steps as one line, starred like a judgement."""
    return _encoded({"kind": "steps", **_who(request), "steps": list(steps)}, request, date, secrets)


def unscored_line(request: JudgementRequest, date: str, secrets: Collection[str] = ()) -> bytes:
    """A line for a person to put a score in: it shows the beginning of what is judged, starred likewise."""
    record = {
        **_who(request),
        "judged": {name: _shortened(value) for name, value in request.judged.items()},
        "scale": _scale(request),
        "score": None,
        "reason": "",
    }
    return _encoded(record, request, date, secrets)


def _encoded(
    record: dict[str, object], request: JudgementRequest, date: str, secrets: Collection[str]
) -> bytes:
    """A line of a record and of what it is found by, which is of the texts as they are."""
    return encoded({**redact(record, secrets), "date": date, **_what(request)})


def encoded(record: Mapping[str, object]) -> bytes:
    """A record as a line of UTF-8 JSON; lone surrogates, which UTF-8 lacks, make it ASCII.

    Raises:
        ValueError: for NaN and infinities, which JSON does not have.
    """
    try:
        return (json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8")
    except UnicodeEncodeError:
        return (json.dumps(record, allow_nan=False) + "\n").encode("ascii")


def _who(request: JudgementRequest) -> dict[str, object]:
    judge = request.judge
    named: dict[str, object] = {
        "case": request.case_id,
        "metric": request.metric,
        "metric_type": request.metric_type,
        "judge": {"provider": judge.provider, "name": judge.name, "temperature": judge.temperature},
    }
    return {**named, "host": request.host} if request.host else named


def _what(request: JudgementRequest) -> dict[str, object]:
    return {"key": request.key(), "digests": request.digests()}


def _scale(request: JudgementRequest) -> dict[str, object]:
    return {"low": request.low, "high": request.high, "whole": request.whole, "means": request.scale}


def _shortened(value: object) -> object:
    if isinstance(value, str):
        return value if len(value) <= HEAD else value[: HEAD - 1] + "…"
    if isinstance(value, list | tuple):
        return [_shortened(item) for item in value]
    return value
