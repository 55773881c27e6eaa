"""Reads the baseline that was asked for. What is wrong with it is for the gate to judge, and no error."""

import os.path
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeVar

from holodeck_eval.assemble.kept_turns import read_turns
from holodeck_eval.assemble.paths import Checkout, leads_out
from holodeck_eval.assemble.report_files import ReportFiles, read_results
from holodeck_eval.compare import recomputed
from holodeck_eval.domain.baseline import Baseline
from holodeck_eval.domain.comparison import BaselineCause, BaselineProblem, BaselineRun
from holodeck_eval.domain.options import Options
from holodeck_eval.domain.result import CaseResult, MetricSummary, WaivedCase
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.text import log_line
from holodeck_eval.domain.wording import quoted
from holodeck_eval.errors import InputError, Place, Problem, UsageError
from holodeck_eval.reports.reading import UnreadableError

UNTRUSTED_BASELINE: Final = (
    "a baseline in the checkout is not believed: its author could have written it. Keep it outside, in a "
    "cache or an artifact restored under runner.temp, or set trust_checkout: true"
)

Named = TypeVar("Named", CaseResult, WaivedCase, MetricSummary)


def read_baseline(options: Options, checkout: Checkout) -> Baseline | None:
    """The baseline; None where none was asked for.

    Args:
        options: say where it is, and which agents were renamed since.
        checkout: nothing in it is believed unless the options trust it.

    Raises:
        InputError: when it lies in the checkout under test, or a link there leads out of it.
        UsageError: when its path is empty, or a rename lacks a name.
    """
    if options.baseline is None:
        return None
    if not options.baseline:
        raise UsageError(
            Problem(message="the baseline's path is empty; name a report folder or a results.json")
        )
    _check_renames(options.rename_agent)
    files = ReportFiles.of(Path(options.baseline))
    from_checkout = _lies_in(files, options, checkout)
    try:
        run = read_results(files.results)
    except FileNotFoundError:
        return _unusable("missing", _missing(options.baseline, files.results))
    except UnreadableError as error:
        return _unusable("unreadable", f"the baseline {files.results} {error.clause}{_where(error)}")
    if run.shard is not None:
        part = f"part {run.shard.index} of {run.shard.count} of a run; merge the parts first"
        return _unusable("unreadable", f"the baseline {files.results} is only {part}")
    return _baseline(run, files, options.rename_agent, from_checkout=from_checkout)


def check_apart(options: Options) -> None:
    """Refuse a baseline in the report folder, which is emptied before anything is read.

    Raises:
        UsageError: when it lies there.
    """
    if not options.baseline:
        return
    out = Path(os.path.realpath(options.out))
    files = ReportFiles.of(Path(options.baseline))
    places = [Path(os.path.realpath(path)) for path in (options.baseline, files.results, files.cases)]
    if places[0] == out or any(place.parent == out for place in places):  # it may not be made yet
        message = (
            f"the baseline {quoted(options.baseline)} lies in the report folder {quoted(options.out)}, which "
            "is emptied at the start; give one of them another place"
        )
        raise UsageError(Problem(message=message))


def _lies_in(files: ReportFiles, options: Options, checkout: Checkout) -> bool:
    """Whether the pull request's author may have written it.

    Raises:
        InputError: when that may be so and the checkout is not trusted, or a link leads out of it.
    """
    paths = (Path(options.baseline or ""), files.results, files.cases)
    problems = [leads_out(str(path)) for path in paths if checkout.lets_out(path)]
    if problems:
        raise InputError(*dict.fromkeys(problems))
    held = any(checkout.holds(path) for path in paths)
    if held and not options.trust_checkout:
        raise InputError(Problem(message=UNTRUSTED_BASELINE, place=Place(file=str(options.baseline))))
    return held


def _missing(given: str, results: Path) -> str:
    if str(results) == str(Path(given)):
        return f"there is no baseline at {given}: no such file or folder"
    return f"there is no baseline at {given}: the folder has no {results.name}"


def _where(error: UnreadableError) -> str:
    return f" (line {error.line}, column {error.column})" if error.line is not None else ""


def _unusable(cause: BaselineCause, message: str) -> Baseline:
    return Baseline(problem=BaselineProblem(cause=cause, message=log_line(message)))


def _baseline(run: Run, files: ReportFiles, renames: Sequence[str], *, from_checkout: bool) -> Baseline:
    turns, left_out = read_turns(files.cases, run)
    names, clashes = _names(run, renames)
    run, contradictions = recomputed(_renamed(run, names))
    return Baseline(
        run=run,
        info=BaselineRun(
            file=str(files.results),
            status=run.verdict.status,
            started_at=run.started_at,
            head_sha=run.head_sha,
            rejudgeable=bool(turns),
            from_checkout=from_checkout,
        ),
        turns={(names.get(agent, agent), case, turn): made for (agent, case, turn), made in turns.items()},
        warnings=(*clashes, *contradictions, *left_out),
    )


def _check_renames(renames: Sequence[str]) -> None:
    wrong = [item for item in renames if not all(item.partition("="))]
    if wrong:
        raise UsageError(
            *(Problem(message=f"--rename-agent takes OLD=NEW, not {quoted(item)}") for item in wrong)
        )


def _names(run: Run, renames: Sequence[str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """What each agent that was renamed is called now, and warnings about names that are taken."""
    taken = {agent.name for agent in run.agents} | {case.agent for case in run.cases}
    names: dict[str, str] = {}
    warnings = []
    for item in renames:
        old, _, new = item.partition("=")
        if old == new or old not in taken:
            continue
        if new in taken:
            both = f"both {quoted(old)} and {quoted(new)}"
            warnings.append(f"the baseline has {both}, so that the first is not taken for the second")
            continue
        names[old] = new
        taken = taken - {old} | {new}
    return names, tuple(warnings)


def _renamed(run: Run, names: Mapping[str, str]) -> Run:
    if not names:
        return run
    agents = [replace(agent, name=names.get(agent.name, agent.name)) for agent in run.agents]
    metrics = _all_renamed(run.summary.metrics, names)
    return replace(
        run,
        agents=tuple(agents),
        cases=_all_renamed(run.cases, names),
        waived_cases=_all_renamed(run.waived_cases, names),
        summary=replace(run.summary, metrics=metrics),
    )


def _all_renamed(items: Sequence[Named], names: Mapping[str, str]) -> tuple[Named, ...]:
    return tuple(replace(item, agent=names.get(item.agent, item.agent)) for item in items)
