"""Posts a report as a pull request's comment, or keeps the one that stands there current."""

import itertools
import random
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, Literal

from holodeck_eval.domain.options import CommentMode
from holodeck_eval.errors import GitHubError
from holodeck_eval.github.body import Writer
from holodeck_eval.github.marker import Marker, Stamp, Surface
from holodeck_eval.github.ours import Finder, Ours
from holodeck_eval.github.ports import Comment, Comments

Action = Literal["created", "updated", "unchanged", "newer_stands", "none"]

ROUNDS: Final = 4
"""How often a comment is written, with a look after each, until it stands alone."""

REMOVED: Final = 10
"""Most duplicates that are removed in a round."""

_GONE: Final = 404


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """What became of a report.

    Attributes:
        url: the comment that stands now; None where none does.
        action: what was done for it. `newer_stands`: a later run's was left alone.
    """

    url: str | None
    action: Action


def post(
    comments: Comments,
    text: str,
    surface: Surface,
    stamp: Stamp,
    mode: CommentMode,
    *,
    differs: bool,
    sleep: Callable[[float], None] = time.sleep,
    jitter: Callable[[], float] = random.random,
) -> Posted:
    """Post a report, as far as the mode wants it.

    A comment is ours by its marker and its author. The oldest is kept, others of ours are removed, and one
    more look makes sure that it stands alone: jobs that write at the same time all end with the same one.
    What a later run wrote stays. `new` adds a comment that none of this ever touches again.

    Args:
        comments: of the pull request.
        text: the report in Markdown; what does not fit is cut.
        surface: what the comment is about.
        stamp: which run this is, and what it says.
        mode: when to write; `off` does nothing.
        differs: whether anything is not as in the baseline; False where there is none.
        sleep: waits some seconds between two looks.
        jitter: a number from 0 to 1, so that two jobs do not keep step.

    Raises:
        GitHubError: GitHub did not take the comment, or did not say what stands there.
    """
    if mode == "off":
        return Posted(url=None, action="none")
    writer = Writer(
        comments=comments,
        text=text,
        marker=Marker.of("report" if mode == "new" else "comment", surface, stamp),
        pause=lambda: sleep(0.3 + 0.6 * jitter()),
    )
    if mode == "new":
        return Posted(url=writer.create().url, action="created")
    sticky = _Sticky(writer=writer, finder=Finder(comments=comments, surface=surface.digest))
    ours = sticky.finder.look()
    wanted = mode == "update" or stamp.status != "passed" or (mode == "on_change" and differs)
    if not ours and not wanted:
        return Posted(url=None, action="none")
    if sticky.is_current(ours):
        return Posted(url=ours[0].comment.url, action="unchanged")
    return sticky.settle(ours)


@dataclass(slots=True, kw_only=True)
class _Sticky:
    """The one comment of a surface, on its way to stand alone.

    Attributes:
        writer: writes the report.
        finder: finds what stands.
        written: numbers of the comments that the report was written into.
        added: the number of the one that was added for it; None where none was.
    """

    writer: Writer
    finder: Finder
    written: set[int] = field(default_factory=set)
    added: int | None = None

    @property
    def stamp(self) -> Stamp:
        """This run's."""
        return self.writer.marker.stamp

    def is_current(self, ours: tuple[Ours, ...]) -> bool:
        """Whether this run wrote what stands already, to the letter.

        The same words of an earlier run are not enough: a run between the two would take them for older.
        """
        return len(ours) == 1 and ours[0].comment.body.rstrip() == self.writer.body

    def settle(self, ours: tuple[Ours, ...]) -> Posted:
        """Write until the report stands alone, or a later run's does."""
        action: Action = "updated" if ours else "created"
        for _ in range(ROUNDS):
            if self._is_overtaken(ours):
                return self._step_aside(ours)
            kept = self._write(ours)
            self._remove(one.id for one in ours if one.id != kept.id)
            try:
                ours = self.finder.look()
            except GitHubError:  # the report stands; what stands beside it, a later run sees to
                break
            if self._is_alone(ours):
                break
            self.writer.pause()
        return Posted(url=kept.url, action=action)

    def _write(self, ours: tuple[Ours, ...]) -> Comment:
        """Write into the oldest; where that is gone, into the next; where none is left, add one."""
        if not ours:
            return self._add()
        if self._holds(ours[0]):
            return ours[0].comment
        try:
            kept = self.writer.update(ours[0].id)
        except GitHubError as error:
            if error.status != _GONE:
                raise
            return self._write(ours[1:])
        self.written.add(kept.id)
        return kept

    def _add(self) -> Comment:
        made = self.writer.create()
        self.finder.learn(made)
        self.written.add(made.id)
        self.added = made.id
        return made

    def _remove(self, numbers: Iterable[int]) -> None:
        """Remove duplicates. One that stays is a blemish that a later run sees to: the report stands."""
        for number in itertools.islice(numbers, REMOVED):
            with suppress(GitHubError):
                self.writer.comments.delete(number)

    def _holds(self, one: Ours) -> bool:
        """Whether the report was written into it, and since then no run's but the same job's."""
        return one.id in self.written and one.stamp.age == self.stamp.age

    def _is_alone(self, ours: tuple[Ours, ...]) -> bool:
        """Whether nothing is left to do. What is not listed yet, or was removed by a person, is let be."""
        return not ours or (len(ours) == 1 and self._holds(ours[0]))

    def _is_overtaken(self, ours: tuple[Ours, ...]) -> bool:
        return any(one.stamp.age > self.stamp.age for one in ours)

    def _step_aside(self, ours: tuple[Ours, ...]) -> Posted:
        """Leave the place to a later run, which keeps the oldest comment; another one that we added goes."""
        if self.added is not None and self.added != ours[0].id:
            self._remove([self.added])
        return Posted(url=ours[0].comment.url, action="newer_stands")
