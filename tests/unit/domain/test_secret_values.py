"""What of an environment is secret: what its names say, what lies within, and nothing any text may say."""

import base64
import json

import pytest

from holodeck_eval.domain.agent import Secret
from holodeck_eval.domain.options import Environment
from holodeck_eval.domain.redaction import redact
from holodeck_eval.domain.secret_values import secrets_of
from tests.fakes.keys import HEX, armoured, body


def secrets(**variables: str) -> frozenset[str]:
    return secrets_of(Environment(variables={name: Secret(value) for name, value in variables.items()}))


@pytest.mark.parametrize(
    "name",
    [
        "OPENAI_API_KEY",
        "AZURE_OPENAI_API_KEY",
        "AZURE_SEARCH_ADMIN_KEY",
        "api_key",
        "APIKEY",
        "INPUT_GITHUB_TOKEN",
        "GH_TOKEN",
        "HF_TOKENS",
        "DEPLOY_PAT",
        "CLIENT_SECRET",
        "CLIENT_SECRET_OLD",
        "MYSECRET",
        "DB_PASSWORD",
        "DB_PASS",
        "MYSQL_PWD",
        "KEY_PASSPHRASE",
        "GOOGLE_CREDENTIALS",
        "AZURE_CREDENTIAL",
        "STORAGE_CONNECTION_STRING",
        "SQL_CONNSTR",
        "SENTRY_DSN",
        "SLACK_WEBHOOK_URL",
        "SESSION_COOKIE",
        "STORAGE_SAS",
        "NPM_AUTH",
        "AWS_ACCESS_KEY_ID",
        "my-token",
        "my.secret",
    ],
)
def test_a_value_whose_name_says_so_is_secret(name: str) -> None:
    assert secrets(**{name: "not-for-everyone-1"}) >= {"not-for-everyone-1"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GITHUB_REPOSITORY", "holodeck/eval-action"),
        ("PWD", "/srv/not-for-everyone-1"),
        ("OLDPWD", "not-for-everyone-1"),
        ("INPUT_COMMENT_KEY", "nightly-of-the-team"),
        ("INPUT_MAX_TOKENS", "123456789012"),
        ("SSH_KEY_PATH", "keys/not-for-everyone-1"),
        ("TOKEN_FILE", "not-for-everyone-1"),
        ("TOKEN_URL", "https://login.example/oauth"),
        ("KEY_VAULT_NAME", "vault-of-the-team"),
        ("MONKEYS", "not-for-everyone"[:7]),
        ("COMPASS_MODE", "not-for-everyone-1"),
        ("AUTH_TOKEN_HEADER", "X-Of-The-Team-1"),
        ("TOKEN_MODEL", "gpt-4o-mini"),
        ("KEYBOARD_LAYOUT", "not-for-everyone-1"),
    ],
)
def test_a_value_whose_name_says_something_else_is_none(name: str, value: str) -> None:
    assert secrets(**{name: value}) == frozenset()


@pytest.mark.parametrize(
    "value",
    [
        "",
        "true",
        "main",
        "short",
        "postgres",
        "password",
        "Production",
        "inconclusive",
        "12345678",
        "0.850000",
        "2024-01-01",
        "/home/me/.ssh/id_ed25519",
        "~/.config/token",
        "./secrets/token",
        "../secrets/token",
        "/github/workspace/key",
        "C:\\keys\\mine.pem",
    ],
)
def test_what_any_text_may_say_is_no_secret(value: str) -> None:
    assert secrets(SOME_KEY=value) == frozenset()


def test_a_secret_is_one_with_and_without_the_space_around_it() -> None:
    assert secrets(A_KEY=" not-for-everyone-1\n") == {" not-for-everyone-1\n", "not-for-everyone-1"}


def test_the_keys_within_a_connection_string_are_secret_and_its_words_are_not() -> None:
    key = f"{body(86)}=="
    value = (
        f"DefaultEndpointsProtocol=https;AccountName=acme;AccountKey={key};EndpointSuffix=core.windows.net"
    )
    found = secrets(AZURE_CONNECTION_STRING=value)
    assert found >= {value, key}
    assert not any(
        text in {"https", "acme", "core.windows.net", "DefaultEndpointsProtocol"} for text in found
    )


def test_the_keys_within_json_are_secret_however_they_are_quoted_later() -> None:
    account = {
        "type": "service_account",
        "private_key_id": HEX,
        "private_key": armoured(),
        "uri": "https://a.b/c1",
    }
    found = secrets(GOOGLE_CREDENTIALS=json.dumps(account))
    assert redact(f"it is {HEX}, with {body(64)}", found) == "it is ***, with ***"
    assert redact("a service_account of https://a.b/c1", found) == "a service_account of https://a.b/c1"


def test_each_of_a_list_of_keys_is_secret() -> None:
    assert secrets(API_KEYS=f"{body(20)},{HEX}") >= {body(20), HEX}


@pytest.mark.parametrize("name", ["HTTPS_PROXY", "DATABASE_URL", "ANYTHING"])
def test_the_password_in_a_url_is_secret_under_any_name(name: str) -> None:
    found = secrets(**{name: "https://builder:s3cr3t%2Fword@proxy.example:3128"})
    assert found >= {"s3cr3t%2Fword", "s3cr3t/word", "builder:s3cr3t/word"}
    basic = base64.b64encode(b"builder:s3cr3t/word").decode()
    assert "***" in redact(f"Proxy-Authorization: {basic}", found)


def test_a_password_that_is_not_escaped_goes_to_the_last_at_sign() -> None:
    assert secrets(REMOTE="https://me:pass/wo@rd-1@host.example/x") >= {"pass/wo@rd-1", "me:pass/wo@rd-1"}
    assert secrets(REMOTE="https://host.example:8080/some/long/path@v1") == frozenset()


def test_a_user_in_a_url_is_no_secret_and_a_token_in_its_place_is() -> None:
    assert secrets(REMOTE="ssh://deployment@host.example/x") == frozenset()
    assert secrets(REMOTE=f"https://{body(24)}@host.example/x") == {body(24)}


def test_what_was_taken_out_of_the_environment_is_secret_unless_it_is_nothing() -> None:
    environment = Environment(hidden=(Secret("not-for-everyone-1"), Secret(""), Secret("short")))
    assert secrets_of(environment) == {"not-for-everyone-1"}
