"""Whatever a pull request commits, it does not vouch for itself: attacks on the gate, as the action sees them.

What is believed all the same is said here, too: the agent YAML, where nothing outside the checkout says more.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.fakes.project import EQUALITY, Project

ASKED = "Hello?"
STRICT = {"provider": "human", "name": "strict"}
LENIENT = {"provider": "human", "name": "lenient"}
TONE = {"type": "geval", "name": "tone", "criteria": "Is it kind?", "threshold": 0.7, "model": STRICT}
LOOSEST = {
    "min_pass_rate": 0,
    "min_avg_score": 0,
    "min_score": 0,
    "min_binary_score": 0,
    "min_cases": 1,
    "max_error_rate": 1,
    "on_missing_input": "skip",
    "on_inconclusive": "pass",
    "allow_missing": True,
    "max_drop": 1,
    "metrics_alpha": 0.0001,
    "cases_alpha": 0.0001,
    "allow_removed_cases": True,
    "on_missing_baseline": "report",
    "on_gate_change": "report",
    "on_stale": "report",
}
WRITTEN = {
    "min_pass_rate": "1",
    "min_avg_score": "0.9",
    "min_score": "0.9",
    "min_binary_score": "1",
    "min_cases": "2",
}


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder that the workflow restored its caches to, beside the checkout."""
    folder = tmp_path / "runner_temp"
    folder.mkdir()
    return folder


def run(project: Project, **inputs: str) -> int:
    return project.action(**{"agent": "helper.yaml", "transcripts": "runs.jsonl", **inputs})


def report(project: Project) -> dict[str, Any]:
    text = (project.folder / "eval-report" / "results.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def told(project: Project) -> str:
    return " ".join(cause["message"] for cause in report(project)["verdict"]["causes"])


def status(project: Project) -> str:
    return str(report(project)["verdict"]["status"])


def answers(project: Project, text: str, **more: Any) -> None:
    project.transcripts({"id": "hello", "input": ASKED, "output": text, **more})


def judged(project: Project, name: str, **scores: float) -> Path:
    """A file of verdicts on the tone as it is recorded now, by the people who are named."""
    written = []
    for judge, score in scores.items():
        project.agent({**TONE, "model": {"provider": "human", "name": judge}})
        at_home = Project(project.folder)
        assert at_home.run("--verdicts", str(project.folder / f"{judge}.jsonl"), command="label") == 0
        line = json.loads((project.folder / f"{judge}.jsonl").read_text(encoding="utf-8"))
        written.append({**line, "score": score, "reason": "by hand"})
        (project.folder / f"{judge}.jsonl").unlink()
    return project.write(name, "".join(json.dumps(line) + "\n" for line in written))


def policy(folder: Path, **rules: Any) -> str:
    path = folder / "policy.yaml"
    path.write_text(yaml.safe_dump(rules), encoding="utf-8")
    return str(path)


def baseline(project: Project, outside: Path, **inputs: str) -> str:
    """The report of a run as the checkout is now, kept outside it."""
    run(project, **inputs)
    (project.folder / "eval-report").rename(outside / "baseline")
    return str(outside / "baseline")


# Files that vouch for the change


def test_verdicts_and_baselines_of_the_checkout_are_not_even_looked_for(checkout: Project) -> None:
    answers(checkout, "No.")
    judged(checkout, "eval-report/verdicts.jsonl", strict=1.0)
    checkout.write(
        "verdicts.jsonl", (checkout.folder / "eval-report/verdicts.jsonl").read_text(encoding="utf-8")
    )
    assert run(checkout) == 3
    assert report(checkout)["summary"]["evaluations_recorded"] == 0


@pytest.mark.parametrize(
    "spelt",
    [
        "{folder}/verdicts.jsonl",
        "verdicts.jsonl",
        "./verdicts.jsonl",
        "../workspace/verdicts.jsonl",
        "{outside}/../workspace/verdicts.jsonl",
        "{outside}/to_the_checkout/verdicts.jsonl",
        "{outside}/to_the_file.jsonl",
        "{folder}/out_of_it/../workspace/verdicts.jsonl",
        "/proc/self/cwd/verdicts.jsonl",
    ],
)
def test_verdicts_in_the_checkout_are_refused_however_their_path_is_spelt(
    checkout: Project, outside: Path, spelt: str
) -> None:
    answers(checkout, "No.")
    judged(checkout, "verdicts.jsonl", strict=1.0)
    (outside / "to_the_checkout").symlink_to(checkout.folder)
    (outside / "to_the_file.jsonl").symlink_to(checkout.folder / "verdicts.jsonl")
    (checkout.folder / "out_of_it").symlink_to(outside)
    path = spelt.format(folder=checkout.folder, outside=outside)
    before = (checkout.folder / "verdicts.jsonl").read_bytes()
    assert run(checkout, verdicts=path) == 2
    assert "not believed" in told(checkout) or "leads out of the checkout" in told(checkout)
    assert (checkout.folder / "verdicts.jsonl").read_bytes() == before


@pytest.mark.parametrize("link", ["file", "folder", "behind_a_folder"])
def test_a_link_of_the_checkout_is_not_followed_to_verdicts_outside(
    checkout: Project, outside: Path, link: str
) -> None:
    """Whoever commits the link would choose which file of the runner is read, and written to."""
    answers(checkout, "No.")
    real = outside / "verdicts.jsonl"
    real.write_bytes(judged(checkout, "made.jsonl", strict=1.0).read_bytes())
    before = real.read_bytes()
    (checkout.folder / "file").symlink_to(real)
    (checkout.folder / "folder").symlink_to(outside)
    named = {"file": "file", "folder": "folder/verdicts.jsonl", "behind_a_folder": "folder/../verdicts.jsonl"}
    (outside.parent / "verdicts.jsonl").write_bytes(before)  # where `folder/..` leads
    assert run(checkout, verdicts=named[link]) == 2
    assert "leads out of the checkout" in told(checkout)
    assert real.read_bytes() == before


def test_a_second_name_of_a_file_outside_is_a_file_of_the_checkout(checkout: Project, outside: Path) -> None:
    answers(checkout, "No.")
    os.link(judged(checkout, "made.jsonl", strict=1.0), outside / "verdicts.jsonl")
    assert run(checkout, verdicts="made.jsonl") == 2
    assert "not believed" in told(checkout)


@pytest.mark.parametrize("linked", ["workspace", "working directory", "both"])
def test_a_workspace_that_is_a_link_is_the_folder_it_leads_to(
    checkout: Project, outside: Path, linked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers(checkout, "No.")
    judged(checkout, "verdicts.jsonl", strict=1.0)
    (outside / "link").symlink_to(checkout.folder)
    if linked != "working directory":
        checkout.environ["GITHUB_WORKSPACE"] = str(outside / "link")
    if linked != "workspace":
        monkeypatch.chdir(outside / "link")
    for path in (
        "verdicts.jsonl",
        str(outside / "link/verdicts.jsonl"),
        str(checkout.folder / "verdicts.jsonl"),
    ):
        assert run(checkout, verdicts=path) == 2
        assert "not believed" in told(checkout)


@pytest.mark.parametrize(
    "spelt", ["base", "base/results.json", "{outside}/../workspace/base", "{outside}/link"]
)
def test_a_baseline_of_the_checkout_is_refused_however_its_path_is_spelt(
    checkout: Project, outside: Path, spelt: str
) -> None:
    Path(baseline(checkout, outside)).rename(checkout.folder / "base")
    (outside / "link").symlink_to(checkout.folder / "base")
    assert run(checkout, baseline=spelt.format(outside=outside)) == 2
    assert "a baseline in the checkout is not believed" in told(checkout)


def test_a_baseline_outside_is_not_believed_for_what_a_link_in_it_takes_from_the_checkout(
    checkout: Project, outside: Path
) -> None:
    folder = Path(baseline(checkout, outside))
    (folder / "cases.jsonl").rename(checkout.folder / "cases.jsonl")
    (folder / "cases.jsonl").symlink_to(checkout.folder / "cases.jsonl")
    assert run(checkout, baseline=str(folder)) == 2
    assert "a baseline in the checkout is not believed" in told(checkout)


# The policy


def test_no_rule_of_a_policy_in_the_checkout_loosens_what_the_inputs_set(
    checkout: Project, outside: Path
) -> None:
    base = baseline(checkout, outside)
    run(checkout, **WRITTEN, baseline=base)
    asked = report(checkout)["policy"]
    policy(checkout.folder, **LOOSEST)
    assert run(checkout, **WRITTEN, baseline=base, policy="policy.yaml") == 1
    assert report(checkout)["policy"] == asked
    warned = " ".join(report(checkout)["warnings"])
    assert [name for name in LOOSEST if f"its {name} is looser" not in warned] == []


def test_a_policy_of_the_checkout_does_not_let_an_inconclusive_run_through(checkout: Project) -> None:
    checkout.agent(TONE, EQUALITY, test_cases=[{"name": "hello", "input": ASKED, "ground_truth": "Hello."}])
    answers(checkout, "Hello.")
    policy(checkout.folder, on_inconclusive="pass", max_error_rate=1, on_missing_input="skip")
    assert run(checkout, policy="policy.yaml") == 3
    assert run(checkout, policy="policy.yaml", on_inconclusive="pass") == 0
    assert status(checkout) == "inconclusive"


def test_a_policy_of_the_checkout_does_not_waive_what_was_not_recorded(checkout: Project) -> None:
    cases = [{"name": name, "input": name, "ground_truth": "x"} for name in ("a", "b")]
    checkout.agent(EQUALITY, test_cases=cases)
    checkout.transcripts({"input": "a", "output": "x"})
    policy(checkout.folder, allow_missing=True, min_pass_rate=0)
    assert run(checkout, policy="policy.yaml") == 1


@pytest.mark.parametrize("where", ["policy.yaml", "helper.yaml"])
def test_no_file_of_the_checkout_asks_for_its_own_trust(checkout: Project, where: str) -> None:
    if where == "policy.yaml":
        checkout.write(where, "trust_checkout: true\n")
    else:
        checkout.agent(EQUALITY, evaluations={"trust_checkout": True})
    assert run(checkout, policy="policy.yaml" if where == "policy.yaml" else "") == 2
    assert "trust_checkout" in told(checkout)


def test_a_link_called_like_the_policy_is_not_one_from_outside(checkout: Project, outside: Path) -> None:
    answers(checkout, "No.")
    policy(checkout.folder, min_pass_rate=0)
    (outside / "policy.yaml").symlink_to(checkout.folder / "policy.yaml")
    checkout.agent(EQUALITY, test_cases=[{"name": "hello", "input": ASKED, "ground_truth": "Hello."}])
    assert run(checkout, policy=str(outside / "policy.yaml")) == 1


# The agent YAML: what it says is believed, unless something outside the checkout says more

CHANGES: dict[str, list[dict[str, Any]]] = {
    "a lower threshold": [{**TONE, "threshold": 0.1}],
    "no threshold at all": [{**TONE, "threshold": 0}],
    "the metric switched off": [{**TONE, "enabled": False}, EQUALITY],
    "the metric gone": [EQUALITY],
    "another rubric": [{**TONE, "criteria": "Anything goes."}],
    "another judge": [{**TONE, "model": LENIENT}],
    "the metric under another name": [{**TONE, "name": "mood", "threshold": 0.1}],
}


def changed(project: Project, outside: Path, change: str) -> str:
    """The project with an answer that the strict judge scores 0.3, its YAML changed; a file of all verdicts."""
    answers(project, "No.", reference={"expected_output": "No."})
    verdicts = judged(project, "made.jsonl", strict=0.3, lenient=1.0)
    verdicts = verdicts.rename(outside / "verdicts.jsonl")
    project.agent(*CHANGES[change])
    return str(verdicts)


@pytest.mark.parametrize("change", CHANGES)
def test_a_baseline_from_outside_holds_the_gate_as_it_was(
    checkout: Project, outside: Path, change: str
) -> None:
    answers(checkout, "Hello to you.", reference={"expected_output": "Hello to you."})
    good = judged(checkout, "good.jsonl", strict=0.9).rename(outside / "good.jsonl")
    checkout.agent(TONE)
    base = baseline(checkout, outside, verdicts=str(good))
    verdicts = changed(checkout, outside, change)
    assert run(checkout, verdicts=verdicts, baseline=base) in {1, 3}
    assert status(checkout) in {"failed", "inconclusive"}


@pytest.mark.parametrize("change", CHANGES)
def test_metrics_of_a_policy_from_outside_are_measured_whatever_the_yaml_says(
    checkout: Project, outside: Path, change: str
) -> None:
    verdicts = changed(checkout, outside, change)
    rules = policy(outside, evaluations={"metrics": [{**TONE, "name": "the team's tone"}]})
    assert run(checkout, verdicts=verdicts, policy=rules) in {1, 3}
    assert status(checkout) in {"failed", "inconclusive"}


@pytest.mark.parametrize(
    "change", ["a lower threshold", "no threshold at all", "the metric switched off", "another judge"]
)
def test_a_policy_from_outside_pins_what_it_says_of_a_metric(
    checkout: Project, outside: Path, change: str
) -> None:
    verdicts = changed(checkout, outside, change)
    rules = policy(outside, metrics={"tone": {"threshold": 0.7, "enabled": True, "model": STRICT}})
    assert run(checkout, verdicts=verdicts, policy=rules) == 1


@pytest.mark.parametrize("change", ["the metric gone", "the metric under another name"])
def test_a_metric_that_a_policy_from_outside_names_may_not_be_gone(
    checkout: Project, outside: Path, change: str
) -> None:
    verdicts = changed(checkout, outside, change)
    assert run(checkout, verdicts=verdicts, policy=policy(outside, metrics={"tone": {"threshold": 0.7}})) == 2
    assert "no agent has a metric named 'tone'" in told(checkout)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("a lower threshold", 0),
        ("another judge", 0),
        ("the metric gone", 0),
        ("another rubric", 3),
    ],
)
def test_without_either_the_yaml_is_believed_as_any_file_of_a_change_that_is_reviewed(
    checkout: Project, outside: Path, change: str, code: int
) -> None:
    """The gate cannot know what it was before; docs/security.md says what to give it so that it does."""
    assert run(checkout, verdicts=changed(checkout, outside, change)) == code


def test_nobody_is_made_a_judge_by_the_change_whose_verdicts_it_brings(
    checkout: Project, outside: Path
) -> None:
    answers(checkout, "No.")
    forged = judged(checkout, "verdicts.jsonl", lenient=1.0)
    checkout.agent({**TONE, "model": LENIENT})
    assert run(checkout, verdicts="verdicts.jsonl") == 2
    assert run(checkout, verdicts=str(outside / "verdicts.jsonl")) == 3
    policy(checkout.folder, metrics={"tone": {"model": LENIENT}})
    checkout.agent(TONE)
    assert run(checkout, verdicts=str(outside / "verdicts.jsonl"), policy="policy.yaml") == 3
    assert "has not judged this yet" in told(checkout)
    assert forged.exists()


def test_a_verdict_on_the_main_branchs_answer_says_nothing_of_another(
    checkout: Project, outside: Path
) -> None:
    answers(checkout, "Hello to you.")
    verdicts = str(judged(checkout, "made.jsonl", strict=1.0).rename(outside / "verdicts.jsonl"))
    checkout.agent(TONE)
    assert run(checkout, verdicts=verdicts) == 0
    answers(checkout, "Go away.")
    assert run(checkout, verdicts=verdicts) == 3
    assert report(checkout)["summary"]["evaluations_recorded"] == 0


def test_a_metric_that_expects_nothing_is_no_measure(checkout: Project) -> None:
    checkout.agent(test_cases=[{"name": "hello", "input": ASKED, "expected_tools": []}])
    answers(checkout, "No.", tool_calls=[])
    assert run(checkout) == 3
    assert run(checkout, on_inconclusive="pass") == 3


# Where the judge is asked


@pytest.mark.parametrize("spelt", ["https://judge.example/v1", "https://api.openai.com@judge.example/v1"])
def test_a_config_yaml_does_not_move_the_judge(checkout: Project, spelt: str) -> None:
    checkout.environ["OPENAI_API_KEY"] = "sk-made-up-for-this-test"
    provider = {"provider": "openai", "name": "gpt-4o", "endpoint": spelt}
    checkout.write("config.yaml", yaml.safe_dump({"providers": {"openai": provider}}))
    tone = {name: value for name, value in TONE.items() if name != "model"}
    checkout.agent(tone, evaluations={"model": {"provider": "openai", "name": "gpt-4o"}})
    answers(checkout, "No.")
    assert run(checkout) == 2
    assert "endpoint" in told(checkout)


@pytest.mark.parametrize("name", [".env", ".env.local", ".deepeval/.deepeval", "config.yaml"])
def test_a_key_and_a_host_that_the_checkout_brings_are_not_used(checkout: Project, name: str) -> None:
    secret, host = "sk-of-the-pull-request", "http://127.0.0.1:9/v1"
    written = {
        "OPENAI_API_KEY": secret,
        "OPENAI_BASE_URL": host,
        "USE_LOCAL_MODEL": "YES",
        "LOCAL_MODEL_BASE_URL": host,
    }
    checkout.write(name, "".join(f"{key}={value}\n" for key, value in written.items()))
    if name == "config.yaml":
        checkout.write(name, yaml.safe_dump({"environment": written}))
    checkout.agent({**TONE, "evaluation_steps": ["Look"], "model": {"provider": "openai", "name": "gpt-4o"}})
    answers(checkout, "No.")
    assert run(checkout) == 3
    assert report(checkout)["verdict"]["causes"][0]["code"] == "no_key"


# What is written


@pytest.mark.parametrize("leads", ["outside", "upwards", "to itself"])
def test_a_report_folder_of_the_checkout_that_leads_elsewhere_is_refused(
    checkout: Project, outside: Path, leads: str
) -> None:
    target = {"outside": str(outside), "upwards": "../runner_temp", "to itself": "eval-report"}[leads]
    (checkout.folder / "eval-report").symlink_to(target)
    assert run(checkout) == 2
    assert list(outside.iterdir()) == []


def test_a_report_that_has_a_second_name_outside_is_replaced_and_not_written_through(
    checkout: Project, outside: Path
) -> None:
    (outside / "kept").write_text("kept", encoding="utf-8")
    (checkout.folder / "eval-report").mkdir()
    for name in ("results.json", "cases.jsonl", "comment.md", "junit.xml", "summary.md"):
        os.link(outside / "kept", checkout.folder / "eval-report" / name)
    assert run(checkout) == 0
    assert (outside / "kept").read_text(encoding="utf-8") == "kept"


def test_a_committed_report_does_not_outlive_a_run_that_could_not_begin(checkout: Project) -> None:
    checkout.write("eval-report/results.json", json.dumps({"verdict": {"status": "passed"}}))
    checkout.write("eval-report/comment.md", "All passed.")
    checkout.write("helper.yaml", "name: [")
    assert run(checkout) == 2
    assert status(checkout) == "error"
    assert "All passed." not in (checkout.folder / "eval-report/comment.md").read_text(encoding="utf-8")
