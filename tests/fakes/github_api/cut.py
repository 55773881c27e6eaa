"""Cuts GitHub's description of its REST API down to what the fake plays.

Run it after a new version of npm's `@octokit/openapi`, and write the version into SOURCE.md:
`python -m tests.fakes.github_api.cut path/to/generated/api.github.com.json`.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

OPERATIONS: Final = {
    "/repos/{owner}/{repo}/issues/{issue_number}/comments": ("get", "post"),
    "/repos/{owner}/{repo}/issues/comments/{comment_id}": ("get", "patch", "delete"),
    "/repos/{owner}/{repo}/pulls": ("get",),
    "/repos/{owner}/{repo}/pulls/{pull_number}": ("get",),
}
"""The methods that are kept of each path."""

CUT: Final = Path(__file__).with_name("openapi.json")

_PROSE: Final = frozenset(
    {"description", "summary", "example", "examples", "externalDocs", "tags", "title", "deprecated"}
)
_REF: Final = "#/components/"


def cut(whole: Mapping[str, Any]) -> dict[str, Any]:
    """The description with the kept operations, and the components that these refer to, without prose."""
    paths = {
        path: {method: bare(whole["paths"][path][method]) for method in methods}
        for path, methods in OPERATIONS.items()
    }
    kept: dict[str, dict[str, Any]] = {}
    wanted = set(refs(paths))
    while wanted:
        kind, name = wanted.pop()
        if name not in kept.setdefault(kind, {}):
            kept[kind][name] = bare(whole["components"][kind][name])
            wanted |= set(refs(kept[kind][name]))
    info = {key: whole["info"][key] for key in ("title", "version", "license")}
    return {"openapi": whole["openapi"], "info": info, "paths": paths, "components": kept}


def bare(node: Any, *, names: bool = False) -> Any:
    """A part of the description without prose and without vendors' keys.

    Args:
        node: the part.
        names: whether its keys are names of properties, which may be any words.
    """
    if isinstance(node, list):
        return [bare(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: bare(value, names=key in {"properties", "headers"} and not names)
        for key, value in node.items()
        if names or not (key in _PROSE or key.startswith("x-"))
    }


def refs(node: Any) -> Iterator[tuple[str, str]]:
    """Kind and name of each component that a part refers to."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "$ref" and isinstance(value, str):
                kind, _, name = value.removeprefix(_REF).partition("/")
                yield kind, name
            else:
                yield from refs(value)
    elif isinstance(node, list):
        for item in node:
            yield from refs(item)


def main(name: str, out: Path = CUT) -> None:
    """Write the cut description, beside this file unless told otherwise."""
    whole = json.loads(Path(name).read_text(encoding="utf-8"))
    text = json.dumps(cut(whole), indent=1, sort_keys=True, ensure_ascii=False)
    out.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
