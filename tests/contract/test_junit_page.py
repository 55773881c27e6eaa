"""docs/junit.md says of every consumer what the tests saw of it, and of nobody else that it was run."""

import re
from pathlib import Path

from holodeck_eval.reports._junit_page import MESSAGE_LIMIT
from holodeck_eval.reports.junit import FILE_LIMIT, TEXT_LIMIT
from tests.contract.junit_dialects import DIALECTS
from tests.contract.junit_readers import CONSUMERS
from tests.contract.junit_runs import RUNS

PAGE = (Path(__file__).parents[2] / "docs" / "junit.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    """The cells of the table under a heading, its own head first."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|") and not line.startswith("|---")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_the_consumers_that_were_run_are_those_of_the_tests() -> None:
    assert [row[0].strip("`") for row in rows("Who reads it")[1:]] == list(CONSUMERS)


def test_what_they_refuse_or_misread_is_what_the_tests_saw() -> None:
    head, *found = rows("What they refuse or misread")
    assert [cell.strip("`") for cell in head[1:]] == list(CONSUMERS)
    assert found == [[name, *dialect.seen] for name, dialect in DIALECTS.items()]


def test_no_consumer_that_was_run_stands_among_those_that_were_not() -> None:
    tools = {row[1] for row in rows("Who reads it")[1:]}
    assert not tools & {row[0] for row in rows("From their source")[1:]}
    assert all(re.search(r"`[\w./-]+\.(rb|java|cs|ts)`", row[1]) for row in rows("From their source")[1:])


def test_its_numbers_are_the_programs() -> None:
    assert f"at most {MESSAGE_LIMIT} characters. A case's text has at most {TEXT_LIMIT:,} characters." in PAGE
    assert f"The file has at most {FILE_LIMIT // 2**20} MiB." in PAGE
    assert 45 <= len(RUNS) <= 60, "the page says some fifty"
