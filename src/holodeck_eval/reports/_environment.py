"""The one Jinja environment: every expression is escaped unless a filter made it Markdown."""

import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from jinja2 import FileSystemBytecodeCache, PackageLoader, StrictUndefined
from jinja2.bccache import Bucket
from jinja2.sandbox import SandboxedEnvironment

from holodeck_eval.reports._markdown import code, finalize, md, num, pct, sha, usd
from holodeck_eval.reports.headline import cases

FILTERS: Final = {"md": md, "code": code, "num": num, "pct": pct, "sha": sha, "cases": cases, "usd": usd}


class CompiledTemplates(FileSystemBytecodeCache):
    """Compiled templates beside the compiled modules of this package, kept and trusted as those are.

    Compiling them takes longer than a run of 200 cases takes to be rendered. What is kept is used for the
    very source it was made from. Where it cannot be written, templates are compiled each time.
    """

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a compiled template, unless Python is told to keep nothing compiled."""
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                super().dump_bytecode(bucket)


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
        bytecode_cache=CompiledTemplates(str(Path(__file__).parent / "__pycache__")),
    )
    made.filters.update(FILTERS)
    return made
