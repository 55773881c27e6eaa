"""Whole runs that ask a judge: the four providers' own SDKs and DeepEval's own metrics, against the double."""

import json
from typing import Any

import pytest

from tests.fakes.judge_answers import sensible
from tests.fakes.judge_double import JudgeDouble
from tests.fakes.judge_wire import Asked, Reply
from tests.fakes.project import Project

KEY = "sk-made-up-for-this-test"
TONE = {
    "type": "geval",
    "name": "tone",
    "criteria": "Is it kind?",
    "evaluation_steps": ["Look"],
    "threshold": 0.5,
}
FAITHFUL = {"type": "rag", "metric_type": "faithfulness"}
GENERATION = {"type": "generation"}
HELLO = {"id": "hello", "input": "Hello?", "output": "Hello to you.", "context": ["Be polite."]}


def judge(double: JudgeDouble, provider: str = "openai", name: str = "gpt-5") -> dict[str, Any]:
    spec = {"provider": provider, "name": name, "endpoint": double.endpoint(provider)}
    return spec if provider == "ollama" else {**spec, "api_key": KEY}


def on_every_scale(asked: Asked) -> Any:
    """Sensible answers, but a 1 for the parts of `generation`, whose scales begin and end there."""
    answer = dict(sensible(asked))
    return {**answer, "score": 1} if "score" in answer and "Look" not in asked.prompt else answer


def causes(project: Project) -> str:
    return " ".join(cause["message"] for cause in project.results["verdict"]["causes"])


@pytest.mark.parametrize(
    ("provider", "name"),
    [
        ("openai", "gpt-5"),
        ("openai", "gpt-4o"),
        ("azure_openai", "gpt-4o"),
        ("anthropic", "claude-opus-5"),
        ("ollama", "gpt-oss:20b"),
    ],
)
def test_all_judged_metrics_run_with_each_provider(
    project: Project, judge_double: JudgeDouble, provider: str, name: str
) -> None:
    judge_double.answer(on_every_scale)
    model = judge(judge_double, provider, name)
    project.agent(TONE, FAITHFUL, GENERATION, evaluations={"model": model})
    project.transcripts({**HELLO, "reference": {"expected_output": "A greeting."}})
    assert project.run() in {0, 1}
    summary = project.results["summary"]
    assert (summary["evaluations_scored"], summary["evaluations_errored"]) == (3, 0)
    assert project.results["usage"]["calls"] == len(judge_double.requests)
    assert project.results["usage"]["input_tokens"] > 0


def test_what_was_judged_is_recorded_and_replayed_without_a_call(
    project: Project, judge_double: JudgeDouble
) -> None:
    project.agent(TONE, FAITHFUL, evaluations={"model": judge(judge_double)})
    project.transcripts(HELLO)
    verdicts = ["--verdicts", str(project.folder / "verdicts.jsonl")]
    first = project.run(*verdicts)
    before = project.results["summary"]
    asked = len(judge_double.requests)
    assert asked > 0
    assert project.run(*verdicts, "--offline") == first
    assert len(judge_double.requests) == asked
    after = project.results["summary"]
    assert after["avg_score"] == before["avg_score"]
    assert after["evaluations_recorded"] == 2


def test_a_recorded_verdict_shows_where_the_judge_was_asked(
    project: Project, judge_double: JudgeDouble
) -> None:
    project.agent(TONE, GENERATION, evaluations={"model": judge(judge_double)})
    project.transcripts(HELLO)
    judge_double.answer(on_every_scale)
    verdicts = project.folder / "verdicts.jsonl"
    project.run("--verdicts", str(verdicts))
    lines = [json.loads(line) for line in verdicts.read_text(encoding="utf-8").splitlines()]
    assert {line["host"] for line in lines} == {judge_double.url}


@pytest.mark.parametrize(("retries", "measured"), [(None, 3), (1, 2)])
def test_retry_on_failure_bounds_how_often_an_evaluation_is_repeated(
    project: Project, judge_double: JudgeDouble, retries: int | None, measured: int
) -> None:
    claims, verdicts = {"claims": ["one", "two"]}, {"verdicts": [{"verdict": "yes", "reason": "x"}]}

    def miscounted(asked: Asked) -> Any:
        answer = dict(sensible(asked))
        return answer | {key: value for key, value in (claims | verdicts).items() if key in answer}

    judge_double.answer(miscounted)
    written = {} if retries is None else {"retry_on_failure": retries}
    project.agent({**FAITHFUL, **written}, evaluations={"model": judge(judge_double)})
    project.transcripts(HELLO)
    assert project.run() == 3
    asked = [request for request in judge_double.requests if "verdicts" in json.dumps(request.schema)]
    assert len(asked) == measured


def test_fail_on_error_stops_a_case_at_an_errored_part_of_generation(
    project: Project, judge_double: JudgeDouble
) -> None:
    def refuses_redundancy(asked: Asked) -> Any:
        return {"score": 7, "reason": "x"} if "repeat" in asked.prompt.lower() else on_every_scale(asked)

    judge_double.answer(refuses_redundancy)
    stopping = {**GENERATION, "metrics": ["redundancy", "language_consistency"], "fail_on_error": True}
    project.agent(stopping, TONE, evaluations={"model": judge(judge_double)})
    project.transcripts(HELLO)
    assert project.run() == 3
    assert project.results["summary"]["skipped_by_cause"] == {"stopped": 1}


def test_what_two_cases_share_is_judged_once_and_not_called_recorded(
    project: Project, judge_double: JudgeDouble
) -> None:
    project.agent(TONE, evaluations={"model": judge(judge_double)})
    project.transcripts(HELLO, {**HELLO, "id": "again"})
    assert project.run() == 0
    assert len(judge_double.requests) == 1
    assert project.results["summary"]["evaluations_recorded"] == 0


def test_an_outage_is_told_even_where_the_cases_fail_for_another_reason(
    project: Project, judge_double: JudgeDouble
) -> None:
    judge_double.answer(Reply(status=401, text="{}"))
    equality = {"type": "standard", "metric": "equality"}
    asked = [{"input": "Hello?", "ground_truth": "x"}]
    project.agent(TONE, equality, evaluations={"model": judge(judge_double)}, test_cases=asked)
    project.transcripts(HELLO)
    assert project.run() == 1
    assert "(first: tone: the judge openai/gpt-5 at 127.0.0.1" in causes(project)


def test_only_the_changed_transcript_is_paid_for(project: Project, judge_double: JudgeDouble) -> None:
    project.agent(TONE, evaluations={"model": judge(judge_double)})
    others = [{**HELLO, "id": f"n{number}", "output": f"Hello {number}."} for number in range(5)]
    project.transcripts(*others)
    verdicts = ["--verdicts", str(project.folder / "verdicts.jsonl")]
    project.run(*verdicts)
    assert len(judge_double.requests) == 5
    project.transcripts({**others[0], "output": "Changed."}, *others[1:])
    project.run(*verdicts)
    assert len(judge_double.requests) == 6


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Reply(status=401, text="{}"), "key"),
        (Reply(status=500, text="{}"), "500"),
        (Reply(fault="drop"), "judge"),
        (Reply(text="I would rather not say."), "reply"),
    ],
)
def test_a_judge_that_fails_is_inconclusive_and_no_score(
    project: Project, judge_double: JudgeDouble, reply: Reply, words: str
) -> None:
    judge_double.answer(reply)
    project.agent(TONE, evaluations={"model": judge(judge_double)})
    project.transcripts(HELLO)
    assert project.run("--deadline", "20") == 3
    assert project.results["summary"]["avg_score"] is None
    assert words in json.dumps(project.results).lower()
    assert KEY not in json.dumps(project.results)


def test_without_a_key_the_run_is_inconclusive_and_says_which_variable(project: Project) -> None:
    project.agent(TONE, evaluations={"model": {"provider": "openai", "name": "gpt-5"}})
    project.transcripts(HELLO)
    assert project.run() == 3
    assert "OPENAI_API_KEY" in json.dumps(project.results)


def test_a_judge_that_redirects_is_not_followed(project: Project, judge_double: JudgeDouble) -> None:
    with JudgeDouble() as elsewhere:
        target = {"location": f"{elsewhere.url}/v1/chat/completions"}
        judge_double.answer(Reply(status=307, text="", headers=target))
        project.agent(TONE, evaluations={"model": judge(judge_double)})
        project.transcripts(HELLO)
        assert project.run() == 3
        assert elsewhere.requests == []
        assert elsewhere.connections == 0


def test_a_hostile_dotenv_in_the_working_directory_is_never_read(
    project: Project, judge_double: JudgeDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project.folder)
    with JudgeDouble() as elsewhere:
        project.write(
            ".env",
            f"OPENAI_BASE_URL={elsewhere.url}/v1\nDEEPEVAL_VERBOSE_MODE=1\nHTTPS_PROXY={elsewhere.url}\n"
            f"LOCAL_MODEL_BASE_URL={elsewhere.url}\nOPENAI_API_KEY=sk-from-the-checkout\n",
        )
        project.agent(TONE, evaluations={"model": judge(judge_double)})
        project.transcripts(HELLO)
        assert project.run() == 0
        assert elsewhere.connections == 0
        assert all(request.headers["authorization"] == f"Bearer {KEY}" for request in judge_double.requests)


@pytest.mark.parametrize("marker", ["[DEEPEVAL:IMAGE:{path}]", "[DEEPEVAL:PDF:{path}]"])
@pytest.mark.parametrize("field", ["input", "output", "context"])
def test_no_file_reaches_the_judge_through_a_marker(
    project: Project, judge_double: JudgeDouble, marker: str, field: str
) -> None:
    secret = project.write("secret.txt", "the content of a file on the runner")
    text = marker.format(path=secret)
    record = {**HELLO, field: [text] if field == "context" else f"see {text} please"}
    project.agent(TONE, FAITHFUL, evaluations={"model": judge(judge_double, name="gpt-4o")})
    project.transcripts(record)
    assert project.run() in {0, 1}
    sent = json.dumps([request.body for request in judge_double.requests])
    assert "the content of a file" not in sent
    assert "dGhlIGNvbnRlbnQgb2YgYSBmaWxl" not in sent
    assert "image_url" not in sent


def test_a_key_named_in_the_criteria_stays_a_name(project: Project, judge_double: JudgeDouble) -> None:
    project.environ["OPENAI_API_KEY"] = KEY
    criteria = "Does the answer hold ${OPENAI_API_KEY}?"
    project.agent(
        {**TONE, "criteria": criteria, "evaluation_steps": [criteria]},
        evaluations={"model": judge(judge_double)},
    )
    project.transcripts(HELLO)
    assert project.run() == 0
    sent = json.dumps([request.body for request in judge_double.requests])
    assert "${OPENAI_API_KEY}" in sent
    assert KEY not in sent


def test_a_budget_in_tokens_ends_the_run_cleanly(project: Project, judge_double: JudgeDouble) -> None:
    project.agent(TONE, evaluations={"model": judge(judge_double)})
    project.transcripts(*({**HELLO, "id": f"n{number}", "output": f"Hi {number}"} for number in range(20)))
    assert project.run("--max-tokens", "1", "--max-concurrency", "1") == 3
    assert project.results["summary"]["skipped_by_cause"] == {"budget": 19}
    assert len(judge_double.requests) == 1


def test_a_budget_that_cannot_be_kept_is_inconclusive_and_nothing_is_asked(
    project: Project, judge_double: JudgeDouble
) -> None:
    project.agent(TONE, evaluations={"model": judge(judge_double, name="a-model-nobody-knows")})
    project.transcripts(HELLO)
    assert project.run("--max-cost", "1") == 3
    assert project.results["summary"]["skipped_by_cause"] == {"budget": 1}
    assert "use --max-tokens" in causes(project)
    assert judge_double.requests == []


def test_the_deadline_cuts_a_judge_that_hangs(project: Project, judge_double: JudgeDouble) -> None:
    judge_double.answer(Reply(fault="hang"))
    project.agent(TONE, evaluations={"model": judge(judge_double)})
    project.transcripts(HELLO)
    assert project.run("--deadline", "3") == 3
    assert project.results["summary"]["skipped_by_cause"] == {"deadline": 1}


def test_a_timeout_interrupts_a_call_that_hangs(project: Project, judge_double: JudgeDouble) -> None:
    judge_double.answer(Reply(fault="hang"))
    project.agent(
        {"type": "standard", "metric": "equality"}, test_cases=[{"input": "Hello?", "ground_truth": "x"}]
    )
    project.agent(TONE, evaluations={"model": judge(judge_double)})
    project.transcripts(HELLO)
    assert project.run("--timeout", "0.2", "--deadline", "30") == 3
    assert "timeout" in json.dumps(project.results["verdict"])
