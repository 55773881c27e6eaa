"""Reads every file a run needs, and gathers all that is wrong with them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from holodeck_eval.assemble.paths import Checkout, find, leads_out, split_assignments
from holodeck_eval.config import PolicyFile, load_agent, load_policy
from holodeck_eval.domain.agent import Agent
from holodeck_eval.domain.baseline import Baseline
from holodeck_eval.domain.options import Environment, Options
from holodeck_eval.domain.secret_values import secrets_of
from holodeck_eval.domain.wording import quoted
from holodeck_eval.errors import InputError, Place, Problem
from holodeck_eval.evaluators import METRICS
from holodeck_eval.transcripts import Limits, Reading, read
from holodeck_eval.verdicts import VerdictFile

T = TypeVar("T")

UNTRUSTED_VERDICTS = (
    "recorded verdicts in the checkout are not believed: its author could have written them. Keep the file "
    "outside, in a cache or an artifact restored under runner.temp, or set trust_checkout: true"
)


@dataclass(slots=True)
class Findings:
    """Problems gathered along the way, so that one run shows them all."""

    problems: list[Problem] = field(default_factory=list)

    def attempt(self, make: Callable[[], T]) -> T | None:
        """What `make` makes; None where it raised, with its problems kept."""
        try:
            return make()
        except InputError as error:
            self.problems.extend(error.problems)
            return None

    def stop_if_any(self) -> None:
        """Raise all that was gathered, each once.

        Raises:
            InputError: when there is any problem.
        """
        if self.problems:
            raise InputError(*dict.fromkeys(self.problems))


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """What was read.

    `readings` come with the agent they were assigned to, where one was named. `baseline` is None where none
    was asked for.
    """

    checkout: Checkout
    policy_file: PolicyFile | None
    agents: tuple[Agent, ...]
    readings: tuple[tuple[str | None, Reading], ...]
    store: VerdictFile | None
    baseline: Baseline | None


def read_inputs(
    options: Options, environment: Environment, findings: Findings, now: Callable[[], str]
) -> Inputs:
    """Read the policy, the agents, the transcripts, the recorded verdicts and the baseline.

    Args:
        options: what was asked for.
        environment: the process's environment, read once.
        findings: takes up everything that is wrong.
        now: the time to date new verdicts with, ISO 8601.
    """
    checkout = Checkout.of(environment)
    file = _policy_file(options, environment, findings)
    agents = _agents(options, environment, file, checkout, findings)
    return Inputs(
        checkout=checkout,
        policy_file=file,
        agents=tuple(agents),
        readings=tuple(_readings(options, agents, file, checkout, findings)),
        store=findings.attempt(partial(_verdicts, options, environment, checkout, now)),
        baseline=findings.attempt(partial(_baseline, options, checkout)),
    )


def _policy_file(options: Options, environment: Environment, findings: Findings) -> PolicyFile | None:
    if options.policy is None:
        return None
    load = partial(
        load_policy,
        Path(options.policy),
        environment=environment,
        metric_types=METRICS,
        allow_env=options.allow_env,
    )
    return findings.attempt(load)


def _agents(
    options: Options,
    environment: Environment,
    policy: PolicyFile | None,
    checkout: Checkout,
    findings: Findings,
) -> list[Agent]:
    names, problems = find(options.agent, what="agent", checkout=checkout)
    findings.problems.extend(problems)
    load = partial(
        load_agent,
        environment=environment,
        metric_types=METRICS,
        policy=policy,
        allow_env=options.allow_env,
    )
    loaded = (findings.attempt(partial(load, Path(name))) for name in names)
    agents = [_renamed(agent, options.rename_agent) for agent in loaded if agent is not None]
    findings.problems.extend(_name_clashes(agents))
    findings.problems.extend(_unknown_renames(agents, options.rename_agent))
    return agents


def _readings(
    options: Options,
    agents: Sequence[Agent],
    policy: PolicyFile | None,
    checkout: Checkout,
    findings: Findings,
) -> list[tuple[str | None, Reading]]:
    load = partial(
        read,
        format=options.format,
        mapping=policy.mapping if policy else {},
        limits=Limits(file_bytes=options.max_file_bytes, text_chars=options.max_text_chars),
    )
    owners = _owners(options, agents, checkout, findings)
    readings = ((agent, findings.attempt(partial(load, Path(name)))) for name, agent in owners.items())
    return [(agent, reading) for agent, reading in readings if reading is not None]


def _owners(
    options: Options, agents: Sequence[Agent], checkout: Checkout, findings: Findings
) -> dict[str, str | None]:
    """The transcript files, each once, with the agent that NAME=GLOB gives it to; None where none does."""
    owners: dict[str, str | None] = {}
    for agent, pattern in split_assignments(options.transcripts, [agent.name for agent in agents]):
        names, problems = find([pattern], what="transcript", checkout=checkout)
        findings.problems.extend(problems)
        for name in names:
            other = owners.get(name)
            if agent and other and agent != other:
                message = f"this file is given to two agents, {quoted(other)} and {quoted(agent)}"
                findings.problems.append(Problem(message=message, place=Place(file=name)))
            owners[name] = other or agent
    return owners


def _baseline(options: Options, checkout: Checkout) -> Baseline | None:
    if options.baseline is None:
        return None
    from holodeck_eval.assemble.baseline import read_baseline  # noqa: PLC0415 - a run without one does without it

    return read_baseline(options, checkout)


def _verdicts(
    options: Options, environment: Environment, checkout: Checkout, now: Callable[[], str]
) -> VerdictFile:
    path = Path(options.verdicts) if options.verdicts else None
    if path is not None and checkout.lets_out(path):
        raise InputError(leads_out(str(path)))
    in_checkout = path is not None and checkout.holds(path)
    if in_checkout and not options.trust_checkout:
        raise InputError(Problem(message=UNTRUSTED_VERDICTS, place=Place(file=str(path))))
    return VerdictFile.open(
        path,
        append=not options.offline,
        from_checkout=in_checkout,
        now=now,
        secrets=secrets_of(environment),
    )


def _renamed(agent: Agent, renames: Sequence[str]) -> Agent:
    old = tuple(item.partition("=")[0] for item in renames if item.partition("=")[2] == agent.name)
    return replace(agent, aliases=(*agent.aliases, *old))


def _unknown_renames(agents: Sequence[Agent], renames: Sequence[str]) -> list[Problem]:
    names = {agent.name for agent in agents}
    return [
        Problem(message=f"--rename-agent takes OLD=NEW with NEW an agent's name, not {item!r}")
        for item in renames
        if not item.partition("=")[0] or item.partition("=")[2] not in names
    ]


def _name_clashes(agents: Sequence[Agent]) -> list[Problem]:
    first: dict[str, Agent] = {}
    problems = []
    for agent in agents:
        other = first.setdefault(agent.name, agent)
        if other is not agent:
            problems.append(
                Problem(
                    message=f"the agent name {agent.name!r} is taken by {other.place.file} already",
                    place=agent.place,
                )
            )
    return problems
