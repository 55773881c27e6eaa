"""The GitHub role: the action's inputs to options, the verdict to step outputs and summary."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from holodeck_eval.application import broken, failed, gate, report_failure
from holodeck_eval.arguments import LISTS, parse, run_options
from holodeck_eval.domain.agent import Secret
from holodeck_eval.domain.options import Environment, Options
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.wording import nearest, quoted
from holodeck_eval.errors import Problem, UsageError
from holodeck_eval.github import append_summary, write_outputs
from holodeck_eval.pipeline import Progress
from holodeck_eval.reports import REPORTS

PREFIX = "INPUT_"

_SECONDS = re.compile(r"[0-9]{1,12}")
_YEAR_9999 = 253_402_300_799


def run_action(environ: Mapping[str, str], progress: Progress) -> Run:
    """Run the gate as the action's inputs say, and write the step's outputs and summary.

    Args:
        environ: the container's environment.
        progress: told how many cases are done.
    """
    environment = _environment(environ)
    options = _unparsed(environ)
    try:
        options = parse(list(_arguments(environ)))
        run = gate(options, environment, progress)
    except UsageError as error:
        run = _report(options, environment, failed(options, environment, error.problems))
    return _tell_runner(environ, options, run)


def report_action_bug(environ: Mapping[str, str], error: Exception) -> Run:
    """Write reports, outputs and summary that say that this program broke."""
    options, environment = _unparsed(environ), _environment(environ)
    return _tell_runner(environ, options, _report(options, environment, broken(options, environment, error)))


def environment_of(environ: Mapping[str, str]) -> Environment:
    """The environment as one value. In a workflow the checkout under test is GITHUB_WORKSPACE."""
    in_action = environ.get("GITHUB_ACTIONS") == "true"
    return Environment(
        variables={name: Secret(value) for name, value in environ.items()},
        workspace=_workspace(environ) if in_action else None,
        source_date_epoch=_epoch(environ.get("SOURCE_DATE_EPOCH", "")),
        head_sha=_head_sha(environ),
    )


def outputs_of(run: Run, out: str) -> dict[str, str]:
    """Every declared output of the action, as text; "" for a number there is none of."""
    summary, folder = run.summary, Path(out)
    numbers = {
        "pass_rate": summary.pass_rate,
        "score": summary.score,
        "binary_score": summary.binary_score,
        "avg_score": summary.avg_score,
        "cost_usd": run.usage.cost_usd,
    }
    return {
        "status": run.verdict.status,
        "passed": str(run.verdict.passed).lower(),
        **{name: "" if number is None else f"{number:.6g}" for name, number in numbers.items()},
        "rating": summary.rating or "",
        "cases": str(summary.cases),
        "failed_cases": str(summary.failed),
        "regressions": _regressions(run),
        "results_path": str(folder / "results.json"),
        "junit_path": str(folder / "junit.xml"),
        "comment_path": str(folder / "comment.md"),
    }


def _regressions(run: Run) -> str:
    """How many metrics are worse, and cases newly fail beyond noise; "" where nothing was compared."""
    comparison = run.comparison
    if comparison is None or comparison.problem is not None:
        return ""
    worse = sum(metric.verdict == "worse" for metric in comparison.metrics)
    cases = {(flip.agent, flip.case) for flip in comparison.flips if flip.proven}
    return str(worse + len(cases))


def _environment(environ: Mapping[str, str]) -> Environment:
    """The action's environment: it always has a checkout that is not trusted, whatever the runner says."""
    return replace(environment_of(environ), workspace=_workspace(environ))


def _workspace(environ: Mapping[str, str]) -> str:
    return str(Path(environ.get("GITHUB_WORKSPACE") or ".").absolute())


def _report(options: Options, environment: Environment, run: Run) -> Run:
    """The run with its reports written; where even that fails, with that as its cause."""
    try:
        return report_failure(options, environment, run)
    except UsageError as error:
        return failed(options, environment, error.problems)


def _tell_runner(environ: Mapping[str, str], options: Options, run: Run) -> Run:
    if path := environ.get("GITHUB_OUTPUT"):
        write_outputs(Path(path), outputs_of(run, options.out))
    if path := environ.get("GITHUB_STEP_SUMMARY"):
        append_summary(Path(path), REPORTS["summary.md"].render(run))
    return run


def _unparsed(environ: Mapping[str, str]) -> Options:
    """Options for reporting what could not be parsed: the report folder is all they know."""
    out = _input(environ, "out")
    return Options(agent=(), transcripts=(), out=out) if out else Options(agent=(), transcripts=())


def _arguments(environ: Mapping[str, str]) -> Iterator[str]:
    """The inputs that are set, as command-line arguments."""
    params = {str(param.name): param for param in run_options()}
    for variable, value in sorted(environ.items()):
        if not variable.startswith(PREFIX):
            continue
        name = variable.removeprefix(PREFIX).lower()
        if name not in params:
            raise UsageError(Problem(message=_unknown(name, params)))
        if value.strip():
            yield from _argument(name, params[name], value)


def _argument(name: str, param: click.Parameter, value: str) -> Iterator[str]:
    flag = f"--{name.replace('_', '-')}"
    if getattr(param, "is_flag", False):
        yield from [flag] if _boolean(name, value) else param.secondary_opts
    elif name in LISTS:
        for line in value.splitlines():
            if line.strip():
                yield f"{flag}={line.strip()}"
    else:
        yield f"{flag}={value.strip()}"


def _boolean(name: str, value: str) -> bool:
    text = value.strip().lower()
    if text not in {"true", "false"}:
        raise UsageError(Problem(message=f"the input {name} takes true or false, not {value!r}"))
    return text == "true"


def _unknown(name: str, known: Mapping[str, Any]) -> str:
    return f"the action has no input {quoted(name)}{nearest(name, known)}"


def _input(environ: Mapping[str, str], name: str) -> str:
    return environ.get(f"{PREFIX}{name.upper()}", "").strip()


def _epoch(text: str) -> int | None:
    """The seconds since 1970 that a text gives; None for no number, and for what no calendar holds."""
    seconds = int(text) if _SECONDS.fullmatch(text) else None
    return seconds if seconds is not None and seconds <= _YEAR_9999 else None


def _head_sha(environ: Mapping[str, str]) -> str | None:
    """The commit under test: the pull request's head, not the merge commit that was checked out."""
    try:
        event = json.loads(Path(environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
        sha = event["pull_request"]["head"]["sha"]
    except (KeyError, TypeError, OSError, ValueError):
        sha = environ.get("GITHUB_SHA")
    return sha if isinstance(sha, str) and sha.isalnum() else None
