"""From options to reports on disk: the one way in for the command line and the action."""

from holodeck_eval.application.checking import check
from holodeck_eval.application.folder import ReportFolder
from holodeck_eval.application.gating import broken, failed, gate, report_failure, secrets_of
from holodeck_eval.application.labelling import label
from holodeck_eval.application.schemas import SCHEMAS

__all__ = [
    "SCHEMAS",
    "ReportFolder",
    "broken",
    "check",
    "failed",
    "gate",
    "label",
    "report_failure",
    "secrets_of",
]
