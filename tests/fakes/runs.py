"""Whole runs made up for tests of what is rendered from them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from holodeck_eval.domain.outcome import Errored, Outcome, Scored, Skipped
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import (
    CaseResult,
    MetricConfig,
    MetricResult,
    MetricSummary,
    Summary,
    TurnResult,
    Usage,
    WaivedCase,
)
from holodeck_eval.domain.run import AgentRun, FileRead, Run
from holodeck_eval.domain.verdict import EXIT_CODES, Cause, Status, Verdict
from holodeck_eval.errors import Place

JUDGE = "openai/gpt-4o"
AGENT = "support"


def build_metric(outcome: Outcome | float, name: str = "faithfulness", **settings: Any) -> MetricResult:
    """A metric's result; a number is a score judged in this run, held against 0.7."""
    if isinstance(outcome, int | float):
        outcome = Scored(score=outcome, reason="The context says 30 days.", judge=JUDGE)
    threshold = settings.get("threshold", 0.7)
    passed = None
    if isinstance(outcome, Scored) and threshold is not None:
        passed = outcome.score >= threshold
    return MetricResult(
        **{
            "name": name,
            "type": name,
            "threshold": threshold,
            "outcome": outcome,
            "passed": passed,
            "blocks": isinstance(outcome, Errored),
            "place": Place(file="agent.yaml", line=12, column=7),
            "duration_s": 0.25,
        }
        | settings
    )


def build_turn(*metrics: MetricResult, **settings: Any) -> TurnResult:
    """A turn with these metrics' results."""
    turn: dict[str, Any] = {
        "index": 0,
        "input": "How long can I return a laptop?",
        "actual_output": "You have 60 days.",
        "expected_output": "30 days after delivery.",
        "status": "passed",
        "metrics": metrics,
    }
    return TurnResult(**turn | settings)


def build_case(id: str = "refund-window", status: str = "passed", **settings: Any) -> CaseResult:  # noqa: A002
    """A case of one turn: passed with 0.9, failed with 0.33, or inconclusive by a timeout."""
    late = Errored(kind="timeout", message="The judge did not answer within 60 s.")
    by_status: dict[str, dict[str, Any]] = {
        "passed": {"outcome": 0.9, "reasons": (), "rating": "good", "avg_score": 0.9},
        "failed": {
            "outcome": 0.33,
            "reasons": ("faithfulness scored 0.33, under its threshold of 0.70: The context says 30 days.",),
            "rating": "bad",
            "avg_score": 0.33,
        },
        "inconclusive": {
            "outcome": late,
            "reasons": (f"faithfulness could not be judged (timeout): {late.message}",),
            "rating": None,
            "avg_score": None,
        },
    }
    made = by_status[status]
    return CaseResult(
        **{
            "id": id,
            "agent": AGENT,
            "name": None,
            "status": status,
            "reasons": made["reasons"],
            "turns": (build_turn(build_metric(made["outcome"]), status=status),),
            "digest": "0" * 64,
            "rating": made["rating"],
            "avg_score": made["avg_score"],
            "transcript": Place(file="runs/today.jsonl", line=3),
            "test_case": Place(file="agent.yaml", line=40),
        }
        | settings
    )


def build_summary(cases: Sequence[CaseResult] = (), **settings: Any) -> Summary:
    """The numbers of some cases, added up as plainly as a test can read."""
    status = [case.status for case in cases]
    outcomes = [metric.outcome for case in cases for turn in case.turns for metric in turn.metrics]
    scored = [outcome.score for outcome in outcomes if isinstance(outcome, Scored)]
    errored = sum(isinstance(outcome, Errored) for outcome in outcomes)
    decided = status.count("passed") + status.count("failed")
    mean = round(sum(scored) / len(scored), 6) if scored else None
    return Summary(
        **{
            "cases": len(cases),
            "passed": status.count("passed"),
            "failed": status.count("failed"),
            "inconclusive": status.count("inconclusive"),
            "pass_rate": status.count("passed") / decided if decided else None,
            "error_rate": errored / len(outcomes) if outcomes else None,
            "score": None,
            "binary_score": None,
            "avg_score": mean,
            "rating": None,
            "evaluations_scored": len(scored),
            "evaluations_skipped": sum(isinstance(outcome, Skipped) for outcome in outcomes),
            "evaluations_errored": errored,
            "metrics": (build_metric_summary(cases, mean, len(scored), errored),) if outcomes else (),
        }
        | settings
    )


def build_metric_summary(
    cases: Sequence[CaseResult], mean: float | None, scored: int, errored: int
) -> MetricSummary:
    """The one metric of cases made by `build_case`."""
    results = [metric.passed for case in cases for turn in case.turns for metric in turn.metrics]
    return MetricSummary(
        agent=AGENT,
        name="faithfulness",
        type="faithfulness",
        threshold=0.7,
        mean=mean,
        scored=scored,
        passed=results.count(True),
        failed=results.count(False),
        skipped=0,
        errored=errored,
    )


def build_verdict(status: Status = "passed", *causes: Cause, **settings: Any) -> Verdict:
    """A verdict with the exit code of its status."""
    return Verdict(**{"status": status, "causes": causes, "exit_code": EXIT_CODES[status]} | settings)


def build_run(*cases: CaseResult, **overrides: Any) -> Run:
    """A run of these cases, dated 2 January 2026; it passed unless `verdict` says otherwise."""
    config = MetricConfig(
        name="faithfulness",
        kind="rag",
        type="faithfulness",
        enabled=True,
        guardrail=False,
        threshold=0.7,
        bad_below=None,
        judge=JUDGE,
        configuration={"include_reason": True},
        digest="1" * 64,
        place=Place(file="agent.yaml", line=12, column=7),
    )
    agent = AgentRun(
        name=AGENT, file="agent.yaml", metrics=(config,), test_cases=len(cases), transcripts=len(cases)
    )
    run: dict[str, Any] = {
        "schema_version": 1,
        "tool_version": "0.1.0",
        "started_at": "2026-01-02T03:04:05Z",
        "duration_s": 1.5,
        "verdict": build_verdict(),
        "policy": Policy(),
        "summary": build_summary(cases),
        "agents": (agent,),
        "cases": cases,
        "files": (FileRead(file="runs/today.jsonl", format="native", records=len(cases)),),
        "usage": Usage(calls=len(cases), input_tokens=1200, output_tokens=300, cost_usd=0.0123),
        "head_sha": "0123456789abcdef0123456789abcdef01234567",
    }
    return Run(**run | overrides)


PASS_RATE = Cause(
    status="failed",
    code="pass_rate",
    message="the pass rate is 0.50, under the required 1",
    cases=("refund-window", "refund-end"),
)
LATE = Cause(
    status="inconclusive",
    code="timeout",
    message="1 case is open: the judge did not answer in time; raise timeout or run again (first: late)",
    cases=("slow",),
)


def passed_run() -> Run:
    """Two cases, both fine."""
    return build_run(build_case(), build_case("greeting"))


def failed_run() -> Run:
    """Two of four cases failed, one by having no answer."""
    silent = build_case(
        "refund-end",
        "failed",
        turns=(build_turn(actual_output=None, no_answer="the run ended in a tool call", status="failed"),),
        reasons=("the agent gave no answer: the run ended in a tool call",),
        rating=None,
        avg_score=None,
    )
    cases = (build_case(status="failed"), silent, build_case("greeting"), build_case("goodbye"))
    return build_run(*cases, verdict=build_verdict("failed", PASS_RATE))


def inconclusive_run(**settings: Any) -> Run:
    """One of two cases could not be judged; `settings` are the verdict's."""
    cases = (build_case(), build_case("slow", "inconclusive"))
    verdict = build_verdict("inconclusive", LATE, **settings)
    return build_run(*cases, verdict=verdict, usage=Usage(calls=3))


def waived_run() -> Run:
    """The same, let through by the policy, beside a test case that was never recorded."""
    run = inconclusive_run(exit_code=0, waived=True)
    lost = WaivedCase(
        id="lost",
        agent=AGENT,
        reason="no transcript was recorded for this test case",
        test_case=Place(file="agent.yaml", line=50),
    )
    return build_run(
        *run.cases,
        verdict=run.verdict,
        usage=run.usage,
        waived_cases=(lost,),
        policy=Policy(on_inconclusive="pass", allow_missing=True),
        warnings=("a threshold of 0 lets everything pass",),
    )


def error_run() -> Run:
    """Two problems in the input, and nothing measured."""
    causes = (
        Cause(
            status="error",
            code="bad_input",
            message="unknown key 'treshold'; did you mean 'threshold'?",
            place=Place(file="agent.yaml", line=14, column=9),
        ),
        Cause(
            status="error",
            code="bad_input",
            message="this is not JSON",
            place=Place(file="runs/today.jsonl", line=2),
        ),
    )
    return build_run(verdict=build_verdict("error", *causes), agents=(), files=(), usage=Usage())


def bug_run() -> Run:
    """A fault of the program."""
    cause = Cause(status="bug", code="internal_error", message="holodeck-eval broke: KeyError: 'x'")
    return build_run(verdict=build_verdict("bug", cause), agents=(), files=(), usage=Usage())


HOSTILE = (
    "a|b `c` **b** __u__ <script>alert(1)</script> <!-- x --> ![i](https://e.example/x.png) [l](javascript:x)"
    " @someone @org/team #1 org/repo#2 GH-3 cafebabe1 https://e.example/a www.e.example me@e.example"
    " ::error::x ##[set-output name=status]passed \x1b[31mred\x1b[0m \x1b]0;title\x07 \u202eRTL\u202c \ud800"
    " \ufffe \u2028 $x^2$ ~~s~~ ```` </details> <details> ]]> :tada: \x00\x0b\n# head\n- list\n::error::y\n```\n"
)
"""One text with everything that a surface could take for an order."""


def hostile_run(text: str = HOSTILE) -> Run:
    """A run in which everything that is read from somewhere says `text`."""
    place = Place(file=text, line=3)
    metrics = (
        build_metric(Scored(score=0.1, reason=text, judge=text), name=text, place=place),
        build_metric(Errored(kind="invalid_reply", message=text), name=text + "2"),
        build_metric(Skipped(cause="missing_input", reason=text), name=text + "3", blocks=True),
    )
    turn = build_turn(*metrics, input=text, actual_output=text, expected_output=text, status="failed")
    silent = build_turn(input=text, actual_output=None, no_answer=text, status="failed")
    where: dict[str, Any] = {"agent": text, "reasons": (text,), "transcript": place, "test_case": place}
    cases = (
        build_case(text, "failed", turns=(turn, silent), **where),
        build_case(f"{text}2", "inconclusive", turns=(turn,), **where),
    )
    summary = build_summary(cases)
    named = tuple(replace(metric, agent=text, name=text) for metric in summary.metrics)
    return build_run(
        *cases,
        verdict=build_verdict(
            "failed", Cause(status="failed", code=text, message=text, cases=(text,), place=place)
        ),
        summary=replace(summary, metrics=named, verdicts_from_checkout=41, skipped_by_cause={text: 1}),
        agents=(),
        waived_cases=(WaivedCase(id=text, agent=text, reason=text, test_case=place),),
        files=(FileRead(file=text, format=text, records=2),),
        warnings=(text,),
        head_sha=text,
        tool_version=text,
        started_at=text,
    )
