"""From options to reports on disk: the one way in for the command line and the action.

What only its own command needs stands beside this: `comparing`, `digesting`, `merging`, `noise`.
"""

from holodeck_eval.application.checking import check
from holodeck_eval.application.folder import ReportFolder
from holodeck_eval.application.gating import broken, failed, gate, report_failure
from holodeck_eval.application.labelling import label
from holodeck_eval.application.rendering import documents, secrets_of
from holodeck_eval.application.schemas import SCHEMAS

__all__ = [
    "SCHEMAS",
    "ReportFolder",
    "broken",
    "check",
    "documents",
    "failed",
    "gate",
    "label",
    "report_failure",
    "secrets_of",
]
