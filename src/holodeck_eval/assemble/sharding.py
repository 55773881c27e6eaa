"""Which cases of a run are judged by which of its parts. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from holodeck_eval.domain.case import Case
from holodeck_eval.domain.judgement import sha256_of
from holodeck_eval.domain.result import CaseResult, WaivedCase
from holodeck_eval.domain.run import Run, Shard
from holodeck_eval.domain.wording import quoted
from holodeck_eval.errors import Problem, UsageError

MOST: Final = 1000
"""Parts a run may have: more than a workflow matrix can start."""

_WRITTEN: Final = re.compile(r"([0-9]{1,4})/([0-9]{1,4})")


def parse_shard(text: str) -> tuple[int, int]:
    """The number of a part and of all parts, out of `I/N`.

    Raises:
        UsageError: unless 1 <= I <= N <= `MOST`.
    """
    written = _WRITTEN.fullmatch(text.strip())
    index, count = (int(written[1]), int(written[2])) if written else (0, 0)
    if not 1 <= index <= count <= MOST:
        message = f"--shard takes I/N, part I of N, with 1 <= I <= N <= {MOST}, as in 2/5; not {quoted(text)}"
        raise UsageError(Problem(message=message))
    return index, count


def shard_of(agent: str, case_id: str, count: int) -> int:
    """The number, from 1 to `count`, of the part that judges a case.

    It hangs on nothing but the case's own key, so that other cases can come and go without moving it. In
    exchange the parts are only about equally large.
    """
    return int(sha256_of([agent, case_id])[:16], 16) % count + 1


def split(cases: Sequence[Case], shard: tuple[int, int]) -> tuple[tuple[Case, ...], tuple[int, ...]]:
    """The cases of one part in their order, and where they stand among all, from 0.

    Args:
        cases: all cases of the run, each agent's ids unique.
        shard: the part's number, from 1, and how many parts there are.
    """
    index, count = shard
    positions = tuple(
        number for number, case in enumerate(cases) if shard_of(case.agent, case.id, count) == index
    )
    return tuple(cases[number] for number in positions), positions


def shard_info(
    cases: Sequence[Case],
    shard: tuple[int, int],
    results: Sequence[CaseResult],
    waived: Sequence[WaivedCase],
) -> Shard:
    """What a part's results say about it, so that it can be merged with the others.

    Args:
        cases: all cases of the run, as they were split.
        shard: as for `split`.
        results: those of the part's cases, in the order of its `Run.cases`.
        waived: those of its cases that were waived, in the order of `Run.waived_cases`.
    """
    positions = {(case.agent, case.id): number for number, case in enumerate(cases)}
    index, count = shard
    return Shard(
        index=index,
        count=count,
        cases=tuple(positions[result.agent, result.id] for result in results),
        waived=tuple(positions[result.agent, result.id] for result in waived),
        total=len(cases),
        whole=sha256_of([[case.agent, case.id, case.digest] for case in cases]),
    )


def part_of(run: Run, shard: tuple[int, int]) -> Run:
    """A baseline as a part of the run sees it: with those cases alone that this part would judge.

    Without this, every case that another part judges would seem to have vanished.
    """
    index, count = shard
    return replace(
        run,
        cases=tuple(case for case in run.cases if shard_of(case.agent, case.id, count) == index),
        waived_cases=tuple(
            case for case in run.waived_cases if shard_of(case.agent, case.id, count) == index
        ),
    )
