"""A secret is known by more than its own letters: by its lines, and by what encodings make of it."""

import base64
import json
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holodeck_eval.domain.secret_forms import SHORTEST, forms_of, plain_forms
from tests.fakes.keys import armoured, body

AWKWARD = 'p"a\\s/ß+w&o=r d!'


def test_a_secret_of_letters_and_digits_has_itself_and_its_base64() -> None:
    assert plain_forms(body(20)) == {body(20)}
    assert len(forms_of(body(20))) == 4


def test_a_secret_of_many_lines_is_its_lines_without_its_armour() -> None:
    key = armoured()
    assert plain_forms(key) == {key, body(64), f"{body(30)}=="}


def test_lines_that_are_written_on_one_line_are_lines() -> None:
    assert body(64) in plain_forms(armoured().replace("\n", "\\n"))


def test_what_is_too_short_is_no_form() -> None:
    assert forms_of("a\nshort\nsecret-line\n") >= {"secret-line"}
    assert all(len(form) >= SHORTEST for form in forms_of("a\nshort\nsecret-line\n"))
    assert forms_of("short") == frozenset()


@pytest.mark.parametrize(
    "written",
    [
        json.dumps(AWKWARD),
        json.dumps(AWKWARD, ensure_ascii=False),
        repr(AWKWARD),
        repr(f"\"'{AWKWARD}"),
        quote(AWKWARD),
        quote(AWKWARD, safe=""),
        quote(AWKWARD, safe="!'()*"),
        quote_plus(AWKWARD),
    ],
)
def test_a_secret_is_found_as_json_and_urls_write_it(written: str) -> None:
    assert any(form in written for form in forms_of(AWKWARD))


@given(st.binary(max_size=7), st.text(min_size=8, max_size=40), st.binary(max_size=7))
def test_a_secret_is_found_in_the_base64_of_a_text_that_holds_it(
    before: bytes, secret: str, after: bytes
) -> None:
    raw = before + secret.encode(errors="replace") + after
    for encoded in (base64.b64encode(raw), base64.urlsafe_b64encode(raw)):
        assert any(form in encoded.decode() for form in forms_of(secret))
