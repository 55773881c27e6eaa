"""The options of a run, declared once: the command line and the action's inputs are both parsed by them."""

import math
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Final

import click

from holodeck_eval.domain.options import Options
from holodeck_eval.domain.policy import PolicyOptions
from holodeck_eval.errors import Problem, UsageError

LISTS: Final = ("agent", "transcripts", "trusted_endpoint", "allow_env", "rename_agent")
"""Options that may be given several times; as an action input, one item a line."""

RULES: Final = (
    "min_pass_rate",
    "min_avg_score",
    "min_score",
    "min_binary_score",
    "min_cases",
    "max_error_rate",
    "on_missing_input",
    "on_inconclusive",
    "allow_missing",
)
"""Options that are rules of the policy."""


class Number(click.ParamType):
    """A finite number between `low` and `high`, both included unless `above` excludes `low`."""

    name = "number"

    def __init__(
        self, low: float, high: float = math.inf, *, above: bool = False, whole: bool = False
    ) -> None:
        self.low, self.high, self.above, self.whole = low, high, above, whole

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002 - click's signature
        """What help shows for the value."""
        if self.high < math.inf:
            return f"{self.low:g}..{self.high:g}"
        return "INTEGER" if self.whole else "NUMBER"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float | int:  # noqa: ANN401 - click's signature
        """The number, or a usage error that says what is allowed."""
        try:
            number = int(value) if self.whole else float(value)
        except ValueError:
            self.fail(f"{value!r} is not {'a whole number' if self.whole else 'a number'}", param, ctx)
        enough = number > self.low if self.above else number >= self.low
        if not (enough and number <= self.high and math.isfinite(number)):
            self.fail(f"{value!r} is not {self._range()}", param, ctx)
        return number

    def _range(self) -> str:
        if self.high < math.inf:
            return f"between {self.low:g} and {self.high:g}"
        return f"over {self.low:g}" if self.above else f"{self.low:g} or more"


class GroupedOption(click.Option):
    """An option that help lists under a heading."""

    def __init__(self, name: str, *, group: str, **settings: Any) -> None:  # noqa: ANN401 - handed on to click
        super().__init__([f"--{name.replace('_', '-')}"], **settings)
        self.group = group


class GroupedCommand(click.Command):
    """A command whose help lists its options under headings."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, group by group, in the order they were declared."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None:
                groups.setdefault(getattr(param, "group", "Other"), []).append(record)
        for group, records in groups.items():
            with formatter.section(group):
                formatter.write_dl(records)


RATE: Final = Number(0, 1)

_DEFAULTS: Final[dict[str, Any]] = {field.name: field.default for field in fields(Options)}


def run_options() -> list[click.Parameter]:
    """The options of `run`, freshly made: a parameter belongs to one command."""
    groups = (_input_options, _judging_options, _limit_options, _policy_options, _output_options)
    return [option for group in groups for option in group()]


def _input_options() -> list[GroupedOption]:
    group = "What to judge"
    text: dict[str, Any] = {"group": group, "metavar": "FILE"}
    return [
        GroupedOption(
            "agent", multiple=True, required=True, help="Agent YAML, or a glob. Repeatable.", **text
        ),
        GroupedOption(
            "transcripts",
            group=group,
            metavar="[NAME=]GLOB",
            multiple=True,
            required=True,
            help="Recorded transcripts, for the agent NAME where there are several. Repeatable.",
        ),
        GroupedOption(
            "format", group=group, metavar="NAME", help="Transcript format, instead of detecting it."
        ),
        GroupedOption("policy", help="Policy file: the gate's rules, metrics, mapping.", **text),
        GroupedOption(
            "rename_agent",
            group=group,
            metavar="OLD=NEW",
            multiple=True,
            help="Transcripts that name agent OLD belong to agent NEW. Repeatable.",
        ),
        GroupedOption(
            "link_by_position",
            group=group,
            is_flag=True,
            help="Link what neither name nor input links by its position.",
        ),
        GroupedOption(
            "max_file_bytes",
            group=group,
            type=Number(1, whole=True),
            default=_DEFAULTS["max_file_bytes"],
            show_default=True,
            help="Largest transcript file.",
        ),
        GroupedOption(
            "max_text_chars",
            group=group,
            type=Number(1, whole=True),
            default=_DEFAULTS["max_text_chars"],
            show_default=True,
            help="Longest text in a transcript.",
        ),
    ]


def _judging_options() -> list[GroupedOption]:
    group = "Judging"
    return [
        GroupedOption(
            "verdicts",
            group=group,
            metavar="FILE",
            help="Recorded verdicts: read, and new ones appended.",
        ),
        GroupedOption(
            "offline",
            group=group,
            is_flag=True,
            help="Never call a judge; what is not recorded is inconclusive.",
        ),
        GroupedOption(
            "trust_checkout",
            group=group,
            is_flag=True,
            help="In the action: believe verdicts and a policy that lie in the checkout.",
        ),
        GroupedOption(
            "trusted_endpoint",
            group=group,
            metavar="URL",
            multiple=True,
            help="Scheme, host and port a judge's key may be sent to. Repeatable.",
        ),
        GroupedOption(
            "allow_env",
            group=group,
            metavar="NAME",
            multiple=True,
            help="A variable the agent YAML may use in its judge's fields. Repeatable.",
        ),
    ]


def _limit_options() -> list[GroupedOption]:
    group = "Limits"
    return [
        GroupedOption(
            "max_concurrency",
            group=group,
            type=Number(1, 1000, whole=True),
            default=_DEFAULTS["max_concurrency"],
            show_default=True,
            help="Judge calls in flight.",
        ),
        GroupedOption(
            "timeout",
            group=group,
            type=Number(0, above=True),
            default=_DEFAULTS["timeout"],
            show_default=True,
            help="Seconds one judge call may take.",
        ),
        GroupedOption(
            "deadline",
            group=group,
            type=Number(0, above=True),
            help="Seconds after which no judge is called any more.",
        ),
        GroupedOption("max_cost", group=group, type=Number(0), help="USD the judges may cost."),
        GroupedOption(
            "max_tokens", group=group, type=Number(0, whole=True), help="Tokens the judges may use."
        ),
    ]


def _policy_options() -> list[GroupedOption]:
    group = "Policy"
    rate: dict[str, Any] = {"group": group, "type": RATE}
    return [
        GroupedOption("min_pass_rate", help="Least share of passed cases. Default 1.", **rate),
        GroupedOption("min_avg_score", help="Least mean of the cases' average scores.", **rate),
        GroupedOption("min_score", help="Least mean of the cases' rating scores.", **rate),
        GroupedOption("min_binary_score", help="Least share of cases rated good.", **rate),
        GroupedOption(
            "min_cases", group=group, type=Number(1, whole=True), help="Least number of cases. Default 1."
        ),
        GroupedOption("max_error_rate", help="Largest share of evaluations in error. Default 0.", **rate),
        GroupedOption(
            "on_missing_input",
            group=group,
            type=click.Choice(["inconclusive", "skip"]),
            help="A metric whose input was not recorded. Default inconclusive.",
        ),
        GroupedOption(
            "on_inconclusive",
            group=group,
            type=click.Choice(["fail", "pass"]),
            help="The exit code of an inconclusive run; its status stays. Default fail.",
        ),
        GroupedOption(
            "allow_missing/--no-allow-missing",
            group=group,
            is_flag=True,
            default=None,
            help="Waive test cases that have no transcript.",
        ),
    ]


def _output_options() -> list[GroupedOption]:
    group = "Output"
    return [
        GroupedOption(
            "out",
            group=group,
            metavar="DIR",
            default=_DEFAULTS["out"],
            show_default=True,
            help="Report folder.",
        ),
        GroupedOption(
            "no_cases",
            group=group,
            is_flag=True,
            help="Do not write cases.jsonl, which holds what was judged.",
        ),
    ]


def to_options(params: dict[str, Any]) -> Options:
    """The options as one value, from click's parameters."""
    values: dict[str, Any] = {
        name: tuple(value) if name in LISTS else value for name, value in params.items()
    }
    rules = PolicyOptions(**{name: values.pop(name) for name in RULES})
    return Options(rules=rules, write_cases=not values.pop("no_cases"), **values)


def parse(arguments: Sequence[str]) -> Options:
    """The options that some command-line arguments give.

    Raises:
        UsageError: with the sentence that says what is wrong.
    """
    command = GroupedCommand("run", params=run_options())
    try:
        context = command.make_context("run", list(arguments))
    except click.ClickException as error:
        raise UsageError(Problem(message=error.format_message())) from error
    return to_options(context.params)
