"""Inputs to a role and its options."""

import pytest

from holodeck_eval.action.inputs import options_of, role_of, unparsed
from holodeck_eval.errors import UsageError

BASE = {"INPUT_AGENT": "agent.yaml", "INPUT_TRANSCRIPTS": "a.jsonl\n b.jsonl \n\n"}


def test_without_another_role_it_is_the_gate() -> None:
    assert role_of(BASE | {"INPUT_PUBLISH": "", "INPUT_MERGE": " "}) == "gate"
    options = options_of(BASE, "gate")
    assert options.agent == ("agent.yaml",)
    assert options.transcripts == ("a.jsonl", "b.jsonl")


@pytest.mark.parametrize("role", ["merge", "publish"])
def test_a_role_is_asked_for_by_its_input(role: str) -> None:
    assert role_of({f"INPUT_{role.upper()}": "parts/*"}) == role


def test_two_roles_are_two_steps() -> None:
    with pytest.raises(UsageError, match="the inputs merge and publish are two steps: give each its own"):
        role_of({"INPUT_MERGE": "a", "INPUT_PUBLISH": "b"})


def test_publish_takes_what_it_says_and_where_to() -> None:
    environ = {
        "INPUT_PUBLISH": "report",
        "INPUT_COMMENT": "on_failure",
        "INPUT_COMMENT_KEY": "fork",
        "INPUT_OUT": "out",
    }
    options = options_of(environ, "publish")
    assert (options.comment, options.comment_key, options.out) == ("on_failure", "fork", "out")
    assert options.agent == options.transcripts == ()


def test_merge_takes_a_baseline_and_renamed_agents() -> None:
    environ = {"INPUT_MERGE": "parts/*", "INPUT_BASELINE": "base", "INPUT_RENAME_AGENT": "a=b\nc=d"}
    options = options_of(environ, "merge")
    assert (options.baseline, options.rename_agent) == ("base", ("a=b", "c=d"))


def test_an_input_that_means_nothing_beside_a_role_is_refused_rather_than_passed_over() -> None:
    with pytest.raises(UsageError, match="the input min_pass_rate means nothing beside publish"):
        options_of({"INPUT_PUBLISH": "report", "INPUT_MIN_PASS_RATE": "0.5"}, "publish")


def test_an_unset_input_means_nothing_beside_a_role_either() -> None:
    assert (
        options_of({"INPUT_PUBLISH": "report", "INPUT_MIN_PASS_RATE": " "}, "publish").rules.min_pass_rate
        is None
    )


def test_the_nearest_role_is_named_as_well() -> None:
    with pytest.raises(UsageError, match="no input 'publsh'; did you mean 'publish'"):
        options_of(BASE | {"INPUT_PUBLSH": "report"}, "gate")


@pytest.mark.parametrize(("mode", "read"), [("new", "new"), ("off", "off"), ("sometimes", None), ("", None)])
def test_what_cannot_be_parsed_is_reported_as_the_inputs_say_as_far_as_they_can_be_read(
    mode: str, read: str | None
) -> None:
    options = unparsed({"INPUT_COMMENT": mode, "INPUT_COMMENT_KEY": "leg", "INPUT_OUT": " reports "})
    assert (options.comment, options.comment_key, options.out) == (read, "leg", "reports")
    assert unparsed({}).out == "eval-report"


def test_a_path_of_the_runner_is_mapped_on_every_line() -> None:
    environ = {
        "GITHUB_WORKSPACE": "/github/workspace",
        "RUNNER_WORKSPACE": "/home/runner/work/demo",
        "RUNNER_TEMP": "/github/runner_temp",
        "INPUT_AGENT": "a.yaml\n/home/runner/work/demo/demo/b.yaml",
        "INPUT_TRANSCRIPTS": "helper=/home/runner/work/demo/demo/runs/*.jsonl",
        "INPUT_VERDICTS": "/home/runner/work/_temp/verdicts.jsonl",
        "INPUT_COMMENT_KEY": "/home/runner/work/demo/demo/key",
    }
    options = options_of(environ, "gate")
    assert options.agent == ("a.yaml", "/github/workspace/b.yaml")
    assert options.transcripts == ("helper=/github/workspace/runs/*.jsonl",)
    assert options.verdicts == "/github/runner_temp/verdicts.jsonl"
    assert options.comment_key == "/home/runner/work/demo/demo/key"
