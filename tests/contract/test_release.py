"""The program behind release.yml, on real repositories: what it commits, which tags it moves, which images it lets by."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml
from tools.release.__main__ import NO_DIGEST, main
from tools.release.repository import Repository
from tools.release.rules import Refusal, Version
from tools.release.smoke import command, smoke

from holodeck_eval import __version__
from tests.contract.test_release_rules import ACTION, CHANGELOG, DIGEST, IMAGE, READY
from tests.fakes.docker_double import DockerDouble

ROOT = Path(__file__).resolve().parents[2]
LONG_AGO = ("/usr/bin/env", "GIT_COMMITTER_DATE=2001-02-03T04:05:06Z")


def git(folder: Path, *arguments: str) -> str:
    """What git says. Commits are of long ago, so that one made now is told from them."""
    done = subprocess.run(  # noqa: S603 - git, with what this file writes
        [
            *LONG_AGO,
            "git",
            "-C",
            str(folder),
            "-c",
            "user.name=A",
            "-c",
            "user.email=a@b.example",
            *arguments,
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def written(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone that is ready to release 1.2.3, of a remote folder beside it that has 1.2.2."""
    remote, folder = tmp_path / "remote", tmp_path / "clone"
    git(tmp_path, "init", "--quiet", "--bare", "--initial-branch=main", str(remote))
    git(tmp_path, "clone", "--quiet", str(remote), str(folder))
    git(folder, "checkout", "--quiet", "-B", "main")
    workflows = {f".github/workflows/{name}.yml": f"name: {name}\n" for name in ("ci", "release")}
    files = {"src/holodeck_eval/__init__.py": READY.written, "CHANGELOG.md": CHANGELOG, "action.yml": ACTION}
    written(folder, files | workflows | {".github/dependabot.yml": "version: 2\n"})
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=Ready")
    for tag in ("v1.2.2", "v1"):
        git(folder, "tag", tag)
    git(folder, "push", "--quiet", "--tags", "origin", "main")
    return folder


def run(clone: Path, *arguments: str) -> int:
    names = ("--version=1.2.3", "--repository=Octo/Gate", "--ref=refs/heads/main", f"--digest={DIGEST}")
    return main([*names, *arguments], clone)


def refs(folder: Path) -> dict[str, str]:
    lines = git(folder, "for-each-ref", "--format=%(refname) %(objectname)").splitlines()
    return dict(line.split(" ") for line in lines)


def remote(clone: Path) -> Path:
    return clone.parent / "remote"


def test_a_plan_names_everything_as_step_outputs(clone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(clone, "plan") == 0
    assert capsys.readouterr().out == "version=1.2.3\ntag=v1.2.3\nmoving=v1\nimage=ghcr.io/octo/gate\n"


def test_a_refused_plan_prints_no_output_and_says_every_reason(
    clone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(clone, {"CHANGELOG.md": "", "left-over.txt": ""})
    assert run(clone, "plan", "--ref=refs/pull/7/merge") == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("no release: ")
    assert all(word in err for word in ("main", "not committed", "CHANGELOG.md"))


def test_showing_the_commit_changes_no_file_and_no_tag(
    clone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = refs(clone), refs(remote(clone))
    assert run(clone, "show", f"--digest={NO_DIGEST}") == 0
    shown = capsys.readouterr().out
    assert f"+  image: docker://ghcr.io/octo/gate:1.2.3@{NO_DIGEST}" in shown
    assert re.search(r"workflows/ci\.yml +\| 1 -", shown)
    assert (refs(clone), refs(remote(clone))) == before
    assert git(clone, "status", "--porcelain") == ""


def test_both_tags_stand_on_one_commit_on_top_of_main(clone: Path) -> None:
    assert run(clone, "tag") == 0
    tags = refs(remote(clone))
    assert tags["refs/tags/v1.2.3"] == tags["refs/tags/v1"] != tags["refs/tags/v1.2.2"]
    assert (
        git(remote(clone), "rev-parse", "v1^") == tags["refs/heads/main"] == git(clone, "rev-parse", "HEAD")
    )


def test_the_tagged_commit_names_the_image_and_holds_no_workflow(clone: Path) -> None:
    run(clone, "tag")
    assert (
        git(remote(clone), "show", "v1:action.yml")
        == ACTION.replace("Dockerfile", f"docker://{IMAGE}").strip()
    )
    kept = set(git(clone, "ls-tree", "-r", "--name-only", "HEAD").splitlines())
    tagged = set(git(remote(clone), "ls-tree", "-r", "--name-only", "v1").splitlines())
    assert kept - tagged == {".github/workflows/ci.yml", ".github/workflows/release.yml"}
    assert tagged < kept


def test_a_repeated_run_makes_the_same_commit_and_ends_well(clone: Path) -> None:
    run(clone, "tag")
    first = refs(remote(clone))
    git(clone, "fetch", "--quiet", "--tags", "--force")
    assert run(clone, "tag") == 0
    assert refs(remote(clone)) == first


def test_the_commit_has_the_date_of_the_one_below_so_that_it_comes_out_the_same_at_any_time(
    clone: Path,
) -> None:
    run(clone, "tag")
    dates = git(remote(clone), "show", "--no-patch", "--format=%as %cs", "v1").split()
    assert set(dates) == {"2001-02-03"}


def test_another_image_under_a_tag_that_is_out_is_refused(
    clone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(clone, "tag")
    first = refs(remote(clone))
    git(clone, "fetch", "--quiet", "--tags", "--force")
    assert run(clone, "tag", "--digest=sha256:" + "cd" * 32) == 1
    assert "take the next number" in capsys.readouterr().err
    assert refs(remote(clone)) == first


def test_where_the_moving_tag_has_moved_meanwhile_neither_tag_is_set(
    clone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = git(remote(clone), "commit-tree", "main^{tree}", "-m", "other")
    git(remote(clone), "update-ref", "refs/tags/v1", other)
    before = refs(remote(clone))
    assert run(clone, "tag") == 1
    assert "set together or not at all" in capsys.readouterr().err
    assert refs(remote(clone)) == before


def test_where_the_version_was_tagged_meanwhile_the_moving_tag_stays(clone: Path) -> None:
    other = git(remote(clone), "commit-tree", "main^{tree}", "-m", "other")
    git(remote(clone), "update-ref", "refs/tags/v1.2.3", other)
    before = refs(remote(clone))
    assert run(clone, "tag") == 1
    assert refs(remote(clone)) == before


def test_the_first_release_of_a_major_version_makes_its_moving_tag(clone: Path) -> None:
    written(
        clone,
        {
            "src/holodeck_eval/__init__.py": '__version__ = "2.0.0"\n',
            "CHANGELOG.md": CHANGELOG.replace("1.2.3", "2.0.0"),
        },
    )
    git(clone, "commit", "--quiet", "--all", "--message=Ready for 2")
    assert run(clone, "tag", "--version=2.0.0") == 0
    tags = refs(remote(clone))
    assert tags["refs/tags/v2"] == tags["refs/tags/v2.0.0"]
    assert tags["refs/tags/v1"] == tags["refs/tags/v1.2.2"]


def test_an_annotated_tag_is_known_by_the_commit_it_stands_on(clone: Path) -> None:
    git(clone, "tag", "--annotate", "--message=words", "v1.2.1")
    assert Repository(folder=clone).tags()["v1.2.1"] == git(clone, "rev-parse", "HEAD")


def test_a_remote_that_is_gone_is_a_refusal_not_a_traceback(
    clone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    git(clone, "remote", "set-url", "origin", str(clone.parent / "gone"))
    assert run(clone, "tag") == 1
    said = capsys.readouterr().err
    assert "set together or not at all" in said
    assert "gone" in said


def test_the_notes_are_printed(clone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(clone, "notes") == 0
    assert capsys.readouterr().out == "### Added\n\n- A gate.\n"


def test_an_option_is_never_guessed_from_its_beginning(clone: Path) -> None:
    with pytest.raises(SystemExit):
        run(clone, "plan", "--ver=1.2.3")


@pytest.fixture
def docker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DockerDouble:
    double = DockerDouble(tmp_path / "bin")
    monkeypatch.setenv("PATH", f"{double.folder}:/usr/bin:/bin")
    return double


def smoked(version: str, example: Path = ROOT / "examples" / "support-agent") -> None:
    smoke(IMAGE, Version.read(version), example)


def test_an_image_that_judges_the_example_as_it_should_is_let_through(
    docker: DockerDouble, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["smoke", f"--version={__version__}", f"--image={IMAGE}"]) == 0
    assert capsys.readouterr().out == f"{IMAGE} judges the example as it should\n"
    (asked,) = docker.asked("run")
    assert asked[-1] == IMAGE
    assert asked[asked.index("--network") + 1] == "none"


def test_an_image_of_another_version_is_refused(docker: DockerDouble) -> None:
    with pytest.raises(Refusal, match=f"the image says '{__version__} failed', where 99.0.0 failed is right"):
        smoked("99.0.0")
    assert len(docker.asked("run")) == 1


@pytest.mark.usefixtures("docker")
def test_an_image_that_could_not_judge_is_refused_with_what_it_said(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(Refusal, match=r"(?s)ended with 2, where 1 is right.*\n\| .*transcripts\.jsonl"):
        smoked(__version__, tmp_path / "empty")


def test_the_container_gets_the_inputs_the_action_declares_and_no_more(tmp_path: Path) -> None:
    declared = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    asked = command(IMAGE, tmp_path)
    given = {text.split("=")[0] for text in asked if text.startswith("INPUT_")}
    assert given <= {f"INPUT_{name.upper()}" for name in declared}
    assert not [text for text in asked if "TOKEN" in text or "KEY" in text]
