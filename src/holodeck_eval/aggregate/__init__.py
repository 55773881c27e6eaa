"""Outcomes to results: which cases passed, failed or stay open, and what a run adds up to. Pure."""

from holodeck_eval.aggregate.cases import HEAD, aggregate_case
from holodeck_eval.aggregate.metrics import held, reaches_rating
from holodeck_eval.aggregate.noise import noise_of
from holodeck_eval.aggregate.summary import summarize

__all__ = ["HEAD", "aggregate_case", "held", "noise_of", "reaches_rating", "summarize"]
