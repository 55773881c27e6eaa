"""Keys are found by their looks, made-up ones and other long texts are not, and no text takes long."""

import base64
import hashlib
import json
import time
import uuid
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holodeck_eval.domain.key_shapes import KEY_SHAPES, Found, find_keys, holds_key, merged
from tests.fakes.keys import IN_PLACE, KEYS, armoured, body

WHOLE = [(kind, key) for kind, keys in KEYS.items() for key in keys]
PLACED = [(kind, around, key) for kind, places in IN_PLACE.items() for around, key in places]
AROUND = [
    "{}",
    "the key is {}.",
    "`{}`",
    "'{}'",
    '"{}"',
    "({})",
    "KEY={}",
    "key:{},",
    "**{}**",
    "_{}_",
    "<{}>",
]
MEGABYTE = 1_000_000


def found(text: str) -> list[tuple[str, str]]:
    return [(key.kind, text[key.start : key.end]) for key in find_keys(text)]


def test_every_kind_has_an_example_here() -> None:
    assert {*KEYS, *IN_PLACE} == set(KEY_SHAPES)


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize(("kind", "key"), WHOLE, ids=range(len(WHOLE)))
def test_a_key_is_found_whole_whatever_stands_around_it(kind: str, key: str, around: str) -> None:
    if kind == "JSON Web Token" and around == "_{}_":
        return  # an underscore is a letter of base64url
    ((name, text),) = found(around.format(key))
    assert name == kind
    assert text.rstrip("_.") == key.rstrip(".")


@pytest.mark.parametrize(("kind", "around", "key"), PLACED, ids=range(len(PLACED)))
def test_what_stands_behind_a_telling_name_is_found_and_the_name_stays(
    kind: str, around: str, key: str
) -> None:
    assert found(around.format(key)) == [(kind, key)]


@pytest.mark.parametrize(("kind", "key"), WHOLE, ids=range(len(WHOLE)))
def test_a_key_is_found_in_json_where_line_ends_are_letters(kind: str, key: str) -> None:
    line = json.dumps(f"line\n{key}\n\tand {key}\u2028{key}")
    assert [name for name, _ in found(line)] == [kind] * 3
    assert all(text in line.replace("\\n", "\n") for text in key.split("\n"))


@pytest.mark.parametrize(("kind", "key"), WHOLE, ids=range(len(WHOLE)))
def test_a_key_in_a_url_is_found_behind_an_escape(kind: str, key: str) -> None:
    if "\n" not in key:
        assert [name for name, _ in found(f"https://a.example/?q=%22{key}%22")] == [kind]


def test_a_bearer_token_that_is_a_key_is_that_key() -> None:
    key = KEYS["OpenAI key"][0]
    assert found(f"Authorization: Bearer {key}") == [("OpenAI key", key)]


def test_what_overlaps_is_one_and_of_the_first_kind() -> None:
    spans = [
        Found(kind="", start=3, end=9),
        Found(kind="b", start=8, end=12),
        Found(kind="a", start=0, end=3),
    ]
    assert list(merged(spans)) == [Found(kind="a", start=0, end=3), Found(kind="b", start=3, end=12)]
    assert list(merged([])) == []


@pytest.mark.parametrize(
    "text",
    [
        "task-list-for-the-2024-release-of-the-product1",
        "risk-" + body(40),
        "desk-" + body(40),
        "sk-...",
        "sk-test",
        "sk-proj-...",
        "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "sk-your-key-goes-here-please-do-not-commit-it-2024",
        "sk-ant-...",
        "sk-ant-api03-your-key-goes-in-this-place",
        "sk-learn-and-other-libraries-for-python-3-11-users",
        "a_sk_live_x",
        "ghp_...",
        "ghp_your_token",
        "github_pat_TOKEN",
        "AKIA and ASIA begin access key ids",
        "AKIAshort",
        "AIzaSy...",
        "xoxb-your-token-goes-here",
        "hf_hub_download_of_a_model_file",
        "npm_config_registry_of_the_company",
        "glpat-your-token-goes-here-please",
        "Bearer authentication is what it wants",
        "Bearer $TOKEN",
        "Bearer internationalization-of-authorization",
        "Authorization: Basic",
        "Basic internationalization",
        "AccountKey=<your key>",
        "https://user:password@host.example/",
        "https://user:${TOKEN}@host.example/",
        "https://host.example:8080/a@b",
        "http://localhost:8080/users/@me",
        "eyJhbGciOiJIUzI1NiJ9 is how one begins",
        "-----BEGIN PRIVATE KEY----- is the line it begins with",
        "-----BEGIN PUBLIC KEY-----\n" + body(64) + "\n-----END PUBLIC KEY-----",
        "-----BEGIN CERTIFICATE-----\n" + body(64) + "\n-----END CERTIFICATE-----",
        hashlib.sha1(b"x", usedforsecurity=False).hexdigest(),
        hashlib.sha256(b"x").hexdigest(),
        str(uuid.UUID(int=2**127 + 12345)),
        "sha256:" + hashlib.sha256(b"y").hexdigest(),
        "https://github.com/holodeck/eval-action/blob/08c6903cd8c0fde910a37f88322edcfb5dd907a8/README.md",
    ],
)
def test_what_only_looks_a_little_like_a_key_is_none(text: str) -> None:
    assert found(text) == []
    assert not holds_key(text)


def test_an_image_in_base64_holds_no_key() -> None:
    picture = Random(7).randbytes(3 * MEGABYTE)  # noqa: S311 - a picture
    assert found(f"data:image/png;base64,{base64.b64encode(picture).decode()}") == []


@pytest.mark.parametrize("kind", ["OpenAI key", "Anthropic key", "GitHub token", "Google key", "npm token"])
def test_a_key_whose_end_was_cut_off_is_still_one(kind: str) -> None:
    for key in KEYS[kind]:
        assert [name for name, _ in found(f"it was {key[:-10]}…")] == [kind]


def test_a_private_key_of_which_a_part_is_quoted_is_found_to_the_last_letter() -> None:
    lines = armoured().split("\n")
    for quoted in ("\n".join(lines[:3]), "\n".join(lines[:2]) + "…", "\n".join(lines)[:50] + "…"):
        assert found(f"{quoted}")[0][1].rstrip("…") == quoted.rstrip("…")


def test_a_private_key_ends_where_prose_begins() -> None:
    lines = armoured().split("\n")
    text = "\n".join(lines[:3]) + "\n\nThat was the key, or a part of it."
    ((_, key),) = found(text)
    assert key == "\n".join(lines[:3])


@pytest.mark.parametrize(
    "text",
    [
        armoured().replace("\n", "\\n"),
        armoured().replace("\n", "\\\\n"),
        armoured().replace("\n", "\r\n"),
        armoured().replace("\n", "\n    "),
        armoured().replace("\n", "\n> "),
        armoured().replace("\n", '\\n" +\n  "'),
        armoured().replace("\n", '",\n  "'),
        armoured().replace("-----\nA", "-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,0A1B\n\nA"),
        armoured("PGP PRIVATE KEY BLOCK")
        .replace("-----\nA", "-----\nVersion: 1\n\nA")
        .replace("==", "==\n=a1B2"),
    ],
    ids=["json", "twice", "crlf", "indented", "quoted", "source", "list", "encrypted", "pgp"],
)
def test_a_private_key_is_found_however_its_lines_are_joined(text: str) -> None:
    assert found(f"before {text} after") == [("private key", text)]


@given(
    st.lists(
        st.sampled_from([*(key for _, key in WHOLE), *'\n\t"\\ é…x', "sk-", "Bearer ", "a\u2028"]), max_size=6
    )
)
def test_what_is_found_in_a_text_is_found_in_its_json_too(parts: list[str]) -> None:
    text = "".join(parts)
    if holds_key(text):
        assert holds_key(json.dumps(text))
        assert holds_key(json.dumps(text, ensure_ascii=False))


@pytest.mark.parametrize("kind", KEY_SHAPES)
def test_a_hostile_text_takes_time_in_proportion_to_its_length(kind: str) -> None:
    size = MEGABYTE // 4
    for begin in KEY_SHAPES[kind].begins:
        for filling in ("", "A1", "_", "-a", ": \\n"):
            _is_soon_over((begin + filling) * (size // len(begin + filling)))
        for filling in ("A1", "\\n>", "+" * 80 + "a" * 76):
            _is_soon_over(begin + filling * (size // len(filling)))


@pytest.mark.parametrize(
    "unit",
    [
        "sk-",
        "-eyJ",
        "eyJaaaaaaaaa.",
        "-----BEGIN PRIVATE KEY-----" + " " * 80,
        "-----BEGIN PRIVATE KEY-----\n" + "A" * 16 + "+" * 80 + "a" * 76,
        "-----BEGIN PRIVATE KEY-----\n Aab: " + "c" * 90,
        "-----BEGIN A A A A A A PRIVATE KEY-----",
    ],
)
def test_shapes_that_repeat_are_not_multiplied(unit: str) -> None:
    _is_soon_over(unit * (MEGABYTE // len(unit)))


def _is_soon_over(text: str) -> None:
    """A second of work is many times what it takes; a search that tries everything would take minutes."""
    began = time.process_time()
    list(find_keys(text))
    assert time.process_time() - began < 1
