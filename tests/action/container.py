"""The real image, run on the example as GitHub runs a container action.

Not collected with the other tests: `.ci/run` names this file and the script that stands in for GitHub's runner.
"""

import json
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from tests.fakes import github_events as events
from tests.fakes.git_folder import checkout as check_out
from tests.fakes.github_api import TOKEN, GitHubApi
from tests.fakes.runner_log import RunnerLog

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "support-agent"
OUTPUT = re.compile(r"^(?P<name>\w+)<<(?P<end>\S+)\n(?P<value>.*?)\n(?P=end)$", re.MULTILINE | re.DOTALL)
INPUTS = {
    "agent": "support-agent/agent.yaml",
    "transcripts": "support-agent/transcripts.jsonl",
    "policy": "support-agent/policy.yaml",
    "verdicts": "support-agent/verdicts.jsonl",
    "offline": "true",
}


@dataclass(frozen=True, slots=True)
class Step:
    """What a container step left behind."""

    exit_code: int
    log: str
    outputs: dict[str, str]
    summary: str
    workspace: Path

    @property
    def report(self) -> Path:
        return self.workspace / "eval-report"

    def results(self) -> str:
        return (self.report / "results.json").read_text(encoding="utf-8")


def run_step(
    check: str, folder: Path, environ: Mapping[str, str] | None = None, head: str | None = None, **inputs: str
) -> Step:
    """Run the action in a fresh workspace that holds the example; unset inputs get action.yml's defaults.

    `environ` is what the script takes for an event; `head` the commit that the workspace is checked out at.
    """
    workspace = folder / "workspace"
    shutil.copytree(EXAMPLE, workspace / "support-agent", dirs_exist_ok=True)
    if head:
        check_out(workspace, head)
    declared = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    unset = {name: "" if name == "github_token" else entry["default"] for name, entry in declared.items()}
    given = unset | (INPUTS if "publish" not in inputs else {}) | inputs
    done = subprocess.run(  # noqa: S603 - the script .ci/run names
        [
            "/bin/bash",
            check,
            str(ROOT),
            str(workspace),
            *(f"{name}={value}" for name, value in given.items()),
        ],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **(environ or {})},  # noqa: TID251 - the script takes it from there
    )
    log, _, files = done.stdout.partition(f"--- exit {done.returncode}\n")
    assert files, done.stdout + done.stderr
    outputs, rest = files.removeprefix("--- output\n").split("--- env\n", 1)
    environment, summary = rest.split("--- summary\n", 1)
    assert environment == ""
    return Step(
        exit_code=done.returncode,
        log=log + done.stderr,
        outputs={found["name"]: found["value"] for found in OUTPUT.finditer(outputs)},
        summary=summary,
        workspace=workspace,
    )


@pytest.fixture(scope="module")
def check(pytestconfig: pytest.Config) -> str:
    path: str = pytestconfig.getoption("--container-check")
    return path


@pytest.fixture(scope="module")
def trusted(check: str, tmp_path_factory: pytest.TempPathFactory) -> Step:
    return run_step(check, tmp_path_factory.mktemp("trusted"), trust_checkout="true")


@pytest.fixture(scope="module")
def untrusted(check: str, tmp_path_factory: pytest.TempPathFactory) -> Step:
    return run_step(check, tmp_path_factory.mktemp("untrusted"))


def test_the_example_fails_the_step_with_exit_code_1(trusted: Step) -> None:
    assert trusted.exit_code == 1, trusted.log


def test_every_declared_output_is_set_to_what_the_results_say(trusted: Step) -> None:
    declared = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["outputs"]
    summary = json.loads(trusted.results())["summary"]
    rates = ("pass_rate", "score", "binary_score", "avg_score")
    assert {name: float(trusted.outputs[name]) for name in rates} == {
        name: pytest.approx(summary[name], abs=1e-6) for name in rates
    }
    assert {name: text for name, text in trusted.outputs.items() if name not in rates} == {
        "status": "failed",
        "passed": "false",
        "rating": "bad",
        "cases": str(summary["cases"]),
        "failed_cases": str(summary["failed"]),
        "regressions": "",
        "cost_usd": "0",
        "results_path": "eval-report/results.json",
        "junit_path": "eval-report/junit.xml",
        "comment_path": "eval-report/comment.md",
        "comment_url": "",
    }
    assert set(trusted.outputs) == set(declared)


def test_every_report_is_in_the_workspace(trusted: Step) -> None:
    names = {"results.json", "cases.jsonl", "junit.xml", "comment.md", "summary.md"}
    assert {path.name for path in trusted.report.iterdir()} == names
    assert all(path.stat().st_size for path in trusted.report.iterdir())


def test_the_junit_file_is_red(trusted: Step) -> None:
    suites = ET.parse(trusted.report / "junit.xml").getroot()  # noqa: S314 - this project's own report
    assert int(suites.attrib["failures"]) > 0
    assert len(suites.findall("testsuite/testcase")) > int(json.loads(trusted.results())["summary"]["cases"])


def test_the_step_summary_is_the_summary_report(trusted: Step) -> None:
    assert trusted.summary.strip() == (trusted.report / "summary.md").read_text(encoding="utf-8").strip()


def test_the_comment_counts_the_verdicts_that_came_from_the_checkout(trusted: Step) -> None:
    count = json.loads(trusted.results())["summary"]["verdicts_from_checkout"]
    assert count > 0
    head = (trusted.report / "comment.md").read_text(encoding="utf-8")[:2000]
    assert re.search(rf"\b{count}\b.*checkout", head), head


def test_a_verdict_file_of_the_checkout_is_refused_unless_it_is_trusted(untrusted: Step) -> None:
    assert untrusted.exit_code == 2, untrusted.log
    assert untrusted.outputs["status"] == "error"
    assert untrusted.outputs["passed"] == "false"


def test_the_refusal_says_why_and_what_to_do_on_every_surface(untrusted: Step) -> None:
    comment = (untrusted.report / "comment.md").read_text(encoding="utf-8")
    for text in (untrusted.log, untrusted.summary, comment):
        assert "trust_checkout" in text
        assert "runner.temp" in text


def test_no_traceback_is_shown(trusted: Step, untrusted: Step) -> None:
    assert "Traceback" not in trusted.log + untrusted.log


@pytest.fixture
def api() -> Iterator[GitHubApi]:
    with GitHubApi() as started:
        started.repository.name = events.REPOSITORY
        started.repository.open_pull(7, head_sha=events.HEAD, head=events.FORK, branch="kinder-answers")
        yield started
        assert started.wrong == []


def of_event(folder: Path, api: GitHubApi, name: str, payload: object) -> dict[str, str]:
    """What the script is told of an event."""
    event = folder / "event.json"
    event.write_text(json.dumps(payload), encoding="utf-8")
    return {
        "EVENT": str(event),
        "EVENT_NAME": name,
        "GITHUB_REPOSITORY": events.REPOSITORY,
        "GITHUB_SHA": events.DEFAULT,
        "GITHUB_API_URL": api.api_url,
        "EXTRA_ENV": f"GITHUB_GRAPHQL_URL={api.graphql_url} GITHUB_WORKFLOW=gate GITHUB_JOB=gate "
        "GITHUB_RUN_ATTEMPT=1 GITHUB_ACTOR=mona ACTIONS_RUNTIME_TOKEN=made-up-runtime-token",
    }


def comments(api: GitHubApi) -> list[str]:
    return [body.partition("\n")[0] for body in api.repository.bodies(7)]


FAILED_LINE = "### ❌ Failed: 7 of 20 cases failed"


@pytest.mark.parametrize(
    ("name", "payload", "commented"),
    [
        ("pull_request", events.pull_request(), True),
        ("merge_group", events.merge_group(), False),
        ("push", events.push(), False),
        ("schedule", events.schedule(), False),
        ("workflow_dispatch", events.workflow_dispatch(), False),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_event_gates_and_only_a_pull_request_is_commented_on(
    check: str, tmp_path: Path, api: GitHubApi, name: str, payload: object, *, commented: bool
) -> None:
    environ = of_event(tmp_path, api, name, payload)
    step = run_step(check, tmp_path, environ, trust_checkout="true", github_token=TOKEN)
    assert step.exit_code == 1, step.log
    assert step.outputs["status"] == "failed"
    assert [line.startswith(FAILED_LINE) for line in comments(api)] == [True] * commented
    assert bool(step.outputs["comment_url"]) is commented
    assert len(api.asked) <= 4
    assert len([shown for shown in RunnerLog().read(step.log).annotations if shown.name == "error"]) == 10
    assert TOKEN not in RunnerLog().read(step.log).shown
    assert "made-up-runtime-token" not in step.results()


@pytest.mark.parametrize("sender", ["fork", "dependabot"])
def test_a_token_that_only_reads_changes_no_verdict(
    check: str, tmp_path: Path, api: GitHubApi, sender: str
) -> None:
    api.repository.may_write = False
    fork = events.pull_request(repository=events.FORK)
    payload = fork if sender == "fork" else events.pull_request(author="dependabot[bot]")
    environ = of_event(tmp_path, api, "pull_request", payload)
    step = run_step(check, tmp_path, environ, trust_checkout="true", github_token=TOKEN)
    assert step.exit_code == 1, step.log
    assert comments(api) == []
    assert FAILED_LINE.removeprefix("### ") in step.summary
    assert "permissions:" in step.log


def test_a_checkout_of_the_head_is_refused_where_secrets_are(
    check: str, tmp_path: Path, api: GitHubApi
) -> None:
    environ = of_event(tmp_path, api, "pull_request_target", events.pull_request(repository=events.FORK))
    step = run_step(check, tmp_path, environ, head=events.HEAD, trust_checkout="true", github_token=TOKEN)
    assert step.exit_code == 2, step.log
    assert comments(api)[0].startswith("### ⛔ Could not run")


def test_the_report_of_a_forks_run_is_published(check: str, tmp_path: Path, api: GitHubApi) -> None:
    (tmp_path / "gate").mkdir()
    fork = events.pull_request(repository=events.FORK)
    gate = run_step(
        check, tmp_path / "gate", of_event(tmp_path, api, "pull_request", fork), trust_checkout="true"
    )
    (tmp_path / "publish" / "workspace").mkdir(parents=True)
    shutil.copytree(gate.report, tmp_path / "publish" / "workspace" / "artifact")
    environ = of_event(tmp_path, api, "workflow_run", events.workflow_run())
    step = run_step(check, tmp_path / "publish", environ, publish="artifact", github_token=TOKEN)
    assert step.exit_code == 0, step.log
    assert comments(api)[0].startswith(FAILED_LINE)
    assert "could have written them too" in api.repository.bodies(7)[0]
