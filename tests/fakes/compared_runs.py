"""Whole runs against a baseline, one for each thing that a comparison can come to."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from holodeck_eval.domain.comparison import (
    BaselineCause,
    BaselineProblem,
    BaselineRun,
    CaseChange,
    Comparison,
    GateChange,
    Rejudged,
)
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.staleness import Staleness
from tests.fakes.comparisons import (
    BASELINE,
    RELATIVE,
    build_change,
    build_comparison,
    build_flip,
    build_moved,
    cause,
    compared_run,
)
from tests.fakes.runs import (
    HOSTILE,
    build_case,
    build_metric,
    build_run,
    build_turn,
    build_verdict,
    hostile_run,
)


def same_run() -> Run:
    """Nothing is worse; one case newly passes, one fails as before."""
    comparison = build_comparison(
        build_moved(0.86, 0.87),
        build_moved(0.91, 0.9, name="tone", smallest_drop=0.05),
        build_moved(0.88, 0.88, name="avg_score", noise=None, smallest_drop=0.04),
        newly_passing=(build_change("greeting", "failed", "passed"),),
        still_failing=(build_change("refund-window", "failed", "failed"),),
        new=(build_change("voucher", None, "passed"),),
        notes=("30 of 48 pairs were not judged anew, because their transcripts did not change",),
    )
    return compared_run(
        comparison, cases=(build_case(status="failed"), build_case("greeting"), build_case("voucher"))
    )


def worse_run() -> Run:
    """Two metrics are worse, three cases newly fail, two more without proof."""
    fallen = {"verdict": "worse", "p_worse": 0.0004, "p_better": 1.0}
    silent = build_flip(
        "refund-end",
        metric="",
        turn=None,
        before=None,
        now=None,
        threshold=None,
        before_reason="",
        now_reason="the run ended in a tool call",
        before_replies=(),
        now_replies=(),
        why="there was an answer in the baseline",
    )
    rude = build_flip(
        "goodbye",
        metric="tone",
        before=0.9,
        now=0.2,
        before_reason="Polite.",
        now_reason="The customer is told to go away.",
        before_replies=(0.9,),
        now_replies=(0.2,),
        why="a person judged it",
    )
    doubtful = build_flip(
        "greeting",
        before=0.72,
        now=0.68,
        proven=False,
        before_replies=(0.7, 0.74),
        now_replies=(0.66, 0.7),
        why="the means lie 0.04 apart, which the judge's noise explains",
    )
    unsure = replace(doubtful, case="opening-hours", before=0.7, now=0.6)
    comparison = build_comparison(
        build_moved(0.86, 0.74, **fallen),
        build_moved(0.91, 0.83, name="tone", smallest_drop=0.05, **fallen),
        build_moved(0.88, 0.79, name="avg_score", noise=None, smallest_drop=0.04, **fallen),
        flips=(build_flip(), silent, rude, doubtful, unsure),
        still_failing=(build_change("instalments", "failed", "failed"),),
        newly_passing=(build_change("voucher", "failed", "passed"),),
        vanished=(build_change("old-offer", "failed", None),),
        changed=(build_change("warranty", "passed", "passed"),),
        notes=("30 of 48 pairs were not judged anew, because their transcripts did not change",),
    )
    no_answer = build_turn(actual_output=None, no_answer="the run ended in a tool call", status="failed")
    cases = (
        build_case(status="failed"),
        build_case("refund-end", "failed", turns=(no_answer,), rating=None, avg_score=None),
        *(build_case(name, "failed") for name in ("goodbye", "greeting", "opening-hours", "instalments")),
        *(build_case(name) for name in ("voucher", "warranty", "shipping")),
    )
    return compared_run(
        comparison,
        cause("regression", "faithfulness fell by 0.12, more than the 0.02 that max_drop allows"),
        cause("case_regression", "3 cases newly fail", "refund-window", "refund-end", "goodbye"),
        cases=cases,
    )


def underpowered_run() -> Run:
    """Six cases, in which only a large drop could have been seen."""
    weak = {"verdict": "underpowered", "pairs": 6, "unchanged": 0, "smallest_drop": 0.21}
    comparison = build_comparison(
        build_moved(0.86, 0.84, low=-0.13, high=0.09, **weak),
        build_moved(0.9, 0.9, name="tone", low=-0.05, high=0.05, **weak | {"smallest_drop": 0.14}),
        build_moved(0.88, 0.87, name="avg_score", noise=None, low=-0.08, high=0.06, **weak),
        paired=6,
        notes=("the baseline kept nothing that could be judged again, so only its first judgements count",),
        baseline=replace(BASELINE, rejudgeable=False, status="failed"),
    )
    return compared_run(comparison)


def better_run() -> Run:
    """One metric is better, and one cannot be seen."""
    comparison = build_comparison(
        build_moved(0.74, 0.86, verdict="better", p_better=0.0004),
        build_moved(0.9, 0.9, name="tone", pairs=4, verdict="underpowered", smallest_drop=None, low=None),
    )
    return compared_run(comparison)


def loosened_run(**settings: Any) -> Run:
    """Nothing is worse, but the gate lets more through; `settings` are the policy's."""
    comparison = build_comparison(
        build_moved(),
        gate_changes=(
            GateChange(
                code="threshold",
                message="the threshold of 'faithfulness' was lowered from 0.8 to 0.5",
                loosens=True,
            ),
            GateChange(
                code="case_removed",
                message="2 test cases were removed",
                loosens=True,
                cases=("old-offer", "warranty"),
            ),
            GateChange(code="metric_added", message="the metric 'tone' was added", loosens=False),
        ),
    )
    policy = replace(RELATIVE, **settings)
    if policy.on_gate_change == "report":
        return compared_run(comparison, policy=policy)
    blocked = cause("gate_loosened", "the gate was loosened: the threshold of 'faithfulness' was lowered")
    return compared_run(comparison, blocked, policy=policy)


def incomparable_run() -> Run:
    """One metric was judged by another judge."""
    apart = build_moved(
        None, None, verdict="not_comparable", why="another judge: 'openai/gpt-4o', 'ollama/llama3' before"
    )
    return compared_run(
        build_comparison(replace(apart, smallest_drop=None), build_moved(name="tone")),
        cause("not_comparable", "faithfulness cannot be compared: another judge", status="inconclusive"),
    )


def problem_run(kind: BaselineCause = "unreadable", *, blocks: bool = True) -> Run:
    """A baseline that was asked for and is no use; `blocks` says whether the policy minds."""
    message = {
        "missing": "there is no baseline at 'eval-base'",
        "unreadable": "the baseline 'eval-base/results.json' cannot be read: it is empty",
    }.get(kind, f"the baseline is no use: {kind}")
    comparison = Comparison(problem=BaselineProblem(cause=kind, message=message))
    causes = (
        (cause(f"baseline_{kind}", f"nothing was compared: {message}; make it again", status="inconclusive"),)
        if blocks
        else ()
    )
    return compared_run(comparison, *causes, policy=Policy(on_missing_baseline="report"))


def vanished_run() -> Run:
    """Nothing is worse, but a case that passed is gone."""
    comparison = build_comparison(build_moved(), vanished=(build_change("warranty", "passed", None),))
    return compared_run(
        comparison,
        cause("removed_cases", "1 case that passed in the baseline is gone: 'warranty'", "warranty"),
    )


def stale_run(**settings: Any) -> Run:
    """A transcript that another version of the agent made, without a baseline; `settings` are the run's."""
    stale = Staleness(status="stale", differs=("model", "instructions"))
    cases = (build_case(staleness=stale), build_case("greeting", staleness=Staleness(status="fresh")))
    blocked = cause("stale_transcripts", "1 transcript is stale", "refund-window")
    return build_run(*cases, **{"verdict": build_verdict("failed", blocked)} | settings)


def hostile_comparison(text: str = HOSTILE) -> Comparison:
    """A comparison in which everything that is read from somewhere says `text`."""
    flip = build_flip(
        text,
        agent=text,
        metric=text,
        before_reason=text,
        now_reason=text,
        why=text,
        before_replies=(9e9, -9e9),
    )
    change = CaseChange(agent=text, case=text, before="passed", now="failed")
    rejudged = Rejudged(agent=text, case=text, turn=0, result=build_metric(0.5, text))
    return Comparison(
        baseline=BaselineRun(file=text, status=text, started_at=text, head_sha=text, from_checkout=True),
        paired=1,
        metrics=tuple(
            build_moved(0.9, 0.1, agent=text, name=f"{text}{verdict}", verdict=verdict, why=text)
            for verdict in ("worse", "better", "same", "underpowered", "not_comparable")
        ),
        flips=(flip, replace(flip, case=f"{text}2", proven=False), replace(flip, metric="", turn=1)),
        newly_passing=(change,),
        still_failing=(replace(change, before="failed"),),
        new=(replace(change, before=None),),
        vanished=(replace(change, now=None),),
        changed=(change,),
        gate_changes=tuple(
            GateChange(code=text, message=text, loosens=loosens, cases=(text,)) for loosens in (True, False)
        ),
        rejudged=(rejudged,),
        notes=(text,),
    )


def hostile_compared_run(text: str = HOSTILE) -> Run:
    """The hostile run, with a comparison that is hostile too."""
    run = hostile_run(text)
    stale = Staleness(status="stale", differs=(text,))
    return replace(
        run,
        comparison=hostile_comparison(text),
        cases=tuple(replace(case, staleness=stale) for case in run.cases),
        verdict=replace(
            run.verdict,
            causes=(*run.verdict.causes, cause("regression", text), cause("case_regression", text)),
        ),
    )


def many_compared(number: int, **settings: Any) -> Run:
    """A run in which so many cases newly fail, half of them proven, and as many are in each list."""
    names = [f"case-{index:04}" for index in range(number)]
    flips = tuple(build_flip(name, proven=index % 2 == 0, **settings) for index, name in enumerate(names))
    changes = tuple(build_change(name, "passed", "failed") for name in names)
    comparison = build_comparison(
        build_moved(0.86, 0.4, verdict="worse"),
        paired=number,
        flips=flips,
        newly_passing=changes,
        new=changes,
        vanished=changes,
        changed=changes,
        still_failing=tuple(build_change(f"old-{name}", "failed", "failed") for name in names),
        gate_changes=tuple(
            GateChange(code="case_removed", message=f"{name} was removed", loosens=True) for name in names
        ),
    )
    cases = (
        *(build_case(name, "failed") for name in names),
        *(build_case(f"old-{name}", "failed") for name in names),
    )
    return compared_run(
        comparison, cause("regression", "worse"), cause("case_regression", "many", *names), cases=cases
    )


COMPARED: Final[Mapping[str, Callable[[], Run]]] = {
    "same": same_run,
    "worse": worse_run,
    "underpowered": underpowered_run,
    "better": better_run,
    "loosened": loosened_run,
    "incomparable": incomparable_run,
    "unreadable-baseline": problem_run,
    "first-run": lambda: problem_run("missing", blocks=False),
    "vanished": vanished_run,
    "stale": stale_run,
    "hostile-compared": hostile_compared_run,
}
"""Runs for each thing that a comparison can come to."""
