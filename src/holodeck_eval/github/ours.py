"""Which comments of a pull request are ours: by their marker and by who wrote them."""

from dataclasses import dataclass, field
from typing import Final

from holodeck_eval.github.marker import Stamp, read_marker
from holodeck_eval.github.ports import Comment, Comments

BOT: Final = "github-actions[bot]"
"""Who a job's own token writes as. Nobody can register a login with brackets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ours:
    """A comment of ours, and the run that wrote it."""

    comment: Comment
    stamp: Stamp

    @property
    def id(self) -> int:
        """The comment's number: the older one's is lower."""
        return self.comment.id


@dataclass(slots=True, kw_only=True)
class Finder:
    """Finds the comments of one surface.

    Attributes:
        comments: of the pull request.
        surface: the digest of what the comments are about.
        logins: who is known to be us.
        knows_itself: whether the login of this token is among them.
    """

    comments: Comments
    surface: str
    logins: set[str] = field(default_factory=lambda: {BOT})
    knows_itself: bool = False

    def look(self) -> tuple[Ours, ...]:
        """What stands of ours, the oldest first. A person who quotes our marker keeps their comment."""
        marked = ((comment, read_marker(comment.body)) for comment in self.comments.list())
        here = [
            Ours(comment=comment, stamp=marker.stamp)
            for comment, marker in marked
            if marker and (marker.word, marker.surface) == ("comment", self.surface)
        ]
        return tuple(sorted(filter(self._is_us, here), key=lambda one: one.id))

    def learn(self, made: Comment) -> None:
        """Take the author of a comment that this token added for ours."""
        self.logins.add(made.author)
        self.knows_itself = True

    def _is_us(self, one: Ours) -> bool:
        """Whether we wrote it. GitHub is asked who we are only where somebody else's has our marker.

        Whose account is gone has no name, and is nobody.
        """
        author = one.comment.author
        if not author:
            return False
        if author not in self.logins and not self.knows_itself:
            self.logins.add(self.comments.viewer())
            self.knows_itself = True
        return author in self.logins
