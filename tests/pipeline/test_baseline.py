"""Whole runs against a baseline: what blocks, what is judged again, and what is not believed."""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.judge_answers import sensible
from tests.fakes.judge_double import JudgeDouble
from tests.fakes.judge_wire import Asked, Reply
from tests.fakes.project import EQUALITY, Project

CITIES = {
    "France": "Paris", "Italy": "Rome", "Spain": "Madrid", "Peru": "Lima", "Cuba": "Havana", "Chad": "N'Djamena",
}  # fmt: skip
TONE = {"type": "geval", "name": "tone", "criteria": "Is it kind?", "threshold": 0.7}
STEPS = {"evaluation_steps": ["Look at the answer"]}


def asked_of(country: str) -> str:
    return f"Capital of {country}?"


def recorded(**answers: str) -> list[dict[str, Any]]:
    """A transcript a country; `answers` are those that are not right."""
    return [
        {"id": country, "input": asked_of(country), "output": answers.get(country, city)}
        for country, city in CITIES.items()
    ]


def capitals(project: Project, *metrics: dict[str, Any], **fields: Any) -> None:
    cases = [
        {"name": country, "input": asked_of(country), "ground_truth": city}
        for country, city in CITIES.items()
    ]
    project.agent(*(metrics or (EQUALITY,)), **{"test_cases": cases} | fields)


def against(project: Project, *arguments: str) -> int:
    return project.run("--baseline", str(project.folder / "base"), *arguments)


def make_baseline(project: Project, *arguments: str) -> int:
    return project.run("--out", str(project.folder / "base"), *arguments)


def codes(project: Project) -> list[str]:
    return [cause["code"] for cause in project.results["verdict"]["causes"]]


def judged_by(double: JudgeDouble) -> dict[str, Any]:
    model = {
        "provider": "openai",
        "name": "gpt-5",
        "endpoint": double.endpoint("openai"),
        "api_key": "sk-made-up",
    }
    return {"model": model}


def scores(**by_word: Any) -> Any:
    """A judge that gives each answer the next score for the word that is in it, from 0 to 10; else 9."""
    given = {
        word: itertools.cycle([score] if isinstance(score, int) else score) for word, score in by_word.items()
    }

    def answer(asked: Asked) -> dict[str, Any]:
        said = dict(sensible(asked))
        if "score" in said:
            said["score"] = next((next(each) for word, each in given.items() if word in asked.prompt), 9)
        return said

    return answer


def test_the_same_again_passes_and_says_that_nothing_changed(project: Project) -> None:
    capitals(project)
    project.transcripts(*recorded(Peru="Cusco"))
    assert make_baseline(project) == 1
    assert against(project) == 0
    comparison = project.results["comparison"]
    assert [(row["name"], row["verdict"]) for row in comparison["metrics"]] == [
        ("equality", "same"),
        ("avg_score", "same"),
    ]
    assert [case["case"] for case in comparison["still_failing"]] == ["Peru"]
    assert project.results["policy"]["min_pass_rate"] is None


def test_a_pass_rate_that_is_written_holds_with_a_baseline_too(project: Project) -> None:
    capitals(project)
    project.transcripts(*recorded(Peru="Cusco"))
    make_baseline(project)
    assert against(project, "--min-pass-rate", "1") == 1
    assert codes(project) == ["pass_rate"]


def test_a_case_that_newly_fails_blocks_and_is_named(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    capitals(project)
    project.transcripts(*recorded())
    assert make_baseline(project) == 0
    project.transcripts(*recorded(Peru="Cusco"))
    assert against(project) == 1
    assert codes(project) == ["case_regression"]
    assert project.results["verdict"]["causes"][0]["cases"] == ["Peru"]
    assert "Peru" in (project.out / "comment.md").read_text(encoding="utf-8")
    assert "newly fail" in capsys.readouterr().out.splitlines()[-1]


def test_a_case_that_is_gone_blocks_unless_it_may_be(project: Project) -> None:
    capitals(project)
    project.transcripts(*recorded())
    make_baseline(project)
    project.agent(
        EQUALITY, test_cases=[{"name": "France", "input": asked_of("France"), "ground_truth": "Paris"}]
    )
    project.transcripts(recorded()[0])
    assert against(project) == 1
    assert codes(project) == ["removed_cases"]
    assert against(project, "--allow-removed-cases") == 0


def test_a_lower_threshold_blocks_unless_it_is_only_reported(
    project: Project, judge_double: JudgeDouble
) -> None:
    capitals(project, TONE | STEPS, evaluations=judged_by(judge_double))
    project.transcripts(*recorded())
    verdicts = ("--verdicts", str(project.folder / "verdicts.jsonl"))
    make_baseline(project, *verdicts)
    capitals(project, TONE | STEPS | {"threshold": 0.2}, evaluations=judged_by(judge_double))
    assert against(project, *verdicts) == 1
    assert codes(project) == ["gate_loosened"]
    first = (project.out / "comment.md").read_text(encoding="utf-8").splitlines()[:6]
    assert "lowered from 0.7 to 0.2" in " ".join(first)
    assert against(project, *verdicts, "--on-gate-change", "report") == 0


def test_other_criteria_cannot_be_compared(project: Project, judge_double: JudgeDouble) -> None:
    capitals(project, TONE | STEPS, evaluations=judged_by(judge_double))
    project.transcripts(*recorded())
    make_baseline(project)
    capitals(project, TONE | STEPS | {"criteria": "Is it there?"}, evaluations=judged_by(judge_double))
    assert against(project) == 3
    assert codes(project) == ["not_comparable"]
    assert "criteria" in project.results["verdict"]["causes"][0]["message"]


def test_a_collapse_is_judged_again_on_both_sides_and_proven(
    project: Project, judge_double: JudgeDouble
) -> None:
    capitals(project, TONE | STEPS, evaluations=judged_by(judge_double))
    project.transcripts(*recorded())
    judge_double.answer(scores())
    make_baseline(project)
    project.transcripts(*recorded(Peru="Cusco"))
    judge_double.answer(scores(Cusco=1))
    before = len(judge_double.requests)
    assert against(project) == 1
    (flip,) = project.results["comparison"]["flips"]
    assert (flip["case"], flip["proven"], flip["before"], flip["now"]) == ("Peru", True, 0.9, 0.1)
    assert (len(flip["before_replies"]), len(flip["now_replies"])) == (7, 7)
    assert (
        len(judge_double.requests) - before == 6 + 6 + 6 + 1
    )  # the planned ones; then 6 here, 6 and one there


def test_a_judge_that_goes_down_while_judging_again_clears_nobody(
    project: Project, judge_double: JudgeDouble
) -> None:
    capitals(project, TONE | STEPS, evaluations=judged_by(judge_double))
    project.transcripts(*recorded())
    make_baseline(project)
    project.transcripts(*recorded(Peru="Cusco"))
    said: list[int] = []

    def answer(asked: Asked) -> Any:
        if "Cusco" not in asked.prompt:
            return {**sensible(asked), "score": 9}
        said.append(1)
        return {**sensible(asked), "score": 1} if len(said) == 1 else Reply(status=401)

    judge_double.answer(answer)
    assert against(project) == 3
    assert codes(project) == ["undecided_cases"]
    assert project.results["verdict"]["causes"][0]["cases"] == ["Peru"]


def test_a_flip_that_judging_again_does_not_confirm_does_not_block(
    project: Project, judge_double: JudgeDouble
) -> None:
    capitals(project, TONE | STEPS, evaluations=judged_by(judge_double))
    project.transcripts(*recorded())
    judge_double.answer(scores(Lima=[8, 7, 7, 6, 8, 7, 7]))
    make_baseline(project, "--max-rejudge", "0")
    project.transcripts(*recorded(Peru="It is Lima"))
    judge_double.answer(scores(Lima=[6, 8, 7, 7]))
    assert against(project) == 0
    assert [flip["proven"] for flip in project.results["comparison"]["flips"]] in ([], [False])


def test_steps_a_judge_wrote_for_the_baseline_are_followed_again(
    project: Project, judge_double: JudgeDouble
) -> None:
    capitals(project, TONE, evaluations=judged_by(judge_double))
    project.transcripts(*recorded())
    make_baseline(project)
    project.transcripts(*recorded(Peru="Lima, of course"))
    judge_double.answer(lambda asked: {**sensible(asked), "steps": ["Look elsewhere", "Look away"]})
    asked = len(judge_double.requests)
    assert against(project) == 0
    assert len(judge_double.requests) - asked == len(CITIES)  # no call for steps
    assert not any("Look elsewhere" in request.prompt for request in judge_double.requests)


def test_repeats_are_made_and_recorded_and_tell_the_noise(
    project: Project, judge_double: JudgeDouble
) -> None:
    capitals(project, TONE | STEPS, evaluations=judged_by(judge_double))
    project.transcripts(*recorded())
    judge_double.answer(scores(**{city[:4]: [8, 10, 9] for city in CITIES.values()}))
    verdicts = ("--verdicts", str(project.folder / "verdicts.jsonl"), "--max-rejudge", "0")
    assert project.run(*verdicts, "--repeats", "3") == 0
    (summary,) = project.results["summary"]["metrics"]
    assert summary["noise"]["sd"] == pytest.approx(0.1)
    assert (summary["noise"]["source"], summary["noise"]["degrees"]) == ("metric", 12)
    live = project.results["cases"]
    asked = len(judge_double.requests)
    assert project.run(*verdicts, "--repeats", "3") == 0
    assert len(judge_double.requests) == asked == 18
    assert [case["avg_score"] for case in project.results["cases"]] == [case["avg_score"] for case in live]


def test_noise_judges_twice_and_says_what_scores_are_worth(
    project: Project, judge_double: JudgeDouble, capsys: pytest.CaptureFixture[str]
) -> None:
    capitals(project, TONE | STEPS, evaluations=judged_by(judge_double))
    project.transcripts(*recorded())
    judge_double.answer(scores(**{city[:4]: [6, 8] for city in CITIES.values()}))
    assert project.run(command="noise") == 0
    told = capsys.readouterr().out
    (row,) = [line.split() for line in told.splitlines() if line.startswith("tone")]
    assert row[:4] == ["tone", "6", "0.141", "100.0%"]  # sd of 0.6 and 0.8; every pair flips at 0.7
    assert "warning: tone: of two replies to one case, one passes and the other fails" in told
    assert not project.out.exists()


def test_noise_without_a_judge_is_inconclusive(project: Project) -> None:
    capitals(project)
    project.transcripts(*recorded())
    assert project.run(command="noise") == 3


@pytest.mark.parametrize(("mode", "code"), [("inconclusive", 3), ("report", 0)])
def test_a_first_run_has_no_baseline(project: Project, mode: str, code: int) -> None:
    capitals(project)
    project.transcripts(*recorded())
    assert against(project, "--on-missing-baseline", mode) == code
    assert project.results["comparison"]["problem"]["cause"] == "missing"
    assert project.results["policy"]["min_pass_rate"] == (1.0 if code == 0 else None)


def test_without_a_baseline_that_may_be_missing_the_absolute_rules_hold(project: Project) -> None:
    capitals(project)
    project.transcripts(*recorded(Peru="Cusco"))
    assert against(project, "--on-missing-baseline", "report") == 1
    assert codes(project) == ["pass_rate"]


def test_a_renamed_agent_keeps_its_baseline(project: Project) -> None:
    capitals(project)
    project.transcripts(*recorded())
    make_baseline(project)
    capitals(project, name="guide")
    arguments = ("--rename-agent", "helper=guide")
    code = project.run("--baseline", str(project.folder / "base"), *arguments, agent="guide.yaml")
    assert (code, project.results["comparison"]["paired"]) == (0, len(CITIES))
    code = project.run("--baseline", str(project.folder / "base"), agent="guide.yaml")
    assert (code, codes(project)) == (3, ["baseline_other_agent"])


def test_a_baseline_in_the_report_folder_is_not_overwritten(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    capitals(project)
    project.transcripts(*recorded())
    make_baseline(project)
    kept = (project.folder / "base" / "results.json").read_bytes()
    assert against(project, "--out", str(project.folder / "base")) == 2
    assert "lies in the report folder" in capsys.readouterr().err
    assert (project.folder / "base" / "results.json").read_bytes() == kept


def test_the_action_does_not_believe_a_baseline_of_the_checkout(checkout: Project) -> None:
    assert checkout.action(agent="helper.yaml", transcripts="runs.jsonl", out="base") == 0
    asked = {"agent": "helper.yaml", "transcripts": "runs.jsonl", "baseline": "base"}
    assert checkout.action(**asked, out="report") == 2
    results = json.loads((checkout.folder / "report" / "results.json").read_text(encoding="utf-8"))
    assert "a baseline in the checkout is not believed" in results["verdict"]["causes"][0]["message"]
    assert checkout.action(**asked, out="report", trust_checkout="true") == 0
    comment = (checkout.folder / "report" / "comment.md").read_text(encoding="utf-8")
    assert "checkout" in comment.split("####")[0]


def test_a_baseline_kept_outside_the_checkout_is_believed(checkout: Project, tmp_path: Path) -> None:
    assert checkout.action(agent="helper.yaml", transcripts="runs.jsonl", out="base") == 0
    (checkout.folder / "base").rename(tmp_path / "base")
    checkout.transcripts({"input": "Capital of France?", "output": "Lyon"})
    code = checkout.action(
        agent="helper.yaml", transcripts="runs.jsonl", out="report", baseline=str(tmp_path / "base")
    )
    outputs = Path(checkout.environ["GITHUB_OUTPUT"]).read_text(encoding="utf-8")
    assert code == 1
    assert outputs.count("regressions<<") == 2


def test_transcripts_of_another_version_of_the_agent_block(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    capitals(project)
    from holodeck_eval.cli import main  # noqa: PLC0415 - one command that is no run

    assert main(["digest", str(project.folder / "helper.yaml")], {}) == 0
    digest = capsys.readouterr().out.strip()
    project.transcripts(*({**record, "agent_digest": digest} for record in recorded()))
    assert project.run() == 0
    assert {case["staleness"]["status"] for case in project.results["cases"]} == {"fresh"}
    capitals(project, instructions={"inline": "Answer in one word."})
    assert project.run() == 1
    assert codes(project) == ["stale_transcripts"]
    assert "other instructions" in project.results["verdict"]["causes"][0]["message"]
    assert project.run("--on-stale", "report") == 0


def test_compare_says_what_the_run_said(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    from holodeck_eval.cli import main  # noqa: PLC0415 - one command that is no run

    capitals(project)
    project.transcripts(*recorded())
    make_baseline(project)
    project.transcripts(*recorded(Peru="Cusco"))
    against(project)
    said = capsys.readouterr().out.splitlines()[-1]
    assert main(["compare", str(project.folder / "base"), str(project.out)], {}) == 1
    assert capsys.readouterr().out.splitlines()[-1] == said
    out = project.folder / "compared"
    assert main(["compare", str(project.folder / "base"), str(project.out), "--out", str(out)], {}) == 1
    assert json.loads((out / "results.json").read_text(encoding="utf-8"))["verdict"]["status"] == "failed"
    assert main(["compare", str(out), str(project.out), "--out", str(out)], {}) == 2
