"""The workflows here and those the documents show: pinned, with few rights, and in the words of action.yml."""

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
TOOLS = Path(sys.executable).parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
DOCUMENTS = (ROOT / "README.md", ROOT / "docs" / "github.md")
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")
OWN = re.compile(r"\$/(\.github/workflows/\w+\.yml)?")
SHOWN = re.compile(r"holodeck/eval-action@\S+(?: # v[\d.]+)?")
FENCE = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Around steps that a document shows without their workflow.
FRAME = """name: steps
on: pull_request
permissions: {}
jobs:
  gate:
    runs-on: ubuntu-latest
    permissions:
      contents: read
    steps:
"""
RIGHTS: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "ci.yml": {"check": {"contents": "read"}, "ci": {}},
    "dogfood.yml": {"gate": {"contents": "read", "pull-requests": "write"}},
    "image.yml": {"image": {"contents": "read", "packages": "write"}},
    "publish.yml": {"publish": {"actions": "read", "pull-requests": "write"}},
    "release.yml": {
        "plan": {"contents": "read"},
        "check": {"contents": "read"},
        "amd64": {"contents": "read", "packages": "write"},
        "arm64": {"contents": "read", "packages": "write"},
        "index": {"packages": "write", "id-token": "write", "attestations": "write"},
        "tag": {"contents": "write", "attestations": "read"},
        "draft": {"contents": "write"},
    },
}


def snippets(document: Path) -> Iterator[str]:
    """The YAML of a document that is a workflow, or steps of one; this action's name is that of the checkout."""
    for text in FENCE.findall(document.read_text(encoding="utf-8")):
        own = SHOWN.sub("$/", text)
        if re.search(r"^jobs:", own, re.MULTILINE):
            yield own
        elif own.startswith("      - "):
            yield FRAME + own


TEXTS = {path.name: path.read_text(encoding="utf-8") for path in WORKFLOWS} | {
    f"{document.stem}-{number}.yml": text
    for document in DOCUMENTS
    for number, text in enumerate(snippets(document), start=1)
}
each_text = pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
each_workflow = pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)


def loaded(text: str) -> dict[Any, Any]:
    """A workflow; its key `on` is read as true, which YAML 1.1 has it mean."""
    workflow: dict[Any, Any] = yaml.safe_load(text)
    return workflow


def named(name: str) -> dict[Any, Any]:
    return loaded(TEXTS[name])


def steps(workflow: Mapping[Any, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job.get("steps", [])]


def test_the_documents_show_workflows_to_copy() -> None:
    assert {"README-1.yml", "github-1.yml"} <= set(TEXTS)


@each_text
def test_a_workflow_has_no_right_but_those_a_job_asks_for(text: str) -> None:
    workflow = loaded(text)
    assert workflow["permissions"] == {}
    assert all("permissions" in job for job in workflow["jobs"].values())


@each_workflow
def test_each_job_has_the_rights_it_needs_and_no_other(path: Path) -> None:
    jobs = named(path.name)["jobs"]
    assert {name: job["permissions"] for name, job in jobs.items()} == RIGHTS[path.name]


@each_text
def test_what_is_used_is_this_repository_or_pinned_to_a_commit_with_its_version_beside_it(text: str) -> None:
    used = re.findall(r"^ +(?:- )?uses: (.*)$", text, re.MULTILINE)
    assert used
    assert [line for line in used if not OWN.fullmatch(line) and not PINNED.fullmatch(line)] == []


@each_text
def test_the_action_is_given_inputs_that_it_has(text: str) -> None:
    given = {name for step in steps(loaded(text)) if step.get("uses") == "$/" for name in step["with"]}
    assert given <= set(ACTION["inputs"])


@each_text
def test_the_action_is_asked_for_outputs_that_it_has(text: str) -> None:
    own = [step["id"] for step in steps(loaded(text)) if step.get("uses") == "$/" and "id" in step]
    asked = {name for step in own for name in re.findall(rf"steps\.{step}\.outputs\.(\w+)", text)}
    assert asked <= set(ACTION["outputs"])


def test_a_merge_queue_is_compared_with_the_baseline_as_its_pull_requests_were() -> None:
    """Else the absolute rules would hold up in the queue what the comparison had let through."""
    text = (ROOT / "docs" / "github.md").read_text(encoding="utf-8")
    baselines = re.findall(r"^ +baseline: (.*)$", text, re.MULTILINE)
    assert len(baselines) >= 3
    assert all(given.startswith("${{ github.event_name != 'push' && ") for given in baselines)
    restored = re.findall(r"if: (.*)\n +with:\n +path: .*/baseline\n +key: (.*)\n +restore-keys", text)
    key = "baseline-${{ github.event.pull_request.base.sha || github.event.merge_group.base_sha }}"
    assert restored == [("github.event_name != 'push'", key)] * 3


@each_text
def test_a_run_that_is_started_again_may_upload_again(text: str) -> None:
    uploads = [step for step in steps(loaded(text)) if "upload-artifact@" in step.get("uses", "")]
    assert all(step["with"]["overwrite"] is True for step in uploads)


@pytest.mark.parametrize("name", ["README-2.yml", "publish.yml"])
def test_a_run_that_made_no_report_is_not_published(name: str) -> None:
    """As one that was cancelled, or that waits for somebody to approve a newcomer's workflow."""
    (job,) = named(name)["jobs"].values()
    assert (
        """contains(fromJSON('["success", "failure"]'), github.event.workflow_run.conclusion)""" in job["if"]
    )


@each_text
def test_no_script_has_an_expression_in_it(text: str) -> None:
    assert [step["run"] for step in steps(loaded(text)) if "${{" in step.get("run", "")] == []


@each_text
def test_a_checkout_leaves_no_token_behind(text: str) -> None:
    checkouts = [step for step in steps(loaded(text)) if step.get("uses", "").startswith("actions/checkout@")]
    assert all(step["with"]["persist-credentials"] is False for step in checkouts)


@each_workflow
def test_no_workflow_here_asks_for_a_secret(path: Path) -> None:
    assert "secrets." not in TEXTS[path.name]


def test_the_gate_runs_wherever_its_check_may_be_required_and_one_run_a_pull_request() -> None:
    workflow = named("dogfood.yml")
    assert set(workflow[True]) == {"pull_request", "merge_group", "push"}
    assert "pull_request.number || github.run_id" in workflow["concurrency"]["group"]


def test_the_workflow_that_comments_for_forks_waits_for_the_gate_and_runs_nothing_of_the_change() -> None:
    workflow = named("publish.yml")
    assert workflow[True]["workflow_run"]["workflows"] == [named("dogfood.yml")["name"]]
    download, publish = steps(workflow)
    (upload,) = [step for step in steps(named("dogfood.yml")) if "upload-artifact" in step.get("uses", "")]
    assert download["with"]["name"] == upload["with"]["name"]
    assert download["with"]["path"] == publish["with"]["publish"]
    assert (publish["uses"], set(publish["with"])) == ("$/", {"publish"})


def test_a_release_is_tagged_only_after_the_checks_the_image_and_its_attestation() -> None:
    jobs = named("release.yml")["jobs"]
    needs = {
        name: {*job["needs"]} if isinstance(job["needs"], list) else {job["needs"]}
        for name, job in jobs.items()
        if "needs" in job
    }
    assert needs == {
        "check": {"plan"},
        "amd64": {"plan", "check"},
        "arm64": {"plan", "check"},
        "index": {"plan", "amd64", "arm64"},
        "tag": {"plan", "index"},
        "draft": {"plan", "tag"},
    }
    names = [step.get("name", step.get("uses")) for step in jobs["tag"]["steps"]]
    assert names[-1] == "Set both tags, or neither"
    assert names[-2] == "Verify its attestation"


def test_a_dry_run_is_what_happens_unless_another_is_asked_for() -> None:
    workflow, image = named("release.yml"), named("image.yml")
    assert workflow[True]["workflow_dispatch"]["inputs"]["dry_run"]["default"] is True
    assert workflow["jobs"]["index"]["if"] == "${{ !inputs.dry_run }}"
    (login,) = [step for step in steps(image) if "docker login" in step.get("run", "")]
    assert login["if"] == "${{ !inputs.dry_run }}"


def test_the_page_on_releases_says_what_to_do_when_any_job_stops() -> None:
    page = (ROOT / "docs" / "release.md").read_text(encoding="utf-8")
    table = page.split("| stopped in |", 1)[1].split("\n\n", 1)[0]
    told = {name for row in re.findall(r"^\| ([\w' ,]+) \|", table, re.MULTILINE) for name in row.split(", ")}
    named_jobs = {job["name"] for job in named("release.yml")["jobs"].values()}
    assert told == named_jobs - {"check"}


def test_what_is_used_anywhere_is_kept_up_to_date() -> None:
    updates = yaml.safe_load((ROOT / ".github" / "dependabot.yml").read_text(encoding="utf-8"))["updates"]
    assert {update["package-ecosystem"] for update in updates} == {"pip", "docker", "github-actions"}
    assert all(update["cooldown"]["default-days"] >= 7 for update in updates)


def test_make_check_lints_what_this_file_describes() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^check:.* workflows\b", makefile, re.MULTILINE)
    recipe = makefile.split("\nworkflows: ", 1)[1].split("\n\n", 1)[0]
    for words in (
        "zizmor --offline --pedantic",
        "jactionlint --no-online",
        "hadolint",
        "vendor.github-actions",
        "vendor.github-workflows",
        "vendor.dependabot",
    ):
        assert words in recipe


def lint(folder: Path, texts: Mapping[str, str]) -> str:
    """What the linters say of workflows, with action.yml beside them; "" where all is well."""
    workflows = folder / ".github" / "workflows"
    workflows.mkdir(parents=True)
    (folder / ".git").mkdir()  # without it jactionlint sees files, and no repository whose action they use
    for name in ("action.yml", "Dockerfile"):
        (folder / name).write_bytes((ROOT / name).read_bytes())
    for name, text in texts.items():
        (workflows / name).write_text(text, encoding="utf-8")
    files = [str(workflows / name) for name in texts]
    # How long a job may take, and whether a newer run ends it, is for its owner to say.
    theirs = ("--ignore=missing-timeout", "--ignore=concurrency-limits")
    commands = (
        ("zizmor", "--offline", "--strict-collection", "--quiet", "--no-config", "."),
        ("jactionlint", "--no-online", "--strict-exit", "--shellcheck=", "--pyflakes=", *theirs, *files),
        ("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *files),
    )
    said = [done for tool, *arguments in commands if (done := complaint(folder, tool, *arguments))]
    return "\n".join(said)


def complaint(folder: Path, tool: str, *arguments: str) -> str:
    done = subprocess.run(  # noqa: S603 - a tool of this environment, on files this test wrote
        [str(TOOLS / tool), *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr if done.returncode else ""


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_the_linters_have_nothing_to_say_of_the_workflows_a_document_shows(
    document: Path, tmp_path: Path
) -> None:
    shown = {name: text for name, text in TEXTS.items() if name.startswith(f"{document.stem}-")}
    assert lint(tmp_path, shown) == ""


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("persist-credentials: false", "fetch-depth: 0", "artipacked"),
        ("runs-on: ubuntu-latest", "runs-on: ubunt-latest", "runner-label"),
        ("runs-on:", "run-on:", "run-on"),
        ("          agent:", "          agents:", "agents"),
        (" # v", " v", "uses"),
        ("permissions: {}", "permissions: write-all", "permissions"),
    ],
)
def test_the_linters_find_what_is_wrong_in_a_workflow_to_copy(
    right: str, wrong: str, said: str, tmp_path: Path
) -> None:
    text = TEXTS["README-1.yml"]
    assert right in text
    assert said in lint(tmp_path, {"gate.yml": text.replace(right, wrong)})
