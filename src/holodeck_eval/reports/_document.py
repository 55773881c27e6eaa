"""A Markdown report within its limit: everything, else the failed cases alone, else the counts."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from markupsafe import Markup

from holodeck_eval.domain.findings import findings
from holodeck_eval.domain.result import CaseResult
from holodeck_eval.domain.run import Run
from holodeck_eval.reports._environment import environment
from holodeck_eval.reports._story import Open, Story, tell
from holodeck_eval.reports._versus import Listed, NewlyFailing, place

_MACROS: Final = "_macros.md.j2"
_COMPARISON: Final = "_comparison.md.j2"
_FRAME: Final = 3_000  # bytes of headings and notes that only a filled part brings
_SHARE: Final = 0.5  # how much of what is left a part may take that nobody sees without unfolding it
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How much of a run a report shows.

    Attributes:
        template: its file.
        limit: largest size in UTF-8 bytes.
        in_sight: the most failed cases that are all shown without unfolding anything.
        few: how many are where there are more; of those not judged as many reasons.
        text: characters shown of a question or an answer.
    """

    template: str
    limit: int
    in_sight: int
    few: int
    text: int

    def first(self, rows: Sequence[_T]) -> Sequence[_T]:
        """The rows to be seen without unfolding anything."""
        return rows if len(rows) <= self.in_sight else rows[: self.few]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The parts of a report whose length depends on the number of cases, already rendered.

    `unjudged` counts the cases that could not be judged and are in none of them.
    """

    proven: tuple[Markup, ...] = ()
    proven_folded: tuple[Markup, ...] = ()
    seen: tuple[Markup, ...] = ()
    open: tuple[Markup, ...] = ()
    unjudged: int = 0
    folded: tuple[Markup, ...] = ()
    unproven: tuple[Markup, ...] = ()
    still: tuple[Markup, ...] = ()
    listed: tuple[Markup, ...] = ()
    talks: tuple[Markup, ...] = ()
    every: tuple[Markup, ...] = ()


@dataclass(slots=True)
class _Room:
    """Bytes that are left for parts."""

    left: int

    def take(
        self, items: Iterable[_T], render: Callable[[_T], Markup], share: float = 1.0
    ) -> tuple[Markup, ...]:
        """Render items while they fit into their share of what is left."""
        taken: list[Markup] = []
        most, used = int(self.left * share), 0
        for item in items:
            block = render(item)
            if used + _size(block) > most:
                break
            used += _size(block)
            taken.append(block)
        self.left -= used
        return tuple(taken)


def compose(run: Run, shape: Shape) -> str:
    """The report, its parts taken in the order of their worth for as long as there is room."""
    story = tell(run)
    room = _Room(shape.limit - _size(_page(shape, story, Parts())) - _FRAME)
    if room.left < 0:
        return _page(shape, story, Parts(), counts_only=True)
    return _page(shape, story, _parts(story, shape, room))


def _parts(story: Story, shape: Shape, room: _Room) -> Parts:
    row, talk, case_row = (_case_macro(name, story, shape) for name in ("row", "talk", "case_row"))
    newly, listed_row = (_macro(_COMPARISON, name, story) for name in ("newly", "listed_row"))
    open_row = _macro(_MACROS, "open_row", story)
    versus, also, cases = story.versus, story.also, story.run.cases
    proven, unproven, still, listed = (
        (versus.proven, versus.unproven, versus.still, versus.listed) if versus else ((), (), (), ())
    )
    first = room.take(shape.first(proven), newly)
    seen = room.take(shape.first(also), row)
    unjudged = room.take(story.open[: shape.few], open_row)
    parts = Parts(
        proven=first,
        seen=seen,
        open=unjudged,
        unjudged=sum(len(group.cases) for group in story.open[len(unjudged) :]),
        proven_folded=room.take(proven[len(first) :], newly, _SHARE),
        folded=room.take(also[len(seen) :], row, _SHARE),
        unproven=room.take(unproven, newly, _SHARE),
        still=room.take(still, row, _SHARE),
        listed=room.take(listed, listed_row, _SHARE),
        talks=room.take(story.failed, talk),
    )
    every = room.take(cases, case_row)
    return replace(parts, every=every if len(every) == len(cases) else ())


def _page(shape: Shape, story: Story, parts: Parts, *, counts_only: bool = False) -> str:
    template = environment().get_template(shape.template)
    text = template.render(story=story, run=story.run, parts=parts, counts_only=counts_only)
    return text.rstrip() + "\n"


def _case_macro(name: str, story: Story, shape: Shape) -> Callable[[CaseResult], Markup]:
    macro = _named(_MACROS, name)
    arguments = (story, shape.text) if name == "talk" else (story,)
    return lambda case: macro(case, findings(case), place(case), *arguments)


def _macro(template: str, name: str, story: Story) -> Callable[[NewlyFailing | Listed | Open], Markup]:
    macro = _named(template, name)
    return lambda item: macro(item, story)


def _named(template: str, name: str) -> Callable[..., Markup]:
    macro = getattr(environment().get_template(template).module, name)
    return lambda *arguments: Markup(macro(*arguments))  # noqa: S704 - it is one


def _size(text: str) -> int:
    return len(text.encode())
