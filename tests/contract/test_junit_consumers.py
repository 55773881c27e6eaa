"""Whatever a run holds, every tool that reads its junit.xml sees the same, and none sees green where it is not."""

import re
from functools import cache

import pytest

from holodeck_eval.domain.run import Run
from holodeck_eval.reports.junit import FILE_LIMIT, TEXT_LIMIT, render
from tests.contract.junit_read import COUNTS, Read
from tests.contract.junit_readers import CONSUMERS
from tests.contract.junit_runs import RUNS
from tests.contract.node_readers import parameter

EVERY_CONSUMER = pytest.mark.parametrize("consumer", [parameter(name) for name in CONSUMERS])
EVERY_RUN = pytest.mark.parametrize("run", RUNS)
COMMAND = re.compile(r"##\[|^\s*::|\[\[ATTACHMENT\|", re.MULTILINE | re.IGNORECASE)
TIME = re.compile(r"[0-9]+(\.[0-9]+)?")


@cache
def made(name: str) -> tuple[Run, str]:
    run = RUNS[name]()
    return run, render(run)


@cache
def read(name: str, consumer: str) -> Read:
    return CONSUMERS[consumer](made(name)[1])


def told(run: Run) -> dict[str, int]:
    """What the file is to say, counted from the run itself."""
    causes = run.verdict.causes[:1_000]
    cases = [case.status for case in run.cases]
    failed = sum(cause.status == "failed" for cause in causes)
    red = len(causes) or int(run.verdict.exit_code != 0)
    figures = (
        len(cases) + len(run.waived_cases) + max(len(causes), 1),
        cases.count("failed") + failed,
        cases.count("inconclusive") + red - failed,
        len(run.waived_cases),
    )
    return dict(zip(COUNTS, figures, strict=True))


@EVERY_CONSUMER
@EVERY_RUN
def test_every_consumer_counts_what_the_run_holds(run: str, consumer: str) -> None:
    seen = read(run, consumer)
    assert seen.counts == told(made(run)[0])
    status = [case.status for case in seen.cases]
    found = (len(status), status.count("failed"), status.count("error"), status.count("skipped"))
    assert dict(zip(COUNTS, found, strict=True)) == seen.counts


@EVERY_CONSUMER
@EVERY_RUN
def test_no_consumer_shows_green_where_the_exit_code_is_not_zero(run: str, consumer: str) -> None:
    verdict = made(run)[0].verdict
    seen = read(run, consumer)
    gate = [case for case in seen.cases if case.suite == "gate"]
    assert seen.cases
    assert seen.green <= (verdict.exit_code == 0)
    assert gate
    assert any(case.status in {"failed", "error"} for case in gate) == (
        not verdict.passed or verdict.exit_code != 0
    )


@EVERY_CONSUMER
@EVERY_RUN
def test_every_consumer_sees_the_same_cases_and_no_two_by_one_name(run: str, consumer: str) -> None:
    names, others = read(run, consumer).names, read(run, "xml.etree").names
    assert names == others
    assert len(set(names)) == len(names)
    assert all(name.strip() == name != "" for pair in names for name in pair)


@EVERY_CONSUMER
@EVERY_RUN
def test_every_consumer_shows_the_same_message_text_time_and_place(run: str, consumer: str) -> None:
    for seen, other in zip(read(run, consumer).cases, read(run, "xml.etree").cases, strict=True):
        assert (seen.suite, seen.status, seen.message) == (other.suite, other.status, other.message)
        assert seen.text.strip()[:400] == other.text.strip()[:400]
        assert seen.time == other.time
        assert (seen.file, seen.line) in {(other.file, other.line), (None, None)}


@EVERY_RUN
def test_what_is_red_or_skipped_says_why_in_a_short_line_and_in_its_text(run: str) -> None:
    for case in read(run, "lxml").cases:
        if case.status == "passed":
            continue
        assert 0 < len(case.message) <= 200
        assert "\n" not in case.message
        assert 0 < len(case.text.strip()) <= len(case.text) <= TEXT_LIMIT


@EVERY_RUN
def test_nothing_in_the_file_is_an_order_to_the_tool_that_shows_it(run: str) -> None:
    """Report actions print messages behind the file's path, or the end of the class name, into a log."""
    for case in read(run, "xml.etree").cases:
        shown = (case.classname.split(".")[-1], case.name, case.message, case.text, case.file or "")
        assert not [text for text in shown if COMMAND.search(text)]
    assert "[[ATTACHMENT|" not in made(run)[1].upper()


@EVERY_RUN
def test_a_place_is_a_file_under_the_workspace_and_a_line(run: str) -> None:
    for case in read(run, "xml.etree").cases:
        parts = (case.file or "x").split("/")
        assert not {"", ".", ".."} & set(parts)
        assert (case.line is None) == (case.file is None)
        assert case.line is None or case.line >= 1


@EVERY_RUN
def test_every_time_is_a_plain_number_above_zero(run: str) -> None:
    times = re.findall(r' time="([^"]*)"', re.sub(r">[^<]*<", "><", made(run)[1]))
    assert len(times) > len(made(run)[0].cases)
    assert [time for time in times if not TIME.fullmatch(time) or float(time) < 0.001] == []


@EVERY_RUN
def test_the_file_is_small_plain_utf_8_without_a_document_type(run: str) -> None:
    text = made(run)[1]
    data = text.encode()
    assert data.startswith(b"<?xml version='1.0' encoding='utf-8'?>\n<testsuites ")
    assert len(data) <= FILE_LIMIT
    assert "<!" not in text
    assert not re.search("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", text)
    assert not re.search(r"&#(?!10;|9;|09;)", text)


@pytest.mark.parametrize("run", ["text: everything", "shape: odd times"])
def test_a_start_that_is_no_date_is_left_out(run: str) -> None:
    assert "timestamp=" not in re.sub(r">[^<]*<", "><", made(run)[1])
    assert 'timestamp="2026-01-02T03:04:05Z"' in made("shape: passed")[1]
