"""The one Jinja environment: every expression is escaped unless a filter made it Markdown."""

from functools import cache
from typing import Final

from jinja2 import PackageLoader, StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

from holodeck_eval.reports._headline import cases
from holodeck_eval.reports._markdown import code, finalize, md, num, pct, sha, usd

FILTERS: Final = {"md": md, "code": code, "num": num, "pct": pct, "sha": sha, "cases": cases, "usd": usd}


@cache
def environment() -> SandboxedEnvironment:
    """The environment of the templates.

    `autoescape` is on so that what `finalize` and macros return is known as safe; the escaping itself
    is Markdown's, done by `finalize`.
    """
    made = SandboxedEnvironment(
        loader=PackageLoader("holodeck_eval", "templates"),
        undefined=StrictUndefined,
        autoescape=True,
        finalize=finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters.update(FILTERS)
    return made
