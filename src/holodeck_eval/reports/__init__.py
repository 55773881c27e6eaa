"""The reports: one file a report, each rendered from a `Run` alone."""

from collections.abc import Mapping
from typing import Final, Protocol

from holodeck_eval.domain.run import Run
from holodeck_eval.reports import comment, junit, results, summary


class Report(Protocol):
    """What a module must offer to be a report."""

    def render(self, run: Run) -> str:
        """The report's whole text; it encodes to UTF-8 and is the same for the same run."""
        ...


REPORTS: Final[Mapping[str, Report]] = {
    "results.json": results,
    "junit.xml": junit,
    "comment.md": comment,
    "summary.md": summary,
}
"""File name in the report folder → what renders it."""
