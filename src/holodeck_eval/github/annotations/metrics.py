"""Annotations on the agent YAML: the metrics that failed, each in all its cases together."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from holodeck_eval.domain.comparison import AVERAGE, MetricComparison
from holodeck_eval.domain.findings import gap
from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.result import CaseResult, MetricResult
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.wording import counted
from holodeck_eval.errors import Place
from holodeck_eval.github.annotations.annotation import Annotation, Level, annotate, spelt
from holodeck_eval.github.annotations.cases import Failures, Key, key_of
from holodeck_eval.github.annotations.wording import measured, named


@dataclass(slots=True)
class Failing:
    """A metric of an agent, over its cases.

    Attributes:
        scored, failed: in how many cases it was scored, and failed.
        newly: the cases in which it newly fails for sure.
        held: whether it counts against the run.
        guardrail: whether it failed as a guardrail.
        worst: the case in which it is farthest below what it needs, and its result there.
        worse: its row of the comparison, where its mean is worse than the baseline's.
    """

    scored: int = 0
    failed: int = 0
    newly: set[str] = field(default_factory=set)
    held: bool = False
    guardrail: bool = False
    worst: tuple[CaseResult, MetricResult] | None = None
    worse: MetricComparison | None = None

    def add(self, case: CaseResult, result: MetricResult, *, held: bool) -> None:
        """Count a case in which it failed, with its worst result there."""
        self.failed += 1
        self.held |= held
        self.guardrail |= result.guardrail
        if self.worst is None or _gap(result) < _gap(self.worst[1]):
            self.worst = case, result

    @property
    def weight(self) -> tuple[bool, bool, float, float]:
        """What metrics are sorted by, the worst first."""
        share = self.failed / self.scored if self.scored else 1.0
        lacks = _gap(self.worst[1]) if self.worst else 0.0
        return not self.guardrail, not (self.newly or self.worse), -share, lacks


def failing(run: Run, failed: Failures) -> Mapping[Key, Failing]:
    """The metrics that failed in some case or whose mean is worse than the baseline's, the worst first."""
    found: defaultdict[Key, Failing] = defaultdict(Failing)
    held = {key_of(case) for case in failed.held}
    for case in run.cases:
        for name, result in _worst_of(case).items():
            metric = found[case.agent, name]
            metric.scored += 1
            if result is not None:
                metric.add(case, result, held=key_of(case) in held)
    _compare(run, found)
    bad = [(key, metric) for key, metric in found.items() if metric.failed or metric.worse]
    return dict(sorted(bad, key=lambda item: (item[0][1] == AVERAGE, item[1].weight, item[0])))


def places_of(run: Run) -> Mapping[Key, Place]:
    """Where the metrics of each agent are configured, and its average score as a whole."""
    metrics = {(agent.name, metric.name): metric.place for agent in run.agents for metric in agent.metrics}
    return {(agent.name, AVERAGE): Place(file=agent.file) for agent in run.agents} | metrics


def of_metric(
    key: Key, metric: Failing, run: Run, places: Mapping[Key, Place], level: Level, workspace: str
) -> Annotation:
    """An annotation on a metric, where it is configured: the case's own, where cases bring their own."""
    agent, name = key
    place = metric.worst[1].place if metric.worst else None
    place = place or places.get(key) or places.get((agent, AVERAGE))
    return annotate(level, _title(agent, name, metric, run), _lines(agent, metric, run), place, workspace)


def _title(agent: str, name: str, metric: Failing, run: Run) -> str:
    what = "The average score" if name == AVERAGE else named(name, agent, run)
    if not metric.failed:
        return f"{what} is worse than in the baseline"
    guardrail = "The guardrail " if metric.guardrail else ""
    return f"{guardrail}{what} failed in {metric.failed} of {counted(metric.scored)}"


def _lines(agent: str, metric: Failing, run: Run) -> Iterator[str]:
    if metric.worst:
        case, result = metric.worst
        place = f" ({spelt(case.transcript)})" if case.transcript else ""
        how = measured(_score(result), result.threshold, result.rating)
        yield f"The worst is {named(case.id, agent, run)}: {how}{place}"
    if metric.newly:
        yield f"It newly fails in {counted(len(metric.newly))}, by more than noise explains"
    if metric.worse:
        row = metric.worse
        fell = f"from {_shown(row.baseline)} to {_shown(row.now)} over {counted(row.pairs)}"
        yield f"Its mean fell {fell}, where {run.policy.max_drop:.10g} is allowed"


def _shown(mean: float | None) -> str:
    return "unknown" if mean is None else f"{mean:.3f}"


def _compare(run: Run, found: defaultdict[Key, Failing]) -> None:
    """Add what the comparison with the baseline says."""
    if run.comparison is None:
        return
    for row in run.comparison.metrics:
        if row.verdict == "worse":
            metric = found[row.agent, row.name]
            metric.worse, metric.held = row, metric.held or run.verdict.status == "failed"
    for flip in run.comparison.flips:
        if flip.proven and (flip.agent, flip.metric) in found:
            found[flip.agent, flip.metric].newly.add(flip.case)


def _worst_of(case: CaseResult) -> dict[str, MetricResult | None]:
    """The metrics that a case was scored by, each with the worst of its results that failed."""
    worst: dict[str, MetricResult | None] = {}
    for turn in case.turns:
        for metric in turn.metrics:
            before = worst.get(metric.name)
            if metric.passed is False and (before is None or _gap(metric) < _gap(before)):
                worst[metric.name] = metric
            elif isinstance(metric.outcome, Scored):
                worst.setdefault(metric.name, None)
    return worst


def _gap(metric: MetricResult) -> float:
    return gap(_score(metric), metric.threshold)


def _score(metric: MetricResult) -> float | None:
    return metric.outcome.score if isinstance(metric.outcome, Scored) else None
