"""What differs in the metrics that two runs configured for their agents."""

import json
from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import Final

from holodeck_eval.compare.changes.differences import (
    Difference,
    configured_mark,
    judged_by,
    marked,
    removed,
    text_of,
)
from holodeck_eval.domain.fingerprint import GATES
from holodeck_eval.domain.result import MetricConfig
from holodeck_eval.domain.run import AgentRun
from holodeck_eval.domain.wording import quoted

_SHOWN: Final = 80
_ALIKE: Final = 20
"""Characters that two long texts have in common and that are still shown before they part."""

Configured = tuple[str, Difference, tuple[str, str] | None]
"""A metric's name, what differs, and its digests then and now where that is in them."""


def configured(before: AgentRun, now: AgentRun) -> Iterator[Configured]:
    """What differs in the metrics of an agent's own list, as it was and as it is.

    A metric that only cases bring is not in that list: what differs in it shows in the cases.
    """
    old = {metric.name: metric for metric in before.metrics}
    new = {metric.name: metric for metric in now.metrics}
    for name, metric in old.items():
        if metric.shared and metric.enabled:
            yield from _kept(metric, new.get(name))
    for name, metric in new.items():
        if metric.enabled and (name not in old or not old[name].enabled):
            how = "was switched on" if name in old else "was added"
            sentence = f"the metric {quoted(name)} {how}"
            yield (
                name,
                Difference(code="metric_added", metric=name, key=(), sentence=sentence, loosens=False),
                None,
            )


def _kept(before: MetricConfig, now: MetricConfig | None) -> Iterator[Configured]:
    name = before.name
    if now is None:
        yield name, removed(name), None
    elif not now.enabled:
        yield name, removed(name, "was switched off"), None
    elif not now.shared:
        yield name, removed(name, "was taken off the agent: only test cases have it now"), None
    else:
        for difference in marked(name, configured_mark(before), configured_mark(now)):
            yield name, difference, None
        for difference in _shaped(before, now):
            yield name, difference, (before.digest, now.digest)


def _shaped(before: MetricConfig, now: MetricConfig) -> Iterator[Difference]:
    """What differs in what shapes the score."""
    if before.configuration.get("named") is True and now.configuration.get("named") is False:
        sentence = (
            f"the metrics of {quoted(now.name)} are not named any more: one without its input is passed over"
        )
        yield Difference(
            code="configuration", metric=now.name, key=("named",), sentence=sentence, loosens=True
        )
    if before.digest == now.digest:
        return
    if before.type != now.type:
        yield _edited(now.name, "type", before.type, now.type)
    yield from _options(now.name, before.configuration, now.configuration)
    if before.judge != now.judge:
        yield judged_by(now.name, before.judge, now.judge)


def _options(name: str, before: Mapping[str, object], now: Mapping[str, object]) -> Iterator[Difference]:
    for part in text_of(before, "metrics"):
        if part not in text_of(now, "metrics"):
            yield removed(f"{name}.{part}")
    for option in dict.fromkeys((*before, *now)):
        if option not in GATES and _text(before.get(option)) != _text(now.get(option)):
            yield _edited(name, option, _text(before.get(option)), _text(now.get(option)))


def _edited(name: str, option: str, before: str, now: str) -> Difference:
    old, new = _apart(before, now)
    sentence = f"{quoted(option)} of {quoted(name)} was edited, from {old} to {new}"
    return Difference(
        code="configuration", metric=name, key=(option, before, now), sentence=sentence, loosens=False
    )


def _text(value: object) -> str:
    """An option as a text; the same one whether it was read from a file or comes from this run."""
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)


def _apart(before: str, now: str) -> tuple[str, str]:
    """Two texts, quoted and short, from shortly before the place where they part."""
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, now, strict=False)))
    start = max(0, alike - _ALIKE) if max(len(before), len(now)) > _SHOWN else 0
    lead = "…" if start else ""
    return quoted(lead + before[start:], _SHOWN), quoted(lead + now[start:], _SHOWN)
