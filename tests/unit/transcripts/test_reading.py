"""How files are opened, decoded, bounded and split into records."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from holodeck_eval.errors import Place, TranscriptError
from holodeck_eval.transcripts import Limits, read
from holodeck_eval.transcripts._source import Source
from tests.unit.transcripts.kinds import Reads, Refused

ROW = {"question": "How tall?", "answer": "Two metres."}


def test_json_lines_are_read_one_record_a_line_with_its_number(reads: Reads) -> None:
    reading = reads(json.dumps(ROW) + "\n\n   \n" + json.dumps({**ROW, "id": "b"}) + "\n", "t.jsonl")
    assert [transcript.place for transcript in reading.transcripts] == [
        Place(file="t.jsonl", line=1),
        Place(file="t.jsonl", line=4),
    ]
    assert (reading.file, reading.format, reading.warnings) == ("t.jsonl", "rows", ())


@pytest.mark.parametrize("name", ["t.jsonl", "t.json", "t.ndjson", "t.log"])
def test_a_byte_order_mark_and_windows_line_ends_are_no_part_of_a_record(reads: Reads, name: str) -> None:
    line = json.dumps(ROW).encode()
    reading = reads(b"\xef\xbb\xbf" + line + b"\r\n" + line + b"\r\n", name)
    assert [transcript.turns[0].input for transcript in reading.transcripts] == ["How tall?", "How tall?"]


def test_a_line_separator_inside_a_text_does_not_split_the_line(reads: Reads) -> None:
    text = json.dumps({"question": "a\u2028b", "answer": "c\u2029d\u0085e"}, ensure_ascii=False)
    turn = reads(text + "\n" + text + "\n", "t.jsonl").transcripts[1].turns[0]
    assert (turn.input, turn.output) == ("a\u2028b", "c\u2029d\u0085e")


def test_json_lines_under_the_name_of_a_json_file_are_read_line_by_line(reads: Reads) -> None:
    assert reads(json.dumps(ROW) + "\n" + json.dumps(ROW), "t.json").transcripts[1].place.line == 2


def test_a_json_list_counts_its_records(reads: Reads) -> None:
    reading = reads([ROW, ROW])
    assert [transcript.place.record for transcript in reading.transcripts] == [1, 2]


def test_a_json_document_over_several_lines_is_one_document(reads: Reads) -> None:
    assert len(reads(json.dumps([ROW, ROW], indent=2)).transcripts) == 2


def test_an_unknown_ending_with_json_in_it_is_read_as_json(reads: Reads) -> None:
    assert reads(json.dumps([ROW]), "t.traj").format == "rows"


def test_an_unknown_ending_that_tells_nothing_is_refused(refused: Refused) -> None:
    (problem,) = refused("hello\n", "t.bin")
    assert "what this file holds is not clear; end its name in .json, .jsonl" in problem


@pytest.mark.parametrize("content", ["", "\n  \n", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("name", ["t.jsonl", "t.json", "t.csv", "t.yaml"])
def test_an_empty_file_is_called_empty(refused: Refused, content: Any, name: str) -> None:
    assert refused(content, name) == [f"{name}: the file is empty"]


@pytest.mark.parametrize("content", ["[]", "- \n"])
def test_a_file_without_a_record_is_refused(refused: Refused, content: Any) -> None:
    name = "t.json" if content == "[]" else "t.csv"
    assert len(refused(content, name)) == 1


def test_text_that_is_not_utf8_is_refused_with_its_line_and_byte(refused: Refused) -> None:
    content = json.dumps(ROW).encode() + b'\n{"question": "caf\xe9", "answer": "x"}\n'
    byte = len(json.dumps(ROW)) + 1 + len('{"question": "caf')
    assert refused(content, "t.jsonl") == [
        f"t.jsonl:2: this is not UTF-8 (byte {byte} of the file); save it as UTF-8"
    ]


def test_a_document_that_is_not_utf8_names_the_line_of_the_bad_byte(refused: Refused) -> None:
    assert refused(b'question,answer\n"a\nb",\xff\n', "t.csv") == [
        "t.csv:3: this is not UTF-8 (byte 22 of the file); save it as UTF-8"
    ]


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (b"PK\x03\x04", "ZIP"),
        (b"\x1f\x8b\x08\x00", "gzip"),
        (b"\xff\xfe{\x00", "UTF-16"),
        (b"\xfe\xff\x00{", "UTF-16"),
    ],
)
def test_an_archive_or_another_encoding_is_called_what_it_is(
    refused: Refused, head: bytes, said: str
) -> None:
    (problem,) = refused(head, "t.json")
    assert said in problem


def test_a_missing_file_a_folder_and_a_pipe_are_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    sentences = {
        "gone.json": "there is no such file",
        ".": "this is a folder; name the files in it, for example with `/*.jsonl`",
        "pipe": "this is a pipe, not a file; write it to a file first",
        "nul\0.json": "the file cannot be opened: ",
        "loop": "the file cannot be opened: ",
    }
    for name, sentence in sentences.items():
        with pytest.raises(TranscriptError) as caught:
            read(tmp_path / name, shown_as="it")
        assert str(caught.value).startswith(f"it: {sentence}")


def test_a_device_is_no_regular_file() -> None:
    with pytest.raises(TranscriptError, match="this is no regular file"):
        read(Path("/dev/null"))


def test_the_path_is_shown_where_no_other_name_is_given(tmp_path: Path) -> None:
    with pytest.raises(TranscriptError, match=r"gone\.json: there is no such file"):
        read(tmp_path / "gone.json")


def test_a_file_over_the_limit_is_refused_with_the_limits_name(refused: Refused) -> None:
    (problem,) = refused([ROW, ROW], limits=Limits(file_bytes=40))
    assert problem == "t.json: the file is larger than 40 bytes, the limit of --max-file-bytes; split it"


def test_a_file_that_grows_while_it_is_read_meets_the_limit_too(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text("[1]\n" * 9)
    source = Source(path=path, shown="it", limits=Limits(file_bytes=10))
    with pytest.raises(TranscriptError, match="larger than 10 bytes"):
        source.text()
    with pytest.raises(TranscriptError, match="larger than 10 bytes"):
        list(source.lines())


def test_more_records_than_the_limit_are_refused(refused: Refused) -> None:
    (problem,) = refused([ROW] * 3, limits=Limits(records=2))
    assert problem == "t.json: the file holds more than 2 records, the limit `records`"


@pytest.mark.parametrize("name", ["t.json", "t.jsonl"])
def test_a_text_over_the_limit_is_refused_with_its_head(refused: Refused, name: str) -> None:
    (problem,) = refused([{**ROW, "answer": "x" * 300}], name, limits=Limits(text_chars=200))
    assert "the text that starts 'xxx" in problem
    assert problem.endswith("is longer than 200 characters, the limit of --max-text-chars")


def test_a_long_record_of_short_texts_is_within_the_limit(reads: Reads) -> None:
    row = {**ROW, "context": ["x" * 90, "y" * 90, "z" * 90]}
    assert len(reads([row], limits=Limits(text_chars=100)).transcripts[0].turns[0].context) == 3


@pytest.mark.parametrize("name", ["t.json", "t.jsonl", "t.yaml"])
@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_nesting_a_hundred_thousand_deep_is_refused(refused: Refused, name: str, opening: str) -> None:
    (problem,) = refused(opening * 100_000, name)
    assert "nested deeper than 64 levels, which is the limit" in problem


def test_many_brackets_that_do_not_nest_are_fine(reads: Reads) -> None:
    row = {**ROW, "answer": "[" * 500 + '"{\\', "context": [{"text": "a"}] * 100}
    assert reads([row]).transcripts[0].turns[0].output == "[" * 500 + '"{\\'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"question": "a", "answer"', "the JSON is cut off before its end"),
        ('{"question": "a", "answer": "b', "the JSON is cut off before its end"),
        ('{"a": 1} {"b": 2}', "more text follows the end of the JSON value, at column 10"),
        ('{"a": NaN}', "JSON has no NaN; write null where a number is unknown"),
        ('{"a": -Infinity}', "JSON has no -Infinity; write null where a number is unknown"),
        ('{"a": 1e999}', "the number '1e999' is too large"),
        ('{"a": ' + "9" * 5000 + "}", "the JSON holds a number that is too long"),
        ('{"a": 1, "b": {"c": 1, "c": 2}}', "the key 'c' is given twice in one object"),
        ("{'a': 1}", "this is no JSON: Expecting property name enclosed in double quotes, at column 2"),
    ],
)
def test_what_is_no_strict_json_is_refused_in_a_sentence_with_its_line(
    refused: Refused, text: str, said: str
) -> None:
    (in_lines,) = refused(json.dumps(ROW) + "\n" + text + "\n", "t.jsonl")
    assert in_lines.startswith(f"t.jsonl:2: {said}")
    (whole,) = refused(text, "t.json")
    assert whole.startswith(f"t.json:1: {said}")


def test_a_number_with_a_fraction_is_a_number(reads: Reads) -> None:
    assert reads([{"question": "a", "answer": 1.5}]).transcripts[0].turns[0].output == "1.5"


def test_all_problems_of_a_file_are_told_and_the_rest_is_counted(refused: Refused) -> None:
    problems = refused("{\n" * 25, "t.jsonl", limits=Limits(problems=3))
    assert problems[:1] == ["t.jsonl:1: the JSON is cut off before its end (one record a line)"]
    assert problems[3:] == ["t.jsonl: and 22 more problems"]


def test_a_bad_line_and_bad_bytes_are_told_together(refused: Refused) -> None:
    problems = refused(json.dumps(ROW).encode() + b"\n{\n\xff\n", "t.jsonl")
    assert [problem.split(":")[1] for problem in problems] == ["2", "3"]


def test_control_characters_and_lone_surrogates_are_kept_as_they_are(reads: Reads) -> None:
    text = '{"question": "a\\u0000b", "answer": "\\udcb2 \\u001b[31m", "test_case": "\\ud800"}'
    transcript = reads(text, "t.jsonl").transcripts[0]
    assert (transcript.turns[0].input, transcript.turns[0].output) == ("a\0b", "\udcb2 \x1b[31m")
    assert transcript.test_case == "\ud800"
