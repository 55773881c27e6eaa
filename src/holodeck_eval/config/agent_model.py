"""The agent YAML as far as it is read here; HoloDeck's other keys are left alone."""

from typing import Annotated, ClassVar

from pydantic import ConfigDict, Field

from holodeck_eval.config.base import Text, Written
from holodeck_eval.config.case_model import TestCases
from holodeck_eval.config.judge_model import JudgeModel
from holodeck_eval.config.metrics import AnyMetric


class Evaluations(Written):
    """How answers are measured. `model` judges where a metric has none. `optimizer` is HoloDeck's."""

    noun: ClassVar[str] = "`evaluations`"

    model: JudgeModel | None = None
    metrics: Annotated[list[AnyMetric], Field(min_length=1)]
    optimizer: object = None


class Tool(Written):
    """A tool. A vectorstore, hierarchical_document, or mcp with `is_retrieval` retrieves context."""

    model_config = ConfigDict(extra="ignore")
    noun: ClassVar[str] = "a tool"

    name: str | None = None
    type: str | None = None
    is_retrieval: bool | None = None


class AgentFile(Written):
    """A HoloDeck agent: what it is called, how its answers are measured, and its test cases."""

    model_config = ConfigDict(extra="ignore", title="Agent")
    noun: ClassVar[str] = "an agent"

    name: Text
    tools: list[Tool] | None = None
    evaluations: Evaluations | None = None
    test_cases: TestCases | None = None
    test_cases_file: Text | None = None


class TestCasesFile(Written):
    """A file of test cases, where it is not a plain list."""

    __test__ = False  # for pytest, which collects classes by this name
    model_config = ConfigDict(extra="ignore")
    noun: ClassVar[str] = "a file of test cases"

    test_cases: TestCases
