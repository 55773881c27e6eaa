"""Transcripts that were recorded with another version of the agent: they say nothing about this one."""

from collections.abc import Iterator, Sequence

from holodeck_eval.domain.behaviour import PARTS
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import CaseResult
from holodeck_eval.domain.verdict import Cause
from holodeck_eval.domain.wording import cases_named, quoted


def stale_transcripts(cases: Sequence[CaseResult], policy: Policy) -> Iterator[Cause]:
    """A cause for each agent some of whose transcripts are known to be of another version of it."""
    if policy.on_stale == "report":
        return
    stale: dict[str, list[CaseResult]] = {}
    for case in cases:
        if case.staleness.status == "stale":
            stale.setdefault(case.agent, []).append(case)
    for agent, of_agent in stale.items():
        ids = tuple(case.id for case in of_agent)
        message = (
            f"recorded with another version of the agent {quoted(agent)} ({_differs(of_agent)}): "
            f"{cases_named(ids)}; record again, or set on_stale: report"
        )
        yield Cause(status="failed", code="stale_transcripts", message=message, cases=ids)


def _differs(cases: Sequence[CaseResult]) -> str:
    differ = {part for case in cases for part in case.staleness.differs}
    named = [part for part in PARTS if part in differ]
    return f"other {' and '.join(named)}" if named else "its digest is another"
