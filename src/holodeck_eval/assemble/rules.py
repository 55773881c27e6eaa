"""Settles the policy: what the options say, what the policy file says, and who wins."""

from collections.abc import Sequence
from pathlib import Path

from holodeck_eval.assemble.paths import Checkout
from holodeck_eval.config import PolicyFile
from holodeck_eval.domain.agent import Agent, MetricSpec
from holodeck_eval.domain.options import Options
from holodeck_eval.domain.policy import Policy, tightened, written_over
from holodeck_eval.errors import Problem


def settle(options: Options, file: PolicyFile | None, checkout: Checkout) -> tuple[Policy, tuple[str, ...]]:
    """The policy of this run, and warnings.

    Options win over the file, except that a file of the checkout under test may only tighten them.
    """
    asked = written_over(Policy(), options.rules)
    if file is None or options.policy is None:
        return asked, ()
    if options.trust_checkout or not checkout.holds(Path(options.policy)):
        return written_over(written_over(Policy(), file.rules), options.rules), ()
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
    return [
        Problem(
            message=f"no agent has a metric named {name!r}; there are {_list(known)}", place=override.place
        )
        for name, override in file.overrides.items()
        if name not in known
    ]


def every_metric(agent: Agent) -> list[MetricSpec]:
    """Every metric an agent's YAML configures, on any level."""
    levels = [agent.metrics]
    for test_case in agent.test_cases:
        levels.append(test_case.metrics or ())
        levels.extend(turn.metrics or () for turn in test_case.turns)
    return [metric for level in levels for metric in level]


def _list(names: set[str]) -> str:
    return ", ".join(sorted(names)) or "none"
