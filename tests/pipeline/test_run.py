"""Whole runs through the command line, with deterministic metrics and recorded verdicts."""

import json
import os
from pathlib import Path

import pytest

from holodeck_eval.cli import main
from tests.fakes.project import EQUALITY, JUDGE, Project

PARIS = {"name": "capital", "input": "Capital of France?", "ground_truth": "Paris"}
ROME = {"name": "italy", "input": "Capital of Italy?", "ground_truth": "Rome"}


def answer(question: str, text: str | None, **fields: object) -> dict[str, object]:
    return {"input": question, "output": text, **fields}


def messages_of(project: Project) -> list[str]:
    return [cause["message"] for cause in project.results["verdict"]["causes"]]


def test_a_run_in_which_everything_is_right_passes(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.agent(EQUALITY, test_cases=[PARIS, ROME])
    project.transcripts(answer("Capital of France?", "Paris"), answer("Capital of Italy?", " Rome "))
    assert project.run() == 0
    assert sorted(path.name for path in project.out.iterdir()) == [
        "cases.jsonl",
        "comment.md",
        "junit.xml",
        "results.json",
        "summary.md",
    ]
    assert capsys.readouterr().out.splitlines()[-1] == (
        "holodeck-eval: passed: all 2 cases passed, pass rate 100% (needs 100%); average score 1.00 (exit 0)"
    )


def test_a_wrong_answer_fails_the_run(project: Project) -> None:
    project.agent(EQUALITY, test_cases=[PARIS, ROME])
    project.transcripts(answer("Capital of France?", "Lyon"), answer("Capital of Italy?", "Rome"))
    assert project.run() == 1
    assert project.results["verdict"]["status"] == "failed"
    assert project.results["summary"]["pass_rate"] == 0.5


def test_a_test_case_without_a_transcript_fails(project: Project) -> None:
    project.agent(EQUALITY, test_cases=[PARIS, ROME])
    project.transcripts(answer("Capital of France?", "Paris"))
    assert project.run() == 1
    statuses = {case["id"]: case["status"] for case in project.results["cases"]}
    assert statuses == {"capital": "passed", "italy": "failed"}


def test_allow_missing_waives_it(project: Project) -> None:
    project.agent(EQUALITY, test_cases=[PARIS, ROME])
    project.transcripts(answer("Capital of France?", "Paris"))
    assert project.run("--allow-missing") == 0
    assert [case["id"] for case in project.results["waived_cases"]] == ["italy"]


@pytest.mark.parametrize("text", [None, "", "  \n"])
def test_no_answer_fails_and_is_never_the_word_none(project: Project, text: str | None) -> None:
    project.agent(EQUALITY, test_cases=[{**PARIS, "ground_truth": "None"}])
    project.transcripts(answer("Capital of France?", text))
    assert project.run() == 1
    assert project.results["cases"][0]["status"] == "failed"
    assert project.results["cases"][0]["turns"][0]["actual_output"] == text


def test_nothing_recorded_offline_is_inconclusive(project: Project) -> None:
    project.agent({"type": "geval", "name": "tone", "criteria": "Is it kind?"})
    project.transcripts(answer("Hello?", "Hello."))
    assert project.run("--offline") == 3
    assert project.results["verdict"]["status"] == "inconclusive"


def test_on_inconclusive_pass_changes_the_exit_alone_and_not_when_nothing_was_measured(
    project: Project,
) -> None:
    tone = {"type": "geval", "name": "tone", "criteria": "Is it kind?"}
    project.agent(tone)
    project.transcripts(answer("Hello?", "Hello."))
    assert project.run("--offline", "--on-inconclusive", "pass") == 3
    project.agent(EQUALITY, tone, test_cases=[PARIS])
    project.transcripts(answer("Capital of France?", "Paris"))
    assert project.run("--offline", "--on-inconclusive", "pass") == 0
    assert project.results["verdict"]["status"] == "inconclusive"
    assert project.results["verdict"]["waived"] is True
    assert project.results["verdict"]["passed"] is False


def test_an_agent_with_nothing_to_measure_is_an_error(project: Project) -> None:
    project.agent({**EQUALITY, "enabled": False}, test_cases=[PARIS])
    project.transcripts(answer("Capital of France?", "Paris"))
    assert project.run() == 2
    assert "there is nothing to measure" in messages_of(project)[0]


@pytest.mark.parametrize(
    ("metric", "sentence"),
    [
        (
            {"type": "standard", "metric": "rouge", "threshold": 0.5},
            "the metric 'rouge' is not supported yet",
        ),
        ({"type": "code", "grader": "os:system", "name": "g"}, "a code metric runs Python of the checkout"),
    ],
)
def test_metrics_that_are_not_measured_are_refused_by_name(
    project: Project, metric: dict[str, object], sentence: str
) -> None:
    project.agent(metric, test_cases=[PARIS])
    project.transcripts(answer("Capital of France?", "Paris"))
    assert project.run() == 2
    assert sentence in messages_of(project)[0]
    assert project.results["verdict"]["causes"][0]["place"]["line"] == 9


def test_problems_of_all_files_are_told_at_once(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.agent({**EQUALITY, "treshold": 1.0}, test_cases=[PARIS])
    project.write("runs.jsonl", '{"input": "q", "output": "a"}\n{"input": "q"')
    project.write("policy.yaml", "min_pas_rate: 1\n")
    assert project.run("--policy", str(project.folder / "policy.yaml")) == 2
    told = capsys.readouterr().err
    assert "policy.yaml:1:1" in told
    assert "min_pass_rate" in told
    assert "threshold" in told
    assert "runs.jsonl:2" in told
    assert "Traceback" not in told
    assert len(messages_of(project)) == 3


def test_an_error_leaves_no_old_report_that_could_be_read_as_new(project: Project) -> None:
    project.agent(EQUALITY, test_cases=[PARIS])
    project.transcripts(answer("Capital of France?", "Paris"))
    assert project.run() == 0
    project.write("runs.jsonl", "{")
    assert project.run() == 2
    assert project.results["verdict"]["status"] == "error"
    assert not (project.out / "cases.jsonl").exists()
    assert "passed" not in (project.out / "comment.md").read_text(encoding="utf-8").lower()


def test_reports_never_follow_a_link(project: Project) -> None:
    project.agent(EQUALITY, test_cases=[PARIS])
    project.transcripts(answer("Capital of France?", "Paris"))
    victim = project.write("victim.txt", "precious")
    project.out.mkdir()
    (project.out / "results.json").symlink_to(victim)
    assert project.run() == 0
    assert victim.read_text(encoding="utf-8") == "precious"
    assert project.results["verdict"]["status"] == "passed"


def test_the_same_inputs_give_the_same_bytes(project: Project) -> None:
    project.environ["SOURCE_DATE_EPOCH"] = "1700000000"
    project.agent(EQUALITY, test_cases=[PARIS, ROME])
    project.transcripts(answer("Capital of France?", "Paris"), answer("Capital of Italy?", "Milan"))
    reports = []
    for _ in range(2):
        assert project.run() == 1
        reports.append({path.name: path.read_bytes() for path in project.out.iterdir()})
    assert reports[0] == reports[1]
    assert project.results["started_at"] == "2023-11-14T22:13:20Z"


def test_keys_in_the_environment_are_starred_out_of_every_report(project: Project) -> None:
    key = "sk-made-up-for-this-test"
    project.environ["OPENAI_API_KEY"] = key
    project.agent(EQUALITY, test_cases=[PARIS])
    project.transcripts(answer("Capital of France?", f"The key is {key}."))
    assert project.run() == 1
    for path in project.out.iterdir():
        text = path.read_text(encoding="utf-8")
        assert key not in text
        assert "made-up" not in text
    assert "The key is ***." in project.results["cases"][0]["turns"][0]["actual_output"]


def test_verdicts_are_labelled_by_people_and_then_replayed(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.agent(
        {"type": "geval", "name": "tone", "criteria": "Is it kind?", "threshold": 0.6, "model": JUDGE},
    )
    project.transcripts(answer("Hello?", "Go away.", id="rude"), answer("Hi?", "Welcome!", id="kind"))
    verdicts = project.folder / "verdicts.jsonl"
    named = ["--verdicts", str(verdicts)]
    assert project.run(*named, command="label") == 0
    assert "2 lines were added, 2 are open" in capsys.readouterr().out
    assert project.run(*named, command="label") == 0
    assert "0 lines were added, 2 are open" in capsys.readouterr().out
    assert project.run(*named) == 3
    lines = [json.loads(line) for line in verdicts.read_text(encoding="utf-8").splitlines()]
    assert [(line["case"], line["score"]) for line in lines] == [("rude", None), ("kind", None)]
    for line, score in zip(lines, (0.1, 0.9), strict=True):
        line.update(score=score, reason="read by hand")
    verdicts.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert project.run(*named, command="label") == 0
    assert "every judgement is labelled" in capsys.readouterr().out
    assert len(verdicts.read_text(encoding="utf-8").splitlines()) == 2
    assert project.run(*named) == 1
    assert {case["id"]: case["status"] for case in project.results["cases"]} == {
        "rude": "failed",
        "kind": "passed",
    }
    assert project.results["summary"]["evaluations_recorded"] == 2
    assert project.results["usage"]["calls"] == 0


def test_validate_reads_everything_and_judges_nothing(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.agent(EQUALITY, test_cases=[PARIS])
    project.transcripts(answer("Capital of France?", "Lyon"))
    assert project.run(command="validate") == 0
    assert not project.out.exists()
    assert "1 cases, 1 evaluations" in capsys.readouterr().out
    project.write("runs.jsonl", "[]")
    assert project.run(command="validate") == 2


def test_render_writes_the_reports_again_from_results_alone(project: Project) -> None:
    project.agent(EQUALITY, test_cases=[PARIS])
    project.transcripts(answer("Capital of France?", "Lyon"))
    assert project.run() == 1
    again = project.folder / "again"
    assert main(["render", str(project.out), "--out", str(again)], {}) == 0
    for name in ("junit.xml", "comment.md", "summary.md"):
        assert (again / name).read_bytes() == (project.out / name).read_bytes()


def test_render_shows_no_secret_that_somebody_wrote_into_the_results(project: Project) -> None:
    project.agent(EQUALITY, test_cases=[PARIS])
    project.transcripts(answer("Capital of France?", "Lyon"))
    assert project.run() == 1
    results, key = project.out / "results.json", "made-up-and-secret-1"
    results.write_text(results.read_text(encoding="utf-8").replace("Lyon", key), encoding="utf-8")
    assert main(["render", str(project.out)], {"JUDGE_API_KEY": key}) == 0
    for name in ("junit.xml", "comment.md", "summary.md"):
        assert key not in (project.out / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("content", ["", "{", "[]", '{"schema_version": 99}'])
def test_render_refuses_what_is_no_results_file(project: Project, content: str) -> None:
    path = project.write("results.json", content)
    assert main(["render", str(path)], {}) == 2
    assert main(["render", str(project.folder / "none.json")], {}) == 2


def test_render_waits_for_no_pipe_and_reads_a_mark_of_utf8(project: Project) -> None:
    project.agent(EQUALITY, test_cases=[PARIS])
    project.transcripts(answer("Capital of France?", "Paris"))
    project.run()
    results = project.out / "results.json"
    os.mkfifo(project.folder / "pipe")
    assert main(["render", str(project.folder / "pipe")], {}) == 2
    results.write_bytes(b"\xef\xbb\xbf" + results.read_bytes())
    assert main(["render", str(results)], {}) == 0


@pytest.mark.parametrize("name", ["agent", "transcript", "results"])
def test_schema_prints_a_json_schema(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", name], {}) == 0
    assert json.loads(capsys.readouterr().out)["$schema"].startswith("https://json-schema.org/")


@pytest.mark.parametrize(
    "arguments", [["run"], ["nonsense"], ["run", "--min-pass-rate", "nan"], ["schema", "everything"]]
)
def test_usage_errors_end_in_2_and_a_sentence(
    arguments: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments, {}) == 2
    assert capsys.readouterr().err.startswith("error: ")


def test_a_usage_error_replaces_the_report_of_an_earlier_run(project: Project) -> None:
    project.agent(EQUALITY, test_cases=[PARIS])
    project.transcripts(answer("Capital of France?", "Paris"))
    assert project.run() == 0
    assert project.run("--min-pass-rate", "2") == 2
    assert project.results["verdict"]["status"] == "error"
    assert "'2' is not between 0 and 1" in messages_of(project)[0]


def test_render_into_a_folder_that_cannot_be_made_is_an_error(project: Project) -> None:
    project.agent(EQUALITY, test_cases=[PARIS])
    project.transcripts(answer("Capital of France?", "Paris"))
    assert project.run() == 0
    in_the_way = project.write("file", "")
    assert main(["render", str(project.out / "results.json"), "--out", str(in_the_way / "out")], {}) == 2


def test_a_report_folder_that_cannot_be_made_is_an_error(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.agent(EQUALITY, test_cases=[PARIS])
    project.transcripts(answer("Capital of France?", "Paris"))
    project.write("out", "a file in the way")
    assert project.run() == 2
    assert "cannot be written" in capsys.readouterr().err


def test_two_agents_take_their_own_transcripts(project: Project) -> None:
    project.agent(EQUALITY, name="helper", test_cases=[PARIS])
    project.agent(EQUALITY, name="guide", test_cases=[ROME])
    project.transcripts(answer("Capital of France?", "Paris"))
    project.transcripts(answer("Capital of Italy?", "Rome"), name="guide.jsonl")
    arguments = ["--agent", str(project.folder / "guide.yaml")]
    assert project.run(*arguments, "--transcripts", f"guide={project.folder / 'guide.jsonl'}") == 2
    helper = f"helper={project.folder / 'runs.jsonl'}"
    guide = f"guide={project.folder / 'guide.jsonl'}"
    agents = ["--agent", str(project.folder / "helper.yaml"), *arguments]
    code = main(
        ["run", *agents, "--transcripts", helper, "--transcripts", guide, "--out", str(project.out)], {}
    )
    assert code == 0
    assert [case["agent"] for case in project.results["cases"]] == ["helper", "guide"]


@pytest.mark.parametrize(
    ("called", "code"),
    [
        ([], 1),
        ([{"name": "fetch", "arguments": {"id": 8}}], 1),
        ([{"name": "kb_search"}, {"name": "fetch", "arguments": {"id": 7}}], 0),
    ],
)
def test_tools_that_a_record_itself_expects_are_checked(
    project: Project, called: list[object], code: int
) -> None:
    project.agent(EQUALITY)
    expected = {"answer": "Paris", "tools": ["search", {"name": "fetch", "args": {"id": 7}}]}
    project.transcripts(answer("Capital of France?", "Paris", tool_calls=called, reference=expected))
    assert project.run() == code


def test_an_unknown_key_of_an_expected_tool_is_an_error(project: Project) -> None:
    project.agent(EQUALITY)
    expected = {"tools": [{"name": "fetch", "arguments": {"id": 7}}]}
    project.transcripts(answer("Capital of France?", "Paris", reference=expected))
    assert project.run() == 2
    assert any("'reference.tools[0].arguments' is not known" in said for said in messages_of(project))


def test_the_terminal_names_the_failed_cases_and_the_report_folder(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.agent(EQUALITY, test_cases=[PARIS, ROME])
    project.transcripts(answer("Capital of France?", "Lyon"))
    assert project.run() == 1
    said = capsys.readouterr().err
    assert "failed: capital: equality scored 0.00, under its threshold of 1.00" in said
    assert "failed: italy: no transcript was recorded for this test case" in said
    assert f"the reports are in {project.out}" in said


def test_expecting_no_tool_alone_measures_nothing(project: Project) -> None:
    project.agent(test_cases=[{"input": "q", "ground_truth": "a", "expected_tools": []}])
    project.transcripts(answer("q", "anything at all"))
    assert project.run("--on-inconclusive", "pass") == 3
    assert "expected_tools expects nothing" in project.results["cases"][0]["reasons"][0]


@pytest.mark.parametrize("shape", ["messages", "rows", "question"])
def test_a_recorded_error_is_no_answer_whatever_else_the_record_holds(project: Project, shape: str) -> None:
    project.agent(EQUALITY, test_cases=[{"name": "t", "input": "q", "ground_truth": "a"}])
    asked = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]
    held = {
        "messages": {"test_case": "t", "messages": asked},
        "rows": {"input": "q", "output": "a"},
        "question": {"question": "q", "answer": "a"},
    }[shape]
    project.transcripts({**held, "status": "error", "my own key": 1})
    assert project.run() in {1, 2}
    assert "messages" not in [read["format"] for read in project.results["files"]]


@pytest.mark.parametrize(("recorded", "code"), [(2, 0), (1, 1)])
def test_turns_that_expect_nothing_are_told_and_those_not_recorded_fail(
    project: Project, recorded: int, code: int
) -> None:
    turns = [{"input": "q1", "ground_truth": "a"}, {"input": "q2"}]
    project.agent(EQUALITY, test_cases=[{"name": "t", "turns": turns}])
    asked = [
        {"role": "user", "content": "q1"},
        {"role": "assistant", "content": "a"},
        {"role": "user", "content": "q2"},
        {"role": "assistant", "content": "b"},
    ]
    project.transcripts({"test_case": "t", "messages": asked[: 2 * recorded]})
    assert project.run() == code
    told = "nothing is expected of 1 of 2 turns, which are not judged"
    assert any(told in warning for warning in project.results["warnings"]) is (recorded == 2)


def test_a_metric_counts_once_in_a_cases_average_however_many_turns_it_is_measured_on(
    project: Project,
) -> None:
    numeric = {"type": "standard", "metric": "numeric"}
    turns = [
        {"input": "q1", "ground_truth": "1", "expected_tools": ["t"]},
        {"input": "q2", "ground_truth": "2"},
    ]
    project.agent(numeric, test_cases=[{"name": "t", "turns": turns}])
    asked = [
        {"role": "user", "content": "q1"},
        {"role": "assistant", "content": "1"},
        {"role": "user", "content": "q2"},
        {"role": "assistant", "content": "2"},
    ]
    project.transcripts({"test_case": "t", "messages": asked})
    assert project.run() == 1
    assert project.results["cases"][0]["avg_score"] == 0.5


def test_validate_counts_test_cases_that_have_no_transcript(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.agent(EQUALITY, test_cases=[PARIS, ROME])
    project.transcripts(answer("Capital of France?", "Paris"), answer("And of Spain?", "Madrid"))
    assert project.run(command="validate") == 0
    assert "2 test cases, 1 of them without a transcript; 2 transcripts" in capsys.readouterr().out


def test_label_says_when_nobody_is_to_judge(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.agent(EQUALITY, test_cases=[PARIS])
    project.transcripts(answer("Capital of France?", "Paris"))
    assert project.run("--verdicts", str(project.folder / "v.jsonl"), command="label") == 0
    assert "no metric has a human judge" in capsys.readouterr().out


def test_a_metric_that_every_test_case_replaces_is_told(project: Project) -> None:
    numeric = {"type": "standard", "metric": "numeric"}
    project.agent(EQUALITY, test_cases=[{"input": "q", "ground_truth": "1", "evaluations": [numeric]}])
    project.transcripts(answer("q", "1"))
    assert project.run() == 3
    assert messages_of(project) == [
        "agent 'helper' has no case that was scored by equality (no case uses it)"
    ]


def test_a_blank_name_expects_no_tool_that_any_call_would_meet(project: Project) -> None:
    project.agent(EQUALITY)
    project.transcripts(answer("q", "a", reference={"answer": "a", "tools": [" "]}))
    assert project.run() == 2


def test_an_inconclusive_run_in_which_nobody_answered_is_not_let_through(project: Project) -> None:
    project.agent(EQUALITY, test_cases=[PARIS])
    project.transcripts(answer("Capital of France?", None))
    assert project.run("--min-pass-rate", "0", "--on-inconclusive", "pass") == 3
    assert project.results["verdict"]["waived"] is False


def test_validate_begins_no_verdict_file(project: Project) -> None:
    project.agent(EQUALITY, test_cases=[PARIS])
    project.transcripts(answer("Capital of France?", "Paris"))
    assert project.run("--verdicts", str(project.folder / "new" / "v.jsonl"), command="validate") == 0
    assert not (project.folder / "new").exists()


@pytest.mark.parametrize("named_first", [True, False])
def test_a_named_agent_wins_over_a_glob_that_names_none_in_any_order(
    project: Project, *, named_first: bool
) -> None:
    project.agent(EQUALITY, name="guide", test_cases=[ROME])
    project.agent(EQUALITY, test_cases=[PARIS])
    project.transcripts(answer("Capital of France?", "Paris"))
    project.transcripts(answer("Capital of Italy?", "Rome"), name="guide.jsonl")
    named = [f"helper={project.folder / 'runs.jsonl'}", f"guide={project.folder / 'guide.jsonl'}"]
    every = [str(project.folder / "*.jsonl")]
    patterns = [*named, *every] if named_first else [*every, *named]
    arguments = [part for pattern in patterns for part in ("--transcripts", pattern)]
    agents = ["--agent", str(project.folder / "helper.yaml"), "--agent", str(project.folder / "guide.yaml")]
    assert main(["run", *agents, *arguments, "--out", str(project.out)], {}) == 0


def test_a_file_given_to_two_agents_is_an_error(project: Project) -> None:
    project.agent(EQUALITY, name="guide", test_cases=[ROME])
    project.agent(EQUALITY, test_cases=[PARIS])
    project.transcripts(answer("Capital of France?", "Paris"))
    runs = project.folder / "runs.jsonl"
    agents = ["--agent", str(project.folder / "helper.yaml"), "--agent", str(project.folder / "guide.yaml")]
    given = ["--transcripts", f"helper={runs}", "--transcripts", f"guide={runs}"]
    assert main(["run", *agents, *given, "--out", str(project.out)], {}) == 2
    assert "given to two agents, 'helper' and 'guide'" in messages_of(project)[0]
