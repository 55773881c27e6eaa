"""How the gate itself differs from the baseline's: what was loosened, and what else was changed."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from holodeck_eval.compare.changes.applied import applied
from holodeck_eval.compare.changes.configured import configured
from holodeck_eval.compare.changes.differences import Difference
from holodeck_eval.compare.changes.rules import case_changes, policy_changes
from holodeck_eval.compare.pairs import by_key
from holodeck_eval.domain.comparison import GateChange
from holodeck_eval.domain.run import AgentRun, Run
from holodeck_eval.domain.wording import cases_named, quoted

__all__ = ["MOST", "gate_changes"]

MOST: Final = 20
"""Changes of one kind that are told in a sentence each; one more says how many others there are."""

_Key = tuple[str, str, str, tuple[object, ...]]
"""Agent, metric, and a difference's code and key."""


def gate_changes(baseline: Run, head: Run) -> tuple[GateChange, ...]:
    """What differs between the gate of the baseline and this run's, the loosening first.

    Metrics are looked at twice: as the agents' own lists have them, and as they were applied to the cases on
    both sides, since a test case may bring metrics of the same names in their place.

    That a case which passed is gone or waived is reported here, and does not loosen: the gate has a rule of
    its own for it, which goes by `Comparison.vanished`. The removal of any other case loosens. Another judge
    or configuration does not loosen either: it makes the metric not comparable.

    Args:
        baseline: the earlier run.
        head: this run.
    """
    agents = {agent.name: agent for agent in head.agents}
    several = len(agents.keys() | {agent.name for agent in baseline.agents}) > 1
    found = [
        *_agents_removed(baseline.agents, agents),
        *_metrics(baseline, head, several=several),
        *policy_changes(baseline.policy, head.policy),
        *case_changes(baseline, head),
    ]
    return _loosening_first(_bounded(_loosening_first(found)))


def _loosening_first(changes: Iterable[GateChange]) -> tuple[GateChange, ...]:
    return tuple(sorted(changes, key=lambda change: not change.loosens))


def _agents_removed(before: Sequence[AgentRun], now: Iterable[str]) -> Iterator[GateChange]:
    for agent in before:
        if agent.name not in now:
            message = f"the agent {quoted(agent.name)} is not measured any more"
            yield GateChange(code="agent_removed", message=message, loosens=True, agent=agent.name)


@dataclass(slots=True, kw_only=True)
class _Found:
    """A difference and the ids of the cases it was found in; of an agent's own list none."""

    difference: Difference
    cases: dict[str, None] = field(default_factory=dict)


def _metrics(baseline: Run, head: Run, *, several: bool) -> Iterator[GateChange]:
    """What differs in metrics: for agents, and for cases where that does not follow from their agent's."""
    current = {agent.name: agent for agent in head.agents}
    covered: set[_Key] = set()
    for agent in baseline.agents:
        now = current.get(agent.name)
        for name, difference, digests in configured(agent, now) if now else ():
            covered.add((agent.name, name, difference.code, difference.key))
            if digests:
                covered.add((agent.name, name, "configuration", digests))
            yield _change(_Found(difference=difference), agent.name, several=several)
    for key, found in _applied(baseline, head).items():
        if key not in covered:
            yield _change(found, key[0], several=several)


def _change(found: _Found, agent: str, *, several: bool) -> GateChange:
    cases = tuple(found.cases)
    where = f" in {cases_named(cases)}" if cases else ""
    whose = f", of the agent {quoted(agent)}" if several else ""
    return GateChange(
        code=found.difference.code,
        message=f"{found.difference.sentence}{where}{whose}",
        loosens=found.difference.loosens,
        cases=cases,
        agent=agent,
        metric=found.difference.metric,
    )


def _applied(baseline: Run, head: Run) -> dict[_Key, _Found]:
    """What differs in the cases on both sides, those that were changed too."""
    current = by_key(head)
    found: dict[_Key, _Found] = {}
    for before in baseline.cases:
        now = current.get((before.agent, before.id))
        for name, difference in applied(before, now) if now else ():
            key = before.agent, name, difference.code, difference.key
            found.setdefault(key, _Found(difference=difference)).cases[before.id] = None
    return found


def _bounded(changes: Sequence[GateChange]) -> Iterator[GateChange]:
    """The first `MOST` of each kind, and a sentence for the others."""
    told: Counter[str] = Counter()
    left: dict[str, list[GateChange]] = {}
    for change in changes:
        told[change.code] += 1
        if told[change.code] <= MOST:
            yield change
        else:
            left.setdefault(change.code, []).append(change)
    for code, others in left.items():
        loosens = sum(change.loosens for change in others)
        message = f"and {len(others)} more of this kind ({code}), {loosens} of them loosening"
        yield GateChange(code=code, message=message, loosens=loosens > 0)
