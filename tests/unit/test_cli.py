"""What the command line does when it is not a run that goes well: bugs, interruptions, odd commands."""

import io
import json
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from holodeck_eval import cli
from holodeck_eval.cli import Session, main
from holodeck_eval.console import Console
from holodeck_eval.domain.options import Options
from tests.fakes.judge_double import JudgeDouble
from tests.fakes.judge_wire import Reply
from tests.fakes.project import EQUALITY, Project
from tests.unit.github.test_outputs import read_as_runner

KEY = "sk-made-up-for-this-test"


def session(environ: Mapping[str, str], *, verbose: bool = False) -> Session:
    console = Console(out=io.StringIO(), err=io.StringIO(), verbose=verbose)
    return Session.of(dict(environ), console)


def told(session: Session) -> str:
    assert isinstance(session.console.err, io.StringIO)
    return session.console.err.getvalue()


def a_bug() -> Exception:
    try:
        int(f"broken with {KEY}")
    except ValueError as error:
        return error
    raise AssertionError


def test_a_bug_ends_in_4_with_reports_that_say_so_and_no_key(tmp_path: Path) -> None:
    broken = session({"OPENAI_API_KEY": KEY})
    broken.options = Options(agent=("a",), transcripts=("t",), out=str(tmp_path / "out"))
    assert cli._bug(broken, a_bug()) == 4
    results = (tmp_path / "out" / "results.json").read_text(encoding="utf-8")
    assert json.loads(results)["verdict"]["status"] == "bug"
    assert KEY not in results
    assert "Traceback" not in told(broken)
    assert "--verbose" in told(broken)


def test_a_key_is_starred_out_of_what_is_printed() -> None:
    broken = session({"OPENAI_API_KEY": KEY}, verbose=True)
    assert cli._bug(broken, a_bug()) == 4
    assert KEY not in told(broken)
    assert "broken with ***" in told(broken)


def test_a_bug_shows_where_it_broke_when_asked(tmp_path: Path) -> None:
    broken = session({}, verbose=True)
    broken.options = Options(agent=("a",), transcripts=("t",), out=str(tmp_path / "out"))
    assert cli._bug(broken, a_bug()) == 4
    assert "in a_bug" in told(broken)


def test_a_bug_of_another_command_leaves_no_reports() -> None:
    broken = session({})
    assert cli._bug(broken, a_bug()) == 4
    assert "which is a bug in it: ValueError" in told(broken)


def test_a_bug_whose_reports_cannot_be_written_still_ends_in_4(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("in the way", encoding="utf-8")
    broken = session({})
    broken.options = Options(agent=("a",), transcripts=("t",), out=str(tmp_path / "out"))
    assert cli._bug(broken, a_bug()) == 4
    assert "cannot be written" in told(broken)


def test_a_bug_in_the_action_writes_every_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    environ = {
        "GITHUB_ACTIONS": "true",
        "GITHUB_WORKSPACE": str(tmp_path),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "INPUT_OUT": "reports",
    }
    broken = session(environ)
    broken.in_action = True
    assert cli._bug(broken, a_bug()) == 4
    outputs = read_as_runner((tmp_path / "output").read_text(encoding="utf-8"))
    assert (outputs["status"], outputs["passed"]) == ("bug", "false")
    assert outputs["results_path"] == "reports/results.json"
    assert (tmp_path / "reports" / "comment.md").exists()


def test_an_interrupted_run_ends_in_130_and_keeps_what_was_judged(
    project: Project, judge_double: JudgeDouble
) -> None:
    model = {"provider": "openai", "name": "gpt-5", "endpoint": f"{judge_double.url}/v1", "api_key": KEY}
    tone = {"type": "geval", "name": "tone", "criteria": "Kind?", "evaluation_steps": ["Look"]}
    project.agent(tone, evaluations={"model": model})
    project.transcripts({"input": "Hi?", "output": "Hi."}, {"input": "Ho?", "output": "Ho."})
    good = Reply(text=json.dumps({"score": 8, "reason": "kind"}))
    judge_double.answer(Reply(fault="hang"))
    judge_double.answer_next(good)
    verdicts = project.folder / "verdicts.jsonl"
    paths = ["--agent", project.folder / "helper.yaml", "--transcripts", project.folder / "runs.jsonl"]
    command = [
        sys.executable,
        "-m",
        "holodeck_eval",
        "run",
        *paths,
        "--verdicts",
        verdicts,
        "--out",
        project.out,
    ]
    ours = signal.signal(signal.SIGINT, signal.default_int_handler)  # a test run in the background ignores it
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)  # noqa: S603 - our own program
    signal.signal(signal.SIGINT, ours)
    _wait_for(lambda: len(judge_double.requests) == 2 and verdicts.exists() and verdicts.read_text())
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "verdicts recorded so far are kept" in said
    assert "Traceback" not in said
    assert len(verdicts.read_text(encoding="utf-8").splitlines()) == 1


def _wait_for(happened: object, seconds: float = 30) -> None:
    assert callable(happened)
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.05)


def test_label_without_a_file_says_that_it_needs_one(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.agent(EQUALITY, test_cases=[{"input": "q", "ground_truth": "a"}])
    project.transcripts({"input": "q", "output": "a"})
    assert project.run(command="label") == 2
    assert "label needs --verdicts FILE" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("renamed", "code"), [("old=helper", 0), ("old=other", 2), ("=helper", 2), ("old", 2)]
)
def test_a_renamed_agent_takes_the_transcripts_of_its_old_name(
    project: Project, renamed: str, code: int
) -> None:
    project.agent(EQUALITY, test_cases=[{"input": "q", "ground_truth": "a"}])
    project.transcripts({"input": "q", "output": "a", "agent": "old"})
    assert project.run("--rename-agent", renamed) == code


def test_two_agents_of_one_name_are_an_error(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    agent = project.agent(EQUALITY, test_cases=[{"input": "q", "ground_truth": "a"}])
    again = project.write("again.yaml", agent.read_text(encoding="utf-8"))
    project.transcripts({"input": "q", "output": "a"})
    assert project.run("--agent", str(again)) == 2
    assert "the agent name 'helper' is taken" in capsys.readouterr().err


def test_a_file_that_two_globs_name_is_read_once(project: Project) -> None:
    project.agent(EQUALITY, test_cases=[{"input": "q", "ground_truth": "a"}])
    project.transcripts({"input": "q", "output": "a"})
    assert project.run("--transcripts", str(project.folder / "*.jsonl")) == 0
    assert len(project.results["files"]) == 1


def test_an_override_of_a_metric_that_no_agent_has_is_an_error(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.agent(EQUALITY, test_cases=[{"input": "q", "ground_truth": "a"}])
    project.transcripts({"input": "q", "output": "a"})
    policy = project.write("policy.yaml", "metrics:\n  equalty: {threshold: 0.5}\n")
    assert project.run("--policy", str(policy)) == 2
    said = capsys.readouterr().err
    assert "policy.yaml:2:3: no agent has a metric named 'equalty'; there are equality" in said


@pytest.mark.parametrize(
    ("override", "code"), [("guardrail: true", 1), ("threshold: 0.4", 0), ("enabled: false", 0), ("", 1)]
)
def test_the_check_of_expected_tools_is_overridden_as_any_metric(
    project: Project, override: str, code: int
) -> None:
    asked = {"input": "q", "ground_truth": "a", "expected_tools": ["search", "fetch"]}
    project.agent(EQUALITY, test_cases=[asked])
    project.transcripts({"input": "q", "output": "a", "tool_calls": [{"name": "search"}]})
    rules = "min_pass_rate: 0\n" if "guardrail" in override else ""
    written = f"metrics:\n  expected_tools: {{{override}}}\n" if override else ""
    policy = project.write("policy.yaml", rules + written or "min_cases: 1\n")
    assert project.run("--policy", str(policy)) == code


def test_version_and_help_end_in_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"], {}) == 0
    assert main(["-h"], {}) == 0
    assert "Exit codes: 0 passed, 1 failed" in capsys.readouterr().out
