"""Two thousand failed cases: what the comment and the summary cost beside results.json of the same run."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from benchmarks.gate_world import METRICS, case_result, run_of
from holodeck_eval.aggregate import summarize
from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.result import CaseResult, MetricResult
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.verdict import EXIT_CODES, Cause, Verdict
from holodeck_eval.errors import Place
from holodeck_eval.reports import comment, results, summary

CASES: Final = 2_000
RUNS: Final = 5
MOST_S: Final = 1.0
HARD: Final = "**bold** | `code` <b>@someone</b> #1 https://e.example/a_b $x$ ![i](x) \u202eright\u202c "
"""A text in which nearly every character has to be made harmless."""

PLAIN: Final = "The answer says how the plan is chosen, and leaves out what it costs to change to it. "


def main() -> bool:
    """Measure, print, and say whether the targets were met."""
    print(
        f"render: {CASES:,} failed cases x {len(METRICS)} metrics, {RUNS} runs of each, the quickest counts"
    )
    kept = [_measure(name, _run(text)) for name, text in (("plain", PLAIN), ("hostile", HARD))]
    return all(kept)


def _measure(name: str, run: Run) -> bool:
    first = _seconds(lambda: _both(run))
    both = min(_seconds(lambda: _both(run)) for _ in range(RUNS))
    json = min(_seconds(lambda: results.render(run)) for _ in range(RUNS))
    sizes = f"{len(comment.render(run).encode()):,} and {len(summary.render(run).encode()):,} bytes"
    print(f"  {name} texts: comment and summary {both:.2f} s (under {MOST_S:g}), {sizes}")
    print(f"    {both / json:.1f} times results.json ({json:.2f} s); the first time {first:.2f} s")
    return max(first, both) < MOST_S


def _both(run: Run) -> None:
    comment.render(run)
    summary.render(run)


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _run(text: str) -> Run:
    cases = tuple(_case(number, text) for number in range(CASES))
    cause = Cause(status="failed", code="pass_rate", message="the pass rate is 0.00, under the required 1")
    verdict = Verdict(status="failed", causes=(cause,), exit_code=EXIT_CODES["failed"])
    return replace(run_of(cases), summary=summarize(cases), verdict=verdict)


def _case(number: int, text: str) -> CaseResult:
    """A case that fails by every metric, with a question, an answer of some 600 characters, and reasons."""
    made = case_result("head", number, [(0.01 * (number % 60),)] * len(METRICS))
    turn = replace(
        made.turns[0],
        input=f"{number}: {text}",
        actual_output=text * 7,
        expected_output=text,
        metrics=tuple(_with_reason(metric, text * 3) for metric in made.turns[0].metrics),
    )
    place = Place(file="transcripts/of/the/support-agent.jsonl", line=number + 1)
    return replace(made, turns=(turn,), transcript=place)


def _with_reason(metric: MetricResult, reason: str) -> MetricResult:
    assert isinstance(metric.outcome, Scored)
    return replace(metric, outcome=replace(metric.outcome, reason=reason))
