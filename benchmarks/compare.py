"""Two large runs: what comparing them costs beside reading them."""

import statistics
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.gate_world import METRICS, Numbers, Side, World, case_result, judged, qualities, run_of
from benchmarks.processes import Cost, cost_of
from holodeck_eval.aggregate import summarize
from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.result import CaseResult, MetricResult
from holodeck_eval.reports import results

CASES: Final = 10_000
RUNS: Final = 5
MOST_S: Final = 3.0
MOST_MIB: Final = 400.0

JSON = "import json, sys; read = [json.load(open(file)) for file in sys.argv[1:]]"
READ = (
    "import sys; from holodeck_eval.compare import ComparisonPolicy, compare;"
    "from holodeck_eval.reports.results import parse;"
    "runs = [parse(open(file).read(), shown_as=file) for file in sys.argv[1:]]"
)
COMPARE = f"{READ}; compare(*runs, ComparisonPolicy())"


def main() -> bool:
    """Measure, print, and say whether the targets were met."""
    with tempfile.TemporaryDirectory() as name:
        files = _write(Path(name))
        made = [
            [cost_of([sys.executable, "-c", code, *files]) for code in (JSON, READ, COMPARE)]
            for _ in range(RUNS + 1)
        ][1:]
        whole = cost_of([sys.executable, "-m", "holodeck_eval", "compare", *files])
    seconds = min(full.wall_s for _, _, full in made) - min(read.wall_s for _, read, _ in made)
    peak = max(whole.peak_mib, *(full.peak_mib for _, _, full in made))
    print(f"compare: {CASES:,} cases x {len(METRICS)} metrics, {RUNS} runs of each, the quickest counts")
    print(f"  comparing {seconds:.2f} s (under {MOST_S:g}), CPU {_extra_cpu(made):.2f} s; {_ratios(made)}")
    print(f"  the whole command, reading both files too: {whole.wall_s:.2f} s, CPU {whole.cpu_s:.2f} s")
    print(f"  peak memory {peak:.0f} MiB (under {MOST_MIB:g})")
    return seconds < MOST_S and peak < MOST_MIB


def _extra_cpu(made: list[list[Cost]]) -> float:
    return statistics.median(full.cpu_s - read.cpu_s for _, read, full in made)


def _ratios(made: list[list[Cost]]) -> str:
    """What comparing costs as a multiple of what reading the same files costs."""
    ours = statistics.median((full.cpu_s - read.cpu_s) / read.cpu_s for _, read, full in made)
    bare = statistics.median((full.cpu_s - read.cpu_s) / plain.cpu_s for plain, read, full in made)
    return f"CPU {ours:.2f} times reading both files, {bare:.2f} times json.load on both"


def _write(folder: Path) -> list[str]:
    """Results files of two runs of an agent that did not change."""
    world = World(cases=CASES, noise=0.08, replies="tenths")
    rng = np.random.default_rng(0)
    before, after = qualities(world, 1, rng)
    return [
        _write_side(folder, "baseline", judged(world, before[0], rng)),
        _write_side(folder, "head", judged(world, after[0], rng)),
    ]


def _write_side(folder: Path, side: Side, replies: Numbers) -> str:
    cases = [
        _with_texts(case_result(side, number, [(reply,) for reply in case]), number)
        for number, case in enumerate(replies.tolist())
    ]
    run = replace(run_of(cases), summary=summarize(cases))
    path = folder / f"{side}.json"
    path.write_text(results.render(run), encoding="utf-8")
    return str(path)


def _with_texts(case: CaseResult, number: int) -> CaseResult:
    """The case with a question, an answer of some 600 characters, and a reason for each score."""
    turn = replace(
        case.turns[0],
        input=f"How do I change plan number {number}?",
        actual_output=f"Open the settings, choose plan {number}, confirm. " * 12,
        metrics=tuple(_with_reason(metric, number) for metric in case.turns[0].metrics),
    )
    return replace(case, turns=(turn,))


def _with_reason(metric: MetricResult, number: int) -> MetricResult:
    assert isinstance(metric.outcome, Scored)
    reason = f"The answer says how plan {number} is chosen, and leaves out what it costs to change to it."
    return replace(metric, outcome=replace(metric.outcome, reason=reason))
