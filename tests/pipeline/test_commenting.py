"""The action on each event, against GitHub's API as GitHub describes it: what is said, and where."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes import github_events as events
from tests.fakes.git_folder import checkout as check_out
from tests.fakes.github_api import TOKEN, GitHubApi
from tests.fakes.github_api.faults import secondary
from tests.fakes.project import Project
from tests.fakes.runner_log import RunnerLog
from tests.unit.github.test_outputs import read_as_runner

INPUTS = {"agent": "helper.yaml", "transcripts": "runs.jsonl", "github_token": TOKEN}
FAILING = {"input": "Capital of France?", "output": "Lyon"}


@pytest.fixture
def api() -> Iterator[GitHubApi]:
    with GitHubApi() as started:
        started.repository.name = events.REPOSITORY
        started.repository.open_pull(7, head_sha=events.HEAD)
        yield started
        assert started.wrong == []


def on(project: Project, api: GitHubApi, name: str, payload: object, **changes: str) -> None:
    """Have the project's next steps run for an event."""
    project.environ.update(
        events.variables(
            name,
            payload,
            project.folder.parent,
            GITHUB_API_URL=api.api_url,
            GITHUB_GRAPHQL_URL=api.graphql_url,
            GITHUB_WORKFLOW="agent gate",
            GITHUB_JOB="gate",
            GITHUB_WORKSPACE=str(project.folder),
            **changes,
        )
    )


def outputs(project: Project) -> dict[str, str]:
    return read_as_runner(Path(project.environ["GITHUB_OUTPUT"]).read_text(encoding="utf-8"))


def summary(project: Project) -> str:
    return Path(project.environ["GITHUB_STEP_SUMMARY"]).read_text(encoding="utf-8")


def test_the_first_run_writes_the_comment_and_the_next_one_replaces_it(
    checkout: Project, api: GitHubApi
) -> None:
    on(checkout, api, "pull_request", events.pull_request())
    assert checkout.action(**INPUTS) == 0
    (body,) = api.repository.bodies(7)
    assert body.startswith("### ✅ Passed: the one case passed")
    assert outputs(checkout)["comment_url"].endswith(f"/pull/7#issuecomment-{api.repository.last}")
    assert len(api.asked) <= 4
    checkout.transcripts(FAILING)
    on(checkout, api, "pull_request", events.pull_request(), GITHUB_RUN_ID="5002")
    assert checkout.action(**INPUTS) == 1
    (body,) = api.repository.bodies(7)
    assert body.startswith("### ❌ Failed: 1 of 1 case failed")
    assert len(api.asked) <= 8


def test_a_run_that_ends_late_leaves_the_comment_to_the_later_one_and_says_so(
    checkout: Project, api: GitHubApi, capsys: pytest.CaptureFixture[str]
) -> None:
    on(checkout, api, "pull_request", events.pull_request(), GITHUB_RUN_ID="5002")
    checkout.action(**INPUTS)
    assert "left as a later run wrote it" not in capsys.readouterr().out
    checkout.transcripts(FAILING)
    on(checkout, api, "pull_request", events.pull_request(), GITHUB_RUN_ID="5001")
    assert checkout.action(**INPUTS) == 1
    assert "the comment was left as a later run wrote it, and does not tell of this one" in (
        capsys.readouterr().out
    )
    (body,) = api.repository.bodies(7)
    assert body.startswith("### ✅ Passed")


@pytest.mark.parametrize(
    ("name", "payload"),
    [
        ("merge_group", events.merge_group()),
        ("push", events.push()),
        ("schedule", events.schedule()),
        ("workflow_dispatch", events.workflow_dispatch()),
    ],
)
def test_events_without_a_pull_request_gate_and_ask_github_nothing(
    checkout: Project, api: GitHubApi, name: str, payload: Any
) -> None:
    on(checkout, api, name, payload)
    assert checkout.action(**INPUTS) == 0
    assert api.asked == []
    assert outputs(checkout)["status"] == "passed"
    assert outputs(checkout)["comment_url"] == ""
    checkout.transcripts(FAILING)
    assert checkout.action(**INPUTS) == 1


def test_a_fork_keeps_verdict_and_summary_and_gets_one_warning_with_the_recipe(
    checkout: Project, api: GitHubApi, capsys: pytest.CaptureFixture[str]
) -> None:
    api.repository.may_write = False
    on(checkout, api, "pull_request", events.pull_request(repository="mona/demo"))
    checkout.transcripts(FAILING)
    assert checkout.action(**INPUTS) == 1
    assert outputs(checkout)["status"] == "failed"
    assert "Failed" in summary(checkout)
    warnings = [
        shown for shown in RunnerLog().read(capsys.readouterr().out).annotations if shown.name == "warning"
    ]
    (warning,) = warnings
    assert "pull requests from forks get a token that may only read" in warning.data
    assert "https://github.com/holodeck/eval-action#pull-requests-from-forks" in warning.data
    assert warning.data.endswith("permissions:\n  actions: read\n  pull-requests: write")


@pytest.mark.parametrize("author", ["mona", "dependabot[bot]"])
def test_a_token_without_the_right_gets_one_warning_with_the_block_to_write(
    checkout: Project, api: GitHubApi, capsys: pytest.CaptureFixture[str], author: str
) -> None:
    api.repository.may_write = False
    on(checkout, api, "pull_request", events.pull_request(author=author), GITHUB_ACTOR=author)
    assert checkout.action(**INPUTS) == 0
    (warning,) = RunnerLog().read(capsys.readouterr().out).annotations
    assert warning.name == "warning"
    assert warning.data.endswith("permissions:\n  contents: read\n  pull-requests: write")


@pytest.mark.parametrize(
    ("mode", "passed", "failed"), [("on_failure", 0, 1), ("on_change", 0, 1), ("off", 0, 0)]
)
def test_the_mode_says_when_a_comment_is_due(
    checkout: Project, api: GitHubApi, mode: str, passed: int, failed: int
) -> None:
    on(checkout, api, "pull_request", events.pull_request())
    checkout.action(**INPUTS, comment=mode)
    assert len(api.repository.bodies(7)) == passed
    checkout.transcripts(FAILING)
    checkout.action(**INPUTS, comment=mode)
    assert len(api.repository.bodies(7)) == failed


def test_new_adds_a_comment_each_time(checkout: Project, api: GitHubApi) -> None:
    on(checkout, api, "pull_request", events.pull_request())
    for _ in range(2):
        checkout.action(**INPUTS, comment="new")
    assert len(api.repository.bodies(7)) == 2


def test_each_leg_of_a_matrix_has_its_own_by_its_key(checkout: Project, api: GitHubApi) -> None:
    on(checkout, api, "pull_request", events.pull_request())
    for leg in ("a", "b", "a"):
        checkout.action(**INPUTS, comment_key=leg)
    assert len(api.repository.bodies(7)) == 2


def test_an_older_verdict_is_replaced_by_could_not_run(checkout: Project, api: GitHubApi) -> None:
    on(checkout, api, "pull_request", events.pull_request())
    checkout.action(**INPUTS)
    assert checkout.action(**INPUTS | {"agent": "nowhere.yaml"}) == 2
    (body,) = api.repository.bodies(7)
    assert "Could not run" in body
    assert "nowhere.yaml" in body
    assert checkout.action(**INPUTS, min_pas_rate="1") == 2
    (body,) = api.repository.bodies(7)
    assert "min_pass_rate" in body


def test_a_secondary_limit_that_never_ends_is_a_warning_and_no_verdict(
    checkout: Project, api: GitHubApi, capsys: pytest.CaptureFixture[str]
) -> None:
    api.fail_always(secondary(3600))
    on(checkout, api, "pull_request", events.pull_request())
    assert checkout.action(**INPUTS) == 0
    (warning,) = RunnerLog().read(capsys.readouterr().out).annotations
    assert "no comment is written" in warning.data
    assert "3600" in warning.data
    assert TOKEN not in warning.data


def test_a_pull_request_event_that_cannot_be_read_warns(
    checkout: Project, api: GitHubApi, capsys: pytest.CaptureFixture[str]
) -> None:
    on(checkout, api, "pull_request", {})
    assert checkout.action(**INPUTS) == 0
    assert api.asked == []
    (warning,) = RunnerLog().read(capsys.readouterr().out).annotations
    assert "names no pull request" in warning.data


def target(project: Project, api: GitHubApi, commit: str) -> None:
    """A `pull_request_target` event over a checkout of this commit."""
    check_out(project.folder, commit)
    on(project, api, "pull_request_target", events.pull_request(repository="mona/demo"))


def test_on_pull_request_target_a_checkout_of_the_head_is_refused(checkout: Project, api: GitHubApi) -> None:
    target(checkout, api, events.HEAD)
    assert checkout.action(**INPUTS) == 2
    assert outputs(checkout)["status"] == "error"
    (body,) = api.repository.bodies(7)
    assert "allow_head_checkout" in body


def test_the_command_line_refuses_it_too_and_leaves_no_older_verdict_standing(
    checkout: Project, api: GitHubApi
) -> None:
    assert checkout.run() == 0
    target(checkout, api, events.HEAD)
    assert checkout.run("--comment=update", f"--github-token={TOKEN}") == 2
    assert checkout.results["verdict"]["status"] == "error"
    (body,) = api.repository.bodies(7)
    assert "allow_head_checkout" in body


def test_on_pull_request_target_it_is_judged_where_that_is_asked_for(
    checkout: Project, api: GitHubApi
) -> None:
    target(checkout, api, events.HEAD)
    assert checkout.action(**INPUTS, allow_head_checkout="true") == 0
    (body,) = api.repository.bodies(7)
    assert "Passed" in body


def test_on_pull_request_target_the_base_is_judged_and_not_shown_as_the_change(
    checkout: Project, api: GitHubApi, capsys: pytest.CaptureFixture[str]
) -> None:
    target(checkout, api, events.BASE)
    assert checkout.action(**INPUTS) == 0
    assert api.asked == []
    (warning,) = RunnerLog().read(capsys.readouterr().out).annotations
    assert warning.data.startswith("no comment is written: ")
    assert json.loads((checkout.folder / "eval-report" / "results.json").read_text(encoding="utf-8"))[
        "warnings"
    ]


def test_the_report_of_a_forks_run_is_published(
    checkout: Project, api: GitHubApi, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    api.repository.open_pull(7, head_sha=events.HEAD, head=events.FORK, branch="kinder-answers")
    on(checkout, api, "pull_request", events.pull_request(repository=events.FORK))
    checkout.transcripts(FAILING)
    assert checkout.action(**INPUTS | {"github_token": ""}) == 1
    artifact = tmp_path / "artifact"
    (checkout.folder / "eval-report").rename(artifact)
    on(checkout, api, "workflow_run", events.workflow_run())
    capsys.readouterr()
    assert checkout.action(publish=str(artifact), github_token=TOKEN) == 0
    assert "1 of 1 case failed" in (log := capsys.readouterr().out)
    assert "(exit 0)" in log
    (body,) = api.repository.bodies(7)
    assert body.startswith("### ❌ Failed: 1 of 1 case failed")
    assert "could have written them too" in body
    assert outputs(checkout)["status"] == "failed"
    assert outputs(checkout)["comment_url"]
    assert len(api.asked) <= 4


def test_a_report_that_cannot_be_read_is_published_as_that(
    checkout: Project, api: GitHubApi, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    api.repository.open_pull(7, head_sha=events.HEAD, head=events.FORK, branch="kinder-answers")
    on(checkout, api, "workflow_run", events.workflow_run())
    assert checkout.action(publish=str(tmp_path / "nowhere"), github_token=TOKEN) == 2
    (body,) = api.repository.bodies(7)
    assert "there is no such file in the artifact" in body
    (warning,) = RunnerLog().read(capsys.readouterr().out).annotations
    assert warning.properties["title"] == "The comment tells of no verdict"


def test_publish_on_any_other_event_is_an_error(checkout: Project, api: GitHubApi) -> None:
    on(checkout, api, "push", events.push())
    assert checkout.action(publish="eval-report", github_token=TOKEN) == 2
    assert api.asked == []


def test_the_parts_of_a_run_say_nothing_and_their_merge_does(
    checkout: Project, api: GitHubApi, tmp_path: Path
) -> None:
    on(checkout, api, "pull_request", events.pull_request())
    for part in (1, 2):
        checkout.action(**INPUTS, shard=f"{part}/2", min_cases="1", out=f"part-{part}")
        (checkout.folder / f"part-{part}").rename(tmp_path / f"part-{part}")
    assert api.asked == []
    assert checkout.action(merge=str(tmp_path / "part-*"), github_token=TOKEN) == 0
    (body,) = api.repository.bodies(7)
    assert body.startswith("### ✅ Passed: the one case passed")


def test_the_command_line_comments_when_it_is_asked_to(project: Project, api: GitHubApi) -> None:
    project.agent(
        {"type": "standard", "metric": "equality"}, test_cases=[{"input": "a", "ground_truth": "b"}]
    )
    project.transcripts({"input": "a", "output": "b"})
    on(project, api, "pull_request", events.pull_request())
    assert project.run() == 0
    assert api.asked == []
    project.environ["GITHUB_TOKEN"] = TOKEN
    assert project.run("--comment", "update") == 0
    assert len(api.repository.bodies(7)) == 1


def test_a_proxys_password_is_shown_neither_in_the_log_nor_in_the_warning(
    checkout: Project, api: GitHubApi, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://mona:made-up-word@no host:99999")
    on(checkout, api, "pull_request", events.pull_request())
    checkout.environ |= {
        "GITHUB_API_URL": "https://localhost:9",
        "GITHUB_GRAPHQL_URL": "https://localhost:9/graphql",
    }
    assert checkout.action(**INPUTS) == 0
    log = capsys.readouterr().out
    (warning,) = RunnerLog().read(log).annotations
    assert "Failed to parse: http://mona:*** (password in a URL)@no host:99999" in warning.data
    assert "made-up-word" not in log


def test_no_token_is_a_warning(checkout: Project, api: GitHubApi, capsys: pytest.CaptureFixture[str]) -> None:
    on(checkout, api, "pull_request", events.pull_request())
    assert checkout.action(**INPUTS | {"github_token": ""}) == 0
    (warning,) = RunnerLog().read(capsys.readouterr().out).annotations
    assert "token is missing" in warning.data
