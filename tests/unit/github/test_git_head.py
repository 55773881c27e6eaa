"""The commit of a checkout, read by hand from a folder that may be anybody's."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from holodeck_eval.github.git_head import PACKED_LIMIT, REF_LIMIT, Head, read_head
from tests.fakes.git_folder import checkout

ONE, TWO = "1" * 40, "2" * 40
MAIN = "refs/heads/main"
GIT = shutil.which("git")


def head_of(folder: Path) -> Head:
    return read_head(folder / ".git")


@pytest.mark.parametrize("commit", [ONE, "A" * 40, "f" * 64])
def test_a_detached_head_is_its_commit(tmp_path: Path, commit: str) -> None:
    assert head_of(checkout(tmp_path, commit)) == Head(commit=commit.lower())


@pytest.mark.parametrize("name", [MAIN, "refs/heads/a/b.c", "refs/remotes/pull/7/merge", "refs/heads/ä"])
def test_a_branch_is_the_commit_of_its_ref(tmp_path: Path, name: str) -> None:
    assert head_of(checkout(tmp_path / "loose", f"ref: {name}", {name: ONE})) == Head(commit=ONE)
    packed = {name: TWO, f"{name}x": ONE, "refs/heads": ONE}
    assert head_of(checkout(tmp_path / "packed", f"ref: {name}", packed=packed)) == Head(commit=TWO)


def test_a_refs_own_file_wins_over_packed_refs(tmp_path: Path) -> None:
    assert head_of(checkout(tmp_path, f"ref: {MAIN}", {MAIN: ONE}, {MAIN: TWO})) == Head(commit=ONE)


@pytest.mark.parametrize("content", ["", " ", "x" * REF_LIMIT])
def test_a_refs_own_file_that_cannot_be_read_is_not_made_up_for_by_packed_refs(
    tmp_path: Path, content: str
) -> None:
    assert head_of(checkout(tmp_path, f"ref: {MAIN}", {MAIN: content}, {MAIN: TWO})).commit is None


def test_a_ref_may_name_another_but_not_for_ever(tmp_path: Path) -> None:
    refs = {"refs/heads/a": "ref: refs/heads/b", "refs/heads/b": "ref: refs/heads/c", "refs/heads/c": ONE}
    assert head_of(checkout(tmp_path / "chain", "ref: refs/heads/a", refs)) == Head(commit=ONE)
    circle = checkout(tmp_path / "circle", "ref: refs/heads/a", {"refs/heads/a": "ref: refs/heads/a"})
    assert head_of(circle) == Head(why="its branches name one another")


@pytest.mark.parametrize(
    "head",
    [
        "main",
        "ref:",
        "ref: HEAD",
        "ref: /etc/passwd",
        "ref: refs/../../outside",
        "ref: refs/heads/../../HEAD",
        "ref: refs/heads/.hidden",
        "ref: refs/heads//main",
        "ref: refs/heads/a b",
        f"gitdir: {MAIN}",
        f"{ONE}{ONE}1",
        f"{ONE}\n{TWO}",
        "é" * 40,
    ],
)
def test_a_head_that_is_neither_a_commit_nor_a_branch_is_unknown(tmp_path: Path, head: str) -> None:
    folder = checkout(tmp_path / "in", head, {MAIN: ONE}, {MAIN: ONE})
    (tmp_path / "outside").write_text(ONE, encoding="utf-8")
    found = head_of(folder)
    assert found.commit is None
    assert found.why == "its HEAD is neither a commit nor a branch"


@pytest.mark.parametrize("packed", [None, {}, {"refs/heads/other": ONE}])
def test_a_branch_without_a_commit_is_unknown(tmp_path: Path, packed: dict[str, str] | None) -> None:
    found = head_of(checkout(tmp_path, f"ref: {MAIN}", packed=packed))
    assert found == Head(why="its .git holds no 'refs/heads/main' that can be read")


def test_packed_refs_that_are_too_large_are_not_read(tmp_path: Path) -> None:
    folder = checkout(tmp_path, f"ref: {MAIN}", packed={MAIN: ONE})
    os.truncate(folder / ".git" / "packed-refs", PACKED_LIMIT + 1)
    assert head_of(folder).commit is None


def test_a_head_that_is_no_file_is_unknown(tmp_path: Path) -> None:
    folder = checkout(tmp_path, ONE)
    (folder / ".git" / "HEAD").unlink()
    assert head_of(folder).why == "its .git holds no 'HEAD' that can be read"
    (folder / ".git" / "HEAD").mkdir()
    assert head_of(folder).commit is None
    (folder / ".git" / "HEAD").rmdir()
    os.mkfifo(folder / ".git" / "HEAD")
    assert head_of(folder).commit is None


def test_a_link_is_not_followed_to_a_commit(tmp_path: Path) -> None:
    base = checkout(tmp_path / "base", f"ref: {MAIN}", {MAIN: ONE})
    head = checkout(tmp_path / "head", TWO)
    (head / ".git" / "HEAD").unlink()
    (head / ".git" / "HEAD").symlink_to(base / ".git" / MAIN)
    assert head_of(head).commit is None
    branch = checkout(tmp_path / "branch", f"ref: {MAIN}", packed={MAIN: ONE})
    (branch / ".git" / "refs").symlink_to(base / ".git" / "refs")
    assert head_of(branch).commit is None


@pytest.mark.parametrize("kind", ["link", "file", "missing"])
def test_a_git_folder_that_is_none_is_unknown(tmp_path: Path, kind: str) -> None:
    base, folder = checkout(tmp_path / "base", ONE), tmp_path / "other"
    folder.mkdir()
    if kind == "link":
        (folder / ".git").symlink_to(base / ".git")
    elif kind == "file":
        (folder / ".git").write_text(f"gitdir: {base / '.git'}", encoding="utf-8")
    assert head_of(folder) == Head(why="its .git is a link or a file, as a submodule's or a worktree's is")


@pytest.mark.parametrize("name", ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge/done"])
def test_a_merge_under_way_leaves_files_of_another_commit(tmp_path: Path, name: str) -> None:
    folder = checkout(tmp_path, ONE, {name: TWO})
    assert head_of(folder) == Head(why="a merge or a rebase is under way in it")


def test_a_checkouts_folder_with_a_nul_is_unknown() -> None:
    assert read_head(Path("a\0b")).commit is None


def git(folder: Path, *arguments: str) -> str:
    assert GIT
    quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "HOME": str(folder)}
    for role in ("AUTHOR", "COMMITTER"):
        quiet |= {f"GIT_{role}_NAME": "mona", f"GIT_{role}_EMAIL": "mona@example.com"}
    done = subprocess.run(  # noqa: S603 - git itself, on a folder of this test
        [GIT, "-C", str(folder), *arguments], env=quiet, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.mark.skipif(GIT is None, reason="what git itself writes can only be read where there is git")
def test_what_git_itself_writes_is_read(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--initial-branch", "main")
    git(tmp_path, "commit", "--quiet", "--allow-empty", "--message", "one")
    first = git(tmp_path, "rev-parse", "HEAD")
    assert head_of(tmp_path) == Head(commit=first)
    git(tmp_path, "pack-refs", "--all")
    assert head_of(tmp_path) == Head(commit=first)
    git(tmp_path, "commit", "--quiet", "--allow-empty", "--message", "two")
    second = git(tmp_path, "rev-parse", "HEAD")
    assert head_of(tmp_path) == Head(commit=second)
    git(tmp_path, "checkout", "--quiet", "--detach", first)
    assert head_of(tmp_path) == Head(commit=first)
    git(tmp_path, "worktree", "add", "--quiet", str(tmp_path / "tree"), "main")
    assert head_of(tmp_path / "tree").commit is None
