"""Whether a transcript was recorded with the agent as it is now."""

import hashlib
from dataclasses import replace
from typing import Any

import pytest

from holodeck_eval.cases import link, staleness_of
from holodeck_eval.domain.behaviour import Behaviour, Instructions
from holodeck_eval.domain.digest import digest_of
from holodeck_eval.domain.staleness import UNKNOWN, Staleness
from holodeck_eval.errors import Place, Problem
from tests.unit.cases.make import agent, transcript, wanted

FRESH = Staleness(status="fresh")
MODEL = {"provider": "openai", "name": "gpt-4o"}
SEARCH = {"type": "vectorstore", "name": "search", "source": "a.md"}
NOW = Behaviour(model=MODEL, instructions=Instructions(text="Be brief."), tools=(SEARCH,), settings={})
FILLED = Behaviour(
    model={
        **MODEL,
        "temperature": 0.3,
        "max_tokens": 1000,
        "top_p": None,
        "endpoint": None,
        "api_key": "***",
    },
    instructions=Instructions(text="Be brief.\n"),
    tools=({**SEARCH, "top_k": 5, "field_separator": "\n", "defer_loading": True, "database": None},),
    settings={"claude": {"web_search": False, "bash": None}},
)
"""`NOW` as a HoloDeck run records it."""


def stale(*parts: str) -> Staleness:
    return Staleness(status="stale", differs=parts)


def by_digest(digest: str, now: Behaviour | None = NOW) -> Staleness:
    return staleness_of(agent(behaviour=now), transcript(1, "q", agent_digest=digest))


def by_record(then: Behaviour, now: Behaviour | None = NOW) -> Staleness:
    return staleness_of(agent(behaviour=now), transcript(1, "q", recorded_agent=then))


def tools(*now: Any) -> Behaviour:
    return replace(NOW, tools=tuple(now))


def settings(**given: Any) -> Behaviour:
    return replace(NOW, settings=given)


def inline(text: str) -> Behaviour:
    return replace(NOW, instructions=Instructions(text=text, inline=True))


def test_a_record_that_says_nothing_of_its_agent_is_unknown() -> None:
    assert staleness_of(agent(behaviour=NOW), transcript(1, "q")) == UNKNOWN


def test_a_record_with_the_digest_of_the_agent_is_fresh() -> None:
    assert by_digest(digest_of(NOW)) == FRESH
    assert by_digest(f"{digest_of(NOW)}\n") == FRESH


def test_a_record_with_another_digest_is_stale_and_says_by_what() -> None:
    assert by_digest(digest_of(replace(NOW, model={**MODEL, "temperature": 1}))) == stale("model")
    other = replace(
        NOW, tools=(), instructions=Instructions(text="Be long."), settings={"response_format": "f"}
    )
    assert by_digest(digest_of(other)) == stale("instructions", "tools", "settings")


@pytest.mark.parametrize("digest", ["", "abc", "0" * 64, "2." + digest_of(NOW)[2:], "1.\n2", "::error::x"])
def test_a_digest_of_another_kind_says_nothing(digest: str) -> None:
    assert by_digest(digest) == UNKNOWN


def test_where_a_part_of_the_agent_is_not_known_the_others_can_still_differ() -> None:
    unread = replace(NOW, instructions=None)
    assert by_digest(digest_of(NOW), unread) == UNKNOWN
    assert by_digest(digest_of(replace(NOW, tools=())), unread) == stale("tools")
    assert by_digest(digest_of(NOW), None) == UNKNOWN


def test_the_digest_is_believed_before_the_agent_that_was_kept() -> None:
    both = transcript(1, "q", agent_digest=digest_of(NOW), recorded_agent=replace(NOW, tools=()))
    assert staleness_of(agent(behaviour=NOW), both) == FRESH


def test_a_run_of_the_same_agent_with_defaults_filled_in_is_fresh() -> None:
    assert by_record(FILLED) == FRESH


@pytest.mark.parametrize(
    ("now", "then", "expected"),
    [
        (NOW, replace(FILLED, model={**MODEL, "temperature": 0.7}), stale("model")),
        (replace(NOW, model={**MODEL, "temperature": 0}), FILLED, stale("model")),
        (replace(NOW, model={**MODEL, "top_p": 0.5}), FILLED, stale("model")),
        (NOW, replace(FILLED, model={**MODEL, "top_p": 0.5}), stale("model")),
        (NOW, replace(FILLED, model={**MODEL, "name": "gpt-5"}, tools=()), stale("model", "tools")),
        (
            replace(NOW, model={**MODEL, "top_p": True}),
            replace(FILLED, model={**MODEL, "top_p": 1}),
            stale("model"),
        ),
        (NOW, replace(FILLED, model=None), UNKNOWN),
        (NOW, replace(FILLED, model=None, tools=()), stale("tools")),
        (NOW, replace(FILLED, model={**MODEL, "new_option": 1}), UNKNOWN),
    ],
)
def test_models_are_compared_as_holodeck_understands_them(
    now: Behaviour, then: Behaviour, expected: Staleness
) -> None:
    assert by_record(then, now) == expected


@pytest.mark.parametrize(
    ("now", "then", "expected"),
    [
        ("Be brief.", "Be long.", stale("instructions")),
        ("Serve ${SHOP}.", "Serve Ottermoor.", UNKNOWN),
        ("Serve ${SHOP} and ${TOWN}.", "Serve all and one.", UNKNOWN),
        ("Serve ${SHOP}.", "Feed Ottermoor.", stale("instructions")),
        ("Serve ${SHOP}.", "Serve Ottermoor!", stale("instructions")),
        ("a${X}b${Y}c", "a1c", stale("instructions")),
        ("aa${X}aa", "aaa", stale("instructions")),
        ("${X}", "", UNKNOWN),
    ],
)
def test_a_variable_in_the_text_may_have_been_anything(now: str, then: str, expected: Staleness) -> None:
    assert by_record(replace(FILLED, instructions=Instructions(text=then)), inline(now)) == expected


def test_a_variable_in_a_file_of_instructions_is_text() -> None:
    now = replace(NOW, instructions=Instructions(text="Serve ${SHOP}."))
    assert by_record(replace(FILLED, instructions=Instructions(text="Serve x.")), now) == stale(
        "instructions"
    )


BODY = hashlib.sha256(b"Be brief.").hexdigest()


@pytest.mark.parametrize(
    ("then", "expected"),
    [
        (Instructions(text=None, bodies=(BODY,), front={"version": "1"}), FRESH),
        (Instructions(text=None, bodies=(BODY,), front={"version": "2"}), UNKNOWN),
        (Instructions(text=None, bodies=("0" * 64,), front={"version": "1"}), stale("instructions")),
        (Instructions(text=None), UNKNOWN),
        (None, UNKNOWN),
    ],
)
def test_instructions_in_a_file_are_compared_by_holodecks_hash(
    then: Instructions | None, expected: Staleness
) -> None:
    told = Instructions(text="Be brief.", bodies=("1" * 64, BODY), front={"version": "1"})
    now = replace(NOW, instructions=told)
    assert by_record(replace(FILLED, instructions=then), now) == expected


def test_what_cannot_be_hashed_alike_is_unknown() -> None:
    then = replace(FILLED, instructions=Instructions(text=None, bodies=("0" * 64,), front={}))
    variable = Instructions(text="Serve ${SHOP}.", inline=True, bodies=(BODY,), front={})
    assert by_record(then, replace(NOW, instructions=variable)) == UNKNOWN
    assert by_record(then, replace(NOW, instructions=Instructions(text="{\n}"))) == UNKNOWN
    same = replace(FILLED, instructions=Instructions(text=None, bodies=(BODY,)))
    assert by_record(same, replace(NOW, instructions=Instructions(text="x", bodies=(BODY,)))) == UNKNOWN


MCP = {"type": "mcp", "name": "memory", "command": "npx", "env": {"A": "${A}"}, "args": ["-y", "x"]}


@pytest.mark.parametrize(
    ("now", "then", "expected"),
    [
        (tools(MCP, SEARCH), (SEARCH, {**MCP, "env": {"A": "1"}}), UNKNOWN),
        (tools(MCP), ({**MCP, "env": {"B": "1"}},), stale("tools")),
        (tools(MCP), ({**MCP, "args": ["-y", "y"]},), stale("tools")),
        (tools(MCP), ({**MCP, "args": ["-y"]},), stale("tools")),
        (tools({**MCP, "args": ["${A}", "x"]}), ({**MCP, "args": ["1"]},), stale("tools")),
        (tools({**MCP, "env": {}}), ({**MCP, "env": {}, "headers": {"Authorization": "x"}},), FRESH),
        (tools(), (MCP,), UNKNOWN),
        (tools(), (SEARCH,), stale("tools")),
        (tools(SEARCH), (), stale("tools")),
        (tools(SEARCH), ({**SEARCH, "type": "function"},), stale("tools")),
        (tools(SEARCH), ({**SEARCH, "top_k": 9},), stale("tools")),
        (tools(SEARCH), ({**SEARCH, "chunk_size": 9},), stale("tools")),
        (tools({**SEARCH, "vector_field": ["q"]}), ({**SEARCH, "vector_field": "q"},), stale("tools")),
        (tools({**SEARCH, "vector_field": "q${A}"}), ({**SEARCH, "vector_field": ["q"]},), UNKNOWN),
        (tools(SEARCH), ({**SEARCH, "rerank": {"new": True}},), UNKNOWN),
        (tools({**SEARCH, "rerank": True}), (SEARCH,), stale("tools")),
        (tools(SEARCH, SEARCH), (SEARCH,), UNKNOWN),
        (tools(SEARCH), ({"type": "mcp"},), UNKNOWN),
        (tools(SEARCH), None, UNKNOWN),
    ],
)
def test_tools_are_compared_by_name(now: Behaviour, then: Any, expected: Staleness) -> None:
    assert by_record(replace(FILLED, tools=then), now) == expected


SCHEMA = {"type": "object", "required": ["a"]}
SUBAGENT = {"description": "d", "prompt": "p"}


@pytest.mark.parametrize(
    ("now", "then", "expected"),
    [
        (settings(response_format=SCHEMA), {"response_format": SCHEMA}, FRESH),
        (settings(response_format=SCHEMA), {"response_format": {"type": "object"}}, stale("settings")),
        (settings(response_format={"type": "object"}), {"response_format": SCHEMA}, stale("settings")),
        (settings(response_format="a.json"), {"response_format": SCHEMA}, stale("settings")),
        (settings(), {"response_format": "a.json"}, stale("settings")),
        (settings(claude={"web_search": True}), {"claude": None}, stale("settings")),
        (settings(), {"claude": {"agents": {"a": SUBAGENT}}}, stale("settings")),
        (settings(claude={"agents": {"a": SUBAGENT}}), {"claude": {"agents": {"a": SUBAGENT}}}, FRESH),
        (settings(), {"claude": {"new": 1}}, UNKNOWN),
        (settings(), {"embedding_provider": MODEL}, stale("settings")),
        (settings(), None, UNKNOWN),
    ],
)
def test_settings_are_compared_section_by_section(now: Behaviour, then: Any, expected: Staleness) -> None:
    assert by_record(replace(FILLED, settings=then), now) == expected


def test_every_case_says_how_fresh_its_transcript_is_under_an_old_name_too() -> None:
    bot = agent(wanted(1, "a"), wanted(2, "b"), wanted(3, "c"), aliases=("old",), behaviour=NOW)
    recorded = [
        transcript(1, "a", agent="old", agent_digest=digest_of(replace(NOW, tools=()))),
        transcript(2, "b", recorded_agent=FILLED),
        transcript(3, "d", recorded_agent=FILLED),
        transcript(4, "e", recorded_agent=replace(FILLED, tools=())),
    ]
    linked = link([bot], recorded, assigned={})
    found = [case.staleness for case in linked.cases]
    assert found == [stale("tools"), FRESH, UNKNOWN, FRESH, stale("tools")]


PROBLEM = Problem(message="`instructions.file` cannot be used", place=Place(file="bot.yaml", line=3))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({}, ()),
        ({"agent_digest": "abc"}, ()),
        (
            {"agent_digest": digest_of(NOW)},
            ("bot.yaml:3: `instructions.file` cannot be used; so transcripts cannot be told to be fresh",),
        ),
        (
            {"recorded_agent": FILLED},
            ("bot.yaml:3: `instructions.file` cannot be used; so transcripts cannot be told to be fresh",),
        ),
    ],
)
def test_why_a_part_is_not_known_is_told_once_and_only_where_records_could_be_compared(
    said: Any, told: tuple[str, ...]
) -> None:
    bot = agent(behaviour=replace(NOW, instructions=None, problems=(PROBLEM,)))
    recorded = [transcript(1, "a", **said), transcript(2, "b", **said)]
    assert link([bot], recorded, assigned={}).warnings == told
