import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holodeck_eval.domain.verdict import EXIT_CODES, Status
from holodeck_eval.github.marker import LONGEST_BODY, Marker, Stamp, Surface, Word, read_marker

STAMP = Stamp(run_id=11002200330, attempt=2, says="0123456789abcdef", status="failed")
SURFACE = Surface(workflow="Agents", job="gate", comment_key="support")
MARKER = Marker.of("comment", SURFACE, STAMP)


def test_the_marker_is_one_hidden_line() -> None:
    assert str(MARKER) == (
        f"<!-- holodeck-eval:comment {SURFACE.digest} run=11002200330.2 says=0123456789abcdef status=failed -->"
    )


@pytest.mark.parametrize("word", ["comment", "report"])
@pytest.mark.parametrize("status", EXIT_CODES)
def test_what_is_written_is_read_back(word: Word, status: Status) -> None:
    stamp = Stamp(run_id=0, attempt=1, says="f" * 16, status=status)
    marker = Marker.of(word, SURFACE, stamp)
    assert read_marker(f"# Passed\n\n{marker}") == marker


@given(st.text(), st.text(), st.text())
def test_names_of_any_kind_make_a_surface_of_hex_digits(workflow: str, job: str, key: str) -> None:
    digest = Surface(workflow=workflow, job=job, comment_key=key).digest
    assert len(digest) == 32
    assert set(digest) <= set("0123456789abcdef")


def test_surfaces_differ_by_workflow_job_and_key_and_not_by_how_these_join() -> None:
    names = [
        ("a", "b", ""),
        ("a", "", "b"),
        ("", "a", "b"),
        ("ab", "", ""),
        ('a", "b', "", ""),
        ("a", "b", "c"),
    ]
    digests = {Surface(workflow=one, job=two, comment_key=three).digest for one, two, three in names}
    assert len(digests) == len(names)


def test_half_a_character_in_a_name_does_not_stop_the_writing() -> None:
    assert Surface(workflow="\ud800", job="gate").digest != SURFACE.digest


@pytest.mark.parametrize(
    "body",
    [
        "{}",
        "text\n{}",
        "text\n\n{}\n",
        "text\r\n\r\n{}\r\n",
        "text\n{} \t\n",
        "text\n{}\n\nA person wrote more.",
        "text\n{}\n<!-- holodeck-eval:comment broken -->",
    ],
)
def test_a_marker_on_a_line_of_its_own_counts(body: str) -> None:
    assert read_marker(body.format(MARKER)) == MARKER


@pytest.mark.parametrize(
    "body",
    [
        "",
        "text",
        "> {}",
        "`{}`",
        "    {}",
        "text {}",
        "{} text",
        "{}{}",
        "text\u2028{}",
    ],
)
def test_a_marker_that_shares_its_line_does_not_count(body: str) -> None:
    assert read_marker(body.format(MARKER, MARKER)) is None


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("<!--", "<!-"),
        ("holodeck-eval:comment", "holodeck-eval:sticky"),
        ("run=11002200330.2", "run=-1.2"),
        ("run=11002200330.2", "run=011002200330.2"),
        ("run=11002200330.2", "run=11002200330.0"),
        ("run=11002200330.2", "run=11002200330"),
        ("run=11002200330.2", "run=\u0661.2"),
        ("run=11002200330.2", "run=" + "9" * 20 + ".1"),
        ("says=0123456789abcdef", "says=0123456789ABCDEF"),
        ("says=0123456789abcdef", "says=0123456789abcde"),
        ("status=failed", "status=fine"),
        ("status=failed", "status="),
        (" status", "  status"),
        (" status", "\nstatus"),
    ],
)
def test_a_malformed_marker_is_none(right: str, wrong: str) -> None:
    assert right in str(MARKER)
    assert read_marker(str(MARKER).replace(right, wrong)) is None


def test_of_many_markers_the_last_counts() -> None:
    forged = Marker.of("comment", Surface(workflow="x", job="y"), STAMP)
    assert read_marker(f"{forged}\n" * 500 + f"{MARKER}\n") == MARKER
    assert read_marker(f"{MARKER}\n{forged}") == forged


def test_of_a_huge_body_only_the_end_is_looked_at() -> None:
    started = time.perf_counter()
    assert read_marker(f"{MARKER}\n" + "x" * LONGEST_BODY) is None
    assert read_marker("<!-- holodeck-eval:comment " * 2_000_000 + f"\n{MARKER}") == MARKER
    assert time.perf_counter() - started < 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("run_id", -1),
        ("run_id", 10**19),
        ("attempt", 0),
        ("attempt", 10**19),
        ("says", "0123"),
        ("says", "x" * 16),
        ("says", "0123456789abcdef -->"),
        ("status", "passed -->\n"),
    ],
)
def test_a_stamp_that_no_marker_could_hold_is_refused(field: str, value: object) -> None:
    given: dict[str, object] = {"run_id": 1, "attempt": 1, "says": "0" * 16, "status": "passed", field: value}
    with pytest.raises(ValueError, match="a stamp has"):
        Stamp(**given)  # type: ignore[arg-type]


def test_later_runs_and_attempts_are_younger() -> None:
    ages = [
        Stamp(run_id=run, attempt=attempt, says="0" * 16, status="passed").age
        for run, attempt in (
            (9, 1),
            (9, 2),
            (9, 10),
            (10, 1),
            (100, 1),
        )
    ]
    assert ages == sorted(ages)
