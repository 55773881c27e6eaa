"""The evaluation steps that a judge wrote in an earlier run, to be followed again."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from holodeck_eval.domain.agent import GEvalOptions, MetricSpec
from holodeck_eval.domain.fingerprint import digest_of
from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.run import Run
from holodeck_eval.evaluators.geval_metric import steps_request
from holodeck_eval.verdicts import VerdictFile

MOST_STEPS: Final = 50
LONGEST_STEP: Final = 10_000
"""Bounds of what is taken from a file into a judge's prompt: steps, and characters of one."""

StepsKey = tuple[str, str, str]
"""An agent's name, a metric's name, and the digest of its configuration."""


def baseline_steps(run: Run) -> Mapping[StepsKey, tuple[str, ...]]:
    """The steps of each GEval metric that a judge wrote; where cases had different ones, the most common."""
    found: dict[StepsKey, Counter[tuple[str, ...]]] = {}
    for key, steps in _written_by_judges(run):
        found.setdefault(key, Counter())[steps] += 1
    return {key: counts.most_common(1)[0][0] for key, counts in found.items()}


def offer_steps(run: Run, metrics: Iterable[MetricSpec], store: VerdictFile) -> None:
    """Let metrics whose steps nobody wrote follow those of an earlier run, where none are recorded.

    Args:
        run: the baseline.
        metrics: those of this run. One configured alike has the same digest, whatever agent it belongs to.
        store: where the judges look for steps before they write some.
    """
    known = {digest: steps for (_, _, digest), steps in baseline_steps(run).items()}
    for metric in metrics:
        options = metric.options
        if isinstance(options, GEvalOptions) and not options.evaluation_steps and metric.judge:
            steps = known.get(digest_of(metric))
            if steps:
                store.offer_steps(steps_request(metric), steps)


def _written_by_judges(run: Run) -> Iterator[tuple[StepsKey, tuple[str, ...]]]:
    for case in run.cases:
        for turn in case.turns:
            for metric in turn.metrics:
                if isinstance(metric.outcome, Scored) and (steps := _steps(metric.outcome.details)):
                    yield (case.agent, metric.name, metric.digest), steps


def _steps(details: Mapping[str, object]) -> tuple[str, ...]:
    """The steps a judge wrote; () where there are none, or what stands there cannot be steps."""
    items = details.get("evaluation_steps")
    if details.get("auto_generated_steps") is not True or not isinstance(items, list | tuple):
        return ()
    steps = tuple(item for item in items if isinstance(item, str) and item.strip())
    whole = len(steps) == len(items) <= MOST_STEPS and all(len(step) <= LONGEST_STEP for step in steps)
    return steps if whole else ()
