"""Whether results files are the parts of one run, each once and all of them; else why not."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from holodeck_eval.assemble.sharding import MOST
from holodeck_eval.domain.run import Run, Shard
from holodeck_eval.domain.text import log_line
from holodeck_eval.domain.wording import quoted
from holodeck_eval.errors import Place, Problem

Named = tuple[str, Run]
"""A run behind the name of the file it was read from."""

_CAUSE: Final = 300
_NUMBERS: Final = 12
_FILES: Final = 4
_PATH: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A run that is a part of one, and the file it was read from."""

    name: str
    run: Run
    shard: Shard


def some(items: Sequence[str], most: int, separator: str = ", ") -> str:
    """The first of some texts; behind them how many more there are."""
    more = f"{separator}and {len(items) - most:,} more" if len(items) > most else ""
    return separator.join(items[:most]) + more


def files(names: Sequence[str]) -> str:
    """Files by name, whose ends are what tells them apart."""
    return some([quoted(name, _PATH) for name in names], _FILES)


def usable(runs: Sequence[Named]) -> list[Part]:
    """Those that are parts of a run and could run themselves."""
    return [
        Part(name=name, run=run, shard=run.shard)
        for name, run in runs
        if run.shard is not None and _why_not(run) is None
    ]


def unusable(runs: Sequence[Named]) -> Iterator[Problem]:
    """Why the others are not."""
    for name, run in runs:
        why = _why_not(run)
        if why is not None:
            yield Problem(message=why, place=Place(file=name))


def _why_not(run: Run) -> str | None:
    shard = run.shard
    if _did_not_run(run):
        causes = run.verdict.causes
        because = f": {log_line(causes[0].message, _CAUSE)}" if causes else ""
        return f"this shard could not run (status {run.verdict.status}){because}"
    if shard is None:
        return "this is the run of all cases, made without --shard; there is nothing to merge it with"
    if not 1 <= shard.index <= shard.count <= MOST:
        return f"there is no shard {shard.index} of {shard.count}; the file was edited"
    if (len(run.cases), len(run.waived_cases)) != (len(shard.cases), len(shard.waived)):
        return "its cases are not as many as their places in the whole run; the file was edited"
    return None


def _did_not_run(run: Run) -> bool:
    return run.verdict.status in ("error", "bug")


def incomplete(runs: Sequence[Named], parts: Sequence[Part]) -> Iterator[Problem]:
    """What is wrong with the parts as a set: of several runs, missing, there twice.

    A file that is not usable is not missing too, and one that could not begin may be any of those missing.

    Args:
        runs: all that were given.
        parts: those of them that are usable, at least one.
    """
    counts: dict[int, list[str]] = {}
    given: dict[int, list[str]] = {}
    for part in parts:
        counts.setdefault(part.shard.count, []).append(part.name)
        given.setdefault(part.shard.index, []).append(part.name)
    if len(counts) > 1:
        each = "; ".join(f"{count} in {files(names)}" for count, names in sorted(counts.items()))
        yield Problem(message=f"the shards are of runs with different numbers of shards: {each}")
        return
    yield from _twice(given)
    known = {run.shard.index for _, run in runs if run.shard is not None}
    missing = [index for index in range(1, parts[0].shard.count + 1) if index not in known]
    if len(missing) > sum(run.shard is None and _did_not_run(run) for _, run in runs):
        yield Problem(message=_missing(missing, parts[0].shard.count))


def _twice(given: dict[int, list[str]]) -> Iterator[Problem]:
    for index, names in sorted(given.items()):
        if len(names) > 1:
            yield Problem(message=f"shard {index} is given more than once: {files(names)}")


def _missing(missing: Sequence[int], count: int) -> str:
    which = "shard" if len(missing) == 1 else "shards"
    are = "is" if len(missing) == 1 else "are"
    shown = some([str(index) for index in missing], _NUMBERS)
    return f"{which} {shown} of {count} {are} missing; without every shard there is no verdict on the run"


def unlike_a_whole(parts: Sequence[Part]) -> Iterator[Problem]:
    """Why all parts together are not the run: every case must be in one of them, once."""
    total = parts[0].shard.total
    places = Counter(place for part in parts for place in (*part.shard.cases, *part.shard.waived))
    outside = sum(not 0 <= place < total for place in places)
    several = sum(times > 1 for times in places.values())
    lacking = total - (len(places) - outside)
    if outside or several or lacking:
        message = (
            f"the shards do not make up the run's {total:,} cases (in no shard: {lacking:,}; in several: "
            f"{several:,}; no case of the run: {outside:,})"
        )
        yield Problem(message=message)
    yield from _same_keys(parts)


def _same_keys(parts: Sequence[Part]) -> Iterator[Problem]:
    keys = Counter(key for part in parts for key in _keys(part.run))
    twice = [key for key, times in keys.items() if times > 1]
    if twice:
        agent, case = twice[0]
        more = f", and {len(twice) - 1:,} more are like it" if len(twice) > 1 else ""
        yield Problem(
            message=f"the case {quoted(case)} of agent {quoted(agent)} is there more than once{more}"
        )


def _keys(run: Run) -> Iterator[tuple[str, str]]:
    yield from ((case.agent, case.id) for case in run.cases)
    yield from ((case.agent, case.id) for case in run.waived_cases)
