"""The example: a real, mixed verdict, offline; and the README shows it as it is."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from holodeck_eval.cli import main

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = Path("examples") / "support-agent"
OURS_ALONE = {"bad_below", "guardrail", "deployment_name"}


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The report folder of the example, judged by its recorded verdicts from the repository's root."""
    monkeypatch.chdir(ROOT)
    options = {
        "agent": EXAMPLE / "agent.yaml",
        "transcripts": EXAMPLE / "transcripts.jsonl",
        "policy": EXAMPLE / "policy.yaml",
        "verdicts": EXAMPLE / "verdicts.jsonl",
        "out": tmp_path,
    }
    arguments = [f"--{name}={value}" for name, value in options.items()]
    assert main(["run", "--offline", "--quiet", *arguments], environ={}) == 1
    return tmp_path


def results(report: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((report / "results.json").read_text(encoding="utf-8"))
    return loaded


def keys_of(value: object) -> set[str]:
    """Every key at any depth."""
    if isinstance(value, dict):
        return set(value) | {key for item in value.values() for key in keys_of(item)}
    return {key for item in value for key in keys_of(item)} if isinstance(value, list) else set()


def test_the_example_ends_in_a_mixed_verdict(report: Path) -> None:
    summary = results(report)["summary"]
    assert (summary["passed"], summary["failed"], summary["inconclusive"]) == (12, 7, 1)


def test_each_flaw_of_the_example_is_found_in_its_own_case(report: Path) -> None:
    reasons = {case["id"]: " ".join(case["reasons"]) for case in results(report)["cases"] if case["reasons"]}
    for case, word in {
        "warranty-switch": "Completeness is 2",
        "instalments": "Groundedness is 1",
        "return-postage": "Redundancy is 3",
        "lieferzeit-oesterreich": "Language Consistency is 0",
        "delete-account": "Refusal Alignment is 0",
        "order-20560": "Groundedness is 1",
        "spare-shade": "'help_center' was not called",
        "wall-dimmer": "retrieval_context",
    }.items():
        assert word in reasons.pop(case)
    assert not reasons


def test_every_judgement_of_the_example_is_a_recorded_one(report: Path) -> None:
    loaded = results(report)
    assert loaded["usage"]["calls"] == 0
    assert set(loaded["summary"]["skipped_by_cause"]) == {"missing_input", "generation.not_applicable"}


def test_each_recorded_verdict_of_the_example_has_a_score_and_a_reason() -> None:
    lines = (ROOT / EXAMPLE / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    verdicts = [json.loads(line) for line in lines]
    assert len({verdict["key"] for verdict in verdicts}) == len(verdicts)
    assert all(verdict["score"] is not None and verdict["reason"] for verdict in verdicts)
    assert {verdict["judge"]["provider"] for verdict in verdicts} == {"human"}


def test_the_readme_shows_lines_of_the_examples_own_comment(report: Path) -> None:
    comment = (report / "comment.md").read_text(encoding="utf-8").splitlines()
    section = (ROOT / "README.md").read_text(encoding="utf-8").split("\n## What a reviewer sees\n")[1]
    shown = section.split("\n## ", 1)[0].partition("\n### ")[2].splitlines()
    assert f"### {shown[0]}" == comment[0]
    assert [line for line in shown[1:] if line not in comment] == []


def test_the_agent_yaml_holds_nothing_that_holodeck_does_not_know() -> None:
    agent = yaml.safe_load((ROOT / EXAMPLE / "agent.yaml").read_text(encoding="utf-8"))
    metrics = agent["evaluations"]["metrics"]
    assert {metric["type"] for metric in metrics} <= {"standard", "geval", "rag", "code"}
    assert not keys_of(agent) & OURS_ALONE
    assert agent["evaluations"]["model"]["provider"] != "human"


def test_both_agents_of_the_example_are_the_same_agent() -> None:
    both = [
        yaml.safe_load((ROOT / EXAMPLE / name).read_text(encoding="utf-8"))
        for name in ("agent.yaml", "agent.ollama.yaml")
    ]
    assert both[0]["name"] == both[1]["name"]
    assert both[0]["test_cases_file"] == both[1]["test_cases_file"]
    assert both[0]["evaluations"]["metrics"] == [
        metric for metric in both[1]["evaluations"]["metrics"] if metric["type"] != "generation"
    ]
