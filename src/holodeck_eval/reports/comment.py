"""comment.md: what a reviewer of the pull request sees."""

from typing import Final

from holodeck_eval.domain.run import Run
from holodeck_eval.reports._document import Shape, compose

SHAPE: Final = Shape(template="comment.md.j2", limit=60_000, in_sight=10, few=5, text=600)
"""GitHub takes 65,536 characters; what is left over is for the sticky comment's marker."""


def render(run: Run) -> str:
    """The comment, in at most 60,000 UTF-8 bytes."""
    return compose(run, SHAPE)
