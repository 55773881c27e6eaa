"""The real image, run on the example as GitHub runs a container action.

Not collected with the other tests: `.ci/run` names this file and the script that stands in for GitHub's runner.
"""

import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "support-agent"
INPUTS = {
    "agent": "support-agent/agent.yaml",
    "transcripts": "support-agent/transcripts.jsonl",
    "policy": "support-agent/policy.yaml",
    "verdicts": "support-agent/verdicts.jsonl",
    "offline": "true",
}


@dataclass(frozen=True, slots=True)
class Step:
    """What a container step left behind."""

    exit_code: int
    log: str
    outputs: dict[str, str]
    summary: str
    workspace: Path

    @property
    def report(self) -> Path:
        return self.workspace / "eval-report"


def run_step(check: str, folder: Path, **inputs: str) -> Step:
    """Run the action in a fresh workspace that holds the example; unset inputs get action.yml's defaults."""
    workspace = folder / "workspace"
    shutil.copytree(EXAMPLE, workspace / "support-agent")
    declared = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    given = {name: entry.get("default", "") for name, entry in declared.items()} | INPUTS | inputs
    done = subprocess.run(  # noqa: S603 - the script .ci/run names
        ["/bin/bash", check, str(ROOT), str(workspace), *(f"{name}={value}" for name, value in given.items())],
        capture_output=True,
        text=True,
        check=False,
    )
    log, _, files = done.stdout.partition(f"--- exit {done.returncode}\n")
    assert files, done.stdout + done.stderr
    outputs, rest = files.removeprefix("--- output\n").split("--- env\n", 1)
    environment, summary = rest.split("--- summary\n", 1)
    assert environment == ""
    return Step(
        exit_code=done.returncode,
        log=log + done.stderr,
        outputs=dict(re.findall(r"^(\w+)<<(?P<end>\S+)\n(.*?)\n(?P=end)$", outputs, re.MULTILINE | re.DOTALL)),
        summary=summary,
        workspace=workspace,
    )
