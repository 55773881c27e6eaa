"""`earlier/failed.results.json` was written before there were baselines; schema_version is 1 still."""

import json
from pathlib import Path

import jsonschema

from holodeck_eval.domain.staleness import UNKNOWN
from holodeck_eval.reports import REPORTS
from holodeck_eval.reports.results import json_schema, parse
from tests.fakes.runs import failed_run

EARLIER = (Path(__file__).parent / "earlier" / "failed.results.json").read_text(encoding="utf-8")


def test_results_of_an_earlier_version_are_read_as_they_were() -> None:
    assert parse(EARLIER, shown_as="r.json") == failed_run()


def test_what_an_earlier_version_did_not_know_is_unknown_and_not_made_up() -> None:
    run = parse(EARLIER, shown_as="r.json")
    assert (run.comparison, run.shard, run.repeats, run.cases[0].staleness) == (None, None, 1, UNKNOWN)
    assert "replies" not in EARLIER
    assert run.cases[0].turns[0].metrics[0].outcome.replies == ()  # type: ignore[union-attr]


def test_results_of_an_earlier_version_fit_the_schema_that_has_grown() -> None:
    jsonschema.validate(json.loads(EARLIER), json_schema())


def test_every_report_can_be_made_again_from_results_of_an_earlier_version() -> None:
    run = parse(EARLIER, shown_as="r.json")
    for report in REPORTS.values():
        assert report.render(run) == report.render(failed_run())
