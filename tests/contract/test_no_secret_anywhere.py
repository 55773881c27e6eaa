"""What a run is told, quotes and is answered may be full of secrets: none of them is in anything it leaves behind."""

import base64
import html
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.fakes.judge_answers import sensible
from tests.fakes.judge_double import JudgeDouble
from tests.fakes.judge_wire import Asked, Reply
from tests.fakes.keys import HEX, IN_PLACE, KEYS, armoured, body
from tests.fakes.project import EQUALITY, Project

PASSWORD = "s3cr3t/word-of-the-team"
KNOWN = {
    "OPENAI_API_KEY": "the-key-of-the-judge-0",
    "AZURE_SEARCH_KEY": 'awkward"\\<&>|`*ß-key',
    "INPUT_GITHUB_TOKEN": "the-token-of-the-job-1",
    "ACTIONS_RUNTIME_TOKEN": "the-token-of-the-runner-2",
    "DEPLOY_PAT": "the-pat-of-a-person-3",
    "SIGNING_KEY": armoured(),
    "SERVICE_CREDENTIALS": json.dumps({"client_secret": f"{HEX}{HEX}", "type": "service_account"}),
    "HTTPS_PROXY_OF_OURS": f"http://builder:{PASSWORD}@proxy.example:3128",
}
"""What the workflow gives the step."""

SECRETS: Mapping[str, str] = {
    **{
        name: value
        for name, value in KNOWN.items()
        if name not in {"HTTPS_PROXY_OF_OURS", "SERVICE_CREDENTIALS"}
    },
    "a part of it": f"{HEX}{HEX}",
    "a password": PASSWORD,
    "a line of it": body(64),
    **{f"{kind} {number}": key for kind, keys in KEYS.items() for number, key in enumerate(keys)},
    **{
        f"{kind} {number}": key for kind, places in IN_PLACE.items() for number, (_, key) in enumerate(places)
    },
}
"""By what a failure calls it, what may not be seen anywhere."""


def everything() -> str:
    """A text with every secret in it, and some of them as others would write them."""
    key = KNOWN["DEPLOY_PAT"]
    encoded = (base64.b64encode(f"me:{key}".encode()).decode(), quote(KNOWN["AZURE_SEARCH_KEY"]))
    placed = [around.format(secret) for places in IN_PLACE.values() for around, secret in places]
    return "\n".join(
        [*KNOWN.values(), *placed, *(key for keys in KEYS.values() for key in keys), *encoded, body(64)]
    )


ENCODED = (
    base64.b64encode(f"me:{KNOWN['DEPLOY_PAT']}".encode()).decode()[6:-4],
    quote(KNOWN["AZURE_SEARCH_KEY"]),
)


def echoing(asked: Asked) -> dict[str, Any]:
    """A judge that repeats every secret in whatever it is asked for."""
    answer = dict(sensible(asked))
    for name in ("reason", "claims", "truths", "statements"):
        if name in answer:
            answer[name] = everything() if name == "reason" else [everything(), "It is so."]
    if "score" in answer:
        answer["score"] = 1
    return answer


def failing(_: Asked) -> Reply:
    """A judge's server that repeats every secret in its error."""
    return Reply(status=400, error=everything())


def malformed(_: Asked) -> str:
    """A judge that says what is no answer."""
    return everything()


@pytest.fixture
def told(checkout: Project, judge_double: JudgeDouble) -> Project:
    """A project whose every file holds every secret, in an environment that knows some."""
    text = everything()
    checkout.environ.update(KNOWN)
    checkout.environ["GITHUB_EVENT_NAME"] = "pull_request"
    model = {"provider": "openai", "name": "gpt-5", "endpoint": judge_double.endpoint("openai")}
    tone = {
        "type": "geval",
        "name": f"tone {KEYS['npm token'][0]}",
        "criteria": f"Is it kind? {text}",
        "evaluation_steps": [f"Look for {text}"],
        "evaluation_params": ["actual_output", "input"],
        "model": {**model, "api_key": KNOWN["OPENAI_API_KEY"]},
    }
    faithful = {"type": "rag", "metric_type": "faithfulness"}
    expected = [{"name": "search", "args": {"q": {"regex": "^never$"}, "of": text}}]
    cases = [
        {
            "name": f"capital {KEYS['Groq key'][0]}",
            "input": f"What? {text}",
            "ground_truth": text,
            "expected_tools": expected,
        },
        {"name": f"never recorded {KNOWN['DEPLOY_PAT']}", "input": text + "?", "ground_truth": "x"},
    ]
    checkout.agent(
        tone,
        faithful,
        EQUALITY,
        name="helper",
        description=text,
        evaluations={"model": model},
        test_cases=cases,
    )
    calls = [{"name": "search", "arguments": {"q": text, KNOWN["DEPLOY_PAT"]: [text]}, "result": text}]
    checkout.transcripts(
        {"input": f"What? {text}", "output": f"It is {text}", "context": [text], "tool_calls": calls},
        {"id": KEYS["GitHub token"][0], "input": "q", "output": "x" * 1990 + KNOWN["DEPLOY_PAT"] + text},
        {"id": "error", "input": "e", "output": None, "error": text},
    )
    return checkout


def left_behind(project: Project, capsys: pytest.CaptureFixture[str]) -> Iterator[tuple[str, str]]:
    """Everything the run wrote or said, by where; what tells the runner to mask a secret aside."""
    printed = capsys.readouterr()
    for name, text in (("stdout", printed.out), ("stderr", printed.err)):
        yield name, "\n".join(line for line in text.splitlines() if not line.startswith("::add-mask::"))
    top = project.folder.parent
    given = {project.folder / "helper.yaml", project.folder / "runs.jsonl"}
    for path in top.rglob("*"):
        if path.is_file() and path not in given:
            yield str(path.relative_to(top)), path.read_bytes().decode("utf-8")


def readings(text: str) -> tuple[str, ...]:
    """A text as it is, and as readers of Markdown, JSON and XML would read it."""
    plain = html.unescape(text)
    return (
        text,
        plain,
        plain.replace("\\n", "\n"),
        plain.replace("\\", ""),
        plain.replace("\u200b", "").replace("\u2060", ""),
    )


def leaks(project: Project, capsys: pytest.CaptureFixture[str]) -> set[str]:
    found = set()
    for where, text in left_behind(project, capsys):
        for reading in readings(text):
            found |= {f"{name} in {where}" for name, secret in SECRETS.items() if secret in reading}
            found |= {f"encoded in {where}" for form in ENCODED if form in reading}
            found |= {f"its beginning in {where}" for part in [KNOWN["DEPLOY_PAT"][:7]] if part in reading}
    return found


INPUTS = {"agent": "helper.yaml", "transcripts": "runs.jsonl", "verdicts": "../temp/verdicts.jsonl"}


@pytest.mark.parametrize("judge", [echoing, failing, malformed])
def test_no_byte_that_a_run_leaves_behind_is_of_a_secret(
    told: Project, judge_double: JudgeDouble, capsys: pytest.CaptureFixture[str], judge: Any
) -> None:
    judge_double.answer(judge)
    assert told.action(**INPUTS) in {1, 3}
    assert judge_double.requests
    assert {path.name for path in (told.folder / "eval-report").iterdir()} == {
        "results.json",
        "cases.jsonl",
        "junit.xml",
        "comment.md",
        "summary.md",
    }
    assert leaks(told, capsys) == set()


def test_what_is_recorded_is_replayed_without_its_secrets(
    told: Project, judge_double: JudgeDouble, capsys: pytest.CaptureFixture[str]
) -> None:
    judge_double.answer(echoing)
    first = told.action(**INPUTS)
    asked = len(judge_double.requests)
    recorded = Path(told.folder / INPUTS["verdicts"]).read_text(encoding="utf-8")
    assert "*** (OpenAI key)" in recorded
    assert told.action(**INPUTS, offline="true") == first
    assert len(judge_double.requests) == asked
    assert leaks(told, capsys) == set()


def test_a_run_that_cannot_begin_says_why_without_secrets(
    told: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    key = KEYS["Stripe key"][0]
    for document in (
        f"name: helper\nevaluations:\n  {key}: 1\n",
        f"name: [{key}",
        f"{KNOWN['DEPLOY_PAT']}: 1\n",
    ):
        told.write("helper.yaml", document)
        assert told.action(**INPUTS) == 2
        assert told.action(**INPUTS, offline=key) == 2
        assert leaks(told, capsys) == set()


def test_what_is_to_be_labelled_by_people_holds_no_key(
    told: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    tone = {
        "type": "geval",
        "name": "tone",
        "criteria": "Is it kind?",
        "model": {"provider": "human", "name": "us"},
    }
    told.agent(tone)
    assert told.run("--verdicts", str(told.folder.parent / "open.jsonl"), command="label") == 0
    assert "***" in (told.folder.parent / "open.jsonl").read_text(encoding="utf-8")
    assert leaks(told, capsys) == set()
