"""A Markdown report within its limit: everything, else the failed cases alone, else the counts."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from holodeck_eval.domain.result import CaseResult
from holodeck_eval.domain.run import Run
from holodeck_eval.reports._environment import environment
from holodeck_eval.reports._story import Story, findings, place, tell

_MACROS: Final = "_macros.md.j2"
_FRAME: Final = 2_000  # bytes of headings and notes that only a filled part brings


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How much of a run a report shows.

    Attributes:
        template: its file.
        limit: largest size in UTF-8 bytes.
        in_sight: failed cases shown without unfolding anything; of those not judged it is half.
        text: characters shown of a question or an answer.
    """

    template: str
    limit: int
    in_sight: int
    text: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The parts of a report whose length depends on the number of cases, already rendered."""

    seen: tuple[Markup, ...] = ()
    inconclusive: tuple[Markup, ...] = ()
    folded: tuple[Markup, ...] = ()
    talks: tuple[Markup, ...] = ()
    every: tuple[Markup, ...] = ()


def compose(run: Run, shape: Shape) -> str:
    """The report, its parts taken in the order of their worth for as long as there is room."""
    story = tell(run)
    room = shape.limit - _size(_page(shape, story, Parts())) - _FRAME
    if room < 0:
        return _page(shape, story, Parts(), counts_only=True)
    row, talk = _macro("row", story), _macro("talk", story, shape.text)
    seen, room = _take(story.failed[: shape.in_sight], row, room, room)
    inconclusive, room = _take(story.inconclusive[: shape.in_sight // 2], row, room, room)
    folded, room = _take(story.failed[len(seen) :], row, room // 2, room)
    talks, room = _take(story.failed, talk, room, room)
    every, room = _take(run.cases, _macro("case_row", story), room, room)
    whole = len(every) == len(run.cases)
    return _page(
        shape,
        story,
        Parts(
            seen=seen,
            inconclusive=inconclusive,
            folded=folded,
            talks=talks,
            every=every if whole else (),
        ),
    )


def _page(shape: Shape, story: Story, parts: Parts, *, counts_only: bool = False) -> str:
    template = environment().get_template(shape.template)
    text = template.render(story=story, run=story.run, parts=parts, counts_only=counts_only)
    return text.rstrip() + "\n"


def _macro(name: str, *arguments: object) -> Callable[[CaseResult], Markup]:
    macro = getattr(environment().get_template(_MACROS).module, name)
    return lambda case: Markup(macro(case, findings(case), place(case), *arguments))  # noqa: S704 - it is one


def _take(
    items: Iterable[CaseResult], render: Callable[[CaseResult], Markup], share: int, room: int
) -> tuple[tuple[Markup, ...], int]:
    """Render items while they fit into `share` bytes; also what is left of `room`."""
    taken: list[Markup] = []
    used = 0
    for item in items:
        block = render(item)
        used += _size(block)
        if used > share:
            return tuple(taken), room - used + _size(block)
        taken.append(block)
    return tuple(taken), room - used


def _size(text: str) -> int:
    return len(text.encode())
