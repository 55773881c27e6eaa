"""The one Jinja environment: every expression is escaped unless a filter made it Markdown."""

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from jinja2 import FileSystemBytecodeCache, PackageLoader, StrictUndefined
from jinja2.bccache import Bucket
from jinja2.sandbox import SandboxedEnvironment

from holodeck_eval.reports._markdown import code, finalize, glued, link, md, narrow, num, pct, sha, usd
from holodeck_eval.reports._signs import chance, interval, move, plot, scale, signed, spark
from holodeck_eval.reports._words import cases, sentence

FILTERS: Final[dict[str, Callable[..., str | bool | list[str]]]] = {
    "md": md,
    "narrow": narrow,
    "code": code,
    "link": link,
    "num": num,
    "pct": pct,
    "sha": sha,
    "usd": usd,
    "cases": cases,
    "sentence": sentence,
    "signed": signed,
    "chance": chance,
    "spark": spark,
    "moved": lambda flip: move(flip.before, flip.now, flip.threshold),
    "scale": scale,
    "means": lambda metric: move(metric.baseline, metric.now),
    "interval": lambda metric: interval(metric.low, metric.high),
    "words": lambda code: code.replace("_", " "),
    "hold": lambda causes, code: any(cause.code == code for cause in causes),
    "glued": glued,
    "told": lambda texts: [text for text in texts if text],
    "plot": lambda metric, end: plot(metric.difference, metric.low, metric.high, end),
}
"""What templates may call. Only what ends in `Markup` is taken as it is; the rest is escaped."""


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
