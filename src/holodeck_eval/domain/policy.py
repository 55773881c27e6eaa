"""What a run must reach to pass."""

from dataclasses import dataclass
from typing import Literal

OnMissingInput = Literal["inconclusive", "skip"]
OnInconclusive = Literal["fail", "pass"]


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
    """

    min_pass_rate: float = 1.0
    min_avg_score: float | None = None
    min_score: float | None = None
    min_binary_score: float | None = None
    min_cases: int = 1
    max_error_rate: float = 0.0
    on_missing_input: OnMissingInput = "inconclusive"
    on_inconclusive: OnInconclusive = "fail"
    allow_missing: bool = False
