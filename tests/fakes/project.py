"""A folder as a team would have it: an agent, transcripts, and the command run over them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from holodeck_eval.cli import main

EQUALITY = {"type": "standard", "metric": "equality", "strip_whitespace": True}
JUDGE = {"provider": "human", "name": "the team"}


@dataclass(slots=True)
class Project:
    """A project in `folder`; `environ` is what its runs see."""

    folder: Path
    environ: dict[str, str] = field(default_factory=dict)

    @property
    def out(self) -> Path:
        """The report folder."""
        return self.folder / "out"

    def write(self, name: str, text: str) -> Path:
        """A file of the project, its folders made."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def agent(self, *metrics: Mapping[str, Any], name: str = "helper", **fields: Any) -> Path:
        """An agent YAML with these metrics; `evaluations`, `test_cases` and others as given."""
        document: dict[str, Any] = {
            "name": name,
            "model": {"provider": "openai", "name": "gpt-4o"},
            "instructions": {"inline": "Help."},
        }
        if metrics:
            document["evaluations"] = {"metrics": [dict(metric) for metric in metrics]}
        for key, value in fields.items():
            document[key] = {**document[key], **value} if key == "evaluations" and metrics else value
        return self.write(f"{name}.yaml", yaml.safe_dump(document, sort_keys=False))

    def transcripts(self, *records: Mapping[str, Any], name: str = "runs.jsonl") -> Path:
        """A JSONL file of these records."""
        return self.write(name, "".join(json.dumps(record) + "\n" for record in records))

    def run(self, *arguments: str, command: str = "run", agent: str = "helper.yaml") -> int:
        """Run the command line over agent and runs.jsonl; the exit code."""
        paths = ["--agent", str(self.folder / agent), "--transcripts", str(self.folder / "runs.jsonl")]
        return main([command, *paths, "--out", str(self.out), *arguments], self.environ)

    def action(self, **inputs: str) -> int:
        """Run as the action with these inputs, in the working directory; the exit code."""
        variables = {f"INPUT_{name.upper()}": value for name, value in inputs.items()}
        return main(["action"], self.environ | variables)

    @property
    def results(self) -> dict[str, Any]:
        """The last run's results.json."""
        loaded: dict[str, Any] = json.loads((self.out / "results.json").read_text(encoding="utf-8"))
        return loaded
