"""YAML transcripts: what is refused, and what stays text."""

from typing import Any

import pytest

from holodeck_eval.errors import Place
from tests.unit.transcripts.kinds import Reads, Refused

RECORD = "- test_case: t\n  input: q\n  output: {}\n"


def test_a_list_of_records_knows_the_line_of_each(reads: Reads) -> None:
    reading = reads(RECORD.format("a") + "\n" + RECORD.format("b"), "t.yaml")
    assert [read.place for read in reading.transcripts] == [
        Place(file="t.yaml", line=1),
        Place(file="t.yaml", line=5),
    ]


def test_a_mapping_of_records_is_read_too(reads: Reads) -> None:
    text = "version: 1\ntranscripts:\n  - test_case: t\n    input: q\n    output: a\n"
    assert reads(text, "t.yml").transcripts[0].place == Place(file="t.yml", record=1)


@pytest.mark.parametrize(
    ("written", "output", "clause"),
    [
        ("no", "no", None),
        ("12:30", "12:30", None),
        ("2024-01-31", "2024-01-31", None),
        ("0x1F", "0x1F", None),
        ("'null'", "null", None),
        ("|-\n    two\n    lines", "two\nlines", None),
        ("42", "42", None),
        ("1.50", "1.5", None),
        ("true", "true", None),
        ("~", None, "the answer is null"),
        ("null", None, "the answer is null"),
        ("", None, "the answer is null"),
        ("''", "", "the answer is empty"),
    ],
)
def test_plain_words_stay_what_was_written(
    reads: Reads, written: Any, output: Any, clause: str | None
) -> None:
    turn = reads(RECORD.format(written), "t.yaml").transcripts[0].turns[0]
    assert (turn.output, turn.no_answer) == (output, clause)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "- output: !!python/object:os.system x\n",
            "1: the YAML tag 'tag:yaml.org,2002:python/object:os.system' is not read",
        ),
        ("- !!map {output: x}\n", "1: the YAML tag 'tag:yaml.org,2002:map' is not read; remove it"),
        ("- a: &x [1]\n  b: *x\n", "2: YAML aliases are not read; write the value out"),
        ("- a: 1\n  b: 2\n  a: 3\n", "3: the key 'a' is given twice"),
        ("- [a]: 1\n- ? {b: 1}\n  : 2\n", "1: a key must be text, not a list or a mapping"),
        ("- a: 1\n---\n- a: 2\n", "2: a second YAML document starts here; keep one list of records a file"),
        ("- a: .nan\n", "1: '.nan' is no number; write null where a number is unknown"),
        ("- a: -.inf\n", "1: '-.inf' is no number; write null where a number is unknown"),
        ("- a: [1\n- b\n", "3: this is no YAML: did not find expected ',' or ']'"),
        ("- a: 'x\x01'\n", "1: YAML has no place for the character U+0001"),
        ("- " * 70 + "x\n", "1: the YAML is nested deeper than 64 levels, which is the limit"),
    ],
)
def test_what_is_not_read_ends_in_a_sentence_with_its_line(refused: Refused, text: str, said: str) -> None:
    (problem,) = refused(text, "t.yaml")
    assert problem.startswith(f"t.yaml:{said}")


def test_a_number_as_a_key_is_text(refused: Refused) -> None:
    (problem,) = refused("- 7: x\n", "t.yaml")
    assert "the top-level keys are '7'" in problem
