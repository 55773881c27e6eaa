"""A metric's differences, pair by pair."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from holodeck_eval.compare.looks import Sides
from holodeck_eval.compare.pairs import CaseKey


@dataclass(frozen=True, slots=True)
class Cell:
    """A pair's scores by one metric, in millionths.

    The difference is kept, not the later score: so rounding it is the same from both ends.

    Attributes:
        before: the earlier score.
        difference: the later one minus it.
        unchanged: no judge looked at other texts than before, so that the two are one.
        judged: they carry a judge's noise.
    """

    before: int
    difference: int
    unchanged: bool
    judged: bool

    @property
    def now(self) -> int:
        """The later score."""
        return self.before + self.difference


Cells = Mapping[CaseKey, Cell]


def cells_of(looks: Sequence[Sides]) -> Cells:
    """A metric's cells, each the mean over the turns that were scored on both sides."""
    return _joined(
        (sides.key, Cell(sides.planned, sides.difference, sides.unchanged, sides.judged)) for sides in looks
    )


def average(columns: Iterable[Cells]) -> Cells:
    """The cells of the mean over some metrics, over those that each pair was scored by."""
    return _joined(item for cells in columns for item in cells.items())


def _joined(items: Iterable[tuple[CaseKey, Cell]]) -> Cells:
    cases: dict[CaseKey, list[Cell]] = {}
    for key, cell in items:
        cases.setdefault(key, []).append(cell)
    return {key: cells[0] if len(cells) == 1 else _mean(cells) for key, cells in cases.items()}


def _mean(cells: Sequence[Cell]) -> Cell:
    return Cell(
        round(sum([cell.before for cell in cells]) / len(cells)),
        round(sum([cell.difference for cell in cells]) / len(cells)),
        any(cell.unchanged for cell in cells) and all(_stays(cell) for cell in cells),
        any(cell.judged for cell in cells),
    )


def _stays(cell: Cell) -> bool:
    """Whether a cell is unchanged, or shows no change where there is no judge whose texts would tell."""
    return cell.unchanged or not (cell.judged or cell.difference)
