"""GitHub's description of its API as it is vendored, and what the fake makes of it."""

import json
from pathlib import Path

from tests.fakes.github_api.cut import CUT, OPERATIONS, bare, cut, main, refs
from tests.fakes.github_api.description import description, operation_of, wrong_with_reply
from tests.fakes.github_api.minimal import merged, minimal
from tests.fakes.github_api.wire import Reply, error


def test_replies_are_held_against_what_the_operation_may_answer() -> None:
    operation = operation_of("DELETE", "/repos/o/r/issues/comments/1")
    assert operation is not None
    wrong = {
        "without": Reply(status=204),
        "with": Reply(status=204, data={}),
        "other": Reply(status=200),
        "refused": error(403, "No"),
        "unsaid": Reply(status=403, data={"message": 1}),
        "broken": Reply(status=502, raw=b"<html>"),
    }
    assert {name: list(wrong_with_reply(operation, reply)) for name, reply in wrong.items()} == {
        "without": [],
        "with": ["issues/delete-comment answers 204 without a body"],
        "other": ["issues/delete-comment does not answer 200"],
        "refused": [],
        "unsaid": ["the reply.message: 1 is not of type 'string'"],
        "broken": [],
    }


def test_the_description_is_small_whole_and_has_the_operations_alone() -> None:
    assert CUT.stat().st_size < 300_000
    assert {path: tuple(methods) for path, methods in description()["paths"].items()} == {
        path: tuple(sorted(methods)) for path, methods in OPERATIONS.items()
    }
    assert all(name in description()["components"][kind] for kind, name in refs(description()))
    source = Path(CUT).with_name("SOURCE.md").read_text(encoding="utf-8")
    assert f"`@octokit/openapi` {description()['info']['version']} (MIT" in source


def test_the_cut_keeps_what_is_referred_to_and_drops_prose() -> None:
    thing = {"type": "object", "description": "Long.", "properties": {"description": {"type": "string"}}}
    whole = {
        "openapi": "3.0.3",
        "info": {"title": "T", "version": "1", "license": {}, "contact": {}},
        "paths": {
            path: {method: {"x-github": {}, "$ref": "#/components/schemas/a"} for method in methods}
            | {"put": {"$ref": "#/components/schemas/c"}}
            for path, methods in OPERATIONS.items()
        },
        "components": {"schemas": {"a": {"items": {"$ref": "#/components/schemas/b"}}, "b": thing, "c": {}}},
    }
    made = cut(whole)
    assert set(made["components"]["schemas"]) == {"a", "b"}
    assert made["components"]["schemas"]["b"] == {
        "type": "object",
        "properties": {"description": {"type": "string"}},
    }
    assert "put" not in made["paths"]["/repos/{owner}/{repo}/pulls"]
    assert cut(made) == made
    assert bare([{"example": 1, "properties": {"x-y": {"x-y": 1}}}]) == [{"properties": {"x-y": {}}}]


def test_the_smallest_value_of_a_schema_has_what_is_required() -> None:
    schema = {
        "type": "object",
        "required": ["at", "kind", "parts", "whole", "either"],
        "properties": {
            "at": {"type": "string", "format": "date-time"},
            "kind": {"enum": ["b", "a"]},
            "parts": {"type": "array"},
            "whole": {"allOf": [{"required": ["n"], "properties": {"n": {"type": "integer"}}}, {}]},
            "either": {"oneOf": [{"type": "boolean"}, {"type": "string"}]},
            "not_wanted": {"type": "string"},
        },
    }
    assert minimal(schema) == {
        "at": "2026-01-01T00:00:00Z",
        "kind": "b",
        "parts": [],
        "whole": {"n": 1},
        "either": False,
    }
    assert minimal({"type": "string"}) == "x"
    assert merged({"a": {"b": 1, "c": 2}}, {"a": {"b": 3}}, {"d": [4]}) == {"a": {"b": 3, "c": 2}, "d": [4]}


def test_the_vendored_description_is_what_the_script_writes(tmp_path: Path) -> None:
    whole = json.loads(CUT.read_text(encoding="utf-8"))
    whole["components"]["schemas"]["not-used"] = {"type": "string"}
    whole["paths"]["/user"] = {"get": {}}
    (tmp_path / "whole.json").write_text(json.dumps(whole))
    main(str(tmp_path / "whole.json"), tmp_path / "cut.json")
    assert (tmp_path / "cut.json").read_bytes() == CUT.read_bytes()
