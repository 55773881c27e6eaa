"""What the runner hands to every action is taken out of the environment."""

import pytest

from holodeck_eval.github.runner_secrets import RUNNER_SECRETS, drop_runner_secrets, take_token


@pytest.mark.parametrize(
    "name", [*sorted(RUNNER_SECRETS), "ACTIONS_TOKEN", "ACTIONS_NEW_TOKEN_FOR_CACHES", "ACTIONS_ID_TOKENS"]
)
def test_a_secret_of_the_runner_is_dropped(name: str) -> None:
    environ = {name: "made-up", "PATH": "/bin"}
    drop_runner_secrets(environ)
    assert environ == {"PATH": "/bin"}


def test_what_a_judge_and_the_action_need_stays() -> None:
    environ = {
        "OPENAI_API_KEY": "made-up",
        "MY_ACTIONS_TOKEN": "made-up",
        "ACTIONS_STEP_DEBUG": "true",
        "INPUT_GITHUB_TOKEN": "made-up",
        "INPUT_MAX_TOKENS": "5",
    }
    kept = dict(environ)
    drop_runner_secrets(environ)
    assert environ == kept


def test_the_actions_input_is_the_token_and_every_other_one_is_taken_out_too() -> None:
    environ = {
        "INPUT_GITHUB_TOKEN": " given\n",
        "GITHUB_TOKEN": "job",
        "GH_TOKEN": "tool",
        "GH_ENTERPRISE_TOKEN": "tool",
        "GITHUB_ENTERPRISE_TOKEN": "tool",
        "HOME": "/github/home",
    }
    assert take_token(environ) == "given"
    assert environ == {"HOME": "/github/home"}


@pytest.mark.parametrize(
    ("environ", "token"),
    [
        ({"GITHUB_TOKEN": "job"}, "job"),
        ({"INPUT_GITHUB_TOKEN": "", "GITHUB_TOKEN": "job"}, "job"),
        ({"INPUT_GITHUB_TOKEN": "  ", "GITHUB_TOKEN": ""}, None),
        ({"GH_TOKEN": "tool"}, None),
        ({}, None),
    ],
)
def test_without_the_input_the_jobs_token_is_taken_and_no_tools(
    environ: dict[str, str], token: str | None
) -> None:
    assert take_token(environ) == token
    assert environ == {}
