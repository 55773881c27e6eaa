"""Made-up agents and transcripts of any size."""

import json
from pathlib import Path

METRICS = 5


def write_agent(folder: Path, endpoint: str, *, metrics: int = METRICS) -> Path:
    """An agent with some one-call GEval metrics, judged at an OpenAI endpoint."""
    blocks = [
        f"    - type: geval\n      name: Metric{number}\n"
        "      criteria: Is the answer correct and to the point?\n"
        f"      evaluation_steps: [Compare the answer with the question, Look for errors of kind {number}]\n"
        "      evaluation_params: [input, actual_output]\n      threshold: 0.5\n"
        for number in range(metrics)
    ]
    path = folder / "agent.yaml"
    path.write_text(
        "name: bench\nmodel: {provider: openai, name: gpt-4o}\ninstructions: {inline: Help.}\n"
        "evaluations:\n"
        f"  model: {{provider: openai, name: gpt-5, api_key: sk-bench, endpoint: {endpoint}/v1}}"
        "\n  metrics:\n" + "".join(blocks),
        encoding="utf-8",
    )
    return path


def write_transcripts(folder: Path, cases: int) -> Path:
    """Native records with a question, an answer of some 600 characters and two context chunks."""
    path = folder / "transcripts.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(cases):
            record = {
                "id": f"case-{number}",
                "input": f"How do I change plan number {number}?",
                "output": f"Open the settings, choose plan {number}, confirm. " * 12,
                "context": [f"Plans are changed in the settings. Plan {number} costs 5.", "Support is open."],
            }
            file.write(json.dumps(record) + "\n")
    return path
