"""The outputs of the action's step, and its summary."""

from collections.abc import Mapping
from pathlib import Path

from holodeck_eval.domain.run import Run
from holodeck_eval.github import append_summary, write_outputs
from holodeck_eval.reports import REPORTS


def outputs_of(run: Run, out: str, comment_url: str | None = None) -> dict[str, str]:
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
        "comment_url": comment_url or "",
    }


def tell_runner(environ: Mapping[str, str], run: Run, out: str, comment_url: str | None) -> None:
    """Write the step's outputs and its summary into the files the runner names."""
    if path := environ.get("GITHUB_OUTPUT"):
        write_outputs(Path(path), outputs_of(run, out, comment_url))
    if path := environ.get("GITHUB_STEP_SUMMARY"):
        append_summary(Path(path), REPORTS["summary.md"].render(run))


def _regressions(run: Run) -> str:
    """How many metrics are worse, and cases newly fail beyond noise; "" where nothing was compared."""
    comparison = run.comparison
    if comparison is None or comparison.problem is not None:
        return ""
    worse = sum(metric.verdict == "worse" for metric in comparison.metrics)
    cases = {(flip.agent, flip.case) for flip in comparison.flips if flip.proven}
    return str(worse + len(cases))
