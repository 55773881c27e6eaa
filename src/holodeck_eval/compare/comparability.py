"""Whether two runs measured a metric the same way, and what differs where they did not."""

import json
from collections.abc import Mapping, Sequence

from holodeck_eval.compare.looks import RowKey, Rows, Sides
from holodeck_eval.domain.result import MetricConfig
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.wording import listed, quoted

Configs = Mapping[RowKey, MetricConfig]


def reasons_against(rows: Rows, baseline: Run, head: Run) -> dict[RowKey, str]:
    """For each metric that cannot be compared, a clause that says why.

    One look that was made otherwise is enough: to compare the others alone would let a metric be eased for
    just the cases that fail it.
    """
    before, now = _configs(baseline), _configs(head)
    found = {key: _reason(row, before.get(key), now.get(key)) for key, row in rows.items()}
    return {key: reason for key, reason in found.items() if reason}


def _configs(run: Run) -> Configs:
    """How an agent's metrics were configured. Those of single test cases are not among them."""
    return {(agent.name, metric.name): metric for agent in run.agents for metric in agent.metrics}


def _reason(looks: Sequence[Sides], before: MetricConfig | None, now: MetricConfig | None) -> str:
    known = before.digest if before else "", now.digest if now else ""
    for sides in looks:
        if (sides.before.digest or known[0]) != (sides.now.digest or known[1]):
            return _configuration(before, now) or f"it is configured otherwise for case {quoted(sides.case)}"
    if before and now and _differ(before.prompt_version, now.prompt_version):
        return _moved("the version of its prompts", before.prompt_version, now.prompt_version)
    for sides in looks:
        versions = sides.old.judge_version, sides.new.judge_version
        if not sides.unchanged and _differ(*versions):
            return _moved("what the provider calls its judge", *versions)
    return ""


def _differ(before: str | None, now: str | None) -> bool:
    """Whether both are known and not the same."""
    return before is not None and now is not None and before != now


def _configuration(before: MetricConfig | None, now: MetricConfig | None) -> str:
    """What differs between two configurations; "" where that cannot be told."""
    if before is None or now is None:
        return ""
    if before.type != now.type:
        return _moved("its type", before.type, now.type)
    if before.judge != now.judge:
        return _moved("its judge", before.judge, now.judge)
    names = sorted(before.configuration.keys() | now.configuration.keys())
    other = [name for name in names if _written(before, name) != _written(now, name)]
    return f"its configuration differs in {listed(other)}" if other else ""


def _written(config: MetricConfig, name: str) -> str:
    """An option as results.json has it: what was read from there and what was configured are then alike."""
    return json.dumps(config.configuration.get(name), sort_keys=True)


def _moved(what: str, before: str | None, now: str | None) -> str:
    return f"{what} is {quoted(now or 'none')} and was {quoted(before or 'none')}"
