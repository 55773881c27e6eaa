"""What root wrote into the workspace is given to the workspace's owner, and nothing else is."""

import os
from pathlib import Path

import pytest

from holodeck_eval.github.ownership import give_back

OWNER, GROUP, OTHER = 12001, 12002, 12003

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A folder of another user."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    os.chown(folder, OWNER, GROUP)
    return folder


def owner_of(path: Path) -> tuple[int, int]:
    found = path.lstat()
    return found.st_uid, found.st_gid


def written(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x", encoding="utf-8")
    return path


@as_root
def test_files_and_the_folders_above_them_become_the_owners(workspace: Path) -> None:
    file = written(workspace / "a" / "b" / "results.json")
    folder = workspace / "a" / "empty"
    folder.mkdir()
    beside = written(workspace / "a" / "beside")
    assert give_back([file, folder], workspace) is None
    for path in (file, folder, workspace / "a", workspace / "a" / "b"):
        assert owner_of(path) == (OWNER, GROUP), path
    assert owner_of(beside) == (0, 0)


@as_root
def test_paths_may_be_relative_or_lead_through_links_within_the_workspace(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(workspace / "deep" / "a.json")
    (workspace / "link").symlink_to("deep")
    monkeypatch.chdir(workspace)
    assert give_back([Path("link/a.json")], Path()) is None
    assert owner_of(file) == owner_of(workspace / "deep") == (OWNER, GROUP)
    assert owner_of(workspace / "link") == (0, 0)


@as_root
def test_a_file_or_folder_of_somebody_else_stays_theirs(workspace: Path) -> None:
    file = written(workspace / "theirs" / "a")
    os.chown(file, OTHER, OTHER)
    os.chown(file.parent, OTHER, OTHER)
    assert give_back([file], workspace) is None
    assert owner_of(file) == owner_of(file.parent) == (OTHER, OTHER)


@as_root
def test_a_link_gives_nothing_away(workspace: Path, tmp_path: Path) -> None:
    outside = written(tmp_path / "outside" / "shadow")
    (workspace / "file").symlink_to(outside)
    (workspace / "folder").symlink_to(outside.parent)
    given = [workspace / "file", workspace / "folder", workspace / "folder" / "shadow"]
    said = give_back(given, workspace)
    assert owner_of(outside) == owner_of(outside.parent) == (0, 0)
    assert said is not None
    assert "file' stays root's" in said
    assert said.endswith(", and 1 more")


@as_root
def test_a_second_name_of_a_file_gives_nothing_away(workspace: Path, tmp_path: Path) -> None:
    outside = written(tmp_path / "shadow")
    os.link(outside, workspace / "results.json")
    assert give_back([workspace / "results.json"], workspace) is None
    assert owner_of(outside) == (0, 0)


@as_root
@pytest.mark.parametrize("name", ["../outside", "..", ".", "", "in/../../outside", "in/.."])
def test_nothing_outside_the_workspace_is_given_away(workspace: Path, tmp_path: Path, name: str) -> None:
    outside = written(tmp_path / "outside")
    (workspace / "in").mkdir()
    before = owner_of(tmp_path)
    assert give_back([workspace / name, outside], workspace) is None
    assert owner_of(outside) == before == owner_of(tmp_path)
    assert owner_of(workspace) == (OWNER, GROUP)


@as_root
def test_what_is_neither_a_file_nor_a_folder_stays(workspace: Path) -> None:
    os.mkfifo(workspace / "pipe")
    assert give_back([workspace / "pipe"], workspace) is None
    assert owner_of(workspace / "pipe") == (0, 0)


@as_root
def test_what_is_not_there_is_left_out(workspace: Path) -> None:
    assert give_back([workspace / "none" / "a", workspace / "none"], workspace) is None


@as_root
def test_a_file_where_a_folder_is_meant_is_said_and_the_rest_is_given(workspace: Path) -> None:
    file, other = written(workspace / "file"), written(workspace / "other")
    assert give_back([file / "below", other], workspace) == (
        f"{str(file / 'below')!r} stays root's, so that later steps may be unable to change it (Not a directory)"
    )
    assert owner_of(file) == owner_of(other) == (OWNER, GROUP)


@as_root
def test_in_roots_own_workspace_nothing_changes(tmp_path: Path) -> None:
    file = written(tmp_path / "a")
    os.chown(tmp_path, 0, GROUP)
    assert give_back([file], tmp_path) is None
    assert owner_of(file) == (0, 0)


@as_root
def test_anybody_but_root_gives_nothing_away(workspace: Path) -> None:
    file = written(workspace / "a")
    os.seteuid(OWNER)
    try:
        said = give_back([file], Path("/"))
    finally:
        os.seteuid(0)
    assert said is None
    assert owner_of(file) == (0, 0)


def test_a_workspace_that_is_not_there_is_said(tmp_path: Path) -> None:
    said = give_back([tmp_path / "none" / "a"], tmp_path / "none")
    assert said is not None
    assert "No such file or directory" in said
