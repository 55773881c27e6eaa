"""Results of evaluations, turns and cases, and what they add up to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from holodeck_eval.domain.agent import MetricKind, MetricSpec, Rating
from holodeck_eval.domain.noise import Noise
from holodeck_eval.domain.outcome import Outcome
from holodeck_eval.domain.staleness import UNKNOWN, Staleness
from holodeck_eval.errors import Place

CaseStatus = Literal["passed", "failed", "inconclusive"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """One evaluation that was made: which case, turn and metric, and what came of it."""

    case_id: str
    agent: str
    turn: int
    metric: MetricSpec
    outcome: Outcome
    duration_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricResult:
    """An evaluation held against its threshold.

    `passed` and `rating` are None where nothing was scored. `blocks` is true where the lack of a
    score makes the case inconclusive. `digest` is the metric's, as in `MetricConfig`. `bad_below` is what it
    is rated bad under, None where it is not rated by its score; `min_rating` is what it must be rated where
    it has no threshold.
    """

    name: str
    type: str
    threshold: float | None
    outcome: Outcome
    passed: bool | None
    rating: Rating | None = None
    guardrail: bool = False
    blocks: bool = False
    place: Place | None = None
    duration_s: float = 0.0
    digest: str = ""
    bad_below: float | None = None
    min_rating: Rating | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnResult:
    """A judged turn. Texts are heads (see `aggregate.HEAD`); the whole is in cases.jsonl."""

    index: int
    input: str | None
    actual_output: str | None
    expected_output: str | None
    status: CaseStatus
    metrics: tuple[MetricResult, ...]
    no_answer: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """A case and its verdict.

    `reasons` are sentences, worst first; empty for a passed case. `rating`, `score` and
    `binary_score` are None unless every evaluation that applies was scored; `avg_score` is the mean
    over the scored ones, None where there is none. `staleness` says whether the transcript was recorded
    with the agent as it is now.
    """

    id: str
    agent: str
    name: str | None
    status: CaseStatus
    reasons: tuple[str, ...]
    turns: tuple[TurnResult, ...]
    digest: str
    rating: Rating | None = None
    score: float | None = None
    binary_score: int | None = None
    avg_score: float | None = None
    transcript: Place | None = None
    test_case: Place | None = None
    staleness: Staleness = UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class WaivedCase:
    """A test case without a transcript that the policy lets go."""

    id: str
    agent: str
    reason: str
    test_case: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricSummary:
    """One metric of one agent over its cases. `mean` is over the scored ones, None for none.

    `noise` is the judge's, where some case was judged more than once.
    """

    agent: str
    name: str
    type: str
    threshold: float | None
    mean: float | None
    scored: int
    passed: int
    failed: int
    skipped: int
    errored: int
    noise: Noise | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What judging cost. Tokens and USD are None where unknown, never 0 for unknown."""

    calls: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The run's numbers. Every mean of nothing is None.

    `pass_rate` is passed / (passed + failed); `error_rate` is errored / (scored + errored) over
    evaluations. `evaluations_recorded` counts scored evaluations whose verdicts were all recorded,
    `verdicts_from_checkout` the recorded verdicts that lay in the checkout under test.
    """

    cases: int
    passed: int
    failed: int
    inconclusive: int
    pass_rate: float | None
    error_rate: float | None
    score: float | None
    binary_score: float | None
    avg_score: float | None
    rating: Rating | None
    evaluations_scored: int
    evaluations_skipped: int
    evaluations_errored: int
    evaluations_recorded: int = 0
    verdicts_from_checkout: int = 0
    skipped_by_cause: Mapping[str, int] = field(default_factory=dict)
    metrics: tuple[MetricSummary, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricConfig:
    """A metric's configuration as it shaped this run, for the report and for later comparison.

    `digest` is over the type, `configuration` and the judge, without thresholds. `prompt_version` is what
    our prompts and DeepEval's are called together; None for a metric without a prompt. `shared` is true where
    the agent's own list or the policy has it; else only cases bring it, and this is that of one of them.
    """

    name: str
    kind: MetricKind
    type: str
    enabled: bool
    guardrail: bool
    threshold: float | None
    bad_below: float | None
    judge: str | None
    configuration: Mapping[str, object]
    digest: str
    place: Place
    prompt_version: str | None = None
    shared: bool = True
