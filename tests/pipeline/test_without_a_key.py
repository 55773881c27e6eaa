"""Whole runs of pull requests that get no secrets: what was recorded counts, the rest is said, none passes."""

import json
from pathlib import Path
from typing import Any

import pytest

from holodeck_eval.cli import main
from tests.fakes.judge_double import JudgeDouble
from tests.fakes.project import EQUALITY, Project
from tests.unit.github.test_outputs import read_as_runner

SAID = "could not be judged, because pull requests from forks get no secrets, and so no key for the judge; "
TONE = {"type": "geval", "name": "tone", "criteria": "Is it kind?", "evaluation_steps": ["Look"]}
JUDGE = {"provider": "openai", "name": "gpt-5", "api_key": "${OPENAI_API_KEY}"}
REPOSITORY = "holodeck/eval-action"


def asked_by(project: Project, whose: str, actor: str = "someone") -> None:
    """The runner's words for a pull request of this repository's branch or another's."""
    sha = "a" * 40
    proposed = {
        "number": 7,
        "head": {"sha": sha, "ref": "topic", "repo": {"full_name": whose, "fork": whose != REPOSITORY}},
        "base": {"sha": "b" * 40, "ref": "main", "repo": {"full_name": REPOSITORY}},
        "user": {"login": actor},
    }
    path = project.folder.parent / "event.json"
    path.write_text(json.dumps({"pull_request": proposed, "number": 7}), encoding="utf-8")
    project.environ.update(
        GITHUB_EVENT_NAME="pull_request",
        GITHUB_EVENT_PATH=str(path),
        GITHUB_REPOSITORY=REPOSITORY,
        GITHUB_SHA="c" * 40,
        GITHUB_ACTOR=actor,
        OPENAI_API_KEY="",  # what a secret that is withheld becomes
        INPUT_COMMENT="off",
    )


def recorded(project: Project, *answers: str) -> None:
    project.transcripts(
        *(
            {"id": answer, "input": "Hello?", "output": answer, "reference": {"expected_output": answer}}
            for answer in answers
        )
    )


def run(project: Project, **inputs: str) -> int:
    inputs = {
        "agent": "helper.yaml",
        "transcripts": "runs.jsonl",
        "verdicts": "../temp/verdicts.jsonl",
        **inputs,
    }
    return project.action(**inputs)


def results(project: Project) -> dict[str, Any]:
    text = (project.folder / "eval-report" / "results.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def comment(project: Project) -> str:
    return (project.folder / "eval-report" / "comment.md").read_text(encoding="utf-8")


@pytest.fixture
def fork(checkout: Project, judge_double: JudgeDouble) -> Project:
    """A fork's pull request that adds an answer to one that the main branch had judged."""
    model = {**JUDGE, "endpoint": judge_double.endpoint("openai")}
    checkout.agent(TONE, EQUALITY, evaluations={"model": model})
    recorded(checkout, "Hello.")
    checkout.environ["OPENAI_API_KEY"] = "the-key-of-the-judge"
    assert run(checkout) == 0
    recorded(checkout, "Hello.", "Hello to you.")
    asked_by(checkout, "someone/fork")
    return checkout


def test_what_the_main_branch_recorded_counts_and_the_rest_is_explained_once(fork: Project) -> None:
    assert run(fork) == 3
    summary = results(fork)["summary"]
    assert (summary["evaluations_recorded"], summary["evaluations_errored"]) == (1, 1)
    first = results(fork)["verdict"]["causes"][0]
    assert first["code"] == "no_key"
    assert first["cases"] == ["Hello to you."]
    assert first["message"].startswith(f"1 evaluation {SAID}1 with recorded verdicts counted.")
    assert comment(fork).count("get no secrets") == 1


def test_everything_recorded_passes_without_a_key(fork: Project) -> None:
    recorded(fork, "Hello.")
    assert run(fork) == 0
    assert results(fork)["verdict"]["causes"] == []


def test_letting_it_through_changes_the_exit_code_alone(fork: Project) -> None:
    assert run(fork, on_inconclusive="pass") == 0
    written = read_as_runner(Path(fork.environ["GITHUB_OUTPUT"]).read_text(encoding="utf-8"))
    assert (written["status"], written["passed"]) == ("inconclusive", "false")
    assert results(fork)["verdict"]["waived"] is True
    assert "get no secrets" in comment(fork)


def test_where_no_metric_measured_anything_nothing_is_let_through(
    fork: Project, judge_double: JudgeDouble
) -> None:
    fork.agent(TONE, evaluations={"model": {**JUDGE, "endpoint": judge_double.endpoint("openai")}})
    recorded(fork, "Go away.")
    assert run(fork, on_inconclusive="pass") == 3


def test_an_answer_that_a_deterministic_metric_fails_fails_the_run(fork: Project) -> None:
    wrong = {"id": "wrong", "input": "Hello?", "output": "Go.", "reference": {"expected_output": "Hello."}}
    fork.transcripts(wrong)
    assert run(fork, on_inconclusive="pass") == 1
    assert f"1 evaluation {SAID}none had a recorded verdict" in " ".join(results(fork)["warnings"])


def test_dependabot_is_told_where_its_secrets_are(fork: Project) -> None:
    asked_by(fork, REPOSITORY, actor="dependabot[bot]")
    assert run(fork) == 3
    assert "Dependabot's own secrets" in results(fork)["verdict"]["causes"][0]["message"]


def test_a_branch_of_the_repository_is_told_to_set_the_key(fork: Project) -> None:
    asked_by(fork, REPOSITORY)
    assert run(fork) == 3
    assert (
        "no key for the judge is set; pass it in the environment"
        in results(fork)["verdict"]["causes"][0]["message"]
    )


@pytest.mark.parametrize("endpoint", ["${AZURE_OPENAI_ENDPOINT}", None])
def test_an_endpoint_that_is_kept_as_a_secret_is_said_to_be_one(fork: Project, endpoint: str | None) -> None:
    model = {"provider": "azure_openai", "name": "gpt-5", "api_key": "${AZURE_OPENAI_API_KEY}"}
    fork.agent(
        TONE, EQUALITY, evaluations={"model": {**model, **({"endpoint": endpoint} if endpoint else {})}}
    )
    assert run(fork) == 2
    (warning,) = [text for text in results(fork)["warnings"] if "variable of the repository" in text] or [""]
    assert bool(warning) is (endpoint is not None)


def test_a_merged_run_says_it_as_a_whole_one_does(fork: Project) -> None:
    temp = fork.folder.parent / "temp"
    for number in (1, 2):
        assert run(fork, shard=f"{number}/2") in {0, 3}
        (fork.folder / "eval-report").rename(temp / f"part-{number}")
    parts = [str(temp / f"part-{number}") for number in (1, 2)]
    assert main(["merge", *parts, "--out", "eval-report"], dict(fork.environ)) == 3
    assert results(fork)["verdict"]["causes"][0]["message"].startswith(f"1 evaluation {SAID}1 with recorded")


def test_a_merged_report_has_no_secret_of_the_job_that_merges(fork: Project) -> None:
    temp = fork.folder.parent / "temp"
    recorded(fork, "It is known-to-the-last-job-only", "Hello.")
    for number in (1, 2):
        run(fork, shard=f"{number}/2")
        (fork.folder / "eval-report").rename(temp / f"part-{number}")
    parts = [str(temp / f"part-{number}") for number in (1, 2)]
    environ = fork.environ | {"LAST_TOKEN": "known-to-the-last-job-only"}
    assert main(["merge", *parts, "--out", "eval-report"], environ) == 3
    files = {path.name: path.read_text(encoding="utf-8") for path in (fork.folder / "eval-report").iterdir()}
    assert "cases.jsonl" in files
    assert [name for name, text in files.items() if "known-to-the-last-job-only" in text] == []
