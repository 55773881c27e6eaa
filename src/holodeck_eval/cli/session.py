"""What a command works with, and leaves behind for the one place that catches everything."""

from collections.abc import Mapping
from dataclasses import dataclass

from holodeck_eval.action import environment_of
from holodeck_eval.console import Console
from holodeck_eval.domain.options import Environment, Options


@dataclass(slots=True)
class Session:
    """One command: its environment, where it prints, and how it will end."""

    environ: Mapping[str, str]
    console: Console
    options: Options | None = None
    in_action: bool = False
    exit_code: int = 0

    @property
    def environment(self) -> Environment:
        """The environment as one value."""
        return environment_of(self.environ)
