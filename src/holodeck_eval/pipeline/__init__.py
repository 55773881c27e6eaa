"""The story of a run: measure, judge again what is in doubt, compare, hold it against the policy."""

from holodeck_eval.pipeline.concluding import Conclusion, compared, conclude, provisional_run
from holodeck_eval.pipeline.doubts import settle_doubts
from holodeck_eval.pipeline.judging import Judged, judge
from holodeck_eval.pipeline.measuring import Effort, Evaluators, Progress, measure

__all__ = [
    "Conclusion",
    "Effort",
    "Evaluators",
    "Judged",
    "Progress",
    "compared",
    "conclude",
    "judge",
    "measure",
    "provisional_run",
    "settle_doubts",
]
