"""What a command works with, and leaves behind for the one place that catches everything."""

from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, replace
from typing import Self

from holodeck_eval.action import Step, environment_of
from holodeck_eval.action.environment import workspace_of
from holodeck_eval.application import secrets_of
from holodeck_eval.console import Console
from holodeck_eval.domain.agent import Secret
from holodeck_eval.domain.options import Environment, Options
from holodeck_eval.github.commands import add_mask
from holodeck_eval.github.context import Context
from holodeck_eval.github.runner_secrets import drop_runner_secrets, take_token


@dataclass(slots=True)
class Session:
    """One command: its environment, where it prints, and how it will end."""

    step: Step
    console: Console
    options: Options | None = None
    in_action: bool = False
    exit_code: int = 0

    @classmethod
    def of(cls, environ: MutableMapping[str, str], console: Console | None = None) -> Self:
        """A session in this environment, out of which the runner's own tokens are taken for good.

        Args:
            environ: the variables.
            console: where it prints; None means the process's own streams.
        """
        before = dict(environ)
        drop_runner_secrets(environ)
        token = take_token(environ)
        context = Context.of(environ)
        hidden = [value for name, value in before.items() if name not in environ and "TOKEN" in name]
        environment = environment_of(environ, context, hidden)
        secrets = secrets_of(environment)
        console = replace(console, secrets=secrets) if console else Console.of_process(secrets)
        step = Step(
            environ=environ,
            environment=environment,
            context=context,
            progress=console.progress,
            token=Secret(token) if token else None,
        )
        return cls(step=step, console=console)

    @property
    def environ(self) -> Mapping[str, str]:
        """The variables that may be read."""
        return self.step.environ

    @property
    def environment(self) -> Environment:
        """The environment as one value."""
        return self.step.environment

    def masks(self) -> list[str]:
        """Commands after which a runner's log shows no key; none where no runner would obey them."""
        if self.environ.get("GITHUB_ACTIONS") != "true":
            return []
        return [line for secret in sorted(secrets_of(self.environment)) for line in add_mask(secret)]

    def with_token(self, options: Options) -> Options:
        """Options with the token of the environment, where none was given."""
        return options if options.github_token else replace(options, github_token=self.step.token)

    def enter_action(self) -> None:
        """Become the action, which always has a checkout that is not trusted, whatever the runner says."""
        self.in_action = True
        self.step.environment = replace(self.environment, workspace=workspace_of(self.environ))
