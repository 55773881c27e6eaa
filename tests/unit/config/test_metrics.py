import pytest

from holodeck_eval.config.metrics import FAMILIES, AnyMetric, MetricModel, family_of
from holodeck_eval.domain.agent import (
    CodeOptions,
    EqualityOptions,
    GenerationOptions,
    GEvalOptions,
    NumericOptions,
    RagOptions,
)
from holodeck_eval.errors import Place
from tests.unit.config.support import Folder, agent_of

ALL_PARTS = ("completeness", "groundedness", "redundancy", "language_consistency", "refusal_alignment")


def test_a_geval_metric_has_defaults(folder: Folder) -> None:
    spec = folder.metric("{type: geval, name: Kind, criteria: Is it kind?}")
    assert (spec.kind, spec.type, spec.name, spec.threshold) == ("geval", "geval", "Kind", 0.5)
    assert spec.options == GEvalOptions(criteria="Is it kind?")
    assert spec.place == Place(file="agent.yaml", line=4, column=7)
    assert (spec.enabled, spec.guardrail, spec.fail_on_error) == (True, False, False)
    assert (spec.bad_below, spec.retries, spec.timeout_s) == (None, None, None)


def test_a_geval_metric_has_what_is_written(folder: Folder) -> None:
    spec = folder.metric(
        "{type: geval, name: Kind, criteria: c, evaluation_steps: [one, two], strict_mode: true, threshold: 0.8, "
        "evaluation_params: [input, actual_output, input], enabled: false, fail_on_error: true, guardrail: true, "
        "bad_below: 0.3, retry_on_failure: 2, timeout_ms: 1500}"
    )
    assert spec.options == GEvalOptions(
        criteria="c",
        evaluation_steps=("one", "two"),
        evaluation_params=("input", "actual_output"),
        strict_mode=True,
    )
    assert (spec.enabled, spec.guardrail, spec.fail_on_error) == (False, True, True)
    assert (spec.threshold, spec.bad_below, spec.retries, spec.timeout_s) == (0.8, 0.3, 2, 1.5)


def test_no_steps_are_steps_left_to_the_judge(folder: Folder) -> None:
    spec = folder.metric("{type: geval, name: n, criteria: c, evaluation_steps: []}")
    assert spec.options == GEvalOptions(criteria="c", evaluation_steps=None)


@pytest.mark.parametrize(
    "name",
    ["faithfulness", "answer_relevancy", "contextual_relevancy", "contextual_precision", "contextual_recall"],
)
def test_a_rag_metric_is_named_by_its_metric_type_or_by_its_type(folder: Folder, name: str) -> None:
    long = folder.metric(f"{{type: rag, metric_type: {name}, threshold: 0.7, include_reason: false}}")
    short = folder.metric(f"type: {name}")
    assert (long.kind, long.type, long.name, long.threshold) == ("rag", name, name, 0.7)
    assert (short.kind, short.type, short.name, short.threshold) == ("rag", name, name, 0.5)
    assert (long.options, short.options) == (RagOptions(include_reason=False), RagOptions())


def test_naming_a_rag_metric_twice_alike_is_accepted(folder: Folder) -> None:
    assert folder.metric("{type: faithfulness, metric_type: faithfulness}").name == "faithfulness"


def test_equality_needs_no_judge(folder: Folder) -> None:
    spec = folder.metric(
        "{type: standard, metric: equality, case_insensitive: true, strip_whitespace: true, "
        "strip_punctuation: true, response_path: 'a.b-c[0][12].d', scale: 5, custom_prompt: x}"
    )
    assert (spec.kind, spec.type, spec.name, spec.threshold) == ("standard", "equality", "equality", 1.0)
    assert spec.judge is None
    assert spec.options == EqualityOptions(
        case_insensitive=True, strip_whitespace=True, strip_punctuation=True, response_path="a.b-c[0][12].d"
    )


def test_numeric_has_tolerances_also_in_exponents(folder: Folder) -> None:
    spec = folder.metric(
        "{type: standard, metric: numeric, absolute_tolerance: 1e-3, relative_tolerance: 0.01, "
        "accept_percent: true, accept_thousands_separators: true, threshold: 1}"
    )
    assert spec.options == NumericOptions(
        absolute_tolerance=0.001,
        relative_tolerance=0.01,
        accept_percent=True,
        accept_thousands_separators=True,
    )
    assert folder.metric("{type: standard, metric: numeric}").options == NumericOptions()


@pytest.mark.parametrize(
    "name", ["bleu", "rouge", "meteor", "groundedness", "relevance", "coherence", "fluency"]
)
def test_other_standard_metrics_are_read_and_left_to_the_table_of_metrics(folder: Folder, name: str) -> None:
    spec = folder.metric(f"{{type: standard, metric: {name}, strip_whitespace: true}}")
    assert (spec.kind, spec.type, spec.name, spec.threshold) == ("standard", name, name, 0.5)
    assert (spec.judge, spec.options) == (None, None)


def test_an_option_that_means_nothing_to_a_metric_is_told(folder: Folder) -> None:
    agent = folder.agent(agent_of("{type: standard, metric: equality, accept_percent: true}"))
    assert agent.warnings == ("agent.yaml:4:42: `accept_percent` means nothing to equality",)


def test_a_code_metric_is_named_by_its_grader_and_not_imported(folder: Folder) -> None:
    spec = folder.metric("{type: code, grader: 'os:system'}")
    assert (spec.kind, spec.type, spec.name, spec.threshold) == ("code", "code", "os:system", 0.5)
    assert spec.options == CodeOptions(grader="os:system")
    assert folder.metric("{type: code, grader: 'graders.sums:check', name: sums}").name == "sums"


def test_a_generation_metric_has_five_parts(folder: Folder) -> None:
    spec = folder.metric("type: generation")
    assert (spec.kind, spec.type, spec.name, spec.threshold) == (
        "generation",
        "generation",
        "generation",
        None,
    )
    assert spec.options == GenerationOptions(metrics=ALL_PARTS)
    assert spec.judge is not None


def test_a_generation_metric_may_name_parts_in_any_order(folder: Folder) -> None:
    spec = folder.metric(
        "{type: generation, metrics: [redundancy, completeness, redundancy], min_rating: incomplete, threshold: 0.6}"
    )
    assert spec.options == GenerationOptions(
        metrics=("completeness", "redundancy"), named=True, min_rating="incomplete"
    )
    assert spec.threshold == 0.6


def test_a_pass_mark_that_nothing_can_miss_is_told(folder: Folder) -> None:
    agent = folder.agent(
        agent_of("{type: faithfulness, threshold: 0}", "{type: generation, min_rating: bad}")
    )
    assert agent.metrics[0].threshold == 0.0
    assert agent.warnings == (
        "agent.yaml:4:39: with a threshold of 0 'faithfulness' can never fail",
        "agent.yaml:5:38: with a `min_rating` of bad every answer passes",
    )


@pytest.mark.parametrize(
    ("metric", "sentence"),
    [
        ("{type: faithfulness, threshold: 1.5}", "4:39: `threshold` must be at most 1, not the number 1.5 (scores run from 0 to 1)"),
        ("{type: faithfulness, threshold: -1}", "4:39: `threshold` must be at least 0, not the number -1 (scores run from 0 to 1)"),
        ("{type: faithfulness, threshold: .nan}", "4:39: '.nan' is not a number one can compare; write a finite one"),
        ("{type: faithfulness, threshold: 1e999}", "4:39: `threshold` must be a finite number, not the number inf"),
        ("{type: faithfulness, threshold: '0.5'}", "4:39: `threshold` must be a number, not the text '0.5'"),
        ("{type: faithfulness, threshold: true}", "4:39: `threshold` must be a number, not true"),
        ("{type: faithfulness, enabled: 1}", "4:37: `enabled` must be true or false, not the number 1"),
        ("{type: faithfulness, enabled: null}", "4:37: `enabled` must be true or false, not nothing"),
        ("{type: faithfulness, treshold: 0.5}", "4:28: unknown key 'treshold' in a rag metric; did you mean `threshold`?"),
        ("{type: faithfulness, bad_below: 0.5}", "4:39: `bad_below` of 'faithfulness' is 0.5; it must be under its threshold of 0.5"),
        ("{type: faithfulness, retry_on_failure: 4}", "4:46: `retry_on_failure` must be at most 3, not the number 4"),
        ("{type: faithfulness, retry_on_failure: 1.0}", "4:46: `retry_on_failure` must be a whole number, not the number 1.0"),
        ("{type: faithfulness, timeout_ms: 0}", "4:40: `timeout_ms` must be more than 0, not the number 0"),
        ("{type: faithfulness, metric_type: answer_relevancy}", "4:7: `type: faithfulness` and `metric_type: answer_relevancy` name two metrics; keep one"),
        ("{type: rag}", "4:7: `metric_type` is missing in a rag metric: one of faithfulness, answer_relevancy, contextual_relevancy, contextual_precision, contextual_recall"),
        ("{type: geval, criteria: c}", "4:7: `name` is missing in a geval metric"),
        ("{type: geval, name: n}", "4:7: `criteria` is missing in a geval metric"),
        ("{type: geval, name: n, criteria: ' '}", "4:40: `criteria` must not be blank"),
        ("{type: geval, name: 3, criteria: c}", "4:27: `name` must be a text, not the number 3; put it in quotes"),
        ("{type: geval, name: n, criteria: c, evaluation_params: []}", "4:62: `evaluation_params` must not be empty"),
        ("{type: geval, name: n, criteria: c, evaluation_params: [tools_called]}", "4:63: item 1 of `evaluation_params` must be one of input, actual_output, expected_output, context, retrieval_context, not the text 'tools_called'"),
        ("{type: geval, name: n, criteria: c, steps: [a]}", "4:43: unknown key 'steps' in a geval metric; did you mean `evaluation_steps`?"),
        ("{type: geval, name: expected_tools, criteria: c}", "4:27: the name 'expected_tools' is taken by the check of expected tools; choose another one"),
        ("{type: standard, metric: f1_score}", "4:32: `metric` must be one of equality, numeric, bleu, rouge, meteor, groundedness, relevance, coherence, fluency, not the text 'f1_score'"),
        ("{type: standard, metric: numeric, response_path: 'a..b'}", "4:56: `response_path` must be keys and indexes like `a.b[0]`"),
        ("{type: standard, metric: numeric, absolute_tolerance: -1}", "4:61: `absolute_tolerance` must be at least 0, not the number -1"),
        ("{type: code, grader: os.system}", "4:28: `grader` must be written as `module:function`"),
        ("{type: generation, metrics: []}", "4:35: `metrics` must not be empty"),
        ("{type: generation, zzz: 1}", "4:26: unknown key 'zzz' in a generation metric; known are enabled, fail_on_error, guardrail, threshold, model, retry_on_failure, timeout_ms, type, metrics, min_rating"),
        ("{type: equality}", "4:14: 'equality' is written as `type: standard` with `metric: equality`"),
        ("{type: faithfullness}", "4:14: unknown metric type 'faithfullness'; did you mean `faithfulness`?"),
        ("{type: zzz}", "4:14: unknown metric type 'zzz'; known are geval, rag, standard, generation, code, faithfulness, answer_relevancy, contextual_relevancy, contextual_precision, contextual_recall"),
        ("{type: expected_tools}", "4:14: 'expected_tools' is no metric to configure; write it in a test case or turn"),
        ("{type: numerics}", "4:14: unknown metric type 'numerics'; did you mean `numeric`?"),
        ("{type: 3}", "4:7: `type` must be the name of a metric, not the number 3"),
        ("{}", "4:7: `type` is missing in a metric: one of geval, rag, standard, generation, code"),
        ("faithfulness", "4:7: a metric must be a mapping like `type: faithfulness`, not the text 'faithfulness'"),
        ("{metric: equality}", "4:7: `type` is missing in a metric; write `type: standard`"),
        ("{metric_type: faithfulness}", "4:7: `type` is missing in a metric; write `type: rag`"),
    ],
)  # fmt: skip
def test_a_miswritten_metric_is_one_clear_sentence(folder: Folder, metric: str, sentence: str) -> None:
    assert folder.problem(agent_of(metric)) == f"agent.yaml:{sentence}"


def test_a_grader_may_not_be_endless(folder: Folder) -> None:
    sentence = folder.problem(agent_of(f"{{type: code, grader: 'a:{'b' * 200}'}}"))
    assert sentence == "agent.yaml:4:28: `grader` may have at most 200 characters"


@pytest.mark.parametrize(
    ("first", "second", "advice"),
    [
        ("type: faithfulness", "{type: rag, metric_type: faithfulness}", "remove one of them"),
        ("{type: geval, name: faithfulness, criteria: c}", "type: faithfulness", "remove one of them"),
        (
            "type: faithfulness",
            "{type: geval, name: faithfulness, criteria: c}",
            "give one of them another name",
        ),
    ],
)
def test_two_metrics_of_one_name_are_refused(folder: Folder, first: str, second: str, advice: str) -> None:
    assert folder.problem(agent_of(first, second)) == (
        f"agent.yaml:5:7: two metrics are called 'faithfulness', the first at agent.yaml:4:7; {advice}"
    )


def test_a_metric_is_not_called_like_the_average(folder: Folder) -> None:
    assert folder.problem(agent_of("{type: geval, name: avg_score, criteria: Kind?}")) == (
        "agent.yaml:4:7: 'avg_score' is what the mean over a case's metrics is called; take another name"
    )


def test_every_family_finds_its_own_metrics() -> None:
    for name, model in FAMILIES.items():
        assert family_of(model.model_construct()) == name
    assert family_of(3) is None
    assert AnyMetric.__origin__ is MetricModel


def test_the_shape_of_a_metric_is_its_familys_to_say() -> None:
    with pytest.raises(NotImplementedError):
        MetricModel().shape()
