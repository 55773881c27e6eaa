"""The judge's noise, by hand."""

import math
from collections.abc import Sequence
from typing import Any

import pytest

from holodeck_eval.aggregate import noise_of, summarize
from holodeck_eval.aggregate.noise import sample_of
from holodeck_eval.domain.noise import DEFAULT_NOISE, Noise
from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.result import CaseResult
from tests.fakes.measured import DOWN, result, scored, skipped, spec

FAITHFUL, CLEAR = spec("faithfulness"), spec("clear", threshold=0.5)
MINE = "helper", "faithfulness"


def said(*replies: float, key: str | None = None, judge: str = "openai/gpt-4o") -> Scored:
    """What a judge said of something."""
    return scored(sum(replies) / len(replies), replies=replies, key=key, judge=judge)


def judged(*outcomes: Scored, metric: Any = FAITHFUL, agent: str = "helper") -> list[CaseResult]:
    """A case for each outcome."""
    return [
        result([(metric, outcome)], id=f"{metric.name} {number}", agent=agent)
        for number, outcome in enumerate(outcomes)
    ]


def pairs(*values: tuple[float, ...]) -> list[Scored]:
    return [said(*replies) for replies in values]


def test_noise_is_the_deviation_within_the_cases_pooled_over_them() -> None:
    cases = judged(*pairs((0.9, 0.7), (0.2, 0.2), (0.5, 0.6, 0.7), (1.0, 0.9)))
    noise = noise_of(cases)[MINE]
    by_hand = math.sqrt((0.02 + 0.0 + 0.02 + 0.005) / (1 + 1 + 2 + 1))
    assert (noise.sd, noise.source, noise.degrees) == (round(by_hand, 6), "metric", 5)


def test_differences_between_cases_are_no_noise() -> None:
    noise = noise_of(judged(*pairs(*[(number / 10, number / 10) for number in range(10)])))[MINE]
    assert (noise.sd, noise.degrees) == (0.0, 10)


def test_the_flip_rate_is_the_share_of_divided_pairs_of_replies_averaged_over_cases() -> None:
    cases = judged(*pairs((0.9, 0.7), (0.8, 0.79, 0.81), (0.9, 0.9), (0.1,)))
    assert noise_of(cases)[MINE].flip_rate == round((1 + 2 / 3 + 0) / 3, 6)


def test_a_metric_that_was_judged_once_has_the_noise_of_the_run() -> None:
    loud = judged(*pairs((0.4, 0.6)) * 5, metric=CLEAR)
    noise = noise_of([*judged(said(0.9)), *loud])
    assert noise["helper", "clear"] == Noise(sd=0.141421, source="metric", degrees=5, flip_rate=1.0)
    assert noise[MINE] == Noise(sd=0.141421, source="run", degrees=5, flip_rate=None)


def test_a_metric_with_a_few_repeats_has_the_noise_of_the_run_and_its_own_flip_rate() -> None:
    loud = judged(*pairs((0.4, 0.6)) * 5, metric=CLEAR)
    noise = noise_of([*judged(*pairs((0.8, 0.7)) * 4), *loud])[MINE]
    assert (noise.source, noise.degrees, noise.flip_rate) == ("run", 9, 1.0)
    assert noise.sd == round(math.sqrt((5 * 0.02 + 4 * 0.005) / 9), 6)


@pytest.mark.parametrize("repeats", [0, 4])
def test_with_too_few_repeats_in_all_it_is_the_default(repeats: int) -> None:
    cases = judged(said(0.9), *pairs((0.9, 0.7)) * repeats)
    noise = noise_of(cases)[MINE]
    rate = 1.0 if repeats else None
    assert noise == Noise(sd=DEFAULT_NOISE, source="default", degrees=0, flip_rate=rate)


def test_without_a_threshold_there_is_no_flip_rate() -> None:
    open_ended = spec("faithfulness", threshold=None)
    assert noise_of(judged(*pairs((0.9, 0.7)) * 5, metric=open_ended))[MINE].flip_rate is None


def test_texts_that_stand_in_several_cases_count_once_by_the_longest() -> None:
    twice = [said(0.4, 0.6, key="same"), said(0.4, 0.6, 0.5, key="same"), said(0.4, 0.6, key="same")]
    others = [said(0.5, 0.5, key=str(number)) for number in range(3)]
    noise = noise_of(judged(*twice, *others))[MINE]
    assert (noise.degrees, noise.sd) == (5, round(math.sqrt(0.02 / 5), 6))
    assert noise.flip_rate == 0.0


def test_texts_that_two_metrics_judge_alike_count_once_for_the_run() -> None:
    same = [said(0.4, 0.6, key=str(number)) for number in range(3)]
    other = [said(0.5, 0.5, key=f"other {number}") for number in range(2)]
    cases = [*judged(*same), *judged(*same, metric=CLEAR), *judged(*other, metric=spec("third"))]
    assert {noise.degrees for noise in noise_of(cases).values()} == {5}


def test_agents_have_noise_of_their_own() -> None:
    loud, quiet = judged(*pairs((0.4, 0.6)) * 5), judged(*pairs((0.5, 0.5)) * 5, agent="other")
    noise = noise_of([*loud, *quiet])
    assert (noise[MINE].sd, noise["other", "faithfulness"].sd) == (0.141421, 0.0)


def test_metrics_without_a_judge_and_people_have_no_noise() -> None:
    cases = [*judged(scored(1.0)), *judged(said(0.1, 0.9, judge="human/Ada"), metric=CLEAR)]
    assert noise_of(cases) == {}


def test_what_was_not_scored_has_no_noise() -> None:
    assert noise_of([result([(FAITHFUL, DOWN), (CLEAR, skipped("offline"))])]) == {}


@pytest.mark.parametrize("number", [math.nan, math.inf, -0.1, 1.1])
def test_a_reply_that_is_not_on_the_scale_leaves_its_outcome_out(number: float) -> None:
    broken = Scored(score=0.5, reason="r", judge="openai/gpt-4o", replies=(0.5, number))
    assert sample_of("helper", "faithfulness", 0.5, broken) is None


def test_nothing_judged_is_no_noise() -> None:
    assert noise_of([]) == {}


def noises(cases: Sequence[CaseResult]) -> list[Noise | None]:
    return [metric.noise for metric in summarize(cases).metrics]


def test_a_summary_tells_the_noise_where_something_was_judged_more_than_once() -> None:
    cases = [
        *judged(*pairs((0.4, 0.6)) * 5),
        *judged(said(0.5), metric=CLEAR),
        *judged(scored(1.0), metric=spec("x")),
    ]
    own = Noise(sd=0.141421, source="metric", degrees=5, flip_rate=0.0)
    assert noises(cases) == [own, Noise(sd=0.141421, source="run", degrees=5), None]


def test_a_summary_tells_none_where_nothing_was_judged_twice() -> None:
    assert noises(judged(said(0.5), said(0.6), said(0.4, 0.6, judge="human/Ada"))) == [None]
