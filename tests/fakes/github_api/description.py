"""GitHub's own description of its API, and what of a request or a reply it does not allow."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from jsonschema import Draft202012Validator

from tests.fakes.github_api.cut import CUT
from tests.fakes.github_api.wire import Asked, Reply

_MAX_PER_PAGE: Final = 100
_JSON: Final = "application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One thing the API does.

    Attributes:
        id: its name, as `issues/create-comment`.
        about: its part of the description.
        values: the parameters in the path, still as texts.
    """

    id: str
    about: Mapping[str, Any]
    values: Mapping[str, str]


@cache
def description() -> dict[str, Any]:
    """The vendored description, its schemas as JSON Schema has them."""
    read: dict[str, Any] = _as_json_schema(json.loads(CUT.read_text(encoding="utf-8")))
    return read


def schema_of(name: str) -> dict[str, Any]:
    """A schema by its name."""
    found: dict[str, Any] = description()["components"]["schemas"][name]
    return found


def resolved(node: Any) -> Any:
    """What a part refers to; itself where it refers to nothing."""
    while isinstance(node, dict) and "$ref" in node:
        _, kind, name = node["$ref"].removeprefix("#/").split("/")
        node = description()["components"][kind][name]
    return node


def operation_of(method: str, path: str) -> Operation | None:
    """The operation of a method and a path; None where GitHub has none."""
    for template, methods in description()["paths"].items():
        pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(template))
        found = re.fullmatch(pattern, path)
        about = methods.get(method.lower())
        if found and about:
            return Operation(id=about["operationId"], about=about, values=found.groupdict())
    return None


def wrong_with_request(operation: Operation, asked: Asked) -> Iterator[str]:
    """What the description does not allow, a sentence each."""
    parameters = [resolved(item) for item in operation.about.get("parameters", ())]
    known = {item["name"]: item["schema"] for item in parameters if item["in"] == "query"}
    for item in parameters:
        if item["in"] == "path":
            yield from _wrong_text(operation.values[item["name"]], item["schema"], item["name"])
    for name, values in asked.query.items():
        if name not in known:
            yield f"the parameter {name!r} is not known"
        else:
            yield from _wrong_text(values[-1], known[name], name)
            if name == "per_page" and int(values[-1]) > _MAX_PER_PAGE:
                yield f"per_page is {values[-1]}, more than GitHub gives"
    yield from _wrong_body(operation, asked)


def wrong_with_reply(operation: Operation, reply: Reply) -> Iterator[str]:
    """What of a reply the description does not know, a sentence each. Faults of the transport are not looked at."""
    described = resolved(operation.about["responses"].get(str(reply.status)))
    if described is None:
        if reply.status < 400:
            yield f"{operation.id} does not answer {reply.status}"
        elif reply.status < 500:
            yield from _wrong(reply.data, schema_of("basic-error"), "the reply")
    elif _JSON in described.get("content", {}):
        yield from _wrong(reply.data, described["content"][_JSON]["schema"], "the reply")
    elif reply.data is not None:
        yield f"{operation.id} answers {reply.status} without a body"


def _wrong_body(operation: Operation, asked: Asked) -> Iterator[str]:
    wanted = operation.about.get("requestBody")
    if wanted is None:
        if asked.raw:
            yield "a body where none belongs"
        return
    if asked.headers.get("content-type") != _JSON:
        yield f"the body is {asked.headers.get('content-type')!r}, not {_JSON}"
    try:
        yield from _wrong(asked.body, wanted["content"][_JSON]["schema"], "the body")
    except ValueError:
        yield "the body is no JSON"


def _wrong_text(given: str, schema: Mapping[str, Any], name: str) -> Iterator[str]:
    """What is wrong with a parameter, which is a text where its schema may say number."""
    is_number = schema.get("type") == "integer" and re.fullmatch(r"-?\d+", given)
    yield from _wrong(int(given) if is_number else given, schema, name)


def _wrong(value: object, schema: Mapping[str, Any], name: str) -> Iterator[str]:
    validator = Draft202012Validator({**schema, "components": description()["components"]})
    for problem in validator.iter_errors(value):
        yield f"{name}{problem.json_path.removeprefix('$')}: {problem.message[:300]}"


def _as_json_schema(node: Any) -> Any:
    """A part with `nullable`, which OpenAPI 3.0 has alone, as a choice between it and null."""
    if isinstance(node, list):
        return [_as_json_schema(item) for item in node]
    if not isinstance(node, dict):
        return node
    made = {key: _as_json_schema(value) for key, value in node.items()}
    if made.pop("nullable", None) is True:
        return {"anyOf": [made, {"type": "null"}]}
    return made
