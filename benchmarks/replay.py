"""All verdicts recorded: what a whole run costs beside the bare imports it stands on."""

import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks.inputs import METRICS, write_agent, write_transcripts
from benchmarks.processes import cost_of, judge_double

CASES = 200
RUNS = 9
MOST_TIMES = 4.0
MOST_MIB = 120.0
BARE = "import click, pydantic, yaml, jinja2"
NO_DEEPEVAL = (
    "import sys; from holodeck_eval.cli import main; code = main(sys.argv[1:]); "
    "sys.exit(code if not {'deepeval', 'openai'} & set(sys.modules) else 99)"
)


def main() -> bool:
    """Measure, print, and say whether the targets were met."""
    with tempfile.TemporaryDirectory() as name:
        arguments = _record(Path(name))
        cost_of([sys.executable, "-c", NO_DEEPEVAL, *arguments, "--offline"])
        command = [sys.executable, "-m", "holodeck_eval", *arguments, "--offline"]
        bare = [sys.executable, "-c", BARE]
        pairs = [(cost_of(command), cost_of(bare)) for _ in range(RUNS + 1)][1:]
    wall = statistics.median(run.wall_s / base.wall_s for run, base in pairs)
    cpu = statistics.median(run.cpu_s / base.cpu_s for run, base in pairs)
    peak = max(run.peak_mib for run, _ in pairs)
    seconds = statistics.median(run.wall_s for run, _ in pairs)
    print(
        f"replay: {CASES} cases x {METRICS} metrics, all recorded, {RUNS} paired runs, deepeval not imported"
    )
    print(
        f"  wall {wall:.2f} times the bare imports (at most {MOST_TIMES:g}), {seconds:.2f} s; CPU {cpu:.2f}"
    )
    print(f"  peak memory {peak:.0f} MiB (under {MOST_MIB:g})")
    return wall <= MOST_TIMES and peak < MOST_MIB


def _record(folder: Path) -> list[str]:
    """Judge everything once against the double, so that every verdict stands in a file."""
    with judge_double(0.0) as url:
        agent = write_agent(folder, url)
        transcripts = write_transcripts(folder, CASES)
        arguments = ["run", "--agent", str(agent), "--transcripts", str(transcripts)]
        arguments += ["--verdicts", str(folder / "verdicts.jsonl"), "--out", str(folder / "out")]
        cost_of([sys.executable, "-m", "holodeck_eval", *arguments])
    return arguments
