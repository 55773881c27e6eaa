"""What came of comparing a run with a baseline. Facts: whether they block is the gate's to say."""

from dataclasses import dataclass
from typing import Final, Literal

from holodeck_eval.domain.noise import Noise
from holodeck_eval.domain.result import CaseStatus, MetricResult

AVERAGE: Final = "avg_score"
"""The name of the row for the mean over a case's metrics."""

MetricVerdict = Literal["better", "same", "worse", "underpowered", "not_comparable"]

BaselineCause = Literal[
    "missing",  # there is no such file
    "unreadable",  # empty, truncated, no results file, of a newer schema, too large
    "not_judged",  # it could not run itself: status error or bug
    "other_agent",  # no agent of this run is in it
    "duplicate_cases",  # two of its cases have one id
    "no_overlap",  # no case of this run is in it with the same expectations
]


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineProblem:
    """Why a baseline that was asked for cannot be compared with, as a sentence."""

    cause: BaselineCause
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineRun:
    """Which earlier run it was.

    `rejudgeable` says whether what was judged was kept with it (cases.jsonl), so that it can be judged again.
    `from_checkout` says whether it lay in the checkout under test.
    """

    file: str
    status: str
    started_at: str
    head_sha: str | None = None
    rejudgeable: bool = False
    from_checkout: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricComparison:
    """One metric of one agent, or its `avg_score`, against the baseline. The unit is the case.

    Attributes:
        agent: the agent's name.
        name: the metric's name; "avg_score" for the mean over a case's metrics.
        pairs: cases scored on both sides.
        unchanged: those of them whose judged texts did not change: they differ by exactly 0.
        baseline, now: means over the pairs; None without pairs.
        difference: now minus baseline, mean over the pairs; negative is a drop.
        low, high: 95% interval of the difference; None where there are too few pairs for one.
        p_worse, p_better: one-sided, paired, adjusted over all metrics (Holm).
        smallest_drop: smallest drop that would have been seen in four of five such comparisons; None where
            none could have been.
        noise: the judge's noise that was reckoned with; None for a metric without a judge, and for avg_score.
        verdict: what it means.
        why: for `not_comparable`, what differs, as a clause.
    """

    agent: str
    name: str
    pairs: int
    unchanged: int
    baseline: float | None
    now: float | None
    difference: float | None
    verdict: MetricVerdict
    low: float | None = None
    high: float | None = None
    p_worse: float | None = None
    p_better: float | None = None
    smallest_drop: float | None = None
    noise: Noise | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """A metric of a case that passed in the baseline and fails now.

    Attributes:
        agent, case: whose case, and its id.
        turn: the turn's index; None for what concerns the whole case.
        metric: the metric's name; "" for an answer or a transcript that is not there any more.
        before, now: the means of all replies; None where there is no score.
        threshold: the metric's in this run; None where it has none.
        before_reason, now_reason: what the judge said, or why there is no score.
        before_replies, now_replies: every reply, in order.
        proven: whether it is more than the judge's noise explains.
        why: a clause that says by what it is proven, or why it is not.
        too_coarse: whether it is more than noise explains and not proven for one reason: the judge gives only
            a few different scores, and it was not judged often enough on both sides.
    """

    agent: str
    case: str
    metric: str
    proven: bool
    why: str
    turn: int | None = None
    before: float | None = None
    now: float | None = None
    threshold: float | None = None
    before_reason: str = ""
    now_reason: str = ""
    before_replies: tuple[float, ...] = ()
    now_replies: tuple[float, ...] = ()
    too_coarse: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseChange:
    """A case worth a line in the comparison. None is the status of a case that is not there."""

    agent: str
    case: str
    before: CaseStatus | None
    now: CaseStatus | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GateChange:
    """What differs between the gate of the baseline and this run's.

    Attributes:
        code: stable and snake_case: `threshold`, `metric_removed`, `metric_skipped`, `metric_added`,
            `configuration`, `judge`, `guardrail`, `agent_removed`, `agent_version`, `policy`, `case_removed`,
            `case_changed`.
        message: one sentence without its full stop.
        loosens: whether the gate lets more through than before.
        cases: ids of the cases it concerns, where it does not concern all.
        agent, metric: whose metric it is about, and which; a part of `generation` as `generation.NAME`. ""
            where it is about none.
    """

    code: str
    message: str
    loosens: bool
    cases: tuple[str, ...] = ()
    agent: str = ""
    metric: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejudged:
    """A metric of a case of the baseline that was judged again: its result on all replies, old and new.

    `why_not` is a clause that says why it could not be judged as often as was asked, there or in this run;
    "" where it was.
    """

    agent: str
    case: str
    turn: int
    result: MetricResult
    why_not: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A run against a baseline. Where `problem` is set, nothing was compared.

    Attributes:
        baseline: which run it was compared with; None where it could not be read.
        problem: why it could not be compared with.
        paired: cases on both sides with the same id and expectations.
        metrics: agent by agent, in the run's order, `avg_score` last.
        flips: what newly fails, the proven first.
        newly_passing, still_failing: paired cases.
        undecided: paired cases that fail now by a metric for which the baseline has no score to compare
            with, though it measured by it.
        new, vanished, changed: cases without a pair: only in this run, only in the baseline (waived ones
            too), and on both sides with other expectations.
        gate_changes: what differs in the gates themselves, the loosening first.
        rejudged: the baseline's judgements that this run added to.
        notes: sentences on how far the comparison can be believed.
    """

    baseline: BaselineRun | None = None
    problem: BaselineProblem | None = None
    paired: int = 0
    metrics: tuple[MetricComparison, ...] = ()
    flips: tuple[Flip, ...] = ()
    newly_passing: tuple[CaseChange, ...] = ()
    still_failing: tuple[CaseChange, ...] = ()
    undecided: tuple[CaseChange, ...] = ()
    new: tuple[CaseChange, ...] = ()
    vanished: tuple[CaseChange, ...] = ()
    changed: tuple[CaseChange, ...] = ()
    gate_changes: tuple[GateChange, ...] = ()
    rejudged: tuple[Rejudged, ...] = ()
    notes: tuple[str, ...] = ()
