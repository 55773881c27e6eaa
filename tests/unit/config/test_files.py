import os
from pathlib import Path

import pytest

from holodeck_eval.config import files
from holodeck_eval.config.files import beside, leaves_workspace, read_document, refuse_link
from holodeck_eval.config.findings import Findings
from holodeck_eval.errors import ConfigError


def refusal(path: Path) -> str:
    with pytest.raises(ConfigError) as caught:
        read_document(path, shown_as="f.yaml", findings=Findings())
    return str(caught.value)


def written(folder: Path, data: bytes) -> Path:
    path = folder / "f.yaml"
    path.write_bytes(data)
    return path


def test_a_byte_order_mark_is_no_part_of_the_first_key(tmp_path: Path) -> None:
    root = read_document(
        written(tmp_path, b"\xef\xbb\xbfname: x\r\n"), shown_as="f.yaml", findings=Findings()
    )
    assert root.value == {"name": "x"}
    assert str(root.locate(("name",))) == "f.yaml:1:7"


def test_a_file_that_is_not_utf_8_is_refused_at_the_byte(tmp_path: Path) -> None:
    assert refusal(written(tmp_path, b"a: 1\nb\xc3\xa9: caf\xe9\n")) == (
        "f.yaml:2:8: the file is not UTF-8 (byte 0xe9 here); save it as UTF-8"
    )


def test_an_empty_file_is_refused_unless_it_may_be_empty(tmp_path: Path) -> None:
    path = written(tmp_path, b"# nothing\n")
    assert refusal(path) == "f.yaml: the file is empty"
    assert read_document(path, shown_as="f.yaml", findings=Findings(), may_be_empty=True).value is None


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.yaml") == "f.yaml: there is no such file"
    assert refusal(tmp_path) == "f.yaml: this is not a file"


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert refusal(tmp_path / "pipe") == "f.yaml: this is not a file"


def test_a_name_the_system_cannot_open_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path / ("x" * 300)) == "f.yaml: the file cannot be read: File name too long"


def test_a_file_over_the_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    with path.open("wb") as stream:
        stream.truncate(files.MAX_BYTES + 1)
    assert refusal(path) == "f.yaml: the file is larger than 64 MiB; split it"


def test_a_file_beside_another_is_shown_in_the_same_folder() -> None:
    assert beside("agents/a/agent.yaml", "data/cases.yaml") == "agents/a/data/cases.yaml"
    assert beside("agents/a/agent.yaml", "../cases.yaml") == "agents/cases.yaml"
    assert beside("agent.yaml", "/data/cases.yaml") == "/data/cases.yaml"


def test_on_a_command_line_any_path_may_be_read(tmp_path: Path) -> None:
    assert not leaves_workspace(Path("/etc/hostname"), home=tmp_path, workspace=None)


def test_a_path_leaves_the_workspace_by_dots_by_a_link_or_by_being_absolute(tmp_path: Path) -> None:
    home = tmp_path / "work" / "agents"
    home.mkdir(parents=True)
    (home / "link.yaml").symlink_to("/etc/hostname")
    workspace = str(tmp_path / "work")
    assert not leaves_workspace(home / "../cases.yaml", home=home, workspace=workspace)
    assert leaves_workspace(home / "../../cases.yaml", home=home, workspace=workspace)
    assert leaves_workspace(home / "link.yaml", home=home, workspace=workspace)
    assert leaves_workspace(Path("/etc/hostname"), home=home, workspace=workspace)


def test_a_folder_that_only_begins_like_the_workspace_is_outside(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    other = tmp_path / "workshop" / "cases.yaml"
    assert leaves_workspace(other, home=tmp_path / "work", workspace=str(tmp_path / "work"))


def test_beside_an_agent_outside_the_workspace_its_own_folder_may_be_read(tmp_path: Path) -> None:
    home = tmp_path / "temp"
    assert not leaves_workspace(home / "cases.yaml", home=home, workspace=str(tmp_path / "work"))


def test_a_link_out_of_the_workspace_is_refused(tmp_path: Path) -> None:
    link = tmp_path / "agent.yaml"
    link.symlink_to("/etc/hostname")
    with pytest.raises(
        ConfigError, match=r"^a\.yaml: this is a link that leads out of the workspace; put the"
    ):
        refuse_link(link, shown_as="a.yaml", workspace=str(tmp_path))


def test_a_file_that_is_meant_to_lie_outside_the_workspace_is_read(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    refuse_link(tmp_path / "policy.yaml", shown_as="p", workspace=str(tmp_path / "work"))
    refuse_link(tmp_path / "work" / "policy.yaml", shown_as="p", workspace=str(tmp_path / "work"))
    refuse_link(Path("/etc/hostname"), shown_as="p", workspace=None)
