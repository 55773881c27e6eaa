import click
import pytest
from click.testing import CliRunner

from holodeck_eval.arguments import GroupedCommand, parse, run_options
from holodeck_eval.domain.options import Options
from holodeck_eval.domain.policy import PolicyOptions
from holodeck_eval.errors import UsageError

NEEDED = ["--agent", "a.yaml", "--transcripts", "t.jsonl"]


def test_what_is_not_given_has_the_defaults_of_options() -> None:
    assert parse(NEEDED) == Options(agent=("a.yaml",), transcripts=("t.jsonl",))


def test_lists_keep_their_order() -> None:
    options = parse(
        [*NEEDED, "--transcripts", "u.jsonl", "--trusted-endpoint", "https://a", "--allow-env", "X"]
    )
    assert options.transcripts == ("t.jsonl", "u.jsonl")
    assert options.trusted_endpoint == ("https://a",)
    assert options.allow_env == ("X",)


def test_rules_are_told_apart_from_unset_ones() -> None:
    options = parse([*NEEDED, "--min-pass-rate", "0", "--on-missing-input", "skip", "--allow-missing"])
    assert options.rules == PolicyOptions(min_pass_rate=0.0, on_missing_input="skip", allow_missing=True)


def test_cases_can_be_switched_off() -> None:
    assert parse([*NEEDED, "--no-cases"]).write_cases is False


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--min-pass-rate", "nan"], "'nan' is not between 0 and 1"),
        (["--min-pass-rate", "1.5"], "'1.5' is not between 0 and 1"),
        (["--min-pass-rate", "most"], "'most' is not a number"),
        (["--timeout", "0"], "'0' is not over 0"),
        (["--timeout", "inf"], "'inf' is not over 0"),
        (["--max-cost", "-1"], "'-1' is not 0 or more"),
        (["--min-cases", "1.5"], "'1.5' is not a whole number"),
        (["--max-concurrency", "0"], "'0' is not between 1 and 1000"),
        (["--on-inconclusive", "ignore"], "'ignore' is not one of 'fail', 'pass'"),
        (["--min-pas-rate", "1"], "No such option: --min-pas-rate"),
    ],
)
def test_bad_values_are_refused_in_a_sentence(arguments: list[str], sentence: str) -> None:
    with pytest.raises(UsageError, match=r"^[^\n]*$") as caught:
        parse([*NEEDED, *arguments])
    assert sentence in str(caught.value)


def test_agent_and_transcripts_are_required() -> None:
    with pytest.raises(UsageError, match="--agent"):
        parse(["--transcripts", "t"])
    with pytest.raises(UsageError, match="--transcripts"):
        parse(["--agent", "a"])


def test_help_lists_every_option_under_a_heading() -> None:
    @click.command(cls=GroupedCommand)
    def command() -> None:
        """Nothing."""

    command.params = run_options()
    text = CliRunner().invoke(command, ["--help"]).output
    for heading in ("What to judge:", "Judging:", "Policy:", "Output:", "Other:"):
        assert heading in text
    for option in command.params:
        assert f"--{str(option.name).replace('_', '-')}" in text
