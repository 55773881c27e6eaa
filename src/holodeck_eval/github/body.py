"""A comment's body: the report, cut where it is too long, and the marker as its last line."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from holodeck_eval.errors import GitHubError
from holodeck_eval.github.marker import Marker
from holodeck_eval.github.ports import Comment, Comments
from holodeck_eval.github.trimming import fit, units

LIMIT: Final = 65_536
"""Characters GitHub takes in a comment. UTF-16 units are never fewer, however it counts."""

SHORT: Final = 16_000
"""UTF-16 units tried when GitHub finds that too long all the same: they are at most 48,000 bytes."""

_TOO_LONG: Final = 422


def body_of(text: str, marker: Marker, limit: int = LIMIT) -> str:
    """The body, in at most `limit` UTF-16 units."""
    ending = f"\n\n{marker}"
    return fit(text.rstrip("\n"), limit - units(ending)) + ending


@dataclass(slots=True, kw_only=True)
class Writer:
    """Writes one report to a pull request, as a comment of its own or in the place of another.

    Attributes:
        comments: of the pull request.
        text: the report.
        marker: what its comment is marked with.
        pause: waits a moment, before GitHub is asked what became of a write.
        limit: UTF-16 units of the body; fewer once GitHub found it too long.
    """

    comments: Comments
    text: str
    marker: Marker
    pause: Callable[[], None]
    limit: int = LIMIT

    @property
    def body(self) -> str:
        """What is written."""
        return body_of(self.text, self.marker, self.limit)

    def create(self) -> Comment:
        """Add a comment. Where GitHub does not say whether it did, look before it is added a second time."""
        try:
            return self._write(self.comments.create)
        except GitHubError as error:
            if error.status is not None and error.status < 500:  # noqa: PLR2004 - GitHub's own faults
                raise
        self.pause()
        there = [comment for comment in self.comments.list() if self._is_this(comment)]
        return there[-1] if there else self._write(self.comments.create)

    def _is_this(self, comment: Comment) -> bool:
        """Whether a comment is the report to the letter: anybody may write its marker under another."""
        return comment.body.rstrip() == self.body

    def update(self, number: int) -> Comment:
        """Replace a comment."""
        return self._write(lambda body: self.comments.update(number, body))

    def _write(self, write: Callable[[str], Comment]) -> Comment:
        try:
            return write(self.body)
        except GitHubError as error:
            if error.status != _TOO_LONG:
                raise
        self.limit = SHORT
        return write(self.body)
