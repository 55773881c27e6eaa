import pytest

from holodeck_eval.domain.agent import ArgumentMatch, TestCase, ToolExpectation
from tests.unit.config.support import Folder, cases_of


def case(folder: Folder, text: str) -> TestCase:
    (found,) = folder.agent(cases_of(text)).test_cases
    return found


def tool(folder: Folder, text: str) -> ToolExpectation:
    tools = case(folder, f"{{input: q, expected_tools: [{text}]}}").turns[0].expected_tools
    assert tools is not None
    return tools[0]


def test_a_test_case_is_one_turn(folder: Folder) -> None:
    found = case(
        folder,
        "{name: n, input: q, ground_truth: '4', expected_tools: [search], retrieval_context: [a, ''], "
        "files: [{path: x.pdf, type: pdf, anything: 1}]}",
    )
    assert (found.name, found.multi_turn, found.metrics) == ("n", False, None)
    assert str(found.place) == "agent.yaml:3:5"
    (turn,) = found.turns
    assert (turn.input, turn.ground_truth) == ("q", "4")
    assert turn.expected_tools == (ToolExpectation(name="search"),)
    assert turn.retrieval_context == ("a", "")
    assert turn.metrics is None


def test_nothing_expected_and_an_empty_list_are_two_things(folder: Folder) -> None:
    assert case(folder, "{input: q}").turns[0].expected_tools is None
    assert case(folder, "{input: q, expected_tools: []}").turns[0].expected_tools == ()
    assert case(folder, "{input: q}").turns[0].retrieval_context is None
    assert case(folder, "{input: q, retrieval_context: []}").turns[0].retrieval_context == ()


def test_a_date_is_text(folder: Folder) -> None:
    assert case(folder, "{input: q, ground_truth: 2024-01-15}").turns[0].ground_truth == "2024-01-15"


def test_a_conversation_has_several_turns(folder: Folder) -> None:
    found = case(
        folder,
        "{name: n, turns: [{input: a, ground_truth: x, turn_config: {any: thing}}, "
        "{input: b, evaluations: [{metric: equality}]}]}",
    )
    assert found.multi_turn
    assert [turn.input for turn in found.turns] == ["a", "b"]
    assert [str(turn.place) for turn in found.turns] == ["agent.yaml:3:23", "agent.yaml:3:79"]
    assert found.turns[0].metrics is None
    assert found.turns[1].metrics is not None
    assert found.turns[1].metrics[0].name == "equality"


def test_one_turn_is_a_conversation_too(folder: Folder) -> None:
    assert case(folder, "{turns: [{input: a}]}").multi_turn


@pytest.mark.parametrize(
    ("metric", "name"),
    [
        ("{metric: numeric}", "numeric"),
        ("{metric_type: faithfulness}", "faithfulness"),
        ("{criteria: c, name: Kind}", "Kind"),
        ("{grader: 'a:b'}", "a:b"),
        ("{type: generation}", "generation"),
    ],
)
def test_metrics_of_a_test_case_may_leave_out_their_type(folder: Folder, metric: str, name: str) -> None:
    metrics = case(folder, f"{{input: q, evaluations: [{metric}]}}").metrics
    assert metrics is not None
    assert metrics[0].name == name


def test_an_empty_list_of_metrics_falls_through(folder: Folder) -> None:
    found = case(folder, "{turns: [{input: a, evaluations: []}], evaluations: []}")
    assert (found.metrics, found.turns[0].metrics) == (None, None)


def test_a_tool_by_name_alone_compares_no_arguments(folder: Folder) -> None:
    assert tool(folder, "search") == ToolExpectation(name="search", arguments=None, count=1)


def test_a_tool_as_an_object_has_arguments_and_a_count(folder: Folder) -> None:
    assert tool(folder, "{name: search}") == ToolExpectation(name="search", arguments={}, count=1)
    found = tool(
        folder,
        "{name: search, count: 2, args: {a: 1, b: {fuzzy: Two}, c: {regex: 'x+'}, d: {deep: [true]}, e: null, "
        "f: 12:30}}",
    )
    assert found.count == 2
    assert found.arguments == {
        "a": ArgumentMatch(how="exact", value=1),
        "b": ArgumentMatch(how="fuzzy", value="Two"),
        "c": ArgumentMatch(how="regex", value="x+"),
        "d": ArgumentMatch(how="exact", value={"deep": [True]}),
        "e": ArgumentMatch(how="exact", value=None),
        "f": ArgumentMatch(how="exact", value="12:30"),
    }


MATCHERS = "an argument is compared with a plain value, with `{fuzzy: text}` or with `{regex: text}`"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{input: 3}", "3:13: `input` must be a text, not the number 3; put it in quotes"),
        ("{input: q, ground_truth: 4}", "3:30: `ground_truth` must be a text, not the number 4; put it in quotes"),
        ("{input: q, ground_truth: ''}", "3:30: `ground_truth` must not be blank"),
        ("{input: q, name: ''}", "3:22: `name` must not be blank"),
        ("{input: q, retrieval_context: text}", "3:35: `retrieval_context` must be a list, not the text 'text'"),
        ("{input: q, expected_output: x}", "3:16: unknown key 'expected_output' in a test case; did you mean `ground_truth`?"),
        ("{input: q, turn_config: {}}", "3:16: unknown key 'turn_config' in a test case; known are ground_truth, expected_tools, files, retrieval_context, evaluations, name, input, turns"),
        ("{name: n}", "3:5: a test case needs `input`, or `turns` with one each"),
        ("{turns: []}", "3:13: `turns` must not be empty"),
        ("{turns: [{ground_truth: x}]}", "3:14: `input` is missing in a turn"),
        ("{turns: [{input: a}], input: q}", "3:27: `input` cannot stand beside `turns`; write it in a turn"),
        ("{turns: [{input: a}], expected_tools: []}", "3:27: `expected_tools` cannot stand beside `turns`; write it in a turn"),
        ("hello", "3:5: item 1 of `test_cases` must be a mapping, not the text 'hello'"),
        ("{input: q, expected_tools: [3]}", "3:33: item 1 of `expected_tools` must be a mapping, not the number 3"),
        ("{input: q, expected_tools: ['']}", "3:33: item 1 of `expected_tools` must not be blank"),
        ("{input: q, expected_tools: [{args: {}}]}", "3:33: `name` is missing in an expected tool"),
        ("{input: q, expected_tools: [{name: n, count: 0}]}", "3:50: `count` must be at least 1, not the number 0"),
        ("{input: q, expected_tools: [{name: n, arg: {}}]}", "3:43: unknown key 'arg' in an expected tool; did you mean `args`?"),
        ("{input: q, expected_tools: [{name: n, args: {a: {fuzzy: 3}}}]}", f"3:53: {MATCHERS}"),
        ("{input: q, expected_tools: [{name: n, args: {a: {fuzzy: x, regex: y}}}]}", f"3:53: {MATCHERS}"),
        ("{input: q, expected_tools: [{name: n, args: {a: {regex: '('}}}]}", "3:53: this regex does not compile: missing ), unterminated subpattern"),
        ("{input: q, evaluations: [{metric: equality, threshold: 2}]}", "3:60: `threshold` must be at most 1, not the number 2 (scores run from 0 to 1)"),
        ("{input: q, evaluations: [{}]}", "3:30: `type` is missing in a metric: one of geval, rag, standard, generation, code"),
    ],
)  # fmt: skip
def test_a_miswritten_test_case_is_one_clear_sentence(folder: Folder, text: str, sentence: str) -> None:
    assert folder.problem(cases_of(text)) == f"agent.yaml:{sentence}"


@pytest.mark.parametrize(
    ("regex", "why"),
    [
        ("x" * 1001, "a regex may have at most 1000 characters"),
        ("(" * 490 + ")" * 490, "this regex does not compile: it is too deep or too large"),
        ("(?\\n", "this regex does not compile: unknown extension ?\\n"),
        ("x{99999999999}", "this regex does not compile: it is too deep or too large"),
    ],
)
def test_a_regex_without_measure_is_refused(folder: Folder, regex: str, why: str) -> None:
    text = f'{{input: q, expected_tools: [{{name: n, args: {{a: {{regex: "{regex}"}}}}}}]}}'
    assert folder.problem(cases_of(text)) == f"agent.yaml:3:53: {why}"


def test_a_regex_python_warns_about_is_accepted(folder: Folder) -> None:
    found = tool(folder, "{name: n, args: {a: {regex: '[[a]'}}}")
    assert found.arguments == {"a": ArgumentMatch(how="regex", value="[[a]")}


def test_more_test_cases_than_anyone_judges_are_refused(folder: Folder) -> None:
    sentence = folder.problem("name: lamp\ntest_cases: [" + "{input: q}," * 10_001 + "]\n")
    assert sentence == "agent.yaml:2:13: `test_cases` may have at most 10,000 items"
