"""A run to its documents, with no secret in them."""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence

from holodeck_eval.domain.case import Case
from holodeck_eval.domain.redaction import holds, redact
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.secret_values import secrets_of
from holodeck_eval.reports import REPORTS
from holodeck_eval.reports.cases import render_case

__all__ = ["case_lines", "clean_lines", "documents", "not_named", "secrets_of"]

RESULTS = "results.json"


def documents(run: Run, secrets: Collection[str]) -> tuple[Run, dict[str, str]]:
    """The run and its reports by file name, both with every secret and every key starred out.

    Taking a run apart costs more than rendering it, and nearly no run holds a secret: results.json
    holds everything of a run, so it is looked through first. What is `not_named` alone is a secret.
    """
    secrets = not_named(run, secrets)
    results = REPORTS[RESULTS].render(run)
    if holds(results, secrets):
        run = redact(run, secrets)
        results = REPORTS[RESULTS].render(run)
    others = {name: report.render(run) for name, report in REPORTS.items() if name != RESULTS}
    return run, {RESULTS: results, **others}


def not_named(run: Run, secrets: Collection[str]) -> frozenset[str]:
    """Those secrets that are in no name of an agent or a metric of the run.

    Names are what comparisons go by, and in the agent's file for all to read: a variable that says the same
    is none. Starred out, an agent would be another one than in its baseline.
    """
    names = [agent.name for agent in run.agents]
    names += [metric.name for agent in run.agents for metric in agent.metrics]
    return frozenset(secret for secret in secrets if not any(secret in name for name in names))


def case_lines(cases: Sequence[Case], secrets: Collection[str]) -> Iterator[str]:
    """What was judged, a line a case, with every secret and every key starred out."""
    for case in cases:
        line = render_case(case)
        yield render_case(redact(case, secrets)) if holds(line, secrets) else line


def clean_lines(lines: Iterable[str], secrets: Collection[str]) -> Iterator[str]:
    """Lines that other jobs wrote, which know other secrets, with those of this one starred out."""
    return (_clean(line, secrets) if holds(line, secrets) else line for line in lines)


def _clean(line: str, secrets: Collection[str]) -> str:
    """A line, text by text: what looks like one key over several texts would take their quotes with it."""
    try:
        value: object = json.loads(line)
    except (ValueError, RecursionError):  # it is left out by whoever reads it
        return redact(line, secrets)
    return redact(json.dumps(redact(value, secrets), separators=(",", ":")), secrets)  # numbers, too
