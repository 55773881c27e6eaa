import re
from dataclasses import replace
from typing import Any

import pytest

from holodeck_eval.domain.behaviour import Behaviour, Instructions
from holodeck_eval.domain.digest import digest_of, digests_of, parts_of

SEARCH = {"type": "vectorstore", "name": "search", "source": "a.md"}
FETCH = {"type": "mcp", "name": "fetch", "command": "npx"}
BEHAVIOUR = Behaviour(
    model={"provider": "openai", "name": "gpt-4o"},
    instructions=Instructions(text="Be brief.\n"),
    tools=(SEARCH, FETCH),
    settings={},
)
DIGEST = digest_of(BEHAVIOUR)
PINNED = "1.2881e4725d9f1c15.fecef222d7732bb7.a1937d4e58482adf.47a3a5845c2af45a"


def test_a_digest_says_its_version_and_has_a_piece_for_each_part() -> None:
    assert re.fullmatch(r"1(\.[0-9a-f]{16}){4}", DIGEST)
    assert parts_of(DIGEST) == digests_of(BEHAVIOUR)
    assert list(digests_of(BEHAVIOUR)) == ["model", "instructions", "tools", "settings"]


def test_a_digest_is_the_same_for_ever() -> None:
    assert DIGEST == PINNED


@pytest.mark.parametrize(
    "same",
    [
        {"model": {"name": "gpt-4o", "temperature": 0.3, "provider": "openai", "api_key": "other"}},
        {"instructions": Instructions(text="  Be brief.", inline=True, bodies=("x",))},
        {"tools": (FETCH, {**SEARCH, "top_k": 5.0, "database": "elsewhere"})},
        {"settings": {"claude": {"web_search": False}, "openai": {}}},
    ],
)
def test_what_changes_nothing_does_not_change_the_digest(same: Any) -> None:
    assert digest_of(replace(BEHAVIOUR, **same)) == DIGEST


@pytest.mark.parametrize(
    "other",
    [
        {"model": {"provider": "openai", "name": "gpt-4o", "temperature": 0.4}},
        {"model": {"provider": "openai", "name": "gpt-4o", "top_p": 1}},
        {"instructions": Instructions(text="Be long.")},
        {"tools": (SEARCH,)},
        {"tools": ({**SEARCH, "description": "Finds things"}, FETCH)},
        {"settings": {"response_format": {"type": "object"}}},
        {"settings": {"claude": {"agents": {"a": {"prompt": "Hi"}}}}},
    ],
)
def test_what_changes_behaviour_changes_the_piece_of_its_part_alone(other: Any) -> None:
    pieces, changed = digests_of(BEHAVIOUR), digests_of(replace(BEHAVIOUR, **other))
    assert [part for part, piece in pieces.items() if piece != changed[part]] == list(other)


@pytest.mark.parametrize("part", ["model", "instructions", "tools", "settings"])
def test_a_part_that_is_not_known_leaves_no_digest(part: str) -> None:
    unknown: Any = {part: Instructions(text=None) if part == "instructions" else None}
    assert part not in digests_of(replace(BEHAVIOUR, **unknown))
    assert parts_of(digest_of(replace(BEHAVIOUR, **unknown))) is None
    assert digests_of(Behaviour()) == {}


def test_white_space_around_a_digest_is_no_part_of_it() -> None:
    assert parts_of(f" {DIGEST}\n") == parts_of(DIGEST)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sha256:" + "0" * 64,
        "0" * 64,
        DIGEST.replace("1.", "2.", 1),
        DIGEST + ".",
        DIGEST + DIGEST[-17:],
        DIGEST[:-17],
        DIGEST.upper().replace("1.", "1.A", 1),
        DIGEST[:20] + "\n" + DIGEST[20:],
        DIGEST + "\n::error::x",
        "\u0661" + DIGEST[1:],
    ],
)
def test_any_other_text_is_no_digest(text: str) -> None:
    assert parts_of(text) is None
