import pytest

from holodeck_eval.evaluators.response_path import NoValueError, value_at


@pytest.mark.parametrize(
    ("answer", "path", "value"),
    [
        ("plain", None, "plain"),
        ('{"a": "text"}', "a", "text"),
        ('{"a": {"b": [1, {"c": 4.5}]}}', "a.b[1].c", "4.5"),
        ('[{"a": true}]', "[0].a", "true"),
        ('{"a": null}', "a", "null"),
        ('{"a": [1, "é"]}', "a", '[1, "é"]'),
        ('{"a": NaN}', "a", "NaN"),
    ],
)
def test_a_value_is_taken_as_text(answer: str, path: str | None, value: str) -> None:
    assert value_at(answer, path) == value


@pytest.mark.parametrize(
    ("answer", "path", "why"),
    [
        ("four", "a", "the answer is not JSON, so it has no a"),
        ('{"a": 1', "a", "the answer is not JSON, so it has no a"),
        ('{"a": 1}', "b", "the answer has no b: nothing stands at b"),
        ('{"a": [1]}', "a[1]", r"the answer has no a\[1\]: nothing stands at \[1\]"),
        ('{"a": 1}', "a.b", "the answer has no a.b: nothing stands at b"),
        ('{"a": 1}', "[0]", r"the answer has no \[0\]: nothing stands at \[0\]"),
        ("[" * 100_000, "a", "the answer is nested too deeply"),
        ('{"a": ' + "1" * 5000 + "}", "a", "the answer is not JSON"),
    ],
)
def test_a_value_that_is_not_there_says_why(answer: str, path: str, why: str) -> None:
    with pytest.raises(NoValueError, match=why):
        value_at(answer, path)
