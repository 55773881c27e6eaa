import pytest

from holodeck_eval.config.judge_model import JudgeModel
from holodeck_eval.config.sentences import Fault, described, nearest, sentence_of


def test_an_error_of_a_kind_not_foreseen_is_still_a_sentence() -> None:
    fault = Fault(
        label="`name`",
        key="name",
        value=object(),
        context={},
        model=JudgeModel,
        secret=False,
        metric_types=(),
    )
    assert sentence_of("never_heard_of", fault) == "`name` is not what is expected there"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("a\nb", "the text 'a\\nb'"),
        (True, "true"),
        (0, "the number 0"),
        (0.5, "the number 0.5"),
        ([1], "a list"),
        ({"a": 1}, "a mapping"),
        (None, "nothing"),
    ],
)
def test_a_value_is_described_without_its_inside(value: object, words: str) -> None:
    assert described(value) == words


def test_the_nearest_name_is_one_that_is_known() -> None:
    assert nearest("Treshold", {"threshold", "name"}) == "threshold"
    assert nearest("expected", {"ground_truth"}) == "ground_truth"
    assert nearest("expected", {"name"}) is None
