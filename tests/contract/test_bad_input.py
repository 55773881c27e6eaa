"""Agents and judges may be written wrongly: that ends in a sentence with its place, and in reports that say so."""

import json
from pathlib import Path

import pytest

from tests.contract.refusals import AGENT, ANSWER, DEEP, REPORTS, assert_refused, changed, written
from tests.fakes.judge_double import JudgeDouble
from tests.fakes.project import EQUALITY, JUDGE, Project

KEY = "sk-made-up-for-this-test"
BOMB = "\n".join(
    ["bomb:", "- &a0 [x, x, x, x, x, x, x, x, x, x]"]
    + [f"- &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
)


@pytest.fixture
def paris(project: Project) -> Project:
    """A project whose one answer is right."""
    project.write("helper.yaml", AGENT)
    project.write("runs.jsonl", ANSWER)
    return project


METRIC = "    metric: equality\n"


@pytest.mark.parametrize(
    ("text", "place", "sentence"),
    [
        pytest.param(
            changed(METRIC, f"{METRIC}    treshold: 0.9\n"),
            "helper.yaml:6:5",
            "unknown key 'treshold' in a standard metric; did you mean `threshold`?",
            id="unknown key of a metric",
        ),
        pytest.param(
            changed("  metrics:\n", "  modle: {provider: openai, name: gpt-5}\n  metrics:\n"),
            "helper.yaml:3:3",
            "unknown key 'modle' in `evaluations`; did you mean `model`?",
            id="unknown key of evaluations",
        ),
        pytest.param(
            changed("  ground_truth", "  groundtruth"),
            "helper.yaml:9:3",
            "unknown key 'groundtruth' in a test case; did you mean `ground_truth`?",
            id="unknown key of a test case",
        ),
        pytest.param(
            changed("evaluations:", "evaluation:"),
            "helper.yaml:2:1",
            "unknown key 'evaluation'; did you mean `evaluations`?",
            id="a slip on the top level",
        ),
        pytest.param(
            changed(METRIC, f'{METRIC}    enabled: "no"\n'),
            "helper.yaml:6:14",
            "`enabled` must be true or false, not the text 'no'",
            id="wrong type",
        ),
        pytest.param(
            changed(METRIC, f'{METRIC}    threshold: "0.9"\n'),
            "helper.yaml:6:16",
            "`threshold` must be a number, not the text '0.9'",
            id="number as text",
        ),
        pytest.param(
            changed("ground_truth: Paris", "ground_truth: 42"),
            "helper.yaml:9:17",
            "`ground_truth` must be a text, not the number 42; put it in quotes",
            id="text as number",
        ),
        pytest.param(
            changed(METRIC, f"{METRIC}    threshold: 1.0\n    threshold: 0.1\n"),
            "helper.yaml:7:5",
            "the key 'threshold' is given twice, first in line 6; keep one of them",
            id="key twice",
        ),
        pytest.param(
            f"{AGENT}evaluations:\n  metrics: []\n",
            "helper.yaml:10:1",
            "the key 'evaluations' is given twice, first in line 2; keep one of them",
            id="key twice on the top level",
        ),
        pytest.param("", "helper.yaml", "the file is empty", id="empty"),
        pytest.param("# nothing\n", "helper.yaml", "the file is empty", id="only a comment"),
        pytest.param(
            f"{AGENT}x: {'[' * DEEP}", "helper.yaml:10:1003", "nested deeper than 64 levels", id="deep lists"
        ),
        pytest.param(
            f"{AGENT}x: {'{' * DEEP}",
            "helper.yaml:10:1003",
            "nested deeper than 64 levels",
            id="deep mappings",
        ),
        pytest.param("- " * DEEP, "helper.yaml:1:129", "nested deeper than 64 levels", id="deep blocks"),
        pytest.param(
            AGENT + BOMB,
            "helper.yaml:15:43",
            "aliases repeat more than 100,000 values here",
            id="anchors bomb",
        ),
        pytest.param(
            f"{AGENT}x: &x [*x]\n",
            "helper.yaml:10:8",
            "the alias 'x' holds itself; write the values out",
            id="alias of itself",
        ),
        pytest.param(
            changed("  ground_truth: Paris", "  ground_truth: !!python/object/apply:os.system [id]"),
            "helper.yaml:9:17",
            "the YAML tag '!!python/object/apply:os.system' is not accepted; write plain values",
            id="python tag",
        ),
        pytest.param(
            changed(METRIC, f"{METRIC}    threshold: .nan\n"),
            "helper.yaml:6:16",
            "'.nan' is not a number one can compare; write a finite one",
            id="NaN threshold",
        ),
        pytest.param(
            changed(METRIC, f"{METRIC}    threshold: .inf\n"),
            "helper.yaml:6:16",
            "'.inf' is not a number one can compare; write a finite one",
            id="infinite threshold",
        ),
        pytest.param(
            changed(METRIC, f"{METRIC}    threshold: 1.5\n"),
            "helper.yaml:6:16",
            "`threshold` must be at most 1",
            id="threshold 1.5",
        ),
        pytest.param(
            changed(METRIC, f"{METRIC}    threshold: {'1' * 1_000_000}\n"),
            "helper.yaml:6:16",
            "`threshold` must be a number, not the text '1111",
            id="a million digits",
        ),
        pytest.param(
            f"{AGENT}---\nname: other\n",
            "helper.yaml:10:1",
            "a second YAML document begins here; keep one document in a file",
            id="second document",
        ),
        pytest.param(
            changed("name: helper", "name: hel\0per"),
            "helper.yaml:1:10",
            "the control character U+0000 cannot stand in YAML; remove it",
            id="control character",
        ),
        pytest.param(
            changed("- name: capital", "- name: capital\n  input: Capital of France?\n- name: capital"),
            "runs.jsonl:1",
            "this transcript fits the test cases at",
            id="name given twice",
        ),
    ],
)
def test_a_bad_agent_is_refused(
    paris: Project, capsys: pytest.CaptureFixture[str], text: str, place: str, sentence: str
) -> None:
    paris.write("helper.yaml", text)
    assert_refused(paris, capsys, place, sentence)


def test_a_key_named_in_criteria_or_in_the_agents_name_stays_a_name(
    paris: Project, judge_double: JudgeDouble, capsys: pytest.CaptureFixture[str]
) -> None:
    paris.environ["OPENAI_API_KEY"] = KEY
    words = "${OPENAI_API_KEY}"
    model = {"provider": "openai", "name": "gpt-5", "endpoint": judge_double.endpoint("openai")}
    path = paris.agent(
        {"type": "geval", "name": words, "criteria": words, "evaluation_steps": [words], "threshold": 0.1},
        name=words,
        evaluations={"model": model},
    )
    assert paris.run(agent=path.name) == 0
    sent = json.dumps([request.body for request in judge_double.requests])
    assert words in sent
    told = capsys.readouterr()
    assert KEY not in sent + told.out + told.err + "".join(written(paris).values())
    assert paris.results["cases"][0]["agent"] == words


UNTRUSTED = "the endpoint https://judge.example of the judge openai/gpt-5 is not trusted with an API key"


@pytest.mark.parametrize(
    ("model", "column", "sentence"),
    [
        (
            "{provider: openai, name: '${OPENAI_API_KEY}'}",
            37,
            "`OPENAI_API_KEY` looks like a secret and is never put into `name`; use another variable",
        ),
        (
            "{provider: openai, name: x, endpoint: 'https://${OPENAI_API_KEY}.judge.example'}",
            50,
            "`OPENAI_API_KEY` looks like a secret and is never put into `endpoint`; use another variable",
        ),
        (
            "{provider: anthropic, name: x, api_key: '${OPENAI_API_KEY}'}",
            52,
            "`OPENAI_API_KEY` is a key for openai and never goes to anthropic; use ANTHROPIC_API_KEY",
        ),
        ("{provider: openai, name: gpt-5, endpoint: 'https://judge.example/v1'}", 12, UNTRUSTED),
        (
            "{provider: openai, name: gpt-5, endpoint: 'https://api.openai.com@judge.example/v1'}",
            12,
            "the endpoint of the judge openai/gpt-5 is not a plain URL such as https://host:8443/path",
        ),
    ],
)
def test_a_judge_that_would_take_a_key_elsewhere_is_refused(
    paris: Project, capsys: pytest.CaptureFixture[str], model: str, column: int, sentence: str
) -> None:
    paris.environ["OPENAI_API_KEY"] = KEY
    metric = f"  - type: geval\n    name: tone\n    criteria: Is it kind?\n    model: {model}\n"
    paris.write("helper.yaml", changed("  metrics:\n", f"  metrics:\n{metric}"))
    assert_refused(paris, capsys, f"helper.yaml:7:{column}", sentence)
    assert KEY not in "".join(written(paris).values())


def test_an_untrusted_endpoint_in_config_yaml_is_refused(
    paris: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    paris.write("config.yaml", "providers:\n  openai:\n    endpoint: https://judge.example/v1\n")
    judge = {"provider": "openai", "name": "gpt-5"}
    paris.agent({"type": "geval", "name": "tone", "criteria": "Is it kind?"}, evaluations={"model": judge})
    assert_refused(paris, capsys, "helper.yaml:13:5", UNTRUSTED)


@pytest.mark.parametrize(
    ("name", "content", "place", "sentence"),
    [
        (
            "policy.yaml",
            "min_pas_rate: 1\n",
            "policy.yaml:1:1",
            "unknown key 'min_pas_rate' in a policy file",
        ),
        (
            "policy.yaml",
            "min_pass_rate: .nan\n",
            "policy.yaml:1:16",
            "'.nan' is not a number one can compare",
        ),
        (
            "policy.yaml",
            "metrics: {tone: {enabled: false}}\n",
            "policy.yaml:1:11",
            "no agent has a metric named",
        ),
        (
            "verdicts.jsonl",
            '{"key": "x", "score": 1}\n',
            "verdicts.jsonl:1",
            "this recorded verdict cannot be used",
        ),
        (
            "verdicts.jsonl",
            "{" * DEEP + "\n",
            "verdicts.jsonl:1",
            "this recorded verdict cannot be used: it is nested",
        ),
    ],
)
def test_a_bad_policy_or_verdict_file_is_refused(
    paris: Project, capsys: pytest.CaptureFixture[str], name: str, content: str, place: str, sentence: str
) -> None:
    path = paris.write(name, content)
    assert paris.run(f"--{Path(name).stem}", str(path)) == 2
    told = capsys.readouterr()
    assert f"error: {paris.folder / place}: {sentence}" in told.err
    assert "Traceback" not in told.out + told.err
    assert set(written(paris)) == REPORTS
    assert paris.results["verdict"]["status"] == "error"


def test_a_verdict_of_nobody_vouches_for_nothing(paris: Project) -> None:
    paris.agent({"type": "geval", "name": "tone", "criteria": "Is it kind?", "model": JUDGE}, EQUALITY)
    path = paris.write("verdicts.jsonl", json.dumps({"key": "0" * 64, "score": 1.0}) + "\n")
    assert paris.run("--verdicts", str(path)) == 3
