"""A folder of configuration files, and the ways tests read them."""

from collections.abc import Collection, Mapping
from pathlib import Path

import pytest

from holodeck_eval.config import PolicyFile, load_agent, load_policy
from holodeck_eval.domain.agent import Agent, MetricSpec, Secret
from holodeck_eval.domain.options import Environment
from holodeck_eval.errors import ConfigError

METRIC_TYPES = ("geval", "faithfulness", "generation", "equality", "numeric", "expected_tools")


class Folder:
    """A folder of files; names in messages are relative to it."""

    def __init__(
        self, root: Path, variables: Mapping[str, str] | None = None, workspace: str | None = None
    ) -> None:
        self.root = root
        self.variables = dict(variables or {})
        self.workspace = workspace
        self.allow_env: Collection[str] = ()
        self.policy: PolicyFile | None = None

    @property
    def environment(self) -> Environment:
        secrets = {name: Secret(text) for name, text in self.variables.items()}
        return Environment(variables=secrets, workspace=self.workspace)

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def agent(self, text: str | bytes, name: str = "agent.yaml") -> Agent:
        return load_agent(
            self.write(name, text),
            environment=self.environment,
            metric_types=METRIC_TYPES,
            policy=self.policy,
            allow_env=self.allow_env,
            shown_as=name,
        )

    def problems(self, text: str | bytes, name: str = "agent.yaml") -> list[str]:
        """The problems of an agent, each as people see it."""
        with pytest.raises(ConfigError) as caught:
            self.agent(text, name)
        return [str(problem) for problem in caught.value.problems]

    def problem(self, text: str | bytes, name: str = "agent.yaml") -> str:
        """The one problem of an agent."""
        problems = self.problems(text, name)
        assert len(problems) == 1, problems
        return problems[0]

    def metrics(self, *lines: str) -> tuple[MetricSpec, ...]:
        """The metrics of an agent whose `evaluations.metrics` are these lines of flow YAML."""
        return self.agent(agent_of(*lines)).metrics

    def metric(self, line: str) -> MetricSpec:
        """The one metric of an agent."""
        (metric,) = self.metrics(line)
        return metric

    def load_policy(self, text: str) -> PolicyFile:
        return load_policy(
            self.write("policy.yaml", text),
            environment=self.environment,
            metric_types=METRIC_TYPES,
            allow_env=self.allow_env,
            shown_as="policy.yaml",
        )

    def policy_problems(self, text: str) -> list[str]:
        with pytest.raises(ConfigError) as caught:
            self.load_policy(text)
        return [str(problem) for problem in caught.value.problems]


def agent_of(*metrics: str, model: str = "") -> str:
    """An agent YAML; metrics stand from line 4 on, or line 5 with a model, and begin in column 7."""
    judge = f"  model: {model}\n" if model else ""
    lines = "".join(f"    - {metric}\n" for metric in metrics)
    return f"name: lamp\nevaluations:\n{judge}  metrics:\n{lines}"


def cases_of(*cases: str) -> str:
    """An agent YAML with test cases, from line 3 on in column 5."""
    lines = "".join(f"  - {case}\n" for case in cases)
    return f"name: lamp\ntest_cases:\n{lines}"
