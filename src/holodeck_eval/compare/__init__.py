"""This run against a baseline. Pure."""

from holodeck_eval.compare.comparing import compare
from holodeck_eval.compare.doubtful import doubtful
from holodeck_eval.compare.looks import Look
from holodeck_eval.compare.recomputing import recomputed
from holodeck_eval.compare.replies import with_replies
from holodeck_eval.domain.comparison import Comparison
from holodeck_eval.domain.policy import ComparisonPolicy

__all__ = ["Comparison", "ComparisonPolicy", "Look", "compare", "doubtful", "recomputed", "with_replies"]
