"""What was configured: agents, their metrics and judges, their test cases."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from holodeck_eval.domain.behaviour import Behaviour
from holodeck_eval.errors import Place

Provider = Literal["openai", "azure_openai", "anthropic", "ollama", "human"]
MetricKind = Literal["geval", "rag", "standard", "generation", "code", "expected_tools"]
Rating = Literal["bad", "incomplete", "good"]

DEFAULT_JUDGE_ENDPOINT = "http://localhost:11434"


class Secret:
    """A text that must not be shown: `repr` and `str` are stars, `reveal()` is the text."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """The text itself, for the one place that sends it."""
        return self._text

    def __repr__(self) -> str:
        return "***"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSpec:
    """A judge as configured, after precedence and substitution.

    `endpoint` None means the provider's own. `temperature` is 0.0 to 2.0.
    `api_version` and `deployment_name` concern Azure alone.
    """

    provider: Provider
    name: str
    temperature: float = 0.0
    endpoint: str | None = None
    api_key: Secret | None = None
    api_version: str | None = None
    deployment_name: str | None = None
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GEvalOptions:
    """Options of `type: geval`. `evaluation_steps` None: the judge writes them once."""

    criteria: str
    evaluation_steps: tuple[str, ...] | None = None
    evaluation_params: tuple[str, ...] = ("actual_output",)
    strict_mode: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RagOptions:
    """Options of the five `type: rag` metrics."""

    include_reason: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationOptions:
    """Options of `type: generation`.

    `named` is true where `metrics` was written: then a missing input is not waived.
    `min_rating` is what a case needs when no `threshold` is set.
    """

    metrics: tuple[str, ...]
    named: bool = False
    min_rating: Rating = "good"


@dataclass(frozen=True, slots=True, kw_only=True)
class EqualityOptions:
    """Options of `standard` `equality`. `response_path` picks a leaf of a JSON answer (`a.b[0]`)."""

    case_insensitive: bool = False
    strip_whitespace: bool = False
    strip_punctuation: bool = False
    response_path: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NumericOptions:
    """Options of `standard` `numeric`: equal within absolute + relative * |expected|."""

    absolute_tolerance: float = 1e-6
    relative_tolerance: float = 0.0
    accept_percent: bool = False
    accept_thousands_separators: bool = False
    response_path: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeOptions:
    """Options of `type: code`: the grader as `module:function`, never imported here."""

    grader: str


MetricOptions = (
    GEvalOptions | RagOptions | GenerationOptions | EqualityOptions | NumericOptions | CodeOptions | None
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricSpec:
    """A configured metric.

    Attributes:
        kind: the family, as written under `type`.
        type: the metric within it, the key of the METRICS table (`geval`, `faithfulness`, `numeric` …).
        name: what reports call it; unique within a turn.
        threshold: lowest passing score, 0.0 to 1.0; None only for `generation` without one.
        bad_below: scores under it are rated bad; None means half of `threshold`.
        judge: None for deterministic metrics.
        retries: retries of one judge call; None means the run's.
        timeout_s: seconds one judge call may take; None means the run's.
        options: what is particular to the type.
    """

    kind: MetricKind
    type: str
    name: str
    threshold: float | None
    place: Place
    bad_below: float | None = None
    guardrail: bool = False
    enabled: bool = True
    fail_on_error: bool = False
    judge: JudgeSpec | None = None
    retries: int | None = None
    timeout_s: float | None = None
    options: MetricOptions = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentMatch:
    """How one argument of an expected tool call is compared.

    `exact` compares deeply (1 equals 1.0, true does not equal 1); `fuzzy` ignores case, white space
    and digit separators, and compares numbers and percentages by value; `regex` must match the whole
    text.
    """

    how: Literal["exact", "fuzzy", "regex"]
    value: object


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolExpectation:
    """A tool the agent was expected to call.

    `arguments` None is the bare-name form: the name is found as a part of a called name. The object
    form needs `count` calls of a matching name whose arguments all match.
    """

    name: str
    arguments: Mapping[str, ArgumentMatch] | None = None
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnExpectation:
    """One turn of a test case: what is asked, and what is expected of the answer."""

    input: str
    ground_truth: str | None = None
    expected_tools: tuple[ToolExpectation, ...] | None = None
    retrieval_context: tuple[str, ...] | None = None
    metrics: tuple[MetricSpec, ...] | None = None
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TestCase:
    """A test case of the agent YAML; `multi_turn` where it was written with `turns`."""

    __test__ = False  # for pytest, which collects classes by this name

    name: str | None
    turns: tuple[TurnExpectation, ...]
    place: Place
    multi_turn: bool = False
    metrics: tuple[MetricSpec, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """An agent as its YAML configures it, with the policy file's metrics and overrides applied.

    `metrics` are those of `evaluations.metrics`, disabled ones too. `retrieval_tools` are the names
    of the tools whose results are retrieval context. `aliases` are names it used to carry. `behaviour`
    is what transcripts were to be recorded with.
    """

    name: str
    place: Place
    metrics: tuple[MetricSpec, ...] = ()
    test_cases: tuple[TestCase, ...] = ()
    retrieval_tools: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    warnings: tuple[str, ...] = field(default=())
    behaviour: Behaviour | None = None
