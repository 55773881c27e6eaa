"""The judge double itself, asked over plain HTTP."""

import http.client
import json
import subprocess
import sys
import threading
from typing import Any

import pytest

from tests.fakes.judge_double import JudgeDouble
from tests.fakes.judge_wire import Asked, Reply

PATHS = {
    "openai": "/v1/chat/completions",
    "azure_openai": "/openai/deployments/judge-1/chat/completions?api-version=1",
    "anthropic": "/v1/messages",
    "ollama": "/api/chat",
}
SCHEMA = {"title": "Steps", "type": "object", "properties": {"steps": {"type": "array"}}}


def post(
    double: JudgeDouble,
    path: str,
    body: object,
    connection: http.client.HTTPConnection | None = None,
    **headers: str,
) -> tuple[int, dict[str, str], Any]:
    used = connection or http.client.HTTPConnection("127.0.0.1", double.port, timeout=10)
    try:
        used.request("POST", path, json.dumps(body), headers)
        response = used.getresponse()
        text = response.read()
        parsed = json.loads(text) if text.startswith(b"{") else text
        return response.status, {name.lower(): value for name, value in response.getheaders()}, parsed
    finally:
        if connection is None:
            used.close()


def body_of(provider: str, text: str = "How?") -> dict[str, Any]:
    body: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": text}]}
    if provider == "ollama":
        return body | {"format": SCHEMA}
    if provider == "anthropic":
        return body | {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}}
    return body | {"response_format": {"json_schema": {"name": "Steps", "schema": SCHEMA}}}


def text_of(provider: str, answer: Any) -> str:
    if provider == "anthropic":
        return str(answer["content"][0]["text"])
    message = answer["message"] if provider == "ollama" else answer["choices"][0]["message"]
    return str(message["content"])


@pytest.mark.parametrize("provider", PATHS)
def test_each_provider_s_request_is_understood(judge_double: JudgeDouble, provider: str) -> None:
    post(judge_double, PATHS[provider], body_of(provider), authorization="Bearer sk-1")
    asked = judge_double.last
    assert (asked.provider, asked.model, asked.prompt) == (provider, "m", "How?")
    assert (asked.schema_name, asked.schema, asked.key) == ("Steps", SCHEMA, "sk-1")
    assert (asked.method, asked.path) == ("POST", PATHS[provider])


@pytest.mark.parametrize("provider", PATHS)
def test_each_provider_is_answered_in_its_own_words(judge_double: JudgeDouble, provider: str) -> None:
    judge_double.answer(Reply(text="Fine.", tokens=(7, 3)))
    status, _, answer = post(judge_double, PATHS[provider], body_of(provider))
    assert status == 200
    assert text_of(provider, answer) == "Fine."
    counts = {
        "ollama": ("prompt_eval_count", "eval_count"),
        "anthropic": ("input_tokens", "output_tokens"),
    }.get(provider, ("prompt_tokens", "completion_tokens"))
    usage = answer if provider == "ollama" else answer["usage"]
    assert tuple(usage[name] for name in counts) == (7, 3)


@pytest.mark.parametrize("provider", PATHS)
def test_usage_can_be_left_out(judge_double: JudgeDouble, provider: str) -> None:
    judge_double.answer(Reply(text="Fine.", tokens=None))
    answer = post(judge_double, PATHS[provider], body_of(provider))[2]
    assert "usage" not in answer
    assert "eval_count" not in answer


@pytest.mark.parametrize("provider", PATHS)
def test_errors_carry_status_headers_and_words(judge_double: JudgeDouble, provider: str) -> None:
    judge_double.answer(Reply(status=429, error="slow down", code="rate", headers={"retry-after": "7"}))
    status, headers, answer = post(judge_double, PATHS[provider], body_of(provider))
    assert (status, headers["retry-after"]) == (429, "7")
    assert (
        answer["error"] == "slow down" if provider == "ollama" else answer["error"]["message"] == "slow down"
    )


def test_answers_are_a_function_a_value_or_a_queue(judge_double: JudgeDouble) -> None:
    def by_prompt(asked: Asked) -> str:
        return asked.prompt.upper()

    judge_double.answer(by_prompt)
    judge_double.answer_next({"steps": ["a"]}, "second")
    said = [text_of("openai", post(judge_double, PATHS["openai"], body_of("openai"))[2]) for _ in range(3)]
    assert said == ['{"steps": ["a"]}', "second", "HOW?"]
    judge_double.answer("fixed")
    assert text_of("openai", post(judge_double, PATHS["openai"], body_of("openai"))[2]) == "fixed"


def test_the_sensible_answer_fits_the_schema(judge_double: JudgeDouble) -> None:
    answer = post(judge_double, PATHS["openai"], body_of("openai"))[2]
    assert json.loads(text_of("openai", answer)) == {
        "steps": ["The first of the steps.", "The second of the steps."]
    }


@pytest.mark.parametrize(
    ("prompt", "keys"),
    [
        ('{"statements": ["x"]}', {"statements"}),
        ("the 'verdicts' key", {"verdicts"}),
        ('{"reason": "x", "score": 1}', {"reason", "score"}),
        ("words", {"reason", "score"}),
    ],
)
def test_without_a_schema_the_prompt_says_what_is_asked_for(
    judge_double: JudgeDouble, prompt: str, keys: set[str]
) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": [{"type": "text", "text": prompt}]}]}
    assert set(json.loads(text_of("openai", post(judge_double, PATHS["openai"], body)[2]))) == keys


@pytest.mark.parametrize(
    ("prompt", "verdicts"),
    [
        ("'verdicts'\nStatements:\n['a', 'b', 'c']\n\nJSON:", 3),
        ("'verdicts'\nRetrieval Context  (2 documents):\n['a', 'b']\n\nJSON:", 2),
        ("'verdicts' EACH sentence\nExpected Output:\nOne. Two!\n\nRetrieval Context:\nx", 2),
        ("'verdicts'\nStatements:\n[broken\n\nJSON:", 1),
        ("'verdicts'\nContext:\nx", 1),
    ],
)
def test_there_is_one_verdict_an_item(judge_double: JudgeDouble, prompt: str, verdicts: int) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": prompt}]}
    answer = json.loads(text_of("openai", post(judge_double, PATHS["openai"], body)[2]))
    assert len(answer["verdicts"]) == verdicts


def test_probabilities_are_given_for_the_token_of_a_number(judge_double: JudgeDouble) -> None:
    judge_double.answer(Reply(text='{"score": 8}', logprobs={"8": 0.5, "7": 0.25}))
    answer = post(judge_double, PATHS["openai"], body_of("openai") | {"logprobs": True})[2]
    tokens = answer["choices"][0]["logprobs"]["content"]
    assert [token["token"] for token in tokens] == ['{"score": ', "8", "}"]
    assert [(top["token"], round(top["logprob"], 3)) for top in tokens[1]["top_logprobs"]] == [
        ("8", -0.693),
        ("7", -1.386),
    ]


def test_a_raw_body_is_sent_as_it_is(judge_double: JudgeDouble) -> None:
    judge_double.answer(Reply(body=b"\xff not json"))
    assert post(judge_double, PATHS["openai"], body_of("openai"))[2] == b"\xff not json"


def test_a_redirect_names_its_place(judge_double: JudgeDouble) -> None:
    judge_double.answer(Reply(status=307, headers={"location": "http://127.0.0.1:1/"}))
    status, headers, _ = post(judge_double, PATHS["openai"], body_of("openai"))
    assert (status, headers["location"]) == (307, "http://127.0.0.1:1/")


def test_a_dropped_connection_ends_without_an_answer(judge_double: JudgeDouble) -> None:
    judge_double.answer(Reply(fault="drop"))
    with pytest.raises(http.client.RemoteDisconnected):
        post(judge_double, PATHS["openai"], body_of("openai"))


def test_a_hanging_judge_says_nothing_and_can_still_be_closed() -> None:
    with JudgeDouble() as double:
        double.answer(Reply(fault="hang"))
        connection = http.client.HTTPConnection("127.0.0.1", double.port, timeout=0.2)
        with pytest.raises(TimeoutError):
            post(double, PATHS["openai"], body_of("openai"), connection)
        connection.close()
    assert len(double.requests) == 1


def test_a_connection_is_kept_and_counted(judge_double: JudgeDouble) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", judge_double.port, timeout=10)
    for _ in range(3):
        post(judge_double, PATHS["openai"], body_of("openai"), connection)
    connection.close()
    assert (judge_double.connections, len(judge_double.requests)) == (1, 3)


def test_the_most_requests_in_flight_are_counted(judge_double: JudgeDouble) -> None:
    judge_double.latency = 0.3
    together = threading.Barrier(16)

    def one() -> None:
        together.wait()
        post(judge_double, PATHS["openai"], body_of("openai"))

    threads = [threading.Thread(target=one) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert judge_double.max_in_flight == 16


def test_endpoints_are_those_to_configure(judge_double: JudgeDouble) -> None:
    assert judge_double.endpoint("openai") == f"http://127.0.0.1:{judge_double.port}/v1"
    assert judge_double.endpoint("ollama") == judge_double.url


def test_it_runs_in_a_process_of_its_own() -> None:
    program = [sys.executable, "-m", "tests.fakes.judge_double", "--latency", "0"]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        assert process.stdout is not None
        port = int(process.stdout.readline().rsplit(":", 1)[1])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request("POST", PATHS["openai"], json.dumps(body_of("openai")))
        assert connection.getresponse().status == 200
        connection.close()
        process.communicate("")
    assert process.returncode == 0
