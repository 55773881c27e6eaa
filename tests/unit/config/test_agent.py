from pathlib import Path

import pytest

from holodeck_eval.config import load_agent
from holodeck_eval.config.findings import MAX_TOLD
from holodeck_eval.domain.options import Environment
from holodeck_eval.errors import Place
from tests.unit.config.support import METRIC_TYPES, Folder, agent_of, cases_of


def test_an_agent_of_nothing_but_a_name_is_read(folder: Folder) -> None:
    agent = folder.agent("name: lamp\n")
    assert (agent.name, agent.place) == ("lamp", Place(file="agent.yaml", line=1, column=1))
    assert (agent.metrics, agent.test_cases, agent.retrieval_tools, agent.warnings) == ((), (), (), ())


def test_without_another_name_a_file_is_shown_as_its_path(tmp_path: Path) -> None:
    path = tmp_path / "agent.yaml"
    path.write_text("name: lamp\n")
    agent = load_agent(path, environment=Environment(), metric_types=METRIC_TYPES)
    assert agent.place.file == path.as_posix()


def test_keys_that_are_not_read_are_left_alone(folder: Folder) -> None:
    agent = folder.agent(
        "name: lamp\ndescription: 3\nmodel: {any: thing, api_key: '${OPENAI_API_KEY}'}\ninstructions: plain\n"
        "response_format: [1]\nobservability: {x: 1}\nmine: {deep: [1]}\nevaluations: null\ntest_cases: null\n"
    )
    assert agent.name == "lamp"


@pytest.mark.parametrize(
    ("key", "meant"),
    [("evaluation", "evaluations"), ("test_case", "test_cases"), ("testcases_file", "test_cases_file")],
)
def test_a_slip_in_a_key_that_is_read_is_refused(folder: Folder, key: str, meant: str) -> None:
    assert folder.problem(f"name: lamp\n{key}: []\n") == (
        f"agent.yaml:2:1: unknown key '{key}'; did you mean `{meant}`?"
    )


def test_a_flood_of_slips_is_cut(folder: Folder) -> None:
    text = "name: lamp\n" + "".join(f"evaluations{n}: 1\n" for n in range(MAX_TOLD + 50))
    assert len(folder.problems(text)) == MAX_TOLD


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("- a\n", "1:1: an agent YAML must be a mapping with `name`, `evaluations` and so on"),
        ("text\n", "1:1: an agent YAML must be a mapping with `name`, `evaluations` and so on"),
        ("description: x\n", "1:1: `name` is missing in an agent"),
        ("name: 123\n", "1:7: `name` must be a text, not the number 123; put it in quotes"),
        ("name: ' '\n", "1:7: `name` must not be blank"),
        ("name: a\nname: b\n", "2:1: the key 'name' is given twice, first in line 1; keep one of them"),
        ("name: a\ntools: {}\n", "2:8: `tools` must be a list, not a mapping"),
        ("name: a\nevaluations: []\n", "2:14: `evaluations` must be a mapping, not a list"),
        ("name: a\nevaluations: {optimizer: {x: 1}}\n", "2:14: `metrics` is missing in `evaluations`"),
        ("name: a\nevaluations: {metrics: []}\n", "2:24: `metrics` must not be empty"),
        ("name: a\nevaluations: {metrics: [{type: generation}], metric: 1}\n", "2:46: unknown key 'metric' in `evaluations`; did you mean `metrics`?"),
        ("name: a\ntest_cases: {}\n", "2:13: `test_cases` must be a list, not a mapping"),
        ("name: a\ntest_cases_file: 3\n", "2:18: `test_cases_file` must be a text, not the number 3; put it in quotes"),
    ],
)  # fmt: skip
def test_a_miswritten_agent_is_one_clear_sentence(folder: Folder, text: str, sentence: str) -> None:
    assert folder.problem(text) == f"agent.yaml:{sentence}"


def test_all_problems_of_a_file_are_told_at_once(folder: Folder) -> None:
    text = (
        agent_of(
            "{type: faithfulness, threshold: 2}",
            "{type: generation, model: {provider: openai, name: '${JUDGE_MODEL}'}}",
            "type: generation",
        )
        + "test_cases:\n  - {name: n}\n  - {input: q, ground_truth: 4, ground_truth: 5}\n"
    )
    assert folder.problems(text) == [
        "agent.yaml:4:39: `threshold` must be at most 1, not the number 2 (scores run from 0 to 1)",
        "agent.yaml:5:58: the variable `JUDGE_MODEL` is not set; set it, or write the name here",
        "agent.yaml:6:7: two metrics are called 'generation', the first at agent.yaml:5:7; remove one of them",
        "agent.yaml:8:5: a test case needs `input`, or `turns` with one each",
        "agent.yaml:9:30: `ground_truth` must be a text, not the number 4; put it in quotes",
        "agent.yaml:9:33: the key 'ground_truth' is given twice, first in line 9; keep one of them",
    ]


def test_a_flood_of_problems_is_cut_and_counted(folder: Folder) -> None:
    problems = folder.problems(agent_of(*["{type: faithfulness, threshold: 3}"] * (MAX_TOLD + 20)))
    assert len(problems) == MAX_TOLD + 1
    assert problems[-1].startswith("and ")


def test_a_hostile_key_is_shown_in_one_short_line(folder: Folder) -> None:
    text = f'name: lamp\nevaluations:\n  "x\\n::error::{"y" * 500}": 1\n  metrics: [{{type: generation}}]\n'
    sentence = folder.problem(text)
    assert sentence.startswith("agent.yaml:3:3: unknown key 'x\\n::error::yyy")
    assert "\n" not in sentence
    assert len(sentence) < 250


def test_the_optimizer_of_holodeck_is_accepted(folder: Folder) -> None:
    text = "name: a\nevaluations:\n  optimizer: {loss: {equality: 1.0}}\n  metrics: [{type: standard, metric: equality}]\n"
    assert folder.agent(text).metrics[0].name == "equality"


def test_tools_that_retrieve_are_known_by_their_type(folder: Folder) -> None:
    agent = folder.agent(
        "name: a\ntools:\n"
        "  - {name: store, type: vectorstore, source: x}\n"
        "  - {name: tree, type: hierarchical_document}\n"
        "  - {name: server, type: mcp, is_retrieval: true}\n"
        "  - {name: files, type: mcp}\n"
        "  - {name: sum, type: function, is_retrieval: true}\n"
        "  - {type: vectorstore}\n"
    )
    assert agent.retrieval_tools == ("store", "tree", "server")


def test_no_tools_is_no_problem(folder: Folder) -> None:
    assert folder.agent("name: a\ntools: []\n").retrieval_tools == ()
    assert folder.problem("name: a\ntools: [3, {name: 4}]\n".replace("3, ", "")) == (
        "agent.yaml:2:16: `name` must be a text, not the number 4; put it in quotes"
    )


def test_a_bom_and_windows_lines_change_nothing(folder: Folder) -> None:
    agent = folder.agent(b"\xef\xbb\xbfname: lamp\r\ntest_cases:\r\n  - input: q\r\n")
    assert agent.name == "lamp"
    assert str(agent.test_cases[0].place) == "agent.yaml:3:5"


def test_an_agent_that_is_a_link_out_of_the_workspace_is_refused(folder: Folder, tmp_path: Path) -> None:
    inside = Folder(tmp_path / "work", workspace=str(tmp_path / "work"))
    inside.root.mkdir()
    target = folder.write("real.yaml", "name: lamp\n")
    (inside.root / "agent.yaml").symlink_to(target)
    assert inside.problem("name: lamp\n") == (
        "agent.yaml: this is a link that leads out of the workspace; put the file itself there"
    )


NAMED = "name: lamp\ntest_cases_file: data/cases.yaml\n"


@pytest.mark.parametrize(
    "text", ["- input: one\n- input: two\n", "test_cases:\n- input: one\n- input: two\nnote: x\n"]
)
def test_test_cases_may_lie_in_a_file_beside_the_agent(folder: Folder, text: str) -> None:
    folder.write("agents/data/cases.yaml", text)
    cases = folder.agent(NAMED, "agents/agent.yaml").test_cases
    assert [case.turns[0].input for case in cases] == ["one", "two"]
    assert cases[0].place.file == "agents/data/cases.yaml"
    assert cases[0].place.column == 3


def test_an_empty_list_of_test_cases_is_one(folder: Folder) -> None:
    folder.write("data/cases.yaml", "[]\n")
    assert folder.agent(NAMED).test_cases == ()


def test_metrics_in_such_a_file_are_read_and_warned_about(folder: Folder) -> None:
    folder.write("data/cases.yaml", "- {input: q, evaluations: [{metric: equality, threshold: 0}]}\n")
    agent = folder.agent(NAMED)
    assert agent.test_cases[0].metrics is not None
    assert agent.warnings == ("data/cases.yaml:1:58: with a threshold of 0 'equality' can never fail",)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "data/cases.yaml: the file is empty"),
        ("- {inputs: q}\n", "data/cases.yaml:1:3: a test case needs `input`, or `turns` with one each"),
        ("cases: []\n", "data/cases.yaml:1:1: `test_cases` is missing in a file of test cases"),
        ("hello\n", "data/cases.yaml:1:1: `test_cases` must be a list, not the text 'hello'"),
        ("- input: a\n  input: b\n", "data/cases.yaml:2:3: the key 'input' is given twice, first in line 1; keep one of them"),
    ],
)  # fmt: skip
def test_problems_of_such_a_file_are_told_where_they_are(folder: Folder, text: str, sentence: str) -> None:
    folder.write("data/cases.yaml", text)
    assert sentence in folder.problems(NAMED)


def test_problems_of_both_files_are_told_at_once(folder: Folder) -> None:
    folder.write("data/cases.yaml", "- {input: 3}\n")
    assert folder.problems(NAMED + "evaluations: {}\n") == [
        "agent.yaml:3:14: `metrics` is missing in `evaluations`",
        "data/cases.yaml:1:11: `input` must be a text, not the number 3; put it in quotes",
    ]


def test_such_a_file_must_exist(folder: Folder) -> None:
    assert folder.problem(NAMED) == "data/cases.yaml: there is no such file"


def test_test_cases_in_both_places_are_refused(folder: Folder) -> None:
    assert folder.problem(cases_of("input: q") + "test_cases_file: x.yaml\n") == (
        "agent.yaml:4:1: `test_cases` and `test_cases_file` are both given; keep one of them"
    )


def test_in_the_action_test_cases_must_lie_in_the_workspace(folder: Folder, tmp_path: Path) -> None:
    outside = folder.write("outside.yaml", "- input: q\n")
    inside = Folder(tmp_path / "work", workspace=str(tmp_path / "work"))
    inside.write("common.yaml", "- input: q\n")
    (inside.root / "link.yaml").symlink_to(outside)
    for name in ("../../outside.yaml", str(outside), "../link.yaml"):
        assert inside.problem(f"name: a\ntest_cases_file: {name}\n", "agents/agent.yaml") == (
            f"agents/agent.yaml:2:18: `test_cases_file` '{name}' lies outside the workspace; put it beside the agent"
        )
    assert (
        len(inside.agent("name: a\ntest_cases_file: ../common.yaml\n", "agents/agent.yaml").test_cases) == 1
    )


def test_on_a_command_line_they_may_lie_anywhere(folder: Folder) -> None:
    path = folder.write("elsewhere/cases.yaml", "- input: q\n")
    agent = folder.agent(f"name: a\ntest_cases_file: {path}\n", "agents/agent.yaml")
    assert agent.test_cases[0].place.file == str(path)


@pytest.mark.parametrize("name", ["x\\0y", "x\\n::error::y", "x\\u2028y", "x" * 501])
def test_a_name_that_no_file_should_have_is_refused_in_one_line(folder: Folder, name: str) -> None:
    sentence = folder.problem(f'name: a\ntest_cases_file: "{name}"\n')
    assert sentence.startswith("agent.yaml:2:18: `test_cases_file` 'x")
    assert sentence.endswith("' cannot be the name of a file")
    assert sentence.isprintable()
