"""From options to reports on disk: the one way in for the command line and the action."""

from holodeck_eval.application.checking import check
from holodeck_eval.application.comparing import compare_results
from holodeck_eval.application.digesting import digest
from holodeck_eval.application.folder import ReportFolder
from holodeck_eval.application.gating import broken, failed, gate, report_failure
from holodeck_eval.application.labelling import label
from holodeck_eval.application.merging.folders import merge_folders
from holodeck_eval.application.noise.self_check import SelfCheck, measure_noise
from holodeck_eval.application.rendering import documents, secrets_of
from holodeck_eval.application.schemas import SCHEMAS
from holodeck_eval.assemble.baseline import check_apart

__all__ = [
    "SCHEMAS",
    "ReportFolder",
    "SelfCheck",
    "broken",
    "check",
    "check_apart",
    "compare_results",
    "digest",
    "documents",
    "failed",
    "gate",
    "label",
    "measure_noise",
    "merge_folders",
    "report_failure",
    "secrets_of",
]
