"""A run to its documents, with no secret in them."""

import json
import re
from collections.abc import Collection, Iterator, Sequence

from holodeck_eval.domain.case import Case
from holodeck_eval.domain.options import Environment
from holodeck_eval.domain.redaction import SHORTEST, redact
from holodeck_eval.domain.run import Run
from holodeck_eval.reports import REPORTS
from holodeck_eval.reports.cases import render_case

RESULTS = "results.json"

_SECRET_NAME = re.compile(r"(^|_)(KEY|TOKEN|SECRET|PASSWORD)S?(_|$)", re.IGNORECASE)


def documents(run: Run, secrets: Collection[str]) -> tuple[Run, dict[str, str]]:
    """The run and its reports by file name, both with every secret starred out.

    Taking a run apart costs more than rendering it, and nearly no run holds a secret: results.json
    holds everything of a run, so it is looked through first.
    """
    results = REPORTS[RESULTS].render(run)
    if _holds(results, secrets):
        run = redact(run, secrets)
        results = REPORTS[RESULTS].render(run)
    others = {name: report.render(run) for name, report in REPORTS.items() if name != RESULTS}
    return run, {RESULTS: results, **others}


def case_lines(cases: Sequence[Case], secrets: Collection[str]) -> Iterator[str]:
    """What was judged, a line a case, with every secret starred out."""
    for case in cases:
        line = render_case(case)
        yield render_case(redact(case, secrets)) if _holds(line, secrets) else line


def secrets_of(environment: Environment) -> frozenset[str]:
    """The environment's values whose names say that they are secret, and those that nothing may read."""
    named = (value for name, value in environment.variables.items() if _SECRET_NAME.search(name))
    return frozenset(value.reveal() for value in (*named, *environment.hidden))


def _holds(document: str, secrets: Collection[str]) -> bool:
    """Whether a JSON document holds a secret, in any way that JSON may write it."""
    return any(
        json.dumps(secret, ensure_ascii=ascii_only)[1:-1] in document
        for secret in secrets
        if len(secret) >= SHORTEST
        for ascii_only in (False, True)
    )
