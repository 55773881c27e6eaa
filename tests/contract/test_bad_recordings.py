"""Recordings may be damaged: that ends in a sentence with its place, and in reports that say so."""

import pytest

from tests.contract.refusals import AGENT, ANSWER, DEEP, PARIS, REPORTS, assert_refused, changed, written
from tests.fakes.project import Project


@pytest.fixture
def paris(project: Project) -> Project:
    """A project whose one answer is right."""
    project.write("helper.yaml", AGENT)
    project.write("runs.jsonl", ANSWER)
    return project


@pytest.mark.parametrize(
    ("name", "text", "place", "sentence"),
    [
        pytest.param(
            "runs.jsonl",
            '{"id": "a", "input": "q", "output": "x"}\n{"id": "a", "input": "r", "output": "y"}\n',
            "runs.jsonl:2",
            "the case id 'a' of agent 'helper' is already that of",
            id="duplicate id",
        ),
        pytest.param(
            "runs.jsonl",
            ANSWER * 2,
            "runs.jsonl:2",
            "this is a second transcript for the test",
            id="answer twice",
        ),
        pytest.param("runs.jsonl", "", "runs.jsonl", "the file is empty", id="empty"),
        pytest.param("runs.jsonl", "\n \n", "runs.jsonl", "the file is empty", id="blank"),
        pytest.param(
            "runs.jsonl",
            f"{ANSWER}{'[' * DEEP}\n",
            "runs.jsonl:2",
            "the JSON is nested deeper than 64 levels, which is the limit",
            id="deep JSON lines",
        ),
        pytest.param(
            "runs.json",
            "[" * DEEP + "]" * DEEP,
            "runs.json:1",
            "the JSON is nested deeper than 64 levels, which is the limit",
            id="deep JSON",
        ),
        pytest.param(
            "runs.yaml",
            "- " * DEEP,
            "runs.yaml:1",
            "the YAML is nested deeper than 64 levels, which is the limit",
            id="deep YAML",
        ),
        pytest.param(
            "runs.yaml",
            "- input: q\n  output: a\n- bomb:\n  - &a [x]\n  - *a\n",
            "runs.yaml:5",
            "YAML aliases are not read; write the value out",
            id="aliases",
        ),
        pytest.param(
            "runs.yaml",
            "- input: q\n  output: !!python/object/apply:os.system [id]\n",
            "runs.yaml:2",
            "the YAML tag 'tag:yaml.org,2002:python/object/apply:os.system' is not read; remove it",
            id="python tag",
        ),
        pytest.param(
            "runs.jsonl",
            '{"input": "q", "output": "a", "output": "b"}\n',
            "runs.jsonl:1",
            "the key 'output' is given twice in one object",
            id="key twice",
        ),
        pytest.param(
            "runs.jsonl", '{"input": "q", "output": NaN}\n', "runs.jsonl:1", "JSON has no NaN", id="NaN"
        ),
        pytest.param(
            "runs.jsonl",
            f'{{"input": "q", "output": {"1" * 1_000_000}}}\n',
            "runs.jsonl:1",
            "the JSON holds a number that is too long",
            id="a million digits",
        ),
        pytest.param(
            "runs.jsonl",
            '{"agent": "other", "input": "q", "output": "a"}\n',
            "runs.jsonl:1",
            "this transcript is of agent 'other', not of agent 'helper'",
            id="another agent's",
        ),
        pytest.param(
            "runs.jsonl",
            '{"status": "ok", "messages": [], "reference": {'
            + ", ".join(f'"k{n}": 0' for n in range(260_000))
            + "}}",
            "runs.jsonl:1",
            "a transcript may hold at most 250,000 values",
            id="too many values",
        ),
        pytest.param(
            "runs.jsonl",
            '{"status": "ok", "messages": [' + "1, " * 1000 + "1]}\n",
            "runs.jsonl:1",
            "991 more things are wrong in it",
            id="a thousand faults",
        ),
    ],
)
def test_a_bad_transcript_file_is_refused(
    paris: Project, capsys: pytest.CaptureFixture[str], name: str, text: str, place: str, sentence: str
) -> None:
    paris.write(name, text)
    assert_refused(paris, capsys, place, sentence, transcripts="" if name == "runs.jsonl" else name)


@pytest.mark.parametrize(
    ("name", "content", "place", "sentence"),
    [
        (
            "helper.yaml",
            AGENT.encode() + b"description: caf\xe9\n",
            "helper.yaml:10:17",
            "the file is not UTF-8 (byte 0xe9 here); save it as UTF-8",
        ),
        (
            "runs.jsonl",
            ANSWER.encode() + b'{"input": "caf\xe9", "output": "a"}\n',
            "runs.jsonl:2",
            "this is not UTF-8 (byte 65 of the file); save it as UTF-8",
        ),
        (
            "runs.jsonl",
            ANSWER.encode("utf-16"),
            "runs.jsonl",
            "this is UTF-16, not UTF-8; save it as UTF-8",
        ),
    ],
)
def test_what_is_not_utf_8_is_refused(
    paris: Project, capsys: pytest.CaptureFixture[str], name: str, content: bytes, place: str, sentence: str
) -> None:
    (paris.folder / name).write_bytes(content)
    assert_refused(paris, capsys, place, sentence)


@pytest.mark.parametrize("name", ["helper.yaml", "runs.jsonl"])
def test_a_byte_order_mark_changes_nothing(paris: Project, name: str) -> None:
    path = paris.folder / name
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert paris.run() == 0
    assert paris.results["cases"][0]["turns"][0]["actual_output"] == "Paris"


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({"output": None}, "the answer is null"),
        ({"output": ""}, "the answer is empty"),
        ({"messages": []}, "there is no assistant message"),
        ({"messages": [{"role": "assistant", "content": None}]}, "the answer is null"),
        ({"messages": [{"role": "assistant", "content": []}]}, "the answer is empty"),
        (
            {
                "messages": [
                    {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "f"}}]}
                ]
            },
            "the run ended in a tool call",
        ),
    ],
)
def test_an_answer_that_is_not_there_fails_its_case(
    paris: Project, capsys: pytest.CaptureFixture[str], record: dict[str, object], reason: str
) -> None:
    asked = {"role": "user", "content": PARIS["input"]}
    messages = record.get("messages")
    paris.write("helper.yaml", changed("ground_truth: Paris", "ground_truth: None"))
    paris.transcripts(
        {"input": PARIS["input"], **record}
        if messages is None
        else {"test_case": "capital", "messages": [asked, *messages]}  # type: ignore[misc]  # a list here
    )
    assert paris.run() == 1
    told = capsys.readouterr()
    assert "Traceback" not in told.out + told.err
    assert set(written(paris)) == {*REPORTS, "cases.jsonl"}
    (case,) = paris.results["cases"]
    assert (case["status"], case["reasons"]) == ("failed", [f"the agent gave no answer: {reason}"])
    assert case["turns"][0]["actual_output"] in {None, ""}
