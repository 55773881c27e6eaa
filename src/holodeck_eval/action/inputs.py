"""The action's inputs to a role and its options: the same ones as the command line's, spelt INPUT_NAME."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final, Literal, cast

import click

from holodeck_eval.arguments import COMMENT_MODES, LISTS, parse, run_options
from holodeck_eval.domain.options import CommentMode, Options
from holodeck_eval.domain.wording import nearest, quoted
from holodeck_eval.errors import Problem, UsageError
from holodeck_eval.github.host_paths import out_of_sight, to_container

PREFIX: Final = "INPUT_"

_FLAG: Final = re.compile("'--([a-z-]+)'")

Role = Literal["gate", "merge", "publish"]

_SAID: Final = frozenset({"comment", "comment_key", "github_token", "out"})
ROLES: Final[Mapping[Role, frozenset[str]]] = {
    "merge": _SAID | {"baseline", "rename_agent", "trust_checkout"},
    "publish": _SAID,
}
"""Inputs that make the action do something else than judge, and those that mean something beside them."""

PATHS: Final = frozenset({"agent", "transcripts", "policy", "verdicts", "baseline", "out", *ROLES})
"""Inputs that name files: the runner maps those into the container only where one is the whole input."""


def role_of(environ: Mapping[str, str]) -> Role:
    """What the action is asked to do.

    Raises:
        UsageError: for two things at once.
    """
    asked = [role for role in ROLES if given(environ, role)]
    if len(asked) > 1:
        raise UsageError(
            Problem(message=f"the inputs {' and '.join(asked)} are two steps: give each its own")
        )
    return asked[0] if asked else "gate"


def options_of(environ: Mapping[str, str], role: Role) -> Options:
    """The options that the inputs give.

    Raises:
        UsageError: with the sentence that says what is wrong.
    """
    try:
        return parse(list(_arguments(environ, role)), ROLES.get(role))
    except UsageError as error:
        raise UsageError(*(replace(one, message=_as_inputs(one.message)) for one in error.problems)) from None


def given(environ: Mapping[str, str], name: str) -> str:
    """An input's text, without the white space around it; "" where it is unset."""
    return environ.get(f"{PREFIX}{name.upper()}", "").strip()


def items(environ: Mapping[str, str], name: str) -> list[str]:
    """What an input has, one on a line."""
    lines = (line.strip() for line in given(environ, name).splitlines())
    return [_path(environ, line) if name in PATHS else line for line in lines if line]


def unparsed(environ: Mapping[str, str]) -> Options:
    """Options for reporting that the inputs cannot be used: where to, and what is read without a doubt."""
    mode, out = given(environ, "comment"), given(environ, "out")
    plain = Options(agent=(), transcripts=())
    return replace(
        plain,
        out=to_container(out, environ) if out else plain.out,
        comment=cast("CommentMode", mode) if mode in COMMENT_MODES else None,
        comment_key=given(environ, "comment_key"),
    )


def _arguments(environ: Mapping[str, str], role: Role) -> Iterator[str]:
    """The inputs that are set, as command-line arguments."""
    params = {str(param.name): param for param in run_options()}
    for variable, value in sorted(environ.items()):
        name = variable.removeprefix(PREFIX).lower()
        if not variable.startswith(PREFIX) or name == role:
            continue
        if name not in params and name not in ROLES:
            raise UsageError(Problem(message=_unknown(name, [*params, *ROLES])))
        if not value.strip():
            continue
        if role in ROLES and name not in ROLES[role]:
            raise UsageError(Problem(message=f"the input {name} means nothing beside {role}"))
        yield from _argument(environ, name, params[name])


def _argument(environ: Mapping[str, str], name: str, param: click.Parameter) -> Iterator[str]:
    flag, value = f"--{name.replace('_', '-')}", given(environ, name)
    if getattr(param, "is_flag", False):
        yield from [flag] if _boolean(name, value) else param.secondary_opts
    elif name in LISTS:
        yield from (f"{flag}={item}" for item in items(environ, name))
    else:
        yield f"{flag}={_path(environ, value) if name in PATHS else value}"


def _path(environ: Mapping[str, str], item: str) -> str:
    """A path as the container has it.

    Raises:
        UsageError: for one that the container does not see.
    """
    mapped = to_container(item, environ)
    if problem := out_of_sight(mapped, environ):
        raise UsageError(problem)
    return mapped


def _boolean(name: str, value: str) -> bool:
    text = value.lower()
    if text not in {"true", "false"}:
        raise UsageError(Problem(message=f"the input {name} takes true or false, not {value!r}"))
    return text == "true"


def _as_inputs(sentence: str) -> str:
    """A sentence about options of the command line, with the inputs' names for them."""
    named = _FLAG.sub(lambda flag: f"'{flag[1].replace('-', '_')}'", sentence)
    return named.replace("Missing option '", "Missing input '")


def _unknown(name: str, known: list[str]) -> str:
    return f"the action has no input {quoted(name)}{nearest(name, known)}"
