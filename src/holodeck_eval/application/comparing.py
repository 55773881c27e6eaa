"""Compares two runs that were made, and decides anew. Judges nothing."""

from dataclasses import replace
from pathlib import Path

from holodeck_eval.assemble.baseline import read_baseline
from holodeck_eval.assemble.paths import Checkout
from holodeck_eval.assemble.report_files import ReportFiles, read_results
from holodeck_eval.compare import recomputed
from holodeck_eval.domain.baseline import Baseline
from holodeck_eval.domain.comparison import Rejudged
from holodeck_eval.domain.options import Environment, Options
from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.policy import Policy, PolicyOptions, written_over
from holodeck_eval.domain.result import MetricResult
from holodeck_eval.domain.run import Run
from holodeck_eval.errors import Place, Problem, ResultsError, UsageError
from holodeck_eval.gate import decide
from holodeck_eval.pipeline import compared
from holodeck_eval.reports.reading import UnreadableError


def compare_results(head: str, options: Options, environment: Environment) -> Run:
    """The run of `head` with its comparison and its verdict as they are against the baseline.

    A run that could not be made keeps its verdict: there is nothing in it to compare.

    Args:
        head: a report folder or results file.
        options: `baseline` is another; what is wrong with it is in the comparison. `rules` win over the
            policy of `head`, but the gates themselves are compared as they were. `rename_agent` and
            `trust_checkout` are as for a run.
        environment: says which checkout is not to be believed.

    Raises:
        ResultsError: when `head` cannot be read, or is only a part of a run.
        InputError: when the baseline lies in the checkout, or none is named.
    """
    earlier = _earlier(options, environment)
    run = _head(Path(head))
    if run.verdict.status in {"error", "bug"}:
        return run
    run, contradictions = recomputed(run)
    policy = _policy(run, options.rules)
    comparison = compared(run, earlier, _added_to(earlier, run), policy.comparison)
    return replace(
        run,
        policy=policy,
        comparison=comparison,
        verdict=decide(run.summary, run.cases, policy, run.agents, comparison),
        warnings=tuple(dict.fromkeys((*run.warnings, *contradictions, *earlier.warnings))),
    )


def _earlier(options: Options, environment: Environment) -> Baseline:
    checkout = Checkout.of(environment)
    earlier = read_baseline(options, checkout)
    if earlier is None:
        raise UsageError(Problem(message="no baseline is named; name a report folder or a results.json"))
    return earlier


def _head(path: Path) -> Run:
    results = ReportFiles.of(path).results
    place = Place(file=str(results))
    try:
        run = read_results(results)
    except FileNotFoundError:
        raise ResultsError(Problem(message="there is no such file", place=place)) from None
    except UnreadableError as error:
        place = replace(place, line=error.line, column=error.column)
        raise ResultsError(Problem(message=f"this file {error.clause}", place=place)) from None
    if run.shard is not None:
        part = f"part {run.shard.index} of {run.shard.count} of a run"
        raise ResultsError(Problem(message=f"this file is only {part}; merge the parts first", place=place))
    return run


def _policy(run: Run, rules: PolicyOptions) -> Policy:
    """The run's policy with the rules written over it.

    A run without a baseline does not tell a pass rate that was written from the default one. The default
    is taken for not written: with a baseline there is none.
    """
    policy = run.policy
    if run.comparison is None and policy.min_pass_rate == Policy().min_pass_rate:
        policy = replace(policy, min_pass_rate=None)
    return written_over(policy, rules)


def _added_to(earlier: Baseline, run: Run) -> tuple[Rejudged, ...]:
    """The baseline's judgements that the run added to, if it is this baseline that it was compared with."""
    made, info = run.comparison, earlier.info
    if made is None or made.baseline is None or info is None or earlier.run is None:
        return ()
    if (made.baseline.started_at, made.baseline.head_sha) != (info.started_at, info.head_sha):
        return ()
    results = {
        (case.agent, case.id, turn.index, metric.name): metric
        for case in earlier.run.cases
        for turn in case.turns
        for metric in turn.metrics
    }
    return tuple(
        one
        for one in made.rejudged
        if _is_again(one.result, results.get((one.agent, one.case, one.turn, one.result.name)))
    )


def _is_again(result: MetricResult, before: MetricResult | None) -> bool:
    """Whether a result is another of the same judge on the same texts."""
    if before is None or not isinstance(result.outcome, Scored) or not isinstance(before.outcome, Scored):
        return False
    return result.outcome.key == before.outcome.key and result.digest == before.digest
