"""The kinds of values and options the command line has, beyond click's own."""

import math
from typing import Any, Final

import click

from holodeck_eval.assemble.sharding import parse_shard
from holodeck_eval.errors import UsageError


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


class Shard(click.ParamType):
    """A part of a run as `I/N`, to a pair of numbers."""

    name = "shard"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002 - click's signature
        """What help shows for the value."""
        return "I/N"

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's signature
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> tuple[int, int]:
        """The two numbers, or a usage error that says what is allowed."""
        try:
            return value if isinstance(value, tuple) else parse_shard(str(value))
        except UsageError as error:
            self.fail(error.problems[0].message, param, ctx)


RATE: Final = Number(0, 1)
