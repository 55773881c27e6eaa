"""The process's environment as one value: what `${VAR}` may read, and how far the checkout is trusted."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from holodeck_eval.domain.agent import Secret
from holodeck_eval.domain.options import Environment
from holodeck_eval.github.context import Context

_SECONDS = re.compile(r"[0-9]{1,12}")
_YEAR_9999 = 253_402_300_799


def environment_of(
    environ: Mapping[str, str], context: Context | None = None, hidden: Iterable[str] = ()
) -> Environment:
    """The environment as one value. In a workflow the checkout under test is GITHUB_WORKSPACE.

    Args:
        environ: the variables that may be read.
        context: what GitHub says of this job; None reads it from `environ`.
        hidden: secrets that were taken out of `environ`, and may be shown nowhere.
    """
    context = context or Context.of(environ)
    in_workflow = environ.get("GITHUB_ACTIONS") == "true"
    pull_request = context.event.pull_request
    return Environment(
        variables={name: Secret(value) for name, value in environ.items()},
        workspace=workspace_of(environ) if in_workflow else None,
        source_date_epoch=_epoch(environ.get("SOURCE_DATE_EPOCH", "")),
        head_sha=context.event.head_sha,
        pull_request=pull_request.number if pull_request else None,
        withheld=context.event.withheld,
        hidden=tuple(Secret(text) for text in hidden),
    )


def workspace_of(environ: Mapping[str, str]) -> str:
    """The checkout's folder: in the action there always is one, whatever the runner leaves unsaid."""
    return str(Path(environ.get("GITHUB_WORKSPACE") or ".").absolute())


def _epoch(text: str) -> int | None:
    """The seconds since 1970 that a text gives; None for no number, and for what no calendar holds."""
    seconds = int(text) if _SECONDS.fullmatch(text) else None
    return seconds if seconds is not None and seconds <= _YEAR_9999 else None
