"""Which runs' reports are kept, and where. `python -m tests.unit.reports.snapshots` writes them anew."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from holodeck_eval.domain.run import Run
from holodeck_eval.reports import REPORTS
from tests.fakes import runs
from tests.fakes.compared_runs import COMPARED

GOLDEN: Final = Path(__file__).parent / "golden"
RUNS: Final[Mapping[str, Callable[[], Run]]] = {
    "passed": runs.passed_run,
    "failed": runs.failed_run,
    "inconclusive": runs.inconclusive_run,
    "waived": runs.waived_run,
    "error": runs.error_run,
    "bug": runs.bug_run,
    "hostile": runs.hostile_run,
    **COMPARED,
}
KEPT: Final = [
    *((name, report) for name in RUNS if name not in COMPARED for report in ("comment.md", "junit.xml")),
    *((name, "comment.md") for name in COMPARED),
    ("failed", "summary.md"),
    ("failed", "results.json"),
    ("worse", "junit.xml"),
    ("worse", "summary.md"),
    ("worse", "results.json"),
]


def rendered(name: str, report: str) -> bytes:
    """A report of one of the runs, as it would stand on disk."""
    return REPORTS[report].render(RUNS[name]()).encode()


def path(name: str, report: str) -> Path:
    """Where it is kept."""
    return GOLDEN / f"{name}.{report}"


if __name__ == "__main__":
    for kept in KEPT:
        path(*kept).write_bytes(rendered(*kept))
