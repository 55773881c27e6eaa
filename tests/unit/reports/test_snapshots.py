import pytest

from holodeck_eval.reports import REPORTS
from tests.unit.reports.snapshots import KEPT, RUNS, path, rendered


@pytest.mark.parametrize(("name", "report"), KEPT)
def test_a_report_is_the_one_that_was_read_and_found_good(name: str, report: str) -> None:
    assert rendered(name, report).decode() == path(name, report).read_text(encoding="utf-8")


@pytest.mark.parametrize("report", REPORTS)
@pytest.mark.parametrize("name", RUNS)
def test_the_same_run_gives_the_same_bytes(name: str, report: str) -> None:
    assert rendered(name, report) == rendered(name, report)


def test_the_four_reports_have_their_file_names() -> None:
    assert list(REPORTS) == ["results.json", "junit.xml", "comment.md", "summary.md"]
