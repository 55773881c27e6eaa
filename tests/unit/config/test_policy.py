from dataclasses import fields
from pathlib import Path

import pytest

from holodeck_eval.config import load_policy
from holodeck_eval.config.policy_model import PolicyModel
from holodeck_eval.domain.agent import JudgeSpec
from holodeck_eval.domain.options import Environment, PolicyOptions
from tests.unit.config.support import METRIC_TYPES, Folder, agent_of, cases_of


def judge_name(judge: JudgeSpec | None) -> str:
    assert judge is not None
    return judge.name


def test_every_rule_of_the_gate_may_be_written(folder: Folder) -> None:
    assert {rule.name for rule in fields(PolicyOptions)} <= PolicyModel.model_fields.keys()
    policy = folder.load_policy(
        "min_pass_rate: 0.9\nmin_avg_score: 0.8\nmin_score: 0.7\nmin_binary_score: 0.6\nmin_cases: 5\n"
        "max_error_rate: 0.1\non_missing_input: skip\non_inconclusive: pass\nallow_missing: true\n"
        "max_drop: 0.05\nmetrics_alpha: 0.01\ncases_alpha: 1e-3\nallow_removed_cases: true\n"
        "on_missing_baseline: report\non_gate_change: report\non_stale: report\n"
        "mapping: {output: answer.text}\ncontext_from_tools: [search]\n"
    )
    assert policy.rules == PolicyOptions(
        min_pass_rate=0.9,
        min_avg_score=0.8,
        min_score=0.7,
        min_binary_score=0.6,
        min_cases=5,
        max_error_rate=0.1,
        on_missing_input="skip",
        on_inconclusive="pass",
        allow_missing=True,
        max_drop=0.05,
        metrics_alpha=0.01,
        cases_alpha=0.001,
        allow_removed_cases=True,
        on_missing_baseline="report",
        on_gate_change="report",
        on_stale="report",
    )
    assert policy.mapping == {"output": "answer.text"}
    assert policy.context_from_tools == ("search",)


def test_what_is_not_written_stays_open(folder: Folder) -> None:
    policy = folder.load_policy("min_cases: 1\n")
    assert policy.rules == PolicyOptions(min_cases=1)
    assert (policy.judge, policy.metrics, policy.overrides, policy.mapping) == (None, (), {}, {})


def test_without_another_name_a_file_is_shown_as_its_path(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text("evaluations: {metrics: [{type: generation}]}\n")
    policy = load_policy(path, environment=Environment(), metric_types=METRIC_TYPES)
    assert policy.metrics[0].place.file == path.as_posix()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[]\n", "1:1: a policy file must be a mapping, not a list"),
        ("", " the file is empty"),
        ("min_pas_rate: 1\n", "1:1: unknown key 'min_pas_rate' in a policy file; did you mean `min_pass_rate`?"),
        ("min_pass_rate: 90\n", "1:16: `min_pass_rate` must be at most 1, not the number 90"),
        ("min_pass_rate: 90%\n", "1:16: `min_pass_rate` must be a number, not the text '90%'"),
        ("max_error_rate: -0.1\n", "1:17: `max_error_rate` must be at least 0, not the number -0.1"),
        ("min_cases: 0\n", "1:12: `min_cases` must be at least 1, not the number 0"),
        ("min_cases: 1.5\n", "1:12: `min_cases` must be a whole number, not the number 1.5"),
        ("on_inconclusive: warn\n", "1:18: `on_inconclusive` must be one of fail, pass, not the text 'warn'"),
        ("allow_missing: 1\n", "1:16: `allow_missing` must be true or false, not the number 1"),
        ("max_drop: 2\n", "1:11: `max_drop` must be at most 1, not the number 2"),
        ("max_drop: -0.1\n", "1:11: `max_drop` must be at least 0, not the number -0.1"),
        ("metrics_alpha: 0\n", "1:16: `metrics_alpha` must be more than 0, not the number 0"),
        ("cases_alpha: 0.6\n", "1:14: `cases_alpha` must be at most 0.5, not the number 0.6"),
        ("allow_removed_cases: 1\n", "1:22: `allow_removed_cases` must be true or false, not the number 1"),
        ("on_missing_baseline: pass\n", "1:22: `on_missing_baseline` must be one of inconclusive, report, not the text 'pass'"),
        ("on_gate_change: ignore\n", "1:17: `on_gate_change` must be one of block, report, not the text 'ignore'"),
        ("on_stale: reprot\n", "1:11: `on_stale` must be one of block, report, not the text 'reprot'; did you mean `report`?"),
        ("mapping: {output: 3}\n", "1:19: `output` must be a text, not the number 3; put it in quotes"),
        ("mapping: {'a b': ''}\n", "1:18: 'a b' must not be blank"),
        (f"mapping: {{{'a' * 90}: 3}}\n", f"1:103: '{'a' * 79}…' must be a text, not the number 3; put it in quotes"),
        ("context_from_tools: search\n", "1:21: `context_from_tools` must be a list, not the text 'search'"),
        ("metrics: {tone: {treshold: 1}}\n", "1:18: unknown key 'treshold' in an override of a metric; did you mean `threshold`?"),
        ("metrics: {tone: {threshold: 2}}\n", "1:29: `threshold` must be at most 1, not the number 2 (scores run from 0 to 1)"),
        ("metrics: {tone: null}\n", "1:17: `tone` must be a mapping, not nothing"),
        ("evaluations: {metrics: [{metric: equality}]}\n", "1:25: `type` is missing in a metric; write `type: standard`"),
        ("evaluations: {model: {provider: openai}}\n", "1:22: `name` is missing in a judge of openai"),
        ("metrics: {tone: {model: {provider: openai}}}\n", "1:25: `name` is missing in a judge of openai"),
        ("a: 1\na: 1\n", "2:1: the key 'a' is given twice, first in line 1; keep one of them"),
    ],
)  # fmt: skip
def test_a_miswritten_policy_is_told_where(folder: Folder, text: str, sentence: str) -> None:
    assert f"policy.yaml:{sentence}" in folder.policy_problems(text)


def test_metrics_of_the_policy_are_added_with_its_judge(folder: Folder) -> None:
    folder.policy = folder.load_policy(
        "evaluations:\n  model: {provider: human, name: Ada}\n  metrics: [{type: generation}]\n"
    )
    own, added = folder.agent(agent_of("type: faithfulness", model="{provider: ollama, name: own}")).metrics
    assert (own.name, judge_name(own.judge)) == ("faithfulness", "own")
    assert (added.name, judge_name(added.judge)) == ("generation", "Ada")
    assert str(added.place) == "policy.yaml:3:13"


def test_the_judge_of_the_policy_serves_agents_that_name_none(folder: Folder) -> None:
    folder.policy = folder.load_policy("evaluations: {model: {provider: human, name: Ada}}\n")
    assert judge_name(folder.metric("type: faithfulness").judge) == "Ada"
    own = "{type: faithfulness, model: {provider: ollama, name: own}}"
    assert judge_name(folder.metric(own).judge) == "own"


def test_metrics_of_a_policy_without_a_judge_take_the_agents(folder: Folder) -> None:
    folder.policy = folder.load_policy(
        "evaluations: {metrics: [{type: generation}, {type: standard, metric: equality}, "
        "{type: geval, name: idle, criteria: c, enabled: false}, "
        "{type: geval, name: own, criteria: c, model: {provider: human, name: Ada}}]}\n"
    )
    metrics = folder.agent(agent_of("type: faithfulness", model="{provider: ollama, name: agents}")).metrics
    judges = {metric.name: metric.judge and metric.judge.name for metric in metrics}
    assert judges == {
        "faithfulness": "agents",
        "generation": "agents",
        "equality": None,
        "idle": None,
        "own": "Ada",
    }


def test_a_metric_of_the_policy_that_the_agent_has_too_is_refused(folder: Folder) -> None:
    folder.policy = folder.load_policy("evaluations: {metrics: [{type: faithfulness}]}\n")
    assert folder.problem(agent_of("type: faithfulness")) == (
        "policy.yaml:1:25: two metrics are called 'faithfulness', the first at agent.yaml:4:7; remove one of them"
    )


def test_an_override_changes_what_it_names_and_nothing_else(folder: Folder) -> None:
    folder.policy = folder.load_policy(
        "metrics:\n  faithfulness: {threshold: 0.9, bad_below: 0.2, guardrail: true, "
        "model: {provider: human, name: Ada}}\n"
    )
    changed, other = folder.metrics(
        "{type: faithfulness, threshold: 0.4}", "{type: answer_relevancy, threshold: 0.4}"
    )
    assert (changed.threshold, changed.bad_below, changed.guardrail) == (0.9, 0.2, True)
    assert judge_name(changed.judge) == "Ada"
    assert (other.threshold, other.bad_below, other.guardrail) == (0.4, None, False)
    assert str(folder.policy.overrides["faithfulness"].place) == "policy.yaml:2:3"


def test_an_override_may_switch_a_metric_off_and_on(folder: Folder) -> None:
    folder.policy = folder.load_policy(
        "metrics: {faithfulness: {enabled: false}, answer_relevancy: {enabled: true}}\n"
    )
    off, on = folder.metrics("type: faithfulness", "{type: answer_relevancy, enabled: false}")
    assert (off.enabled, off.judge) == (False, None)
    assert (on.enabled, judge_name(on.judge)) == (True, "gpt-oss:20b")


def test_an_override_reaches_metrics_of_test_cases_turns_and_the_policy(folder: Folder) -> None:
    folder.policy = folder.load_policy(
        "metrics: {equality: {threshold: 0.5}, generation: {threshold: 0.6}}\n"
        "evaluations: {metrics: [{type: generation}]}\n"
    )
    agent = folder.agent(
        cases_of(
            "{input: q, evaluations: [{metric: equality}]}",
            "{turns: [{input: q, evaluations: [{metric: equality}]}]}",
        )
    )
    in_case, in_turn = agent.test_cases[0].metrics, agent.test_cases[1].turns[0].metrics
    assert in_case is not None
    assert in_turn is not None
    assert (in_case[0].threshold, in_turn[0].threshold) == (0.5, 0.5)
    assert agent.metrics[0].threshold == 0.6


def test_an_override_may_not_turn_good_and_bad_around(folder: Folder) -> None:
    folder.policy = folder.load_policy("metrics: {faithfulness: {threshold: 0.3}}\n")
    assert folder.problem(agent_of("{type: faithfulness, bad_below: 0.4}")) == (
        "policy.yaml:1:11: `bad_below` of 'faithfulness' is 0.4; it must be under its threshold of 0.3"
    )


def test_a_judge_for_a_metric_that_needs_none_is_refused(folder: Folder) -> None:
    folder.policy = folder.load_policy("metrics: {equality: {model: {provider: human, name: Ada}}}\n")
    assert folder.problem(agent_of("{type: standard, metric: equality}")) == (
        "policy.yaml:1:11: 'equality' needs no judge; remove `model`"
    )


def test_an_override_that_nothing_can_miss_is_told(folder: Folder) -> None:
    policy = folder.load_policy("metrics: {faithfulness: {threshold: 0}}\n")
    assert policy.warnings == ("policy.yaml:1:37: with a threshold of 0 a metric can never fail",)


def test_variables_of_a_policys_judge_obey_the_same_rules(folder: Folder) -> None:
    folder.variables = {"JUDGE_MODEL": "m", "TEAM": "n"}
    folder.allow_env = ("TEAM",)
    policy = folder.load_policy("evaluations: {model: {provider: openai, name: '${JUDGE_MODEL}-${TEAM}'}}\n")
    assert judge_name(policy.judge) == "m-n"
    assert folder.policy_problems("evaluations: {model: {provider: openai, name: '${MY_TOKEN}'}}\n") == [
        "policy.yaml:1:47: `MY_TOKEN` looks like a secret and is never put into `name`; use another variable"
    ]


def test_a_policy_that_is_a_link_out_of_the_workspace_is_refused(folder: Folder, tmp_path: Path) -> None:
    inside = Folder(tmp_path / "work", workspace=str(tmp_path / "work"))
    inside.root.mkdir()
    (inside.root / "policy.yaml").symlink_to(folder.write("real.yaml", "min_cases: 1\n"))
    assert inside.policy_problems("min_cases: 1\n") == [
        "policy.yaml: this is a link that leads out of the workspace; put the file itself there"
    ]
