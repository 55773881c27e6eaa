"""Reads the shards' report folders, merges them, and writes the whole run's."""

import os.path
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from holodeck_eval.application.folder import ReportFolder
from holodeck_eval.application.gating import failed, report_failure
from holodeck_eval.application.merging import merge, merged_case_lines
from holodeck_eval.application.merging.parts import Named
from holodeck_eval.application.rendering import clean_lines, documents, not_named, secrets_of
from holodeck_eval.application.withheld import explained
from holodeck_eval.assemble.baseline import check_apart, read_baseline
from holodeck_eval.assemble.paths import Checkout
from holodeck_eval.assemble.report_files import ReportFiles, read_results
from holodeck_eval.domain.options import Environment, Options
from holodeck_eval.domain.run import Run
from holodeck_eval.errors import InputError, Place, Problem, ResultsError, UsageError
from holodeck_eval.reports.reading import UnreadableError

UNTRUSTED_SHARD: Final = (
    "a shard's report in the checkout is not believed: its author could have written it. Download the "
    "shards' artifacts into a folder under runner.temp, or set --trust-checkout"
)


def merge_folders(results: Sequence[str], options: Options, environment: Environment) -> Run:
    """Merge shards into one run, and write its reports; where they cannot be merged, reports that say so.

    Args:
        results: a report folder or results file for each shard.
        options: the report folder, the baseline that the shards were compared with, renamed agents, and
            whether the checkout is trusted.
        environment: says which checkout that is, and which secrets are not to be shown.

    Raises:
        UsageError: when reports cannot be written, or would replace the baseline or a shard.
    """
    check_apart(options)
    files = [ReportFiles.of(Path(name)) for name in results]
    _check_apart(files, options.out)
    folder = ReportFolder.of(options.out, environment)
    folder.prepare()
    try:
        run, lines = _merged(files, options, environment)
    except InputError as error:
        return report_failure(options, environment, failed(options, environment, error.problems))
    secrets = secrets_of(environment)
    run, texts = documents(explained(run, environment.withheld), secrets)
    folder.write(texts)
    if lines is not None:
        folder.write_cases(clean_lines(lines, not_named(run, secrets)))
    return run


def _merged(
    files: Sequence[ReportFiles], options: Options, environment: Environment
) -> tuple[Run, Iterator[str] | None]:
    checkout = Checkout.of(environment)
    if not options.trust_checkout:
        _refuse_untrusted(files, checkout)
    runs = _read(files)
    run = merge(runs, baseline=read_baseline(options, checkout))
    lines, warnings = merged_case_lines(runs)
    return replace(run, warnings=(*run.warnings, *warnings)), lines


def _check_apart(files: Sequence[ReportFiles], out: str) -> None:
    """Refuse a report folder that is a shard's: it is emptied before anything is read."""
    kept = os.path.realpath(out)
    problems = [
        Problem(message="this shard lies in the report folder, which is emptied", place=_place(file))
        for file in files
        if os.path.realpath(file.results.parent) == kept
    ]
    if problems:
        raise UsageError(*problems)


def _refuse_untrusted(files: Sequence[ReportFiles], checkout: Checkout) -> None:
    problems = [
        Problem(message=UNTRUSTED_SHARD, place=_place(file))
        for file in files
        if checkout.holds(file.results) or checkout.holds(file.cases)
    ]
    if problems:
        raise UsageError(*problems)


def _place(file: ReportFiles) -> Place:
    return Place(file=str(file.results))


def _read(files: Sequence[ReportFiles]) -> list[Named]:
    runs: list[Named] = []
    problems: list[Problem] = []
    for file in files:
        path = file.results
        try:
            runs.append((str(path), read_results(path)))
        except FileNotFoundError:
            problems.append(Problem(message="there is no such file", place=_place(file)))
        except UnreadableError as error:
            place = Place(file=str(path), line=error.line, column=error.column)
            problems.append(Problem(message=f"this file {error.clause}", place=place))
        except InputError as error:
            problems.extend(error.problems)
    if problems:
        raise ResultsError(*problems)
    return runs
