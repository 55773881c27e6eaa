"""Which agent a transcript belongs to."""

from typing import Any

import pytest

from holodeck_eval.cases import link
from holodeck_eval.domain.agent import Agent
from holodeck_eval.domain.transcript import Transcript
from holodeck_eval.errors import TranscriptError
from tests.unit.cases.make import agent, transcript

ALPHA, BETA = agent(name="alpha", aliases=("old",)), agent(name="beta")


def owners(
    *transcripts: Transcript,
    agents: tuple[Agent, ...] = (ALPHA, BETA),
    assigned: dict[int, str] | None = None,
) -> Any:
    return [(case.agent, case.id) for case in link(agents, transcripts, assigned=assigned or {}).cases]


def refused(
    *transcripts: Transcript,
    agents: tuple[Agent, ...] = (ALPHA, BETA),
    assigned: dict[int, str] | None = None,
) -> Any:
    with pytest.raises(TranscriptError) as caught:
        link(agents, transcripts, assigned=assigned or {})
    return [str(problem) for problem in caught.value.problems]


def test_a_transcript_belongs_to_the_agent_it_names_also_by_an_old_name() -> None:
    found = owners(transcript(1, "q", id="x", agent="beta"), transcript(2, "q", id="y", agent="old"))
    assert found == [("alpha", "y"), ("beta", "x")]


def test_a_transcript_without_a_name_belongs_to_the_only_agent() -> None:
    assert owners(transcript(1, "q", id="x"), agents=(ALPHA,)) == [("alpha", "x")]


def test_an_assignment_gives_a_transcript_without_a_name_its_agent() -> None:
    assert owners(transcript(1, "q", id="x"), assigned={0: "beta"}) == [("beta", "x")]


def test_ids_may_repeat_across_agents() -> None:
    found = owners(transcript(1, "q", id="x", agent="alpha"), transcript(2, "q", id="x", agent="beta"))
    assert found == [("alpha", "x"), ("beta", "x")]


def test_without_a_name_several_agents_are_listed() -> None:
    assert refused(transcript(1, "q")) == [
        (
            "t.jsonl:1: this transcript does not say which agent it is of; the agents are 'alpha', 'beta': "
            "say --transcripts NAME=GLOB"
        )
    ]


def test_another_agents_transcript_quotes_both_names_once_a_file() -> None:
    several = [transcript(number, "q", agent="gamma") for number in range(1, 4)]
    assert refused(*several, agents=(ALPHA,)) == [
        (
            "t.jsonl:1: this transcript is of agent 'gamma', not of agent 'alpha'; "
            "after a rename, say --rename-agent 'gamma'='alpha'"
        )
    ]


def test_another_agents_transcript_among_several_agents_lists_them() -> None:
    assert refused(transcript(1, "q", agent="gamma")) == [
        (
            "t.jsonl:1: this transcript is of agent 'gamma', not of any of 'alpha', 'beta'; "
            "after a rename, say --rename-agent 'gamma'=NEW"
        )
    ]


def test_an_assignment_against_the_name_it_carries_is_refused() -> None:
    (problem,) = refused(transcript(1, "q", agent="alpha"), assigned={0: "beta"})
    assert "of agent 'alpha', not of agent 'beta'" in problem


def test_an_assignment_to_nobody_names_the_nearest() -> None:
    (problem,) = refused(transcript(1, "q"), assigned={0: "bta"})
    assert problem.endswith(
        "gives this file to 'bta', but the agents are 'alpha', 'beta'; did you mean 'beta'?"
    )
