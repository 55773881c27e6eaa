"""Which test case a transcript belongs to: by name, else by exact input, else by position when asked."""

from collections.abc import Sequence
from dataclasses import dataclass

from holodeck_eval.domain.agent import Agent, TestCase
from holodeck_eval.domain.transcript import Transcript
from holodeck_eval.domain.wording import nearest, quoted
from holodeck_eval.errors import Problem

_SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """One agent's test cases in order, each with its transcript or None, and the transcripts left over."""

    by_test_case: tuple[tuple[TestCase, Transcript | None], ...]
    others: tuple[Transcript, ...]
    warnings: tuple[str, ...]


def link_agent(
    agent: Agent, transcripts: Sequence[Transcript], problems: list[Problem], *, by_position: bool
) -> Links:
    """Link one agent's transcripts to its test cases; two transcripts for one test case are a problem."""
    index = _Index(agent)
    linked: dict[int, Transcript] = {}
    others: list[Transcript] = []
    for position, transcript in enumerate(transcripts):
        found = index.find(transcript, position if by_position else None, problems)
        if found is None:
            others.append(transcript)
        elif found in linked:
            problems.append(_second(agent.test_cases[found], linked[found], transcript))
        else:
            linked[found] = transcript
    return Links(
        by_test_case=tuple((case, linked.get(number)) for number, case in enumerate(agent.test_cases)),
        others=tuple(others),
        warnings=_warnings(agent, others),
    )


class _Index:
    """The test cases of an agent, by name and by input."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._named: dict[str, list[int]] = {}
        self._asked: dict[tuple[str | None, ...], list[int]] = {}
        for number, case in enumerate(agent.test_cases):
            if case.name is not None:
                self._named.setdefault(case.name, []).append(number)
            self._asked.setdefault(asked(case), []).append(number)

    def find(self, transcript: Transcript, position: int | None, problems: list[Problem]) -> int | None:
        """The number of the test case, or None where there is none; more than one is a problem."""
        same = self._same_input(transcript)
        if transcript.test_case is not None:
            named = self._named.get(transcript.test_case, [])
            both = [number for number in named if number in same]
            return self._only(both if len(named) > 1 and both else named, transcript, problems)
        if same or position is None:
            return self._only(same, transcript, problems)
        return position if position < len(self._agent.test_cases) else None

    def _same_input(self, transcript: Transcript) -> list[int]:
        inputs = tuple(turn.input for turn in transcript.turns)
        whole = self._asked.get(inputs, [])
        if len(inputs) == 1:
            return whole
        last = self._asked.get(inputs[-1:], [])
        return whole + [number for number in last if not self._agent.test_cases[number].multi_turn]

    def _only(self, found: list[int], transcript: Transcript, problems: list[Problem]) -> int | None:
        if len(found) > 1:
            first, second = (self._agent.test_cases[number].place for number in found[:2])
            problems.append(
                Problem(
                    message=f"this transcript fits the test cases at {first} and at {second}; "
                    "give them different names and say which with `test_case`",
                    place=transcript.place,
                )
            )
        return found[0] if found else None


def asked(case: TestCase) -> tuple[str | None, ...]:
    """What a test case asks, turn by turn."""
    return tuple(turn.input for turn in case.turns)


def _second(case: TestCase, first: Transcript, second: Transcript) -> Problem:
    name = f" {quoted(case.name)}" if case.name is not None else ""
    return Problem(
        message=f"this is a second transcript for the test case{name} at {case.place}; "
        f"the first is at {first.place}. Keep one",
        place=second.place,
    )


def _warnings(agent: Agent, others: Sequence[Transcript]) -> tuple[str, ...]:
    """What to say of transcripts without a test case, where the agent has test cases at all."""
    if not agent.test_cases or not others:
        return ()
    names = [case.name for case in agent.test_cases if case.name is not None]
    shown = ", ".join(_described(transcript, names) for transcript in others[:_SHOWN])
    more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
    count = f"agent {quoted(agent.name)}: {len(others)} transcript(s) belong to no test case"
    return (f"{count} and are scored with the agent's metrics: {shown}{more}",)


def _described(transcript: Transcript, names: Sequence[str]) -> str:
    if transcript.test_case is None:
        return str(transcript.place)
    hint = nearest(transcript.test_case, names).removeprefix("; ")
    return f"{transcript.place} ({quoted(transcript.test_case)}{', ' + hint if hint else ''})"
