"""The options of a run: declared once, parsed the same way for the command line and the action."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import click

from holodeck_eval.arguments.github_options import COMMENT_MODES, comment_options
from holodeck_eval.arguments.options import RULES, rule_options, run_options
from holodeck_eval.arguments.params import GroupedCommand
from holodeck_eval.domain.agent import Secret
from holodeck_eval.domain.options import Options
from holodeck_eval.domain.policy import PolicyOptions
from holodeck_eval.errors import Problem, UsageError

__all__ = [
    "COMMENT_MODES",
    "LISTS",
    "RULES",
    "GroupedCommand",
    "comment_options",
    "parse",
    "rule_options",
    "run_options",
    "to_options",
    "to_rules",
]

LISTS: Final = ("agent", "transcripts", "trusted_endpoint", "allow_env", "rename_agent")
"""Options that may be given several times; as an action input, one item a line."""


def to_rules(params: Mapping[str, Any]) -> PolicyOptions:
    """The rules that were given, from click's parameters."""
    return PolicyOptions(**{name: params[name] for name in RULES if name in params})


def to_options(params: Mapping[str, Any]) -> Options:
    """The options as one value, from click's parameters."""
    values: dict[str, Any] = {
        name: tuple(value) if name in LISTS else value for name, value in params.items() if name not in RULES
    }
    token = values.pop("github_token", None)
    return Options(
        rules=to_rules(params),
        write_cases=not values.pop("no_cases", False),
        github_token=Secret(token) if token else None,
        **{"agent": (), "transcripts": ()} | values,
    )


def parse(arguments: Sequence[str], only: Collection[str] | None = None) -> Options:
    """The options that some command-line arguments give.

    Args:
        arguments: flags and values.
        only: names of the options there are; None means those of `run`.

    Raises:
        UsageError: with the sentence that says what is wrong.
    """
    every = run_options()
    params = every if only is None else [option for option in every if option.name in only]
    command = GroupedCommand("run", params=params)
    try:
        context = command.make_context("run", list(arguments))
    except click.ClickException as error:
        raise UsageError(Problem(message=error.format_message())) from error
    return to_options(context.params)
