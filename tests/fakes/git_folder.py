"""Checkouts as git leaves them, made by hand: the folder `.git` with HEAD and refs in it."""

from collections.abc import Mapping
from pathlib import Path


def checkout(
    folder: Path,
    head: str,
    refs: Mapping[str, str] | None = None,
    packed: Mapping[str, str] | None = None,
) -> Path:
    """A folder with a `.git`.

    Args:
        folder: is made where it is not there.
        head: what HEAD says: a commit, or `ref: NAME`.
        refs: what loose refs say, by name.
        packed: the commits in packed-refs, by name.
    """
    git = folder / ".git"
    git.mkdir(parents=True)
    for name, content in {"HEAD": head, **(refs or {})}.items():
        (git / name).parent.mkdir(parents=True, exist_ok=True)
        (git / name).write_text(f"{content}\n", encoding="utf-8")
    if packed is not None:
        lines = [f"{commit} {name}\n" for name, commit in sorted(packed.items())]
        text = "".join(["# pack-refs with: peeled fully-peeled sorted \n", *lines, f"^{'9' * 40}\n"])
        (git / "packed-refs").write_text(text, encoding="utf-8")
    return folder
