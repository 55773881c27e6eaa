"""Paths of the runner's machine, as they stand in inputs, and where the container has them."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holodeck_eval.github.host_paths import out_of_sight, to_container

HOSTED: Mapping[str, str] = {
    "GITHUB_WORKSPACE": "/github/workspace",
    "GITHUB_REPOSITORY": "octo/demo",
    "RUNNER_TEMP": "/github/runner_temp",
    "RUNNER_WORKSPACE": "/home/runner/work/demo",
}
UNNAMED: Mapping[str, str] = {"GITHUB_WORKSPACE": "/github/workspace", "RUNNER_TEMP": "/github/runner_temp"}


@pytest.mark.parametrize(
    ("item", "mapped"),
    [
        ("/home/runner/work/demo/demo/agent.yaml", "/github/workspace/agent.yaml"),
        ("/home/runner/work/demo/demo", "/github/workspace"),
        ("/home/runner/work/demo/demo/", "/github/workspace/"),
        ("/home/runner/work/demo/demo/runs/**/*.jsonl", "/github/workspace/runs/**/*.jsonl"),
        ("helper=/home/runner/work/demo/demo/runs/*.jsonl", "helper=/github/workspace/runs/*.jsonl"),
        ("/home/runner/work/_temp/base", "/github/runner_temp/base"),
        ("helper=/home/runner/work/_temp/a.jsonl", "helper=/github/runner_temp/a.jsonl"),
        ("/home/runner/work/_temp", "/github/runner_temp"),
        ("/__w/demo/demo/agent.yaml", "/github/workspace/agent.yaml"),
        ("/__w/_temp/x", "/github/runner_temp/x"),
        ("/runner/_work/demo/demo/a=b.yaml", "/github/workspace/a=b.yaml"),
        ("/home/runner/work/demo/demo/work/x/x/a", "/github/workspace/work/x/x/a"),
    ],
)
def test_a_path_of_the_runner_is_mapped_into_the_container(item: str, mapped: str) -> None:
    assert to_container(item, HOSTED) == mapped
    if "demo/demo" in item or "_temp" in item:
        assert to_container(item, UNNAMED) == mapped


@pytest.mark.parametrize(
    "item",
    [
        "",
        "agent.yaml",
        "runs/**/*.jsonl",
        "helper=runs/*.jsonl",
        "OLD=NEW",
        "=",
        "/",
        "../demo/demo/x",
        "/github/workspace/work/demo/demo/a.yaml",
        "/github/runner_temp/work/_temp/a",
        "/github/workspace",
        "/var/work",
        "/home/runner/work/demo",
        "/home/runner/work/demo/other/a.yaml",
        "/home/runner/work/demo/demos/a.yaml",
        "/home/runner/work/other/other/a.yaml",
        "/home/runner/work/../work2/demo",
        "/home/runner/work/demo/../demo/x",
        "/home/runner/works/demo/demo/x",
        r"D:\a\demo\demo\agent.yaml",
        "D:/a/demo/demo/agent.yaml",
        "helper=D:/work/demo/demo/a",
    ],
)
def test_what_the_container_has_or_cannot_have_stays_as_it_is(item: str) -> None:
    assert to_container(item, HOSTED) == item


def test_a_path_that_climbs_is_mapped_as_it_is_and_still_seen_to_leave() -> None:
    assert to_container("/home/runner/work/demo/demo/../x", HOSTED) == "/github/workspace/../x"


def test_a_runners_own_work_folder_is_known_by_the_variable() -> None:
    own = {**HOSTED, "RUNNER_WORKSPACE": "/srv/jobs/demo"}
    assert to_container("/srv/jobs/demo/demo/a.yaml", own) == "/github/workspace/a.yaml"
    assert to_container("/srv/jobs/_temp/a", own) == "/github/runner_temp/a"
    assert to_container("/srv/jobs/demo/demo/a.yaml", UNNAMED) == "/srv/jobs/demo/demo/a.yaml"


def test_a_repository_that_was_renamed_is_known_by_either_name() -> None:
    renamed = {**HOSTED, "RUNNER_WORKSPACE": "/home/runner/work/old"}
    assert to_container("/home/runner/work/old/demo/a", renamed) == "/github/workspace/a"
    assert to_container("/home/runner/work/old/old/a", renamed) == "/github/workspace/a"


def test_a_repository_called_work_is_found_where_it_begins() -> None:
    work = {**HOSTED, "GITHUB_REPOSITORY": "octo/work", "RUNNER_WORKSPACE": "/home/runner/work/work"}
    assert to_container("/home/runner/work/work/work/a", work) == "/github/workspace/a"
    del work["RUNNER_WORKSPACE"]
    assert to_container("/home/runner/work/work/work/a", work) == "/github/workspace/a"


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"GITHUB_WORKSPACE": "relative", "RUNNER_TEMP": ""},
        {"GITHUB_WORKSPACE": "/home/runner/work/demo/demo", "RUNNER_TEMP": "/home/runner/work/_temp"},
        {**HOSTED, "GITHUB_WORKSPACE": "/", "RUNNER_TEMP": "/"},
    ],
)
@pytest.mark.parametrize("item", ["/home/runner/work/demo/demo/a.yaml", "/home/runner/work/_temp/a"])
def test_outside_a_container_nothing_is_mapped(environ: Mapping[str, str], item: str) -> None:
    assert to_container(item, environ) == item


def test_an_older_runner_that_does_not_share_its_temp_folder_is_left_to_say_so() -> None:
    older = {**HOSTED, "RUNNER_TEMP": "/home/runner/work/_temp"}
    assert to_container("/home/runner/work/_temp/a", older) == "/home/runner/work/_temp/a"


@pytest.mark.parametrize("above", ["demo", "/", "/demo"])
def test_a_malformed_runner_workspace_names_no_work_folder(above: str) -> None:
    environ = {**HOSTED, "RUNNER_WORKSPACE": above}
    assert to_container("/_temp/x", environ) == "/_temp/x"
    assert to_container("/demo/demo/x", environ) == "/demo/demo/x"


PARTS = st.text(st.characters(exclude_characters="/", exclude_categories=["Cs"]), min_size=1, max_size=8)


@given(st.lists(PARTS | st.sampled_from(["..", "work", "demo", "_temp"]), max_size=5))
def test_whatever_stands_below_the_checkout_stays_and_mapping_twice_is_mapping_once(parts: list[str]) -> None:
    mapped = to_container("/".join(["/home/runner/work/demo/demo", *parts]), HOSTED)
    assert mapped == "/".join(["/github/workspace", *parts])
    assert to_container(mapped, HOSTED) == mapped


PIECES = ["/home/runner/work", "/work", "/__w", "/demo", "/_temp", "/github", "/..", "/", "=", "x", "*", "\n"]


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=8).map("".join))
def test_no_item_breaks_the_mapping_or_is_mapped_twice(item: str) -> None:
    once = to_container(item, HOSTED)
    assert to_container(once, HOSTED) == once
    assert once == item or "/github/" in once


@pytest.mark.parametrize(
    "item",
    [
        "/home/runner/elsewhere/a.yaml",
        "helper=/home/runner/elsewhere/*.jsonl",
        r"D:\a\demo\agent.yaml",
        "D:/a/demo/agent.yaml",
        r"\\server\share\agent.yaml",
    ],
)
def test_a_path_that_only_the_runner_has_is_told_apart_from_a_missing_file(item: str) -> None:
    problem = out_of_sight(item, HOSTED)
    assert problem is not None
    assert "the action's container does not see" in problem.message
    assert "runner.temp" in problem.message


def test_what_is_there_is_in_sight(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").touch()
    assert out_of_sight(str(tmp_path / "a.jsonl"), HOSTED) is None
    assert out_of_sight(str(tmp_path / "*.jsonl"), HOSTED) is None
    assert out_of_sight(str(tmp_path / "*.yaml"), HOSTED) is not None


@pytest.mark.parametrize("item", ["agent.yaml", "/github/workspace/none", "/github/runner_temp/none", "a=b"])
def test_what_the_container_could_have_is_only_missing(item: str) -> None:
    assert out_of_sight(item, HOSTED) is None


def test_outside_a_container_nothing_is_out_of_sight() -> None:
    assert out_of_sight("/home/runner/elsewhere/a.yaml", {}) is None
    assert out_of_sight("/nowhere", {"GITHUB_WORKSPACE": "/home/runner/work/demo/demo"}) is None
