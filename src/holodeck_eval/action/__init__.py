"""The GitHub role: the action's inputs to options, the verdict to outputs, summary and comment."""

from holodeck_eval.action.environment import environment_of
from holodeck_eval.action.outputs import outputs_of
from holodeck_eval.action.running import (
    Ended,
    commented,
    gated,
    published,
    report_action_bug,
    run_action,
)
from holodeck_eval.action.step import Step

__all__ = [
    "Ended",
    "Step",
    "commented",
    "environment_of",
    "gated",
    "outputs_of",
    "published",
    "report_action_bug",
    "run_action",
]
