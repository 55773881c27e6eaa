from pathlib import Path

import pytest

from holodeck_eval.assemble.paths import Checkout, find, split_assignments


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout, the working directory, with a file inside and one outside."""
    inside = tmp_path / "checkout"
    (inside / "deep").mkdir(parents=True)
    (inside / "a.txt").write_text("", encoding="utf-8")
    (inside / "deep" / "b.txt").write_text("", encoding="utf-8")
    (tmp_path / "outside.txt").write_text("", encoding="utf-8")
    monkeypatch.chdir(inside)
    return inside


def test_a_checkout_holds_what_is_named_in_it_and_what_links_lead_into_it(folder: Path) -> None:
    checkout = Checkout(folder)
    (folder / "out.txt").symlink_to(folder.parent / "outside.txt")
    (folder.parent / "in.txt").symlink_to(folder / "a.txt")
    held = ["a.txt", "deep/../a.txt", "new.txt", "out.txt", str(folder.parent / "in.txt")]
    assert [checkout.holds(Path(name)) for name in held] == [True] * 5
    assert not checkout.holds(folder.parent / "outside.txt")
    assert not checkout.holds(Path("../outside.txt"))


def test_a_checkout_lets_out_only_what_is_named_in_it(folder: Path) -> None:
    (folder / "out.txt").symlink_to(folder.parent / "outside.txt")
    checkout = Checkout(folder)
    assert checkout.lets_out(Path("out.txt"))
    assert not checkout.lets_out(Path("a.txt"))
    assert not checkout.lets_out(folder.parent / "outside.txt")


def test_on_a_command_line_there_is_no_checkout_to_distrust(folder: Path) -> None:
    assert not Checkout(None).holds(folder / "a.txt")
    assert not Checkout(None).lets_out(folder / "a.txt")


@pytest.mark.parametrize(
    ("patterns", "names"),
    [
        (["a.txt"], ["a.txt"]),
        (["*.txt"], ["a.txt"]),
        (["**/*.txt"], ["a.txt", "deep/b.txt"]),
        (["deep/b.txt", "**/*.txt"], ["deep/b.txt", "a.txt"]),
        (["dee*"], []),
        (["none.txt"], []),
    ],
)
@pytest.mark.usefixtures("folder")
def test_files_are_found_once_in_order_and_folders_never(patterns: list[str], names: list[str]) -> None:
    found, problems = find(patterns, what="agent", checkout=Checkout(None))
    assert found == names
    assert [problem.message for problem in problems] == (
        [] if names else [f"no agent file is found at {patterns[0]!r}"]
    )


def test_an_assignment_needs_an_agents_name() -> None:
    items = ["helper=runs/*.jsonl", "other=x.jsonl", "plain.jsonl"]
    assert list(split_assignments(items, ["helper"])) == [
        ("helper", "runs/*.jsonl"),
        (None, "other=x.jsonl"),
        (None, "plain.jsonl"),
    ]
