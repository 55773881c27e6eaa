from pathlib import Path

from tests.fakes.git_folder import checkout


def test_a_checkout_holds_what_git_writes(tmp_path: Path) -> None:
    made = checkout(
        tmp_path / "a", "ref: refs/heads/x", {"refs/heads/x": "1" * 40}, {"refs/tags/t": "2" * 40}
    )
    files = {path.relative_to(made).as_posix() for path in made.rglob("*") if path.is_file()}
    assert files == {".git/HEAD", ".git/refs/heads/x", ".git/packed-refs"}
    assert (made / ".git" / "HEAD").read_text(encoding="utf-8") == "ref: refs/heads/x\n"
    assert f"\n{'2' * 40} refs/tags/t\n" in (made / ".git" / "packed-refs").read_text(encoding="utf-8")


def test_a_detached_checkout_has_no_refs(tmp_path: Path) -> None:
    made = checkout(tmp_path, "1" * 40)
    assert [path.name for path in (made / ".git").iterdir()] == ["HEAD"]
