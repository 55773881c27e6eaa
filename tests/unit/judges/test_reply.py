"""Reading a judge's reply."""

import pytest
from pydantic import BaseModel

from holodeck_eval.judges import MalformedReplyError, parse


class Scores(BaseModel):
    reason: str
    score: float


def test_a_reply_is_given_as_its_form_and_as_plain_values() -> None:
    assert parse('{"reason": "r", "score": 8, "more": 1}', Scores) == (
        Scores(reason="r", score=8),
        {"reason": "r", "score": 8, "more": 1},
    )


def test_commas_in_texts_stay() -> None:
    parsed, _ = parse('{"reason": "a, ] b, } \\", ]", "score": 1,}', Scores)
    assert parsed.reason == 'a, ] b, } ", ]'


def test_a_score_in_quotes_is_a_score() -> None:
    assert parse('{"reason": "r", "score": "8"}', Scores)[0].score == 8


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (None, "is empty"),
        (" \n", "is empty"),
        ("words", "is not JSON"),
        ("} {", "is not JSON"),
        ('{"score": 1 "' + '\\"' * 400_000 + "}", "is not JSON"),
        ('{"reason": "' + "r" * 1_000_000 + '", "score": 1}', "is longer than 1,000,000 characters"),
        ('{"reason": "r", "score": 1} {"reason": "r", "score": 2}', "is not JSON"),
        ("{'reason': 'r'}", "is not JSON"),
        ('{"a": ' * 100_000 + "1" + "}" * 100_000, "is not JSON"),
        ('{"reason": "r", "score": -Infinity}', "holds -Infinity, which is not a number"),
        ('{"reason": "r", "score": 1e400}', "holds an infinity, which is not a number"),
        ('{"reason": "r", "score": ' + "9" * 5000 + "}", "holds a number that cannot be read"),
        ('{"reason": "r", "score": 1, "score": 2}', "gives one key twice"),
        ('{"reason": "r", "score": false}', "has a score that is not a number"),
        ('{"reason": "\\ud800", "score": 1}', "holds half a character"),
        (
            '{"reason": 3, "score": 1}',
            "does not have the form asked for (reason: Input should be a valid string)",
        ),
    ],
)
def test_what_is_not_the_answer_is_said_to_be(text: str | None, fault: str) -> None:
    with pytest.raises(MalformedReplyError) as caught:
        parse(text, Scores)
    assert str(caught.value).startswith(fault)


def test_what_the_judge_wrote_is_not_in_the_complaint() -> None:
    with pytest.raises(MalformedReplyError) as caught:
        parse('{"reason": "r", "score": "::error::boo"}', Scores)
    assert "boo" not in str(caught.value)
