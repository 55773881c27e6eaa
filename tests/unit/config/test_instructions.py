"""What HoloDeck records of instructions: a hash of their body, and their front matter."""

import hashlib
from typing import Any

import pytest

from holodeck_eval.config.instructions import instructions_of

NO_FRONT = {"author": None, "description": None, "tags": [], "extra": {}}


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def auto(body: str) -> dict[str, object]:
    return {"version": f"auto-{sha256(body)[:8]}", **NO_FRONT}


@pytest.mark.parametrize(
    ("text", "body", "front"),
    [
        ("\nBe brief.\n\n", "Be brief.", auto("Be brief.")),
        ("", "", auto("")),
        ("---\nversion: 1.2\nauthor: me\n---\n\nHi\n", "Hi", {**NO_FRONT, "version": "1.2", "author": "me"}),
        (
            "-----  \ndescription: d\ntags: [a, b]\nowner: x\nday: 2026-01-02\n---\nHi\n---\nYou",
            "Hi\n---\nYou",
            {
                **auto("Hi\n---\nYou"),
                "description": "d",
                "tags": ["a", "b"],
                "extra": {"owner": "x", "day": "2026-01-02"},
            },
        ),
        ("---\n- a list\n---\nHi", "Hi", auto("Hi")),
        ("---\n---\nHi", "Hi", auto("Hi")),
        ("---\nnever closed", "---\nnever closed", auto("---\nnever closed")),
        ("Hi\n---\na: b\n---\n", "Hi\n---\na: b\n---", auto("Hi\n---\na: b\n---")),
        ("---\na: [\n---\nHi", "Hi", None),
    ],
)
def test_front_matter_is_taken_off_as_holodeck_does(text: str, body: str, front: Any) -> None:
    found = instructions_of(text)
    assert found.text == text
    assert found.bodies[0] == sha256(body)
    assert found.front == front


def test_a_file_that_begins_with_a_byte_order_mark_has_another_hash() -> None:
    assert instructions_of("---\na: b\n---\nHi\n").bodies[1] == sha256("\ufeff---\na: b\n---\nHi")


@pytest.mark.parametrize("text", ['{\n"version": 1\n}\nHi', "+++\nversion = 1\n+++\nHi"])
def test_front_matter_of_other_kinds_is_not_taken_off(text: str) -> None:
    found = instructions_of(text, inline=True)
    assert (found.text, found.inline, found.bodies, found.front) == (text, True, (), None)
