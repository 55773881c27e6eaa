"""Says why a judgement was not found among the recorded ones."""

from collections.abc import Iterable, Mapping
from typing import Final

from holodeck_eval.domain.judgement import JudgementRequest
from holodeck_eval.domain.wording import quoted
from holodeck_eval.verdicts.lines import Recorded

_PARTS: Final[dict[str, str]] = {
    "metric_type": "the metric's type",
    "configuration": "the metric's configuration",
    "judge": "the judge",
    "prompt_version": "the version of the prompts",
    "judged": "the judged texts",
}


def explain(request: JudgementRequest, lines: Iterable[Recorded], shown_as: str) -> str:
    """A sentence for the log: the nearest recorded line, and which part of the key differs.

    Args:
        request: what was not found.
        lines: the recorded lines of its case and metric.
        shown_as: what the file is called.
    """
    what = f"no verdict is recorded for case {quoted(request.case_id)}, metric {quoted(request.metric)}"
    wanted = request.digests()
    nearest = max(lines, key=lambda line: _equal(line, wanted), default=None)
    if nearest is None:
        return f"{what}, and none is near it"
    differing = [name for name in _PARTS if nearest.digests.get(name) != wanted[name]]
    said = " and ".join(_difference(name, nearest, request) for name in differing)
    return f"{what}; the nearest, {shown_as}:{nearest.line}, differs in {said or 'its key alone'}"


def _equal(line: Recorded, wanted: Mapping[str, str]) -> int:
    return sum(line.digests.get(name) == digest for name, digest in wanted.items())


def _difference(name: str, line: Recorded, request: JudgementRequest) -> str:
    if name == "judge" and isinstance(line.judge, dict):
        recorded = f"{line.judge.get('provider')}/{line.judge.get('name')}"
        return f"the judge (recorded {quoted(recorded)}, now {quoted(str(request.judge))})"
    return _PARTS[name]
