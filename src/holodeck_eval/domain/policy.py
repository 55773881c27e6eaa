"""What a run must reach to pass."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal

OnMissingInput = Literal["inconclusive", "skip"]
OnInconclusive = Literal["fail", "pass"]
OnMissingBaseline = Literal["inconclusive", "report"]
OnFinding = Literal["block", "report"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The gate's rules. Rates and scores are 0.0 to 1.0; None switches a rule off.

    Attributes:
        min_pass_rate: least share of passed cases among those passed or failed.
        min_avg_score: least mean of the cases' avg_score.
        min_score: least mean of the cases' rating score (bad 0, incomplete 0.5, good 1).
        min_binary_score: least mean of the cases' binary score (1 only for good).
        min_cases: least number of cases, measured or not.
        max_error_rate: largest share of Errored among evaluations scored or errored.
        on_missing_input: what a metric whose input was not recorded does to its case.
        on_inconclusive: what an inconclusive run does to the exit code; never to the status.
        allow_missing: a test case without a transcript is waived instead of failed.
        max_drop: a metric's mean may fall by this much against the baseline, however surely it fell.
        metrics_alpha: how often, at most, an unchanged agent is blocked by any metric's mean.
        cases_alpha: how often, at most, an unchanged agent is blocked by any case.
        allow_removed_cases: cases of the baseline that passed may be gone.
        on_missing_baseline: what a baseline that was asked for and is not there does to the run.
        on_gate_change: what a gate that is looser than the baseline's does to the run.
        on_stale: what transcripts recorded with another version of the agent do to the run.
    """

    min_pass_rate: float | None = 1.0
    min_avg_score: float | None = None
    min_score: float | None = None
    min_binary_score: float | None = None
    min_cases: int = 1
    max_error_rate: float = 0.0
    on_missing_input: OnMissingInput = "inconclusive"
    on_inconclusive: OnInconclusive = "fail"
    allow_missing: bool = False
    max_drop: float = 0.02
    metrics_alpha: float = 0.03
    cases_alpha: float = 0.003
    allow_removed_cases: bool = False
    on_missing_baseline: OnMissingBaseline = "inconclusive"
    on_gate_change: OnFinding = "block"
    on_stale: OnFinding = "block"

    @property
    def comparison(self) -> "ComparisonPolicy":
        """The part that a comparison with a baseline needs."""
        return ComparisonPolicy(
            max_drop=self.max_drop, metrics_alpha=self.metrics_alpha, cases_alpha=self.cases_alpha
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonPolicy:
    """When a difference from the baseline counts. Scores and drops are on the scale from 0.0 to 1.0.

    Attributes:
        max_drop: a mean that fell by no more is not worse, however surely it fell.
        metrics_alpha: family-wise error over all metrics: how often one is called worse when none is.
        cases_alpha: family-wise error over all cases and metrics.
        relevant_drop: a drop that a comparison must be able to see; one that could not is underpowered.
    """

    max_drop: float = 0.02
    metrics_alpha: float = 0.03
    cases_alpha: float = 0.003
    relevant_drop: float = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyOptions:
    """The policy as written in one place; None where it says nothing."""

    min_pass_rate: float | None = None
    min_avg_score: float | None = None
    min_score: float | None = None
    min_binary_score: float | None = None
    min_cases: int | None = None
    max_error_rate: float | None = None
    on_missing_input: OnMissingInput | None = None
    on_inconclusive: OnInconclusive | None = None
    allow_missing: bool | None = None
    max_drop: float | None = None
    metrics_alpha: float | None = None
    cases_alpha: float | None = None
    allow_removed_cases: bool | None = None
    on_missing_baseline: OnMissingBaseline | None = None
    on_gate_change: OnFinding | None = None
    on_stale: OnFinding | None = None


_STRICTNESS: Final[dict[str, Callable[[Any], float]]] = {
    "max_error_rate": lambda value: -value,
    "on_missing_input": lambda value: value == "inconclusive",
    "on_inconclusive": lambda value: value == "fail",
    "allow_missing": lambda value: not value,
    "max_drop": lambda value: -value,
    "allow_removed_cases": lambda value: not value,
    "on_missing_baseline": lambda value: value == "inconclusive",
    "on_gate_change": lambda value: value == "block",
    "on_stale": lambda value: value == "block",
}
"""For each rule a number that grows with strictness; for the rules not named here the value itself."""


def written_over(policy: Policy, rules: PolicyOptions) -> Policy:
    """The policy with every rule replaced that is written in `rules`."""
    return replace(policy, **_written(rules))


def tightened(policy: Policy, rules: PolicyOptions) -> tuple[Policy, tuple[str, ...]]:
    """The policy with those rules of `rules` that are stricter, and the names of those that are looser."""
    written = _written(rules)
    stricter = {
        name: value for name, value in written.items() if is_stricter(name, value, getattr(policy, name))
    }
    looser = tuple(name for name, value in written.items() if is_stricter(name, getattr(policy, name), value))
    return replace(policy, **stricter), looser


def _written(rules: PolicyOptions) -> dict[str, Any]:
    values = {field.name: getattr(rules, field.name) for field in fields(rules)}
    return {name: value for name, value in values.items() if value is not None}


def is_stricter(name: str, value: Any, other: Any) -> bool:  # noqa: ANN401 - rules are numbers, words or None
    """Whether a rule's value is stricter than another; anything is stricter than None, which is no rule.

    Args:
        name: the rule, a field of `Policy`.
        value: its one value.
        other: its other value.
    """
    if value is None or other is None:
        return value is not None
    strictness = _STRICTNESS.get(name, float)
    return strictness(value) > strictness(other)
