"""Which annotations are made where there is room for ten."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from holodeck_eval.github.annotations.annotation import Annotation


@dataclass(frozen=True, slots=True)
class Kind:
    """Annotations of one kind, the worst first.

    `count` is how many there are, `made` makes them one by one, as most of many are never shown. `share` is
    how many get a place whatever other kinds there are.
    """

    count: int
    made: Iterator[Annotation]
    share: int


@dataclass(frozen=True, slots=True)
class Chosen:
    """Annotations that are shown, and how many are not."""

    shown: tuple[Annotation, ...] = ()
    left_out: int = 0


def choose(kinds: Sequence[Kind], room: int) -> Chosen:
    """The first of each kind in the order of kinds, none twice.

    Each kind gets its share; what is left is given to the kinds from the last to the first.
    """
    taken, left = [], room
    for kind in kinds:
        taken.append(min(kind.count, kind.share, left))
        left -= taken[-1]
    for index, kind in reversed(list(enumerate(kinds))):
        more = min(kind.count - taken[index], left)
        taken[index] += more
        left -= more
    shown = [one for kind, number in zip(kinds, taken, strict=True) for one in islice(kind.made, number)]
    return Chosen(tuple(dict.fromkeys(shown)), sum(kind.count for kind in kinds) - sum(taken))
