"""Settles the policy: what the options say, what the policy file says, and who wins."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from holodeck_eval.assemble.paths import Checkout
from holodeck_eval.config import MetricOverride, PolicyFile
from holodeck_eval.domain.agent import Agent, MetricSpec
from holodeck_eval.domain.case import Case
from holodeck_eval.domain.options import Options
from holodeck_eval.domain.policy import Policy, tightened, written_over
from holodeck_eval.errors import Problem

TOOLS: Final = "expected_tools"


def settle(
    options: Options, file: PolicyFile | None, checkout: Checkout, *, baseline: bool = False
) -> tuple[Policy, tuple[str, ...]]:
    """The policy of this run, and warnings.

    Options win over the file, except that a file of the checkout under test may only tighten them.

    Args:
        options: what was asked for.
        file: the policy file; None without one.
        checkout: says whether that file is the pull request's own.
        baseline: whether the run is compared with one. Then a pass rate is required only where it is
            written: a case that failed before and fails now is not blamed on the change.
    """
    start = Policy(min_pass_rate=None) if baseline else Policy()
    asked = written_over(start, options.rules)
    if file is None or options.policy is None:
        return asked, ()
    if options.trust_checkout or not checkout.holds(Path(options.policy)):
        return written_over(written_over(start, file.rules), options.rules), ()
    policy, looser = tightened(asked, file.rules)
    return policy, tuple(
        f"{options.policy} lies in the checkout and may only tighten the policy: its {name} is looser and "
        "is not used (set the input, or trust_checkout: true)"
        for name in looser
    )


def unknown_overrides(file: PolicyFile | None, agents: Sequence[Agent]) -> list[Problem]:
    """A problem for each metric the policy file overrides that no agent has."""
    if file is None:
        return []
    known = {metric.name for agent in agents for metric in every_metric(agent)}
    known |= {TOOLS for agent in agents if _expects_tools(agent)}
    return [
        Problem(
            message=f"no agent has a metric named {name!r}; there are {_list(known)}", place=override.place
        )
        for name, override in file.overrides.items()
        if name not in known
    ]


def tools_overridden(cases: Sequence[Case], file: PolicyFile | None) -> tuple[Case, ...]:
    """The cases, with what the policy file changes of their check of expected tools.

    That metric has no place in an agent's list, where the others are overridden.
    """
    override = file.overrides.get(TOOLS) if file else None
    return tuple(cases) if override is None else tuple(_overridden(case, override) for case in cases)


def _overridden(case: Case, override: MetricOverride) -> Case:
    turns = []
    for turn in case.turns:
        metrics = [override.of(metric) if metric.kind == TOOLS else metric for metric in turn.metrics]
        turns.append(replace(turn, metrics=tuple(metric for metric in metrics if metric.enabled)))
    return replace(case, turns=tuple(turns))


def _expects_tools(agent: Agent) -> bool:
    turns = (turn for test_case in agent.test_cases for turn in test_case.turns)
    return any(turn.expected_tools is not None for turn in turns)


def every_metric(agent: Agent) -> list[MetricSpec]:
    """Every metric an agent's YAML configures, on any level."""
    levels = [agent.metrics]
    for test_case in agent.test_cases:
        levels.append(test_case.metrics or ())
        levels.extend(turn.metrics or () for turn in test_case.turns)
    return [metric for level in levels for metric in level]


def _list(names: set[str]) -> str:
    return ", ".join(sorted(names)) or "none"
