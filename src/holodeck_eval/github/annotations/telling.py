"""The annotations of a run: at most ten errors and ten warnings, as GitHub drops more without a word."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from holodeck_eval.domain.run import Run
from holodeck_eval.errors import Place
from holodeck_eval.github.annotations.annotation import Annotation, Level
from holodeck_eval.github.annotations.cases import Failures, Key, failures, of_failed, of_open
from holodeck_eval.github.annotations.causes import causes, loosened, of_cause, of_change, of_stale, stale
from holodeck_eval.github.annotations.choosing import Chosen, Kind, choose
from holodeck_eval.github.annotations.metrics import Failing, failing, of_metric, places_of

MOST: Final = 10
"""Annotations of a level that GitHub keeps of a step."""

_METRICS: Final[Mapping[Level, int]] = {"error": 4, "warning": 1}
"""Metrics that are annotated however many cases there are; the shares of all kinds add up to `MOST`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """What is told of a run, sorted once for both levels."""

    run: Run
    workspace: str
    failed: Failures
    metrics: Mapping[Key, Failing]
    places: Mapping[Key, Place]
    blocked: frozenset[str]


def annotations(run: Run, workspace: str, first: Sequence[Annotation] = ()) -> tuple[Annotation, ...]:
    """The annotations of a run: errors for what blocks it, warnings for the rest, the worst first.

    A published run has none of its own: its lines are those of another commit than the job's.

    Args:
        run: the run.
        workspace: the checkout's folder, below which files are shown.
        first: others that the step makes, which must not be among those that are dropped.
    """
    if run.published:
        return tuple(first)
    failed = failures(run)
    told = _Told(
        run=run,
        workspace=workspace,
        failed=failed,
        metrics=failing(run, failed),
        places=places_of(run),
        blocked=frozenset(cause.code for cause in run.verdict.causes if cause.status == "failed"),
    )
    errors, warnings = (_of_level(told, level, first) for level in _METRICS)
    return (*first, *errors.shown, *warnings.shown, *_more(errors.left_out, warnings.left_out))


def _of_level(told: _Told, level: Level, first: Sequence[Annotation]) -> Chosen:
    taken = sum(one.level == level for one in first)
    return choose([*_of_gate(told, level), *_of_agent(told, level)], max(MOST - taken, 0))


def _of_gate(told: _Told, level: Level) -> Iterator[Kind]:
    """What is said of the run as a whole: why it could not be made or judged, what it rests on, its rules."""
    run, workspace = told.run, told.workspace
    found = causes(run, level)
    yield Kind(len(found), (of_cause(cause, level, workspace) for cause in found), 2)
    old = stale(run) if _is_told(told, "stale_transcripts", level) else {}
    yield Kind(len(old), (of_stale(agent, cases, level, workspace) for agent, cases in old.items()), 1)
    changes = loosened(run) if _is_told(told, "gate_loosened", level) else ()
    yield Kind(len(changes), (of_change(change, told.places, level, workspace) for change in changes), 1)


def _of_agent(told: _Told, level: Level) -> Iterator[Kind]:
    """What is said of the agent: its metrics and cases that failed, and those that could not be judged."""
    run, failed, workspace = told.run, told.failed, told.workspace
    held = level == "error"
    metrics = [(key, metric) for key, metric in told.metrics.items() if metric.held == held]
    made = (of_metric(key, metric, run, told.places, level, workspace) for key, metric in metrics)
    yield Kind(len(metrics), made, _METRICS[level])
    cases = failed.held if held else failed.tolerated
    yield Kind(len(cases), (of_failed(case, failed, run, level, workspace) for case in cases), 2)
    undecided = [] if held else [case for case in run.cases if case.status == "inconclusive"]
    yield Kind(len(undecided), (of_open(case, run, workspace) for case in undecided), 3)


def _is_told(told: _Told, code: str, level: Level) -> bool:
    """Whether what a cause is about belongs to a level: to the errors where it blocks."""
    return (code in told.blocked) == (level == "error")


def _more(errors: int, warnings: int) -> Iterator[Annotation]:
    """The one that says how many are not there."""
    if errors or warnings:
        counts = [
            f"{number} more {what}{'' if number == 1 else 's'}"
            for number, what in ((errors, "error"), (warnings, "warning"))
            if number
        ]
        yield Annotation(
            level="notice",
            title=f"{' and '.join(counts)} from holodeck-eval",
            message=f"GitHub shows {MOST} of each. The step's summary and its results.json tell all.",
        )
