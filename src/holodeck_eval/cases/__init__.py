"""Which transcript belongs to which test case of which agent, and what is judged of it. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from holodeck_eval.cases._build import build, missing
from holodeck_eval.cases._link import Links, link_agent
from holodeck_eval.cases._owners import owners
from holodeck_eval.cases._staleness import StalenessOf, says_of_its_agent, staleness_of
from holodeck_eval.domain.agent import Agent, TestCase
from holodeck_eval.domain.case import Case
from holodeck_eval.domain.transcript import Transcript
from holodeck_eval.domain.wording import quoted
from holodeck_eval.errors import Problem, TranscriptError

_TOLD = 100
"""Problems, and warnings, that are told; more would not be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """The cases of a run, by agent: its test cases in order, then transcripts without a test case."""

    cases: tuple[Case, ...]
    warnings: tuple[str, ...] = ()


def link(
    agents: Sequence[Agent],
    transcripts: Sequence[Transcript],
    *,
    assigned: Mapping[int, str],
    by_position: bool = False,
    context_from_tools: Collection[str] = (),
) -> Linked:
    """Bring what was recorded together with what was expected.

    Args:
        agents: at least one; names are unique.
        transcripts: of all files, in order.
        assigned: index of a transcript to the agent's name, where NAME=GLOB said so.
        by_position: also link by order, where neither a name nor the input does.
        context_from_tools: names of tools whose results are retrieval context, beside the agent's own.

    Raises:
        TranscriptError: with every problem: a transcript of no known agent, two transcripts for one
            test case, an id given twice.
    """
    problems: list[Problem] = []
    owned = owners(agents, transcripts, assigned, problems)
    cases: list[Case] = []
    warnings: list[str] = []
    for agent in agents:
        mine = [transcript for transcript, owner in zip(transcripts, owned, strict=True) if owner is agent]
        warnings.extend(_unknown_parts(agent, mine))
        links = link_agent(agent, mine, problems, by_position=by_position)
        made = _cases(agent, links, frozenset(context_from_tools), warnings)
        _refuse_duplicates(agent, made, problems)
        cases.extend(made)
    if problems:
        rest = [Problem(message=f"and {len(problems) - _TOLD:,} more problems; mend these first")]
        raise TranscriptError(*problems[:_TOLD], *(rest if len(problems) > _TOLD else ()))
    if len(warnings) > _TOLD:
        warnings[_TOLD:] = [f"and {len(warnings) - _TOLD:,} more warnings about transcripts"]
    return Linked(cases=tuple(cases), warnings=tuple(warnings))


def _cases(agent: Agent, links: Links, from_tools: frozenset[str], warnings: list[str]) -> list[Case]:
    warnings.extend(links.warnings)
    staleness = StalenessOf(agent)

    def recorded(test_case: TestCase | None, transcript: Transcript) -> Case:
        case = build(agent, test_case, transcript, from_tools, warnings)
        return replace(case, staleness=staleness(transcript))

    made: list[Case] = []
    for test_case, transcript in links.by_test_case:
        found = missing(agent, test_case) if transcript is None else recorded(test_case, transcript)
        made.append(found)
    made.extend(recorded(None, transcript) for transcript in links.others)
    return made


def _unknown_parts(agent: Agent, transcripts: Sequence[Transcript]) -> list[str]:
    """Why parts of an agent are not known, where transcripts say what they were recorded with."""
    problems = agent.behaviour.problems if agent.behaviour is not None else ()
    if not any(says_of_its_agent(transcript) for transcript in transcripts):
        return []
    return [f"{problem}; so transcripts cannot be told to be fresh" for problem in problems]


def _refuse_duplicates(agent: Agent, cases: Sequence[Case], problems: list[Problem]) -> None:
    first: dict[str, Case] = {}
    for case in cases:
        known = first.setdefault(case.id, case)
        if known is not case:
            problems.append(_duplicate(agent, known, case))


def _duplicate(agent: Agent, first: Case, second: Case) -> Problem:
    place = second.transcript or second.test_case
    other = first.transcript or first.test_case
    if first.transcript is None and second.transcript is None and first.name is None:
        return Problem(
            message=f"this test case has the same input as the one at {other}, and neither has a name; "
            "name them",
            place=place,
        )
    return Problem(
        message=f"the case id {quoted(second.id)} of agent {quoted(agent.name)} is already that of {other}; "
        "give each its own `id` or name, or keep one run of it",
        place=place,
    )


__all__ = ["Linked", "link", "staleness_of"]
