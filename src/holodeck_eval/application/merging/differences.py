"""In what a part differs from the first: parts of one run were configured alike in everything."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Final

from holodeck_eval import __version__
from holodeck_eval.application.merging.parts import Part, files, some
from holodeck_eval.domain.baseline import Baseline
from holodeck_eval.domain.comparison import BaselineProblem, BaselineRun, Comparison
from holodeck_eval.domain.run import AgentRun, Run
from holodeck_eval.domain.wording import listed, quoted
from holodeck_eval.errors import Place, Problem

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_TOLD: Final = 5
"""Differences that are told of one file."""


def disagreements(parts: Sequence[Part], baseline: Baseline | None) -> Iterator[Problem]:
    """What the parts differ in, a sentence a file; and where they are at odds with the one who merges.

    Args:
        parts: those that are usable, at least one.
        baseline: what the merged run is to be compared with.
    """
    first = parts[0]
    for part in parts[1:]:
        clauses = list(_differences(part, first))
        if clauses:
            told = some(clauses, _TOLD, "; ")
            message = f"this is no shard of the same run as {files([first.name])}: {told}"
            yield Problem(message=message, place=Place(file=part.name))
    if first.run.tool_version != __version__:
        message = (
            f"the shards were made by holodeck-eval {quoted(first.run.tool_version)}, and this is "
            f"{__version__}: merge with the version that made them"
        )
        yield Problem(message=message)
    yield from _baseline_problem(first.run, baseline)


def _differences(part: Part, first: Part) -> Iterator[str]:
    here, there = part.run, first.run
    for name in ("tool_version", "head_sha", "repeats"):
        yield from _unlike(name, getattr(here, name), getattr(there, name))
    yield from _unlike("the number of all cases", part.shard.total, first.shard.total)
    if part.shard.total == first.shard.total and part.shard.whole != first.shard.whole:
        yield "the run's cases are others"
    yield from _fields("the policy's ", here.policy, there.policy)
    yield from _agents(here, there)
    if here.files != there.files:
        yield "the transcripts that were read are others"
    if _identity(here.comparison) != _identity(there.comparison):
        yield f"it was compared with {_compared(here.comparison)}, there with {_compared(there.comparison)}"


def _agents(here: Run, there: Run) -> Iterator[str]:
    names, others = ([agent.name for agent in run.agents] for run in (here, there))
    if names != others:
        yield f"the agents are {listed(names, 3) or 'none'}, there {listed(others, 3) or 'none'}"
        return
    for agent, other in zip(here.agents, there.agents, strict=True):
        yield from _fields(f"agent {quoted(agent.name, 40)}: ", agent, other, leaving_out="metrics")
        yield from _metrics(agent, other)


def _metrics(here: AgentRun, there: AgentRun) -> Iterator[str]:
    names, others = ([metric.name for metric in agent.metrics] for agent in (here, there))
    agent = quoted(here.name, 40)
    if names != others:
        yield (
            f"the metrics of agent {agent} are {listed(names, 3) or 'none'}, "
            f"there {listed(others, 3) or 'none'}"
        )
        return
    for metric, other in zip(here.metrics, there.metrics, strict=True):
        yield from _fields(f"metric {quoted(metric.name, 40)} of agent {agent}: ", metric, other)


def _fields(
    whose: str, here: "DataclassInstance", there: "DataclassInstance", leaving_out: str = ""
) -> Iterator[str]:
    for field in fields(here):
        if field.name != leaving_out:
            yield from _unlike(f"{whose}{field.name}", getattr(here, field.name), getattr(there, field.name))


def _unlike(what: str, here: object, there: object) -> Iterator[str]:
    """A clause where two values differ; what they are, where that can be said in a word."""
    if here == there:
        return
    words = [_word(value) for value in (here, there)]
    yield f"{what} differs" if None in words else f"{what} is {words[0]}, there {words[1]}"


def _word(value: object) -> str | None:
    if value is None:
        return "none"
    if isinstance(value, str):
        return quoted(value, 40)
    return str(value) if isinstance(value, bool | int | float) else None


def _baseline_problem(run: Run, baseline: Baseline | None) -> Iterator[Problem]:
    """Merging compares anew, with what the shards judged again: it needs what they were compared with."""
    given = None if baseline is None else Comparison(baseline=baseline.info, problem=baseline.problem)
    if _identity(run.comparison) == _identity(given):
        return
    if given is None:
        message = f"the shards were compared with {_compared(run.comparison)}: give merge the same --baseline"
    elif run.comparison is None:
        message = (
            "the shards were not compared with a baseline, so nothing was judged again where it mattered: "
            "give --baseline to every shard, or to none and not to merge"
        )
    else:
        message = f"the shards were compared with {_compared(run.comparison)}; {_compared(given)} is another"
    yield Problem(message=message)


def _identity(comparison: Comparison | None) -> object:
    """What tells one baseline from another, wherever their files lie; None where none was asked for."""
    if comparison is None:
        return None
    if comparison.baseline is not None:
        return comparison.baseline.started_at, comparison.baseline.head_sha
    return comparison.problem.cause if comparison.problem is not None else ""


def _compared(comparison: Comparison | None) -> str:
    if comparison is None:
        return "no baseline"
    if comparison.baseline is not None:
        return _run_of(comparison.baseline)
    return f"a baseline that could not be read ({_cause_of(comparison.problem)})"


def _run_of(baseline: BaselineRun) -> str:
    commit = f" of commit {quoted(baseline.head_sha, 12)}" if baseline.head_sha else ""
    return f"the baseline {files([baseline.file])} from {quoted(baseline.started_at, 24)}{commit}"


def _cause_of(problem: BaselineProblem | None) -> str:
    return problem.cause if problem is not None else "for an unknown reason"
