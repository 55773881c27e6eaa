"""Which agent a transcript belongs to: by NAME=GLOB, by the name it carries, or the only one."""

from collections.abc import Mapping, Sequence

from holodeck_eval.domain.agent import Agent
from holodeck_eval.domain.transcript import Transcript
from holodeck_eval.domain.wording import listed, nearest, quoted
from holodeck_eval.errors import Problem


def owners(
    agents: Sequence[Agent],
    transcripts: Sequence[Transcript],
    assigned: Mapping[int, str],
    problems: list[Problem],
) -> list[Agent | None]:
    """The agent of each transcript; None where there is none, which is a problem.

    A file of many transcripts of one unknown agent is one problem.
    """
    found: list[Agent | None] = []
    told: set[tuple[str, str]] = set()
    for index, transcript in enumerate(transcripts):
        owner, message = _owner(agents, transcript, assigned.get(index))
        found.append(owner)
        if message and (transcript.place.file, message) not in told:
            told.add((transcript.place.file, message))
            problems.append(Problem(message=message, place=transcript.place))
    return found


def _owner(agents: Sequence[Agent], transcript: Transcript, assigned: str | None) -> tuple[Agent | None, str]:
    carried = transcript.agent
    if assigned is not None:
        return _assigned(agents, carried, assigned)
    if carried is None:
        return (agents[0], "") if len(agents) == 1 else (None, _unnamed(agents))
    owner = next((agent for agent in agents if _is_called(agent, carried)), None)
    return owner, "" if owner else _foreign(agents, carried)


def _assigned(agents: Sequence[Agent], carried: str | None, name: str) -> tuple[Agent | None, str]:
    owner = next((agent for agent in agents if agent.name == name), None)
    if owner is None:
        return None, (
            f"--transcripts gives this file to {quoted(name)}, but the agents are "
            f"{_names(agents)}{nearest(name, [agent.name for agent in agents])}"
        )
    if carried is not None and not _is_called(owner, carried):
        return None, _foreign([owner], carried)
    return owner, ""


def _is_called(agent: Agent, name: str) -> bool:
    return name == agent.name or name in agent.aliases


def _foreign(agents: Sequence[Agent], carried: str) -> str:
    known = f"agent {_names(agents)}" if len(agents) == 1 else f"any of {_names(agents)}"
    new = quoted(agents[0].name) if len(agents) == 1 else "NEW"
    return (
        f"this transcript is of agent {quoted(carried)}, not of {known}; "
        f"after a rename, say --rename-agent {quoted(carried)}={new}"
    )


def _unnamed(agents: Sequence[Agent]) -> str:
    return (
        f"this transcript does not say which agent it is of; the agents are {_names(agents)}: "
        "say --transcripts NAME=GLOB"
    )


def _names(agents: Sequence[Agent]) -> str:
    return listed(agent.name for agent in agents)
