"""Which token probabilities may weight a GEval score: those of the very token it was written as."""

import math
import re
from itertools import accumulate
from typing import Any, Final

_BEFORE_SCORE: Final = re.compile(r'"score"\s*:\s*"?(?=[0-9])')
_ON_SCALE: Final = re.compile("[0-9]|10")
_LEAST_LOGPROB: Final = math.log(0.01)
"""DeepEval leaves less probable alternatives out."""

_ROUNDING: Final = 0.01


def keep_those_of_the_score(response: Any, score: object) -> bool:
    """Leave in a chat completion the probabilities of the score's token alone; whether they weight it.

    DeepEval weights by the last token that looks like the score, which may stand in the reason, and by
    whatever numbers are given for it. So all are taken out unless they are probabilities of scores.

    Args:
        response: changed in place.
        score: what the reply gives as its score.
    """
    choice = response.choices[0]
    token = _token_of(choice, str(score))
    if token is None or not _are_probabilities(token):
        choice.logprobs = None
        return False
    choice.logprobs.content = [token]
    return True


def _token_of(choice: Any, score: str) -> Any:
    """The token behind the reply's one `"score":`, where it is the whole score; else None."""
    tokens = getattr(getattr(choice, "logprobs", None), "content", None)
    given = [getattr(token, "token", None) for token in tokens] if isinstance(tokens, list) else []
    texts = [text for text in given if isinstance(text, str)]
    if len(texts) < len(given):
        return None
    places = [match.end() for match in _BEFORE_SCORE.finditer("".join(texts))]
    starts = accumulate(map(len, texts), initial=0)
    found = (token for start, token in zip(starts, tokens or (), strict=False) if [start] == places)
    return next((token for token in found if token.token == score), None)


def _are_probabilities(token: Any) -> bool:
    """Whether a token's alternatives add up to no more than 1, hold it, and are scores where they count."""
    others = token.top_logprobs
    if not isinstance(others, list) or not all(_is_possible(other) for other in others):
        return False
    if sum(math.exp(other.logprob) for other in others) > 1 + _ROUNDING:
        return False
    scores = [other.token for other in others if other.logprob >= _LEAST_LOGPROB and other.token.isdecimal()]
    said = any(other.token == token.token for other in others)
    return said and bool(scores) and all(_ON_SCALE.fullmatch(text) for text in scores)


def _is_possible(other: Any) -> bool:
    number, text = getattr(other, "logprob", None), getattr(other, "token", None)
    return isinstance(number, int | float) and number <= _ROUNDING and isinstance(text, str)
