"""A pull request's author controls every file of the checkout; none may vouch for itself, reach out or hang."""

import json
import os
from pathlib import Path

import pytest

from holodeck_eval.cli import main
from tests.fakes.project import EQUALITY, JUDGE, Project
from tests.fakes.runner_log import RunnerLog

PARIS = {"name": "capital", "input": "Capital of France?", "ground_truth": "Paris"}
RIGHT = {"input": "Capital of France?", "output": "Paris"}
TONE = {"type": "geval", "name": "tone", "criteria": "Is it kind?", "model": JUDGE}


def run(project: Project, **inputs: str) -> int:
    return project.action(**{"agent": "helper.yaml", "transcripts": "runs.jsonl", **inputs})


def report(project: Project) -> dict[str, object]:
    loaded: dict[str, object] = json.loads(
        (project.folder / "eval-report" / "results.json").read_text(encoding="utf-8")
    )
    return loaded


@pytest.mark.parametrize(
    ("name", "inputs"),
    [
        ("helper.yaml", {}),
        ("runs.jsonl", {}),
        ("policy.yaml", {"policy": "policy.yaml"}),
        ("verdicts.jsonl", {"verdicts": "verdicts.jsonl", "trust_checkout": "true"}),
        ("eval-report", {}),
    ],
)
def test_a_link_to_itself_is_an_error_and_no_bug(
    checkout: Project, capsys: pytest.CaptureFixture[str], name: str, inputs: dict[str, str]
) -> None:
    (checkout.folder / name).unlink(missing_ok=True)
    (checkout.folder / name).symlink_to(name)
    assert run(checkout, **inputs) == 2
    assert name in capsys.readouterr().out
    assert "status<<" in (checkout.folder.parent / "output").read_text(encoding="utf-8")


def test_links_that_lead_back_are_not_walked_for_ever(checkout: Project) -> None:
    for name in ("x", "y", "z"):
        (checkout.folder / name).symlink_to(".")
    checkout.transcripts({**RIGHT, "input": "q", "id": "q"}, name="deep/er/more.jsonl")
    checkout.transcripts({**RIGHT, "input": "hidden"}, name=".git/hidden.jsonl")
    run(checkout, transcripts="**/*.jsonl")
    files = report(checkout)["files"]
    assert [file["file"] for file in files] == ["deep/er/more.jsonl", "runs.jsonl"]  # type: ignore[attr-defined,index]


def test_a_link_to_the_root_is_refused_before_it_is_walked(
    checkout: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    (checkout.folder / "runs").symlink_to("/")
    assert run(checkout, transcripts="runs/**/*.jsonl") == 2
    assert "error: runs: this is a link that leads out of the checkout" in capsys.readouterr().out


def test_a_file_called_like_the_glob_hides_no_other(checkout: Project) -> None:
    checkout.transcripts({"input": "Capital of France?", "output": "Lyon"}, name="runs/a.jsonl")
    checkout.transcripts(RIGHT, name="runs/*.jsonl")
    assert run(checkout, transcripts="runs/*.jsonl") == 2
    assert "second transcript" in json.dumps(report(checkout))


def test_verdicts_are_not_appended_to_what_a_link_leads_to(checkout: Project) -> None:
    outside = checkout.folder.parent / "outside.jsonl"
    (checkout.folder / "verdicts.jsonl").symlink_to(outside)
    assert run(checkout, verdicts="verdicts.jsonl", trust_checkout="true") == 2
    assert not outside.exists()


def test_a_folder_in_the_way_of_a_report_leaves_no_forged_one(checkout: Project) -> None:
    checkout.write("eval-report/results.json/x", "")
    checkout.write("eval-report/comment.md", "passed")
    checkout.write("eval-report/junit.xml", "<testsuites/>")
    assert run(checkout) == 2
    assert [path.name for path in (checkout.folder / "eval-report").iterdir()] == ["results.json"]


def test_a_test_cases_own_metrics_do_not_replace_the_policys(checkout: Project) -> None:
    policy = checkout.folder.parent / "policy.yaml"
    policy.write_text(json.dumps({"evaluations": {"metrics": [TONE]}}), encoding="utf-8")
    turns = [{"input": "Capital of France?", "ground_truth": "Paris", "evaluations": [EQUALITY]}]
    for case in ({**PARIS, "evaluations": [EQUALITY]}, {"name": "capital", "turns": turns}):
        checkout.agent(EQUALITY, test_cases=[case])
        assert run(checkout) == 0
        assert run(checkout, policy=str(policy)) == 3
        assert "tone" in json.dumps(report(checkout)["verdict"])


def test_a_metric_of_a_test_case_cannot_take_the_name_of_the_policys(checkout: Project) -> None:
    policy = checkout.folder.parent / "policy.yaml"
    policy.write_text(json.dumps({"evaluations": {"metrics": [TONE]}}), encoding="utf-8")
    mine = {**TONE, "criteria": "Anything goes."}
    checkout.agent(EQUALITY, test_cases=[{**PARIS, "evaluations": [mine]}])
    assert run(checkout, policy=str(policy)) == 2
    assert "two metrics are called 'tone'" in json.dumps(report(checkout)["verdict"])


@pytest.mark.parametrize(("given", "code"), [("", 0), ("true", 0), ("false", 1)])
def test_an_input_that_says_false_wins_over_the_policy(checkout: Project, given: str, code: int) -> None:
    policy = checkout.folder.parent / "policy.yaml"
    policy.write_text("allow_missing: true\n", encoding="utf-8")
    checkout.agent(EQUALITY, test_cases=[PARIS, {"name": "b", "input": "b", "ground_truth": "x"}])
    assert run(checkout, policy=str(policy), allow_missing=given) == code


def test_a_mapping_with_an_index_of_thousands_of_digits_finds_nothing(checkout: Project) -> None:
    checkout.write("policy.yaml", f'mapping: {{output: "a.{"1" * 5000}"}}\n')
    checkout.transcripts({"input": "Capital of France?", "a": ["Paris"]})
    assert run(checkout, policy="policy.yaml") == 2


def test_thousands_of_problems_and_warnings_are_counted_not_told(
    checkout: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.transcripts(*({"agent": f"a{number}", **RIGHT} for number in range(1000)))
    assert run(checkout) == 2
    assert "and 900 more problems" in capsys.readouterr().out
    said = [{"role": "user", "content": "q"}, {"role": "tool", "content": "x"}]
    answer = {"role": "assistant", "content": "Paris"}
    checkout.transcripts(*({"id": f"n{number}", "messages": [*said, answer]} for number in range(1000)))
    assert run(checkout) == 1
    warnings = report(checkout)["warnings"]
    assert len(warnings) == 101  # type: ignore[arg-type]
    assert warnings[-1].endswith("more warnings about transcripts")  # type: ignore[index]


def test_a_regex_that_takes_for_ever_is_cut_short_and_passes_nothing(checkout: Project) -> None:
    tool = {"name": "search", "args": {"q": {"regex": "(a+)+b"}}}
    checkout.agent(EQUALITY, test_cases=[{**PARIS, "expected_tools": [tool]}])
    checkout.transcripts({**RIGHT, "tool_calls": [{"name": "search", "arguments": {"q": "a" * 60}}]})
    assert run(checkout) == 3
    assert "simplify the regular expressions" in json.dumps(report(checkout)["verdict"])


def test_names_of_files_are_no_commands_and_need_be_no_utf_8(
    checkout: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    os.rename(b"runs.jsonl", b"r\xff\n::error::owned\r##[set-output name=status]x.jsonl")  # noqa: PTH104 - bytes
    assert run(checkout, transcripts="r*.jsonl") == 0
    told = capsys.readouterr()
    log = RunnerLog()
    log.read(told.out)
    assert [command.name for command in log.obeyed] == ["stop-commands"]
    assert log.ignored == []
    assert "##[" not in told.out
    assert told.err == ""


@pytest.mark.parametrize("epoch", ["9" * 12, "9" * 5000, "-1", "²", ""])
def test_a_date_that_is_none_is_no_date(checkout: Project, epoch: str) -> None:
    checkout.environ["SOURCE_DATE_EPOCH"] = epoch
    assert run(checkout) == 0
    assert str(report(checkout)["started_at"]).startswith("20")


def test_outputs_that_cannot_be_written_end_in_a_sentence(
    checkout: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.environ["GITHUB_OUTPUT"] = str(checkout.folder)
    assert run(checkout) == 4
    assert "no report could be left" in capsys.readouterr().out


def chat(size: int) -> str:
    """A conversation of many calls whose results come at the end."""
    calls = [{"id": f"c{number}", "function": {"name": "f"}} for number in range(size)]
    results = [{"role": "tool", "tool_call_id": f"c{number}", "content": "x"} for number in range(size)]
    ends = [{"role": "user", "content": "Capital of France?"}, {"role": "assistant", "content": "Paris"}]
    said = [ends[0], {"role": "assistant", "content": None, "tool_calls": calls}, *results, ends[1]]
    return json.dumps({"messages": said})


def holodeck(size: int) -> str:
    """A report of one result, and a snapshot of many test cases that it is none of, beside many results."""
    results = [
        {"test_name": f"t{number}", "test_input": "q", "agent_response": "a"} for number in range(size)
    ]
    mine = {"test_name": "capital", "test_input": "Capital of France?", "agent_response": "Paris"}
    cases = [{"name": f"z{number}", "input": "y"} for number in range(size)]
    report = {"agent_name": "helper", "results": [mine, *results]}
    return json.dumps({"report": report, "metadata": {"agent_config": {"test_cases": cases}}})


def table(size: int) -> str:
    """A table of many columns."""
    names = ",".join(f"c{number}" for number in range(size))
    return f"input,output,{names}\nCapital of France?,Paris{',x' * size}\n"


@pytest.mark.parametrize(
    ("name", "text"), [("runs.json", chat(30_000)), ("runs.csv", table(60_000))], ids=["chat", "table"]
)
def test_much_of_a_thing_takes_as_much_longer_not_for_ever(checkout: Project, name: str, text: str) -> None:
    checkout.write(name, text)
    assert run(checkout, transcripts=name) == 0


def test_many_results_and_many_test_cases_are_not_multiplied(checkout: Project) -> None:
    checkout.write("runs.json", holodeck(10_000))
    assert run(checkout, transcripts="runs.json") in {1, 3}
    summary = report(checkout)["summary"]
    assert (summary["cases"], summary["passed"]) == (10_001, 1)  # type: ignore[index]


def test_a_million_digits_are_compared_at_once(checkout: Project) -> None:
    tool = {"name": "search", "args": {"q": {"fuzzy": "1"}}}
    checkout.agent(EQUALITY, test_cases=[{**PARIS, "expected_tools": [tool]}])
    checkout.transcripts(
        {**RIGHT, "tool_calls": [{"name": "search", "arguments": {"q": "1" * 1_000_000 + "x"}}]}
    )
    assert run(checkout) == 1


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("{" + "".join(f'"k{n}": 0, ' for n in range(100_000)) + '"k99999": 1}', "is given twice"),
        ('{"a": "' + "x" * 20_000_000 + '", "b": ' + "[" * 70, "nested more than 64 levels"),
    ],
    ids=["keys", "text"],
)
def test_a_long_verdict_line_is_refused_at_once(checkout: Project, line: str, sentence: str) -> None:
    checkout.write("verdicts.jsonl", f"{line}\n")
    assert run(checkout, verdicts="verdicts.jsonl", trust_checkout="true") == 2
    assert sentence in json.dumps(report(checkout)["verdict"])


def test_render_writes_nothing_where_a_link_of_the_checkout_leads(
    checkout: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(checkout) == 0
    outside = tmp_path / "outside"
    outside.mkdir()
    (checkout.folder / "eval-report" / "results.json").rename(outside / "results.json")
    (checkout.folder / "link").symlink_to(outside)
    assert main(["render", "link"], checkout.environ) == 2
    assert "leads out of the checkout" in capsys.readouterr().err
    assert [path.name for path in outside.iterdir()] == ["results.json"]
