"""What differs in how two runs hold a metric to account, for an agent or in one case."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from holodeck_eval.domain.agent import Rating
from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.rating import RATING_ORDER
from holodeck_eval.domain.result import MetricConfig, MetricResult
from holodeck_eval.domain.wording import quoted

_DIGITS: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing that differs.

    Attributes:
        code, metric: as in `GateChange`.
        key: tells it from others of its code: the old value and the new one. An agent's difference covers
            those of its cases that have the same key.
        sentence: what differs, without its full stop; cases are counted behind it.
        loosens: whether the gate lets more through than before.
    """

    code: str
    metric: str
    key: tuple[object, ...]
    sentence: str
    loosens: bool


class Mark(NamedTuple):
    """What a metric must reach. Of `threshold` and `min_rating` one is set; neither where it is not known."""

    threshold: float | None
    min_rating: Rating | None
    bad_below: float | None
    guardrail: bool


def mark_of(result: MetricResult) -> Mark:
    """What a metric had to reach in one case."""
    return Mark(result.threshold, result.min_rating, result.bad_below, result.guardrail)


def configured_mark(config: MetricConfig) -> Mark:
    """What a metric must reach as it is configured for an agent."""
    least = config.configuration.get("min_rating") if config.threshold is None else None
    bad_below = config.bad_below
    if config.kind == "generation" or config.threshold is None:
        bad_below = None
    elif bad_below is None:
        bad_below = config.threshold / 2
    rating = least if least in RATING_ORDER else None
    return Mark(config.threshold, rating, bad_below, config.guardrail)


def marked(name: str, before: Mark, now: Mark) -> Iterator[Difference]:
    """What differs between two marks of a metric that is called `name`."""
    if before == now:
        return
    yield from _pass_mark(name, before, now)
    yield from _bad_below(name, before, now)
    if before.guardrail != now.guardrail:
        word = "is a guardrail now" if now.guardrail else "is no guardrail any more"
        yield Difference(
            code="guardrail",
            metric=name,
            key=(now.guardrail,),
            sentence=f"{quoted(name)} {word}",
            loosens=before.guardrail,
        )


def removed(name: str, how: str = "was removed") -> Difference:
    """A metric that is not measured any more."""
    return Difference(
        code="metric_removed",
        metric=name,
        key=(name,),
        sentence=f"the metric {quoted(name)} {how}",
        loosens=True,
    )


def skipped(name: str, cause: str) -> Difference:
    """A metric that was measured and now is passed over."""
    sentence = f"the metric {quoted(name)} was measured and is now passed over ({cause})"
    return Difference(code="metric_skipped", metric=name, key=(name, cause), sentence=sentence, loosens=True)


def judged_by(name: str, before: str | None, now: str | None) -> Difference:
    """A metric whose judge is another."""
    sentence = f"the judge of {quoted(name)} was {_judge(before)} and is now {_judge(now)}"
    return Difference(code="judge", metric=name, key=(before, now), sentence=sentence, loosens=False)


def judge_of(result: MetricResult) -> str | None:
    """Who judged a metric in one case; None where nobody did."""
    return result.outcome.judge if isinstance(result.outcome, Scored) else None


def text_of(configuration: Mapping[str, object], name: str) -> list[str]:
    """The texts of an option that is a list; none where it is anything else."""
    value = configuration.get(name)
    return [str(item) for item in value] if isinstance(value, list | tuple) else []


def shown(number: float) -> str:
    """A number as it is written in YAML."""
    return f"{number:.{_DIGITS}g}"


def _judge(judge: str | None) -> str:
    return "nobody" if judge is None else quoted(judge)


def _pass_mark(name: str, before: Mark, now: Mark) -> Iterator[Difference]:
    key = before[:2], now[:2]
    if key[0] == key[1] or (None, None) in key:
        return
    loosens = _is_looser(before, now)
    how = "lowered" if loosens else "raised"
    if before.threshold is not None and now.threshold is not None:
        what = f"the threshold of {quoted(name)} was {how}"
        values = shown(before.threshold), shown(now.threshold)
    elif before.threshold is None and now.threshold is None:
        what, values = f"the min_rating of {quoted(name)} was {how}", (str(key[0][1]), str(key[1][1]))
    else:
        what = f"what {quoted(name)} must reach was {how}"
        values = _needed(before), _needed(now)
    sentence = f"{what} from {values[0]} to {values[1]}"
    yield Difference(code="threshold", metric=name, key=key, sentence=sentence, loosens=loosens)


def _needed(mark: Mark) -> str:
    if mark.threshold is not None:
        return f"a threshold of {shown(mark.threshold)}"
    return f"a rating of {mark.min_rating}"


def _is_looser(before: Mark, now: Mark) -> bool:
    """Whether some scores pass now and did not before.

    Rated good is an answer only when all its parts are at their best, so that their average is 1.0: no
    threshold asks for more. Rated at least bad is every answer.
    """
    if before.threshold is not None and now.threshold is not None:
        return now.threshold < before.threshold
    if before.threshold is not None:
        return now.min_rating != "good" and before.threshold > 0
    old = before.min_rating or "good"
    if now.threshold is not None:
        return now.threshold < 1 and old != "bad"
    return RATING_ORDER.index(now.min_rating or "bad") < RATING_ORDER.index(old)


def _bad_below(name: str, before: Mark, now: Mark) -> Iterator[Difference]:
    """Where it is half of the threshold on both sides, it follows from the threshold."""
    if before.bad_below is None or now.bad_below is None or before.bad_below == now.bad_below:
        return
    if all(mark.threshold is not None and mark.bad_below == mark.threshold / 2 for mark in (before, now)):
        return
    loosens = now.bad_below < before.bad_below
    how = "lowered" if loosens else "raised"
    sentence = (
        f"the bad_below of {quoted(name)} was {how} from {shown(before.bad_below)} to {shown(now.bad_below)}"
    )
    yield Difference(
        code="threshold",
        metric=name,
        key=(before.bad_below, now.bad_below),
        sentence=sentence,
        loosens=loosens,
    )
