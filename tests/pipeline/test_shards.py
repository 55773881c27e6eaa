"""Runs in shards and their merging through the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

from holodeck_eval.cli import main
from tests.fakes.judge_answers import sensible
from tests.fakes.judge_double import Answerer, JudgeDouble
from tests.fakes.judge_wire import Asked
from tests.fakes.project import EQUALITY, Project

CASES = 12
REPORTS = ("results.json", "cases.jsonl", "junit.xml", "comment.md", "summary.md")


def cities(project: Project, *, wrong: int = -1, missing: int = -1) -> None:
    """An agent that knows twelve capitals; one answer may be wrong, one may not have been recorded."""
    asked = [
        {"name": f"city {number}", "input": f"Capital {number}?", "ground_truth": f"City {number}"}
        for number in range(CASES)
    ]
    project.environ["SOURCE_DATE_EPOCH"] = "1750000000"
    project.agent(EQUALITY, test_cases=asked)
    project.transcripts(
        *(
            {"input": f"Capital {number}?", "output": "Lyon" if number == wrong else f"City {number}"}
            for number in range(CASES)
            if number != missing
        )
    )


def in_shards(project: Project, count: int, *arguments: str) -> list[str]:
    """Run every shard into a folder of its own; their results files."""
    files = []
    for index in range(1, count + 1):
        out = project.folder / f"shard-{index}"
        project.run("--shard", f"{index}/{count}", *arguments, "--out", str(out))
        files.append(str(out / "results.json"))
    return files


def merge(project: Project, files: list[str], *arguments: str) -> int:
    return main(["merge", *files, "--out", str(project.folder / "merged"), *arguments], project.environ)


def merged(project: Project, name: str = "results.json") -> str:
    return (project.folder / "merged" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("count", [1, 3, 20])
@pytest.mark.parametrize(
    ("wrong", "missing", "options"), [(-1, -1, ()), (4, -1, ()), (-1, 7, ()), (4, 7, ("--allow-missing",))]
)
def test_merged_shards_leave_the_reports_of_one_run(
    project: Project, count: int, wrong: int, missing: int, options: tuple[str, ...]
) -> None:
    cities(project, wrong=wrong, missing=missing)
    one = project.run(*options)
    assert merge(project, in_shards(project, count, *options)) == one
    for name in REPORTS:
        assert merged(project, name) == (project.out / name).read_text(encoding="utf-8"), name


def test_the_order_of_the_files_does_not_matter(project: Project) -> None:
    cities(project, wrong=3)
    files = in_shards(project, 3)
    merge(project, files)
    first = merged(project)
    merge(project, files[::-1])
    assert merged(project) == first


def test_a_missing_shard_is_an_error_and_never_a_verdict(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    cities(project)
    files = in_shards(project, 3)
    assert merge(project, [files[0], files[2]]) == 2
    assert "shard 2 of 3 is missing" in capsys.readouterr().err


def test_a_shard_of_another_policy_is_an_error(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    cities(project)
    first, _ = in_shards(project, 2)
    _, second = in_shards(project, 2, "--min-pass-rate", "0.5")
    strict = project.folder / "strict"
    project.run("--shard", "1/2", "--out", str(strict))
    assert merge(project, [str(strict / "results.json"), second]) == 2
    assert "the policy's min_pass_rate is 0.5, there 1.0" in capsys.readouterr().err
    assert merge(project, [first, second]) == 0


def test_merged_shards_compared_with_a_baseline_are_the_one_run_compared(project: Project) -> None:
    cities(project)
    baseline = project.folder / "baseline"
    project.run("--out", str(baseline))
    cities(project, wrong=5)
    one = project.run("--baseline", str(baseline))
    assert one == 1
    files = in_shards(project, 3, "--baseline", str(baseline))
    assert merge(project, files, "--baseline", str(baseline)) == one
    assert json.loads(merged(project))["comparison"] == project.results["comparison"]
    assert merged(project) == (project.out / "results.json").read_text(encoding="utf-8")


def test_shards_compared_with_a_baseline_are_not_merged_without_it(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    cities(project)
    baseline = project.folder / "baseline"
    project.run("--out", str(baseline))
    files = in_shards(project, 2, "--baseline", str(baseline))
    assert merge(project, files) == 2
    assert "give merge the same --baseline" in capsys.readouterr().err


def test_a_merged_folder_is_a_baseline_like_any_other(project: Project) -> None:
    cities(project)
    merge(project, in_shards(project, 3))
    folder = project.folder / "merged"
    assert project.run("--baseline", str(folder)) == 0
    assert project.results["comparison"]["paired"] == CASES
    assert project.results["comparison"]["baseline"]["rejudgeable"] is True


def test_what_an_edited_results_file_says_is_no_traceback(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    cities(project)
    files = in_shards(project, 2)
    document = json.loads(Path(files[0]).read_text(encoding="utf-8"))
    document["shard"]["total"] = 10**18
    Path(files[0]).write_text(json.dumps(document), encoding="utf-8")
    assert merge(project, files) == 2
    assert "Traceback" not in capsys.readouterr().err


# A judge of flesh and wire.


def talks(project: Project, double: JudgeDouble, answer: str, **metric: object) -> None:
    """An agent that answers eight questions in one manner, judged by criteria in words."""
    model = {
        "provider": "openai",
        "name": "gpt-5",
        "endpoint": double.endpoint("openai"),
        "api_key": "sk-made-up-for-this-test",
    }
    tone = {"type": "geval", "name": "tone", "criteria": "Is it kind?", "threshold": 0.5, **metric}
    project.environ["SOURCE_DATE_EPOCH"] = "1750000000"
    project.agent(tone, evaluations={"model": model})
    project.transcripts(
        *({"id": f"talk {number}", "input": f"Question {number}?", "output": answer} for number in range(8))
    )


def of_manner(asked: Asked) -> dict[str, Any]:
    """Good for what is kind; for what is rude bad."""
    answer = sensible(asked)
    return {**answer, "score": 1} if "score" in answer and "Go away" in asked.prompt else answer


def with_steps_of_its_own(double: JudgeDouble) -> Answerer:
    """Other steps each time the judge is asked to write some."""

    def answer(asked: Asked) -> dict[str, Any]:
        given = sensible(asked)
        return {"steps": [f"Step {len(double.requests)}."]} if "steps" in given else given

    return answer


def test_shards_whose_judge_wrote_different_steps_are_inconclusive(
    project: Project, judge_double: JudgeDouble
) -> None:
    judge_double.answer(with_steps_of_its_own(judge_double))
    talks(project, judge_double, "Hello to you.")
    files = in_shards(project, 2)
    warned = [json.loads(Path(file).read_text(encoding="utf-8"))["warnings"] for file in files]
    assert ["the judge itself wrote the steps of 'tone'" in " ".join(texts) for texts in warned] == [
        True,
        True,
    ]
    assert merge(project, files) == 3
    document = json.loads(merged(project))
    assert [cause["code"] for cause in document["verdict"]["causes"]] == ["steps_differ"]
    assert "steps" not in " ".join(document["warnings"])


def test_shards_that_were_given_recorded_steps_are_one_run(
    project: Project, judge_double: JudgeDouble
) -> None:
    judge_double.answer(with_steps_of_its_own(judge_double))
    verdicts = ("--verdicts", str(project.folder / "verdicts.jsonl"))
    talks(project, judge_double, "Good day.")
    project.run(*verdicts)
    talks(project, judge_double, "Hello to you.")
    files = in_shards(project, 2, *verdicts)
    assert not any("steps of 'tone'" in Path(file).read_text(encoding="utf-8") for file in files)
    assert merge(project, files) == 0


def test_what_shards_judged_again_is_compared_as_in_one_run(
    project: Project, judge_double: JudgeDouble
) -> None:
    judge_double.answer(of_manner)
    talks(project, judge_double, "Hello to you.", evaluation_steps=["Look"])
    baseline = project.folder / "baseline"
    project.run("--out", str(baseline))
    talks(project, judge_double, "Go away.", evaluation_steps=["Look"])
    one = project.run("--baseline", str(baseline), "--max-rejudge", "3")
    again = project.results["comparison"]["rejudged"]
    assert len(again) == 8
    files = in_shards(project, 3, "--baseline", str(baseline), "--max-rejudge", "3")
    assert merge(project, files, "--baseline", str(baseline)) == one == 1
    whole, parts = project.results, json.loads(merged(project))
    assert [one["case"] for one in parts["comparison"]["rejudged"]] == [
        f"talk {number}" for number in range(8)
    ]
    for times_and_usage in ("usage", "usage_by_metric"):
        del whole[times_and_usage], parts[times_and_usage]
    assert parts == whole


def test_shards_that_cannot_be_merged_leave_reports_that_say_so(project: Project) -> None:
    cities(project)
    files = in_shards(project, 2)
    assert merge(project, files) == 0
    assert merge(project, files[:1]) == 2
    assert json.loads(merged(project))["verdict"]["status"] == "error"
    assert "shard 2 of 2 is missing" in merged(project, "comment.md")


def test_shards_that_cannot_be_read_are_all_named(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    cities(project)
    torn = project.write("torn/results.json", "{")
    nowhere = project.folder / "nowhere" / "results.json"
    assert merge(project, [str(torn), str(nowhere)]) == 2
    told = capsys.readouterr().err
    assert f"{torn}" in told
    assert f"{nowhere}: there is no such file" in told


def test_a_shard_is_not_emptied_to_make_room_for_the_merged_reports(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    cities(project)
    files = in_shards(project, 2)
    before = Path(files[0]).read_bytes()
    assert main(["merge", *files, "--out", str(Path(files[0]).parent)], project.environ) == 2
    assert "lies in the report folder" in capsys.readouterr().err
    assert Path(files[0]).read_bytes() == before


def test_in_a_workflow_a_shard_in_the_checkout_is_not_believed(
    checkout: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--agent", "helper.yaml", "--transcripts", "runs.jsonl", "--shard", "1/1", "--out", "part"]
    assert main(["run", *arguments], checkout.environ) == 0
    asked = ["merge", "part", "--out", "merged"]
    assert main(asked, checkout.environ) == 2
    assert "a shard's report in the checkout is not believed" in capsys.readouterr().err
    assert main([*asked, "--trust-checkout"], checkout.environ) == 0
    (checkout.folder / "part").rename(tmp_path / "part")
    assert main(["merge", str(tmp_path / "part"), "--out", "merged"], checkout.environ) == 0
    assert main(["merge", str(tmp_path / "part"), "--out", str(tmp_path / "out")], checkout.environ) == 2


def test_a_renamed_agent_is_merged_as_it_was_judged(project: Project) -> None:
    cities(project)
    baseline = project.folder / "baseline"
    project.run("--out", str(baseline))
    project.folder.joinpath("helper.yaml").write_text(
        (project.folder / "helper.yaml")
        .read_text(encoding="utf-8")
        .replace("name: helper", "name: guide", 1),
        encoding="utf-8",
    )
    renamed = ("--baseline", str(baseline), "--rename-agent", "helper=guide")
    assert merge(project, in_shards(project, 2, *renamed), *renamed) == 0
    assert json.loads(merged(project))["comparison"]["paired"] == CASES
