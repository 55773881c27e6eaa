import json
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holodeck_eval.domain.judgement import Judgement
from holodeck_eval.domain.key_shapes import holds_key
from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.redaction import holds, mark, redact
from holodeck_eval.errors import Place
from tests.fakes.keys import IN_PLACE, KEYS, armoured, body

KEY = "sk-1234567890"
OPENAI = KEYS["OpenAI key"][0]
PIECES = [KEY, OPENAI, armoured(), "password-1", *'…\n "\\a-', "…[", "eyJ", "Bearer "]


def test_a_secret_is_starred_out_however_deep_it_sits() -> None:
    value = {f"a {KEY}": [Judgement(score=0.5, reason=f"said {KEY}", details={"texts": (KEY, 7, None)})]}
    assert redact(value, [KEY]) == {
        "a ***": [Judgement(score=0.5, reason="said ***", details={"texts": ("***", 7, None)})]
    }


def test_a_frozen_dataclass_within_another_is_rebuilt() -> None:
    outcome = Scored(score=1.0, reason=f"{KEY}{KEY}")
    assert redact((outcome, Place(file=KEY, line=3)), [KEY]) == (
        Scored(score=1.0, reason="******"),
        Place(file="***", line=3),
    )


def test_a_field_that_is_reckoned_from_the_others_is_left_to_them() -> None:
    @dataclass(frozen=True)
    class Counted:
        text: str
        length: list[int] = field(default_factory=list, init=False)

    assert redact(Counted(f"my {KEY}"), [KEY]) == Counted("my ***")


def test_the_longest_secret_is_taken_out_whole() -> None:
    assert redact(f"{KEY}-and-more", [KEY, f"{KEY}-and-more"]) == "***"


def test_secrets_that_overlap_are_taken_out_together() -> None:
    assert redact("abcdefghijkl", ["abcdefgh", "efghijkl"]) == "***"


def test_texts_too_short_to_be_keys_are_left_alone() -> None:
    assert redact("a short text", ["short", ""]) == "a short text"


def test_what_holds_no_secret_is_the_same_object() -> None:
    value = {"a": (KEY, [Place(file="a file of the project"), KEY])}
    assert redact(value, []) is value
    assert redact(value, ["not-in-it-at-all"]) is value


def test_a_class_is_no_value_to_take_apart() -> None:
    assert redact(Place, [KEY]) is Place


@pytest.mark.parametrize("kind", KEYS)
def test_a_key_gives_way_to_its_kind(kind: str) -> None:
    for key in KEYS[kind]:
        assert redact(f"see `{key}` there", []) == f"see `*** ({kind})` there"


@pytest.mark.parametrize("kind", IN_PLACE)
def test_what_says_what_a_key_is_for_stays(kind: str) -> None:
    for around, key in IN_PLACE[kind]:
        assert redact(around.format(key), []) == around.format(mark(kind))


def test_a_known_secret_that_is_a_key_is_one_of_its_kind() -> None:
    assert redact(f"{OPENAI} {KEY}", [OPENAI, KEY]) == "*** (OpenAI key) ***"


def test_a_known_secret_within_a_key_does_not_leave_the_rest_of_it() -> None:
    assert redact(OPENAI, [OPENAI[10:20]]) == "*** (OpenAI key)"


def test_a_key_of_which_a_known_secret_says_more_is_taken_out_to_its_end() -> None:
    assert redact(f"{OPENAI}/and-more", [f"{OPENAI}/and-more"]) == "*** (OpenAI key)"


def test_a_line_of_a_secret_is_secret() -> None:
    assert redact(f"its second line is {body(64)}!", [armoured()]) == "its second line is ***!"


@pytest.mark.parametrize("left", range(4, len(KEY)))
def test_a_secret_that_a_text_was_cut_in_is_starred_up_to_the_cut(left: int) -> None:
    assert redact(f"it is {KEY[:left]}…", [KEY]) == "it is ***…"


def test_what_is_before_a_cut_and_begins_no_secret_stays() -> None:
    assert redact("it is sk-…, or sk-12x…, or sk-1234", [KEY]) == "it is sk-…, or sk-12x…, or sk-1234"


@pytest.mark.parametrize("secret", ["OpenAI key", "private key", "********", "x***-and-more"])
def test_what_stands_in_marks_is_no_secret(secret: str) -> None:
    assert redact(f"{OPENAI} {secret}", [secret]) == f"*** (OpenAI key) {secret}"


@given(st.lists(st.sampled_from(PIECES), max_size=8), st.sets(st.sampled_from(PIECES), max_size=4))
def test_a_second_time_changes_nothing(parts: list[str], secrets: set[str]) -> None:
    once = redact("".join(parts), secrets)
    assert redact(once, secrets) == once
    assert not holds_key(once)


@given(st.lists(st.sampled_from(PIECES), max_size=8), st.sets(st.sampled_from(PIECES), max_size=4))
def test_json_that_is_said_to_hold_nothing_holds_nothing(parts: list[str], secrets: set[str]) -> None:
    text = "".join(parts)
    for document in (json.dumps([text]), json.dumps([text], ensure_ascii=False)):
        assert redact(text, secrets) == text or holds(document, secrets)


def test_json_holds_a_secret_however_it_is_escaped() -> None:
    secret = 'p"a\\s\nsß-word'
    assert holds(json.dumps(f"a {secret}"), [secret])
    assert holds(json.dumps(f"a {secret}", ensure_ascii=False), [secret])
    assert holds(json.dumps(f"a {secret[:6]}…", ensure_ascii=False), [secret])
    assert not holds(json.dumps("a password"), [secret])
    assert not holds(json.dumps("a p…", ensure_ascii=False), [secret])
