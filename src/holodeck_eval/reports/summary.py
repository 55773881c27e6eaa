"""summary.md: the job's summary page, with room for every case."""

from typing import Final

from holodeck_eval.domain.run import Run
from holodeck_eval.reports._document import Shape, compose

SHAPE: Final = Shape(template="summary.md.j2", limit=900 * 1024, in_sight=50, few=50, text=2_000)
"""GitHub drops a whole summary over 1 MiB."""


def render(run: Run) -> str:
    """The summary, in at most 900 KiB."""
    return compose(run, SHAPE)
