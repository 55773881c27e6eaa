"""What evaluators are given, by any of its names."""

import pytest

from holodeck_eval.evaluators.inputs import Inputs, how_to_record
from tests.fakes.evaluation import turn


def test_the_aliases_are_the_same_inputs() -> None:
    aliased = Inputs.of({"query": "q", "response": "r", "ground_truth": "g"})
    assert aliased == Inputs.of({"input": "q", "actual_output": "r", "expected_output": "g"})


@pytest.mark.parametrize("name", ["context", "retrieval_context"])
@pytest.mark.parametrize(
    ("given", "read"), [("one", ("one",)), (["a", "b"], ("a", "b")), ([], ()), ("", ("",)), (None, None)]
)
def test_a_context_is_a_text_or_a_list_and_absent_empty_and_blank_stay_apart(
    name: str, given: object, read: object
) -> None:
    assert getattr(Inputs.of({name: given}), name) == read


def test_metadata_is_taken_and_ignored() -> None:
    assert Inputs.of({"input": "q", "metadata": {"a": 1}}) == Inputs(input="q")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"input": "a", "query": "b"}, "`input` is given twice, once as `query`"),
        ({"inputs": "a"}, "unknown input `inputs`: known are `input`, `actual_output`"),
        ({"input": 3}, "`input` must be a text, not int"),
        ({"retrieval_context": [1]}, "`retrieval_context` must be a text or a list of texts"),
        ({"context": {"a": "b"}}, "`context` must be a text or a list of texts"),
    ],
)
def test_what_cannot_be_used_is_named(given: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Inputs.of(given)


def test_a_turn_and_its_arguments_are_the_same_inputs() -> None:
    inputs = Inputs.of_turn(turn())
    assert Inputs.of(inputs.arguments()) == inputs
    assert "context" not in inputs.arguments()


def test_what_is_shown_is_json() -> None:
    inputs = Inputs(input="q", retrieval_context=("a", "b"))
    assert inputs.shown(["retrieval_context", "expected_output"]) == {
        "retrieval_context": ["a", "b"],
        "expected_output": None,
    }


def test_blank_answers_are_missing_but_a_blank_question_and_an_empty_context_are_not() -> None:
    inputs = Inputs(input="", actual_output=" ", expected_output="\n", retrieval_context=())
    needs = ("input", "actual_output", "expected_output", "context", "retrieval_context")
    assert inputs.missing(needs) == ("actual_output", "expected_output", "context")


@pytest.mark.parametrize(
    ("chunks", "nothing"), [(None, False), ((), True), (("", " \n"), True), (("", "text"), False)]
)
def test_nothing_was_retrieved_where_no_chunk_holds_text(
    chunks: tuple[str, ...] | None, *, nothing: bool
) -> None:
    assert Inputs(retrieval_context=chunks).nothing_retrieved() is nothing


def test_the_advice_names_each_missing_input_and_how_to_record_it() -> None:
    assert how_to_record(["expected_output"]) == (
        "`expected_output` is missing: write `ground_truth` in the test case."
    )
    assert how_to_record(["input", "context"]).startswith(
        "`input`, `context` are missing: record the question"
    )
