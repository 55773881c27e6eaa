"""Whole runs as the action: inputs in, outputs and summary out, and what the checkout may not do."""

import json
from pathlib import Path

import pytest

from tests.fakes.project import EQUALITY, JUDGE, Project
from tests.unit.github.test_outputs import read_as_runner

PARIS = {"name": "capital", "input": "Capital of France?", "ground_truth": "Paris"}
DECLARED = {
    "status",
    "passed",
    "pass_rate",
    "score",
    "binary_score",
    "avg_score",
    "rating",
    "cases",
    "failed_cases",
    "regressions",
    "cost_usd",
    "results_path",
    "junit_path",
    "comment_path",
    "comment_url",
}


def outputs(project: Project) -> dict[str, str]:
    return read_as_runner(Path(project.environ["GITHUB_OUTPUT"]).read_text(encoding="utf-8"))


def report(project: Project, name: str = "results.json") -> str:
    return (project.folder / "eval-report" / name).read_text(encoding="utf-8")


def causes(project: Project) -> str:
    return " ".join(cause["message"] for cause in json.loads(report(project))["verdict"]["causes"])


def test_every_declared_output_is_written(checkout: Project) -> None:
    assert checkout.action(agent="helper.yaml", transcripts="runs.jsonl") == 0
    written = outputs(checkout)
    assert set(written) == DECLARED
    assert written["status"] == "passed"
    assert written["passed"] == "true"
    assert written["pass_rate"] == "1"
    assert written["comment_path"] == "eval-report/comment.md"


def test_the_summary_is_the_runs_summary(checkout: Project) -> None:
    checkout.action(agent="helper.yaml", transcripts="runs.jsonl")
    summary = Path(checkout.environ["GITHUB_STEP_SUMMARY"]).read_text(encoding="utf-8")
    assert summary.rstrip("\n") == report(checkout, "summary.md").rstrip("\n")


def test_inputs_are_lists_by_line_and_booleans_by_word(checkout: Project) -> None:
    checkout.agent(EQUALITY, name="guide", test_cases=[{"input": "Rome?", "ground_truth": "yes"}])
    checkout.transcripts({"input": "Rome?", "output": "yes"}, name="guide.jsonl")
    code = checkout.action(
        agent="helper.yaml\n\n  guide.yaml\n",
        transcripts="helper=runs.jsonl\nguide=guide.jsonl",
        allow_missing="TRUE",
        offline="false",
        min_pass_rate="",
    )
    assert code == 0
    assert json.loads(report(checkout))["policy"]["allow_missing"] is True


@pytest.mark.parametrize(
    ("inputs", "sentence"),
    [
        ({"min_pas_rate": "0.9"}, "the action has no input 'min_pas_rate'; did you mean 'min_pass_rate'?"),
        ({"offline": "yes"}, "the input offline takes true or false, not 'yes'"),
        ({"agent": ""}, "Missing input 'agent'."),
        ({"min_pass_rate": "high"}, "Invalid value for 'min_pass_rate': 'high'"),
        ({"min_pass_rate": "NaN"}, "is not between 0 and 1"),
        ({"agent": "nowhere.yaml"}, "no agent file is found at 'nowhere.yaml'"),
    ],
)
def test_bad_inputs_end_in_error_with_every_output_and_report(
    checkout: Project, inputs: dict[str, str], sentence: str
) -> None:
    assert checkout.action(**{"agent": "helper.yaml", "transcripts": "runs.jsonl", **inputs}) == 2
    assert set(outputs(checkout)) == DECLARED
    assert outputs(checkout)["status"] == "error"
    assert outputs(checkout)["passed"] == "false"
    assert sentence in causes(checkout)
    assert "Could not run" in report(checkout, "comment.md")


def label(project: Project, score: float) -> None:
    """Judge the project's one case by hand, into verdicts.jsonl in the checkout."""
    project.agent({"type": "geval", "name": "tone", "criteria": "Is it kind?", "model": JUDGE})
    at_home = Project(project.folder)
    assert at_home.run("--verdicts", "verdicts.jsonl", command="label") == 0
    line = json.loads((project.folder / "verdicts.jsonl").read_text(encoding="utf-8"))
    project.write("verdicts.jsonl", json.dumps({**line, "score": score, "reason": "by hand"}) + "\n")


def test_verdicts_in_the_checkout_are_refused(checkout: Project) -> None:
    label(checkout, 1.0)
    code = checkout.action(agent="helper.yaml", transcripts="runs.jsonl", verdicts="verdicts.jsonl")
    assert code == 2
    assert "runner.temp" in causes(checkout)
    assert "trust_checkout: true" in causes(checkout)


@pytest.mark.parametrize("linked_from", ["outside", "inside"])
def test_links_do_not_get_verdicts_of_the_checkout_believed(
    checkout: Project, tmp_path: Path, linked_from: str
) -> None:
    label(checkout, 1.0)
    if linked_from == "outside":
        named = tmp_path / "verdicts.jsonl"
        named.symlink_to(checkout.folder / "verdicts.jsonl")
    else:
        (tmp_path / "real.jsonl").write_bytes((checkout.folder / "verdicts.jsonl").read_bytes())
        named = checkout.folder / "link.jsonl"
        named.symlink_to(tmp_path / "real.jsonl")
    assert checkout.action(agent="helper.yaml", transcripts="runs.jsonl", verdicts=str(named)) == 2


def test_trusted_verdicts_of_the_checkout_are_counted_first(checkout: Project) -> None:
    label(checkout, 1.0)
    code = checkout.action(
        agent="helper.yaml", transcripts="runs.jsonl", verdicts="verdicts.jsonl", trust_checkout="true"
    )
    assert code == 0
    assert json.loads(report(checkout))["summary"]["verdicts_from_checkout"] == 1
    assert "checkout" in "\n".join(report(checkout, "comment.md").splitlines()[:6])


def test_verdicts_outside_the_checkout_are_believed(checkout: Project, tmp_path: Path) -> None:
    label(checkout, 1.0)
    (checkout.folder / "verdicts.jsonl").rename(tmp_path / "verdicts.jsonl")
    verdicts = str(tmp_path / "verdicts.jsonl")
    assert checkout.action(agent="helper.yaml", transcripts="runs.jsonl", verdicts=verdicts) == 0
    assert json.loads(report(checkout))["summary"]["verdicts_from_checkout"] == 0


def test_a_policy_in_the_checkout_can_only_tighten(checkout: Project) -> None:
    checkout.transcripts({"input": "Capital of France?", "output": "Lyon"})
    checkout.write("policy.yaml", "min_pass_rate: 0\nmin_cases: 1\n")
    inputs = {"agent": "helper.yaml", "transcripts": "runs.jsonl", "policy": "policy.yaml"}
    assert checkout.action(**inputs) == 1
    assert "min_pass_rate is looser" in " ".join(json.loads(report(checkout))["warnings"])
    assert checkout.action(**inputs, trust_checkout="true") == 0
    checkout.write("policy.yaml", "min_cases: 2\n")
    checkout.transcripts({"input": "Capital of France?", "output": "Paris"})
    assert checkout.action(**inputs, min_cases="1") == 1


def test_a_policy_outside_the_checkout_loosens_and_inputs_win_over_it(
    checkout: Project, tmp_path: Path
) -> None:
    checkout.transcripts({"input": "Capital of France?", "output": "Lyon"})
    policy = tmp_path / "policy.yaml"
    policy.write_text("min_pass_rate: 0\n", encoding="utf-8")
    inputs = {"agent": "helper.yaml", "transcripts": "runs.jsonl", "policy": str(policy)}
    assert checkout.action(**inputs) == 0
    assert checkout.action(**inputs, min_pass_rate="1") == 1


@pytest.mark.parametrize("kind", ["agent", "transcripts"])
def test_links_that_lead_out_of_the_checkout_are_not_followed(
    checkout: Project, tmp_path: Path, kind: str
) -> None:
    source = checkout.folder / ("helper.yaml" if kind == "agent" else "runs.jsonl")
    (tmp_path / source.name).write_bytes(source.read_bytes())
    (checkout.folder / f"link{source.suffix}").symlink_to(tmp_path / source.name)
    inputs = {"agent": "helper.yaml", "transcripts": "runs.jsonl", kind: f"link{source.suffix}"}
    assert checkout.action(**inputs) == 2
    assert "leads out of the checkout" in causes(checkout)


@pytest.mark.parametrize("out", ["../elsewhere", "link"])
def test_reports_do_not_leave_the_workspace(checkout: Project, tmp_path: Path, out: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    (checkout.folder / "link").symlink_to(tmp_path / "elsewhere")
    assert checkout.action(agent="helper.yaml", transcripts="runs.jsonl", out=out) == 2
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert outputs(checkout)["status"] == "error"
    assert set(outputs(checkout)) == DECLARED


def test_an_untrusted_endpoint_is_an_error_before_anything_is_sent(checkout: Project) -> None:
    judge = {"provider": "openai", "name": "gpt-4o", "endpoint": "https://judge.example/v1"}
    checkout.environ["OPENAI_API_KEY"] = "sk-made-up-for-this-test"
    checkout.agent({"type": "geval", "name": "tone", "criteria": "Is it kind?", "model": judge})
    assert checkout.action(agent="helper.yaml", transcripts="runs.jsonl") == 2
    assert "--trusted-endpoint https://judge.example" in causes(checkout)


def test_the_commit_shown_is_the_pull_requests_head(checkout: Project, tmp_path: Path) -> None:
    event = tmp_path / "event.json"
    checkout.environ.update(
        GITHUB_EVENT_NAME="pull_request", GITHUB_EVENT_PATH=str(event), GITHUB_SHA="0" * 40
    )
    event.write_text(json.dumps({"pull_request": {"number": 7, "head": {"sha": "a" * 40}}}), encoding="utf-8")
    checkout.action(agent="helper.yaml", transcripts="runs.jsonl")
    assert json.loads(report(checkout))["head_sha"] == "a" * 40
    assert json.loads(report(checkout))["pull_request"] == 7
    event.write_text("{}", encoding="utf-8")
    checkout.action(agent="helper.yaml", transcripts="runs.jsonl")
    assert json.loads(report(checkout))["head_sha"] is None


@pytest.mark.parametrize("variable", ["GITHUB_ACTIONS", "GITHUB_WORKSPACE"])
def test_the_checkout_is_not_trusted_whatever_the_runner_leaves_unsaid(
    checkout: Project, variable: str
) -> None:
    label(checkout, 1.0)
    del checkout.environ[variable]
    code = checkout.action(agent="helper.yaml", transcripts="runs.jsonl", verdicts="verdicts.jsonl")
    assert code == 2
    assert "trust_checkout: true" in causes(checkout)
