"""A large file of multi-turn test cases: what loading it costs beside PyYAML alone."""

import tempfile
import time
from pathlib import Path

import yaml

from holodeck_eval.config import load_agent
from holodeck_eval.domain.options import Environment
from holodeck_eval.evaluators import METRICS

CASES = 133
MOST_S = 2.0
TURN = (
    "  - input: In the report of company {case}, what was the figure of line {turn}, in millions?\n"
    "    ground_truth: '{turn}.5'\n    expected_tools:\n    - archive\n"
    "    turn_config: {{program: 'divide({case}, {turn})', document: report/{case}}}\n"
)


def main() -> bool:
    """Measure, print, and say whether the target was met."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        agent = _write(folder)
        start = time.perf_counter()
        loaded = load_agent(agent, environment=Environment(), metric_types=METRICS)
        ours = time.perf_counter() - start
        start = time.perf_counter()
        yaml.load((folder / "cases.yaml").read_bytes(), Loader=yaml.CSafeLoader)
        bare = time.perf_counter() - start
    turns = sum(len(case.turns) for case in loaded.test_cases)
    print(f"config: {len(loaded.test_cases)} cases with {turns} turns in {ours:.2f} s (at most {MOST_S:g}),")
    print(f"  {ours / bare:.1f} times PyYAML's own C loader without positions or validation, 1 run")
    return ours <= MOST_S


def _write(folder: Path) -> Path:
    cases = [
        f"- name: case {case}\n  turns:\n" + "".join(TURN.format(case=case, turn=turn) for turn in range(4))
        for case in range(CASES)
    ]
    (folder / "cases.yaml").write_text("".join(cases), encoding="utf-8")
    path = folder / "agent.yaml"
    path.write_text(
        "name: bench\nmodel: {provider: openai, name: gpt-4o}\ninstructions: {inline: Help.}\n"
        "evaluations:\n  metrics: [{type: standard, metric: numeric}]\ntest_cases_file: cases.yaml\n",
        encoding="utf-8",
    )
    return path
