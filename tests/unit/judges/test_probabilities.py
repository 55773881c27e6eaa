"""Which token probabilities are left for DeepEval to weight a score by."""

import math
from types import SimpleNamespace as Values
from typing import Any

import pytest

from holodeck_eval.judges.probabilities import keep_those_of_the_score

HEAD = '{"reason": "1 of 10", "score": '
FAIR = {"1": -0.2, "2": -2.0}


def token(text: object, top: object) -> Values:
    return Values(token=text, top_logprobs=top)


def alternatives(chances: dict[Any, Any]) -> list[Values]:
    return [Values(token=text, logprob=logprob) for text, logprob in chances.items()]


def completion(*tokens: Values) -> Values:
    return Values(choices=[Values(logprobs=Values(content=list(tokens)))])


def scored(top: object) -> Values:
    return completion(token(HEAD, []), token("1", top), token("}", []))


def test_of_a_fair_reply_the_token_of_the_score_is_left() -> None:
    response = scored(alternatives(FAIR))
    kept = response.choices[0].logprobs.content[1]
    assert keep_those_of_the_score(response, 1)
    assert response.choices[0].logprobs.content == [kept]


def test_the_token_is_that_behind_the_key_and_none_that_looks_like_it() -> None:
    misleading = token("1", alternatives({"9": -0.1, "1": -2.5}))
    response = completion(
        token('{"score":', []), token("1", alternatives(FAIR)), token(', "reason": "', []), misleading
    )
    assert keep_those_of_the_score(response, "1")
    assert response.choices[0].logprobs.content[0].top_logprobs == alternatives(FAIR)


@pytest.mark.parametrize(
    "chances",
    [
        {"1": -0.1, "9": 50.0},
        {"1": -0.1, "9": 1e6},
        {"1": -0.1, "9": math.nan},
        {"1": -0.1, "9": math.inf},
        {"1": 0.0, "9": 0.0},
        {"1": -0.7, "15": -0.7},
        {"9": -0.1},
        {"1": -9.0, "one": -0.1},
        {"1": -0.7, "\u0669": -0.7},
        {"1": -0.1, "9": "-0.5"},
        {"1": -0.1, "9": None},
        {"1": -0.1, None: -0.5},
        {},
    ],
)
def test_what_is_no_probability_of_a_score_is_taken_out(chances: dict[Any, Any]) -> None:
    response = scored(alternatives(chances))
    assert not keep_those_of_the_score(response, 1)
    assert response.choices[0].logprobs is None


@pytest.mark.parametrize(
    "response",
    [
        scored(None),
        Values(choices=[Values(logprobs=None)]),
        Values(choices=[Values(logprobs=Values(content=None))]),
        completion(token(None, []), token("1", alternatives(FAIR))),
        completion(token('{"score": 1', alternatives(FAIR))),
        completion(token('"score": ', []), token("10", alternatives(FAIR))),
        completion(*(token(text, alternatives(FAIR)) for text in ('"score": ', "1", ', {"score": ', "1"))),
    ],
)
def test_without_one_token_that_is_the_score_nothing_weights_it(response: Values) -> None:
    assert not keep_those_of_the_score(response, 1)
    assert response.choices[0].logprobs is None
