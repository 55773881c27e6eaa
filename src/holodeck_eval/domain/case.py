"""A case: one recorded conversation and what was expected of it."""

from dataclasses import dataclass

from holodeck_eval.domain.agent import MetricSpec, ToolExpectation
from holodeck_eval.domain.staleness import UNKNOWN, Staleness
from holodeck_eval.domain.transcript import ToolCall
from holodeck_eval.errors import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What an evaluator sees: everything of one turn, recorded and expected.

    `no_answer` is the clause that says why `actual_output` cannot be judged; then no metric is run.
    `retrieval_context`: None is "not recorded", () is "retrieved nothing". `metrics` are the enabled
    ones that apply. `several` is true for a turn of a multi-turn case.
    """

    case_id: str
    index: int
    input: str | None
    actual_output: str | None
    no_answer: str | None = None
    expected_output: str | None = None
    context: tuple[str, ...] | None = None
    retrieval_context: tuple[str, ...] | None = None
    tool_calls: tuple[ToolCall, ...] | None = None
    expected_tools: tuple[ToolExpectation, ...] | None = None
    is_refusal: bool | None = None
    metrics: tuple[MetricSpec, ...] = ()
    several: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One recorded conversation and what was expected.

    Attributes:
        id: stable under insertion, unique within its agent.
        turns: those that are judged; of a missing case none.
        transcript: where it was recorded; None for a test case that has no transcript.
        test_case: where the expectations stand; None for a transcript without a test case.
        digest: SHA-256 of what was asked and expected, to pair cases of two runs.
        staleness: whether the transcript was recorded with the agent as it is now.
    """

    id: str
    agent: str
    name: str | None
    turns: tuple[Turn, ...]
    digest: str
    transcript: Place | None = None
    test_case: Place | None = None
    staleness: Staleness = UNKNOWN
