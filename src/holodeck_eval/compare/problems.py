"""Why two runs cannot be compared at all."""

from holodeck_eval.compare.pairs import Pairing, duplicates
from holodeck_eval.domain.comparison import BaselineProblem
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.wording import listed


def unusable(baseline: Run, head: Run) -> BaselineProblem | None:
    """The problem with two runs whose cases cannot be told apart or have no agent in common."""
    return _not_judged(baseline, head) or _other_agent(baseline, head) or _duplicates(baseline, head)


def no_overlap(pairing: Pairing) -> BaselineProblem | None:
    """The problem with two runs that have no pair."""
    if pairing.pairs:
        return None
    message = "no case of this run is in the baseline with the same expectations"
    if pairing.changed:
        have = "has" if len(pairing.changed) == 1 else "have"
        message += f" ({len(pairing.changed)} {have} the same id, and others)"
    return BaselineProblem(cause="no_overlap", message=message)


def _not_judged(baseline: Run, head: Run) -> BaselineProblem | None:
    for run, which in ((baseline, "the baseline"), (head, "this run")):
        if run.verdict.status in ("error", "bug"):
            message = f"{which} could not be made (it ended as {run.verdict.status}), and judged nothing"
            return BaselineProblem(cause="not_judged", message=message)
    return None


def _other_agent(baseline: Run, head: Run) -> BaselineProblem | None:
    before, now = agents_of(baseline), agents_of(head)
    if before & now:
        return None
    message = (
        f"no agent of this run ({listed(sorted(now)) or 'it has none'}) is in the baseline"
        f" ({listed(sorted(before)) or 'it has none'})"
    )
    return BaselineProblem(cause="other_agent", message=message)


def agents_of(run: Run) -> set[str]:
    """The names of a run's agents, those of its cases among them."""
    return {agent.name for agent in run.agents} | {case.agent for case in run.cases}


def _duplicates(baseline: Run, head: Run) -> BaselineProblem | None:
    for run, which in ((baseline, "the baseline"), (head, "this run")):
        twice = duplicates(run.cases)
        if twice:
            ids = listed(case for _, case in twice)
            message = f"{which} has several cases of one id ({ids}), which cannot be told apart"
            return BaselineProblem(cause="duplicate_cases", message=message)
    return None
