import pytest

from holodeck_eval.config.substitution import KEYS, refusal
from holodeck_eval.domain.agent import Provider


@pytest.mark.parametrize(
    ("field", "variable"),
    [
        ("endpoint", "AZURE_OPENAI_ENDPOINT"),
        ("endpoint", "OPENAI_BASE_URL"),
        ("endpoint", "OLLAMA_HOST"),
        ("name", "JUDGE_MODEL"),
        ("name", "JUDGE_MODEL_NAME"),
        ("deployment_name", "AZURE_OPENAI_DEPLOYMENT"),
        ("deployment_name", "AZURE_OPENAI_DEPLOYMENT_NAME"),
        ("api_version", "AZURE_OPENAI_API_VERSION"),
    ],
)
def test_each_field_takes_variables_of_its_kind(field: str, variable: str) -> None:
    assert refusal(field, variable, "azure_openai", ()) is None


@pytest.mark.parametrize(
    ("field", "variable"),
    [
        ("endpoint", "JUDGE_MODEL"),
        ("name", "AZURE_OPENAI_ENDPOINT"),
        ("name", "HOME"),
        ("api_version", "OLLAMA_HOST"),
    ],
)
def test_a_variable_of_another_kind_is_refused_unless_it_is_let_in(field: str, variable: str) -> None:
    sentence = refusal(field, variable, "openai", ())
    assert sentence is not None
    assert sentence.endswith(f"not `{variable}`; let it in with --allow-env {variable}")
    assert refusal(field, variable, "openai", (variable,)) is None


@pytest.mark.parametrize(
    "variable",
    ["OPENAI_API_KEY", "GITHUB_TOKEN", "MY_SECRET_MODEL", "DB_PASSWORD", "key_model", "A_KEY_ENDPOINT"],
)
@pytest.mark.parametrize("field", ["name", "endpoint", "deployment_name", "api_version"])
def test_a_secret_is_never_put_where_it_could_be_shown(field: str, variable: str) -> None:
    sentence = f"`{variable}` looks like a secret and is never put into `{field}`; use another variable"
    assert refusal(field, variable, "openai", (variable,)) == sentence


@pytest.mark.parametrize("provider", list(KEYS))
def test_a_key_goes_to_its_own_vendor_alone(provider: Provider) -> None:
    for owner, names in KEYS.items():
        for name in names:
            assert (refusal("api_key", name, provider, (name,)) is None) == (owner == provider)


def test_the_key_of_another_vendor_is_named_and_the_right_one_too() -> None:
    assert refusal("api_key", "OPENAI_API_KEY", "anthropic", ()) == (
        "`OPENAI_API_KEY` is a key for openai and never goes to anthropic; use ANTHROPIC_API_KEY"
    )


def test_a_key_by_another_name_must_be_let_in() -> None:
    assert refusal("api_key", "TEAM_KEY", "openai", ()) == (
        "`api_key` of openai is taken from OPENAI_API_KEY, not from `TEAM_KEY`; let it in with --allow-env TEAM_KEY"
    )
    assert refusal("api_key", "TEAM_KEY", "openai", ("TEAM_KEY",)) is None
