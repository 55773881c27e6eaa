"""The workflows' own scripts, run by act as GitHub's runner would run them, as far as they need no Docker.

Not collected with the other tests: `.ci/run` names this file. What act cannot show here: the image's build, the
registry, signatures and GitHub's API, which are stand-ins; permissions, environments and concurrency, which it ignores.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from holodeck_eval import __version__
from tests.action.act_runner import TOKEN, Ended, Scratch
from tests.fakes.docker_double import AMD64, ARM64, INDEX

IMAGE = "ghcr.io/octo/gate"
ASKED = ("--input", f"version={__version__}", "--input", "dry_run=false")
DRY = ("--input", f"version={__version__}", "--input", "dry_run=true")
MAJOR = "v" + __version__.partition(".")[0]


@pytest.fixture
def scratch(tmp_path: Path) -> Scratch:
    return Scratch(tmp_path)


def dated(scratch: Scratch, when: str) -> Scratch:
    """The repository with a changelog that says when this version comes out."""
    heading = re.compile(rf"^## \[{re.escape(__version__)}\] - .*$", re.MULTILINE)
    scratch.write("CHANGELOG.md", heading.sub(f"## [{__version__}] - {when}", scratch.text("CHANGELOG.md")))
    return scratch


@dataclass(frozen=True, slots=True)
class Release:
    """A repository that released this version, and how that ended."""

    scratch: Scratch
    ended: Ended


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Release:
    scratch = dated(Scratch(tmp_path_factory.mktemp("released")), "2026-12-01")
    return Release(scratch, scratch.act("workflow_dispatch", "release.yml", *ASKED))


def remote_tags(scratch: Scratch) -> dict[str, str]:
    lines = scratch.git(
        "for-each-ref", "refs/tags", "--format=%(refname:strip=2) %(objectname)", folder=scratch.remote
    )
    return dict(line.split(" ") for line in lines.splitlines())


def test_the_gate_is_green_on_the_example_that_fails_and_keeps_its_report(scratch: Scratch) -> None:
    ended = scratch.act("push", "dogfood.yml")
    assert ended.jobs == {"agent gate": True}, ended.log
    assert "failure, failed: 7 of 20 cases failed" in ended.log
    assert "results.json" in {path.name for path in (scratch.kept / "artifacts" / "eval-report").iterdir()}


@pytest.mark.parametrize("name", ["verdicts.jsonl", "transcripts.jsonl", "agent.yaml"])
def test_the_gate_is_red_when_the_example_ends_otherwise(scratch: Scratch, name: str) -> None:
    scratch.write(f"examples/support-agent/{name}", "")
    ended = scratch.act("merge_group", "dogfood.yml")
    assert ended.jobs == {"agent gate": False}, ended.log
    assert ended.code != 0


def from_run(**changes: Any) -> Mapping[str, Any]:
    """The payload of a run of the gate that is over: a fork's pull request, unless changed."""
    run = {
        "id": 7,
        "event": "pull_request",
        "conclusion": "failure",
        "head_branch": "fix",
        "head_repository": {"full_name": "someone/Gate"},
        "actor": {"login": "someone"},
    }
    return {"action": "completed", "workflow_run": run | changes}


@pytest.mark.parametrize(
    ("changes", "published"),
    [
        ({}, True),
        ({"conclusion": "success"}, True),
        ({"head_branch": '"; echo pwned; "', "head_repository": {"full_name": "a/b"}}, True),
        ({"head_repository": {"full_name": "Octo/Gate"}, "actor": {"login": "dependabot[bot]"}}, False),
        ({"head_repository": {"full_name": "Octo/Gate"}}, False),
        ({"event": "push"}, False),
        ({"conclusion": "cancelled"}, False),
        ({"conclusion": "action_required"}, False),
    ],
)
def test_a_comment_is_published_for_those_who_could_not_write_one(
    scratch: Scratch, changes: Mapping[str, Any], *, published: bool
) -> None:
    scratch.only_keep_what_is_published()
    report = scratch.kept / "artifacts" / "eval-report"
    report.mkdir(parents=True)
    (report / "results.json").write_text("{}", encoding="utf-8")
    ended = scratch.act("workflow_run", "publish.yml", payload=from_run(**changes))
    assert ended.code == 0, ended.log
    assert ended.jobs == ({"comment for forks": True} if published else {})
    assert scratch.asked() == (["publish results.json"] if published else [])


def test_a_release_sets_both_tags_on_a_commit_that_names_the_image(released: Release) -> None:
    assert released.ended.code == 0, released.ended.log
    assert all(released.ended.jobs.values())
    tags = remote_tags(released.scratch)
    assert set(tags) == {f"v{__version__}", MAJOR}
    assert len(set(tags.values())) == 1
    action = released.scratch.git("show", f"{MAJOR}:action.yml", folder=released.scratch.remote)
    assert f"  image: docker://{IMAGE}:{__version__}@{INDEX}" in action.splitlines()


def test_a_release_is_checked_and_its_images_are_tried_before_and_after_they_are_put_together(
    released: Release,
) -> None:
    assert sorted(released.scratch.asked("make ")) == sorted(["make check", "make demo", "make package"] * 2)
    *parts, whole = [call[-1] for call in released.scratch.docker.asked("run")]
    assert sorted(parts) == [f"{IMAGE}@{AMD64}", f"{IMAGE}@{ARM64}"]
    assert whole == f"{IMAGE}@{INDEX}"
    (put_together,) = released.scratch.docker.asked("buildx", "imagetools", "create")
    assert put_together[-2:] == [f"{IMAGE}@{AMD64}", f"{IMAGE}@{ARM64}"]


def test_a_release_carries_provenance_and_a_list_of_its_parts(released: Release) -> None:
    builds = released.scratch.docker.asked("buildx", "build")
    assert sorted(call[call.index("--platform") + 1] for call in builds) == ["linux/amd64", "linux/arm64"]
    for call in builds:
        kinds = [value.split(",")[0] for option, value in pairwise(call) if option == "--attest"]
        assert kinds == ["type=provenance", "type=sbom"]
        assert f"type=image,name={IMAGE},push-by-digest=true,name-canonical=true,push=true" in call


def test_a_release_is_attested_verified_and_drafted(released: Release) -> None:
    attested, verified, viewed, drafted = [line for line in released.scratch.asked() if "make" not in line]
    assert attested == f"attest {IMAGE}@{INDEX}"
    assert verified.startswith(
        f"gh attestation verify oci://{IMAGE}@{INDEX} --repo Octo/Gate --signer-workflow "
    )
    assert viewed == f"gh release view v{__version__}"
    assert drafted.startswith(f"gh release create v{__version__} --draft --verify-tag ")


def test_the_token_is_written_to_logins_and_nowhere_else(released: Release) -> None:
    docker = released.scratch.docker
    assert {password.strip() for password in docker.passwords()} == {TOKEN}
    assert not [call for call in docker.asked() if TOKEN in " ".join(call)]
    assert TOKEN not in released.ended.log + " ".join(released.scratch.asked())


def test_a_release_that_is_out_is_not_made_again(released: Release) -> None:
    scratch, tags = released.scratch, remote_tags(released.scratch)
    scratch.git("fetch", "--quiet", "--tags", "origin")
    ended = scratch.act("workflow_dispatch", "release.yml", *ASKED)
    assert ended.jobs == {"may it be released": False}
    assert "take the next number" in ended.log
    assert remote_tags(scratch) == tags


def test_a_dry_run_builds_and_tries_and_publishes_nothing(scratch: Scratch) -> None:
    ready = dated(scratch, "2026-12-01")
    ended = ready.act("workflow_dispatch", "release.yml", *DRY)
    assert ended.code == 0, ended.log
    assert f"+  image: docker://{IMAGE}:{__version__}@sha256:{'0' * 64}" in ended.log
    assert [call[-1] for call in ready.docker.asked("run")] == [f"{IMAGE}:dry-run"] * 2
    assert all("--load" in call and "--output" not in call for call in ready.docker.asked("buildx", "build"))
    assert ready.docker.asked("login") == ready.docker.asked("buildx", "imagetools") == []
    assert remote_tags(ready) == {}
    assert ready.asked("attest") == ready.asked("release") == []


def test_a_version_without_a_date_in_the_changelog_is_not_even_built(scratch: Scratch) -> None:
    dated(scratch, "not released yet")
    ended = scratch.act("workflow_dispatch", "release.yml", *ASKED)
    assert ended.jobs == {"may it be released": False}
    assert "CHANGELOG.md has no entries under" in ended.log
    assert scratch.docker.asked() == []


@pytest.mark.parametrize("version", ['0.1.0"; touch pwned; "', "$(touch pwned)", "--help"])
def test_a_hostile_version_is_refused_and_runs_nothing(scratch: Scratch, version: str) -> None:
    ended = scratch.act("workflow_dispatch", "release.yml", "--input", f"version={version}")
    assert ended.jobs == {"may it be released": False}
    assert "is no version" in ended.log
    assert list(scratch.folder.parent.rglob("pwned")) == []
